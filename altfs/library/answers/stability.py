"""Stability: shares of halves of the rows in which features and sets come back."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from math import sqrt
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from altfs._numbers import BoolArray, FloatArray, IntArray
from altfs.errors import AltfsError
from altfs.library.answers.folds import FittedOn, search_on
from altfs.library.answers.within_error import (
    FEWEST_SAMPLES,
    WithinError,
    scores_of,
    within_error,
)
from altfs.library.feature_sets import set_name
from altfs.library.workers import workers
from altfs.scores.row_groups import half_of_rows
from altfs.searches.chance import FEW_EVALUATIONS

# The share of intervals that hold the true value, and of halves in which a better set is better.
_LEVEL = 0.95


@dataclass(frozen=True, eq=False)
class Stability:
    """The original set of each half of the rows, beside the sets of all rows.

    Attributes
    ----------
    features : DataFrame
        A row per feature that was selected: feature, share (of the halves whose original set has
        it) and original (True if that of all rows has it).
    sets : DataFrame
        A row per set of all rows: set, same (the share of the halves whose original set it is) and
        beaten (the share of the halves by whose quality the original set is better).
    value, low, high : float
        The measure of Nogueira, Sechidis and Brown, *On the Stability of Feature Selection
        Algorithms*, JMLR 2018, with its 95 % interval: 1 if all halves have the same set, about 0
        if they agree as by chance.
    n_halves, n_rows : int
        The number of halves, and of all rows.
    within_error : WithinError or None
        How many sets are within the error of the best one's scores: ``n_best``, ``n_others``,
        ``exact`` and ``sentence``. None unless the selector sums scores that have a unit.
    """

    features: pd.DataFrame
    sets: pd.DataFrame
    value: float
    low: float
    high: float
    n_halves: int
    n_rows: int
    within_error: WithinError | None = None

    @property
    def unordered(self) -> list[str]:
        """The alternatives that the rows cannot order against the original set."""
        shares = self.sets.iloc[1:]
        close = shares[shares["beaten"].between(1 - _LEVEL, _LEVEL, inclusive="neither")]
        return [str(name) for name in close["set"]]

    @property
    def sentence(self) -> str:
        """The measure, what cannot be ordered, and what is within the error, in words."""
        value = (
            f"Stability {self.value:.2f} ({self.low:.2f} to {self.high:.2f}) over "
            f"{self.n_halves} halves of {self.n_rows:,} rows, where 1 is the same set each time "
            "and 0 as drawn at random"
        )
        end = self._exchange()
        end += "" if self.within_error is None else f" {self.within_error.sentence}"
        if not self.unordered:
            return f"{value}.{end}"
        listed = ", ".join(["the original", *self.unordered[:-1]])
        which = f"{listed} and {self.unordered[-1]}"
        if 1 < len(self.unordered) == len(self.sets) - 1:
            which = "the sets"
        return f"{value}; {which} cannot be ordered by {self.n_rows:,} rows.{end}"

    def _exchange(self) -> str:
        """Name the feature that halves take most often in place of one of the original set."""
        rows = self.features.sort_values("share", kind="stable")
        members, others = rows[rows["original"]], rows[~rows["original"]]
        if not len(others) or others["share"].iloc[-1] <= members["share"].iloc[0]:
            return ""
        other, member = (
            f"{row['feature']} ({row['share']:.0%})" for row in (others.iloc[-1], members.iloc[0])
        )
        return f" Halves take {other} more often than {member} of the original set."

    def __str__(self) -> str:
        lines = [
            f"  {row.feature}: in {row.share:.0%} of the original sets"
            for row in self.features.itertuples(index=False)
        ]
        return "\n".join([self.sentence, *lines])


class _Half(NamedTuple):
    """The sets of one half of the rows."""

    chosen: BoolArray
    #: Of the sets of all rows, by the quality of this half; NaN if it did not compare them.
    qualities: FloatArray
    #: Of all features, if they have any.
    scores: FloatArray | None


def stability(fitted: Any, n_halves: int, seed: int) -> Stability:
    """Search on halves of the rows; see :meth:`altfs.AlternativeFeatures.stability`."""
    from sklearn.utils.parallel import Parallel, delayed

    data: FittedOn | None = getattr(fitted, "_fitted_on", None)
    if data is None:
        raise AltfsError(
            "stability", "copies and pickles do not hold the data", "call fit again before"
        )
    random, n_rows, part = np.random.default_rng(seed), len(data.y), fitted._part_fitted_on
    rows = np.arange(n_rows) if part is None else part.canonical_rows()
    sets, halves = fitted.feature_sets_, []
    jobs = (
        delayed(_half)(fitted, data, half_of_rows(rows, data.groups, random), i)
        for i in range(n_halves)
    )
    with warnings.catch_warnings(), workers(fitted.n_jobs, data):
        # Threads share the filters of warnings.
        warnings.simplefilter("ignore")
        for half in Parallel(prefer="threads", return_as="generator")(jobs):
            halves.append(half)
            fitted._say("halves of the rows searched", len(halves), n_halves)
    chosen = np.array([half.chosen for half in halves])
    qualities = np.array([half.qualities for half in halves])
    scores = [half.scores for half in halves if half.scores is not None]
    whole = len(scores) == n_halves >= FEWEST_SAMPLES
    near = within_error(fitted, np.array(scores) if whole else None)
    value, low, high = agreement(chosen)
    shares, original = chosen.mean(axis=0), sets[0].mask
    order = [j for j in np.argsort(-shares, kind="stable") if shares[j] > 0 or original[j]]
    names = np.array(data.names, dtype=object)[order]
    features = pd.DataFrame({"feature": names, "share": shares[order], "original": original[order]})
    same = [(chosen == s.mask).all(axis=1).mean() for s in sets]
    # A set that a half does not compare counts as not better.
    worse = np.where(np.isnan(qualities), True, qualities[:, :1] > qualities)
    table = pd.DataFrame(
        {
            "set": [set_name(i) for i in range(len(sets))],
            "same": same,
            "beaten": [np.nan, *worse[:, 1:].mean(axis=0)],
        }
    )
    return Stability(features, table, value, low, high, n_halves, n_rows, near)


def _half(fitted: Any, data: FittedOn, rows: IntArray, i: int) -> _Half:
    """Search on one half of the rows."""
    where = f"stability: half {i}"
    again = search_on(fitted, data, rows, where, FEW_EVALUATIONS, n_alternatives=0, n_jobs=1)
    chosen = np.zeros(fitted.n_features_in_, dtype=bool)
    qualities = np.full(len(fitted.feature_sets_), np.nan)
    if not hasattr(again, "feature_sets_"):
        return _Half(chosen, qualities, None)
    place = {j: p for p, j in enumerate(again.screened_.tolist())}
    for s, features in enumerate(fitted.feature_sets_):
        if all(j in place for j in features.indices):
            qualities[s] = again.quality_.evaluate([place[j] for j in features.indices])
    whole = fitted.prescreen is None
    scores = scores_of(again.quality_) if whole else None
    return _Half(again.feature_sets_[0].mask, qualities, scores)


def agreement(chosen: npt.NDArray[np.bool_]) -> tuple[float, float, float]:
    """Return the stability of sets, one in a row, and its 95 % interval.

    It is that of Nogueira, Sechidis and Brown (2018), Definition 4 and Theorem 7; 1 if all sets
    have all features or none.

    >>> agreement(np.array([[1, 1, 0, 0], [1, 1, 0, 0], [1, 1, 0, 0]], dtype=bool))
    (1.0, 1.0, 1.0)
    """
    from scipy.stats import norm

    n_sets, n_total = chosen.shape
    shares, sizes = chosen.mean(axis=0), chosen.sum(axis=1) / n_total
    size = float(shares.mean())
    by_chance = size * (1 - size)
    if by_chance == 0:
        return 1.0, 1.0, 1.0
    spread = n_sets / (n_sets - 1) * float((shares * (1 - shares)).mean())
    value = 1 - spread / by_chance
    parts = (chosen * shares).mean(axis=1) - sizes * size
    parts += value / 2 * (2 * sizes * size - sizes - size + 1)
    parts /= by_chance
    deviation = 2 / n_sets * sqrt(float(((parts - parts.mean()) ** 2).sum()))
    half = float(norm.ppf((1 + _LEVEL) / 2)) * deviation
    return value, value - half, min(1.0, value + half)
