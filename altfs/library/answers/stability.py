"""Stability: shares of halves of the rows in which features and sets come back."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from altfs.errors import AltfsError
from altfs.library.answers.evaluation import FittedOn, search_on
from altfs.library.feature_sets import set_name

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
    """

    features: pd.DataFrame
    sets: pd.DataFrame
    value: float
    low: float
    high: float
    n_halves: int
    n_rows: int

    @property
    def unordered(self) -> list[str]:
        """The alternatives that the rows cannot order against the original set."""
        shares = self.sets.iloc[1:]
        close = shares[shares["beaten"].between(1 - _LEVEL, _LEVEL, inclusive="neither")]
        return [str(name) for name in close["set"]]

    @property
    def sentence(self) -> str:
        """The measure, and what cannot be ordered, in words."""
        value = (
            f"Stability {self.value:.2f} ({self.low:.2f} to {self.high:.2f}) over "
            f"{self.n_halves} halves of {self.n_rows:,} rows"
        )
        if not self.unordered:
            return f"{value}."
        listed = ", ".join(["the original", *self.unordered[:-1]])
        which = f"{listed} and {self.unordered[-1]}"
        if 1 < len(self.unordered) == len(self.sets) - 1:
            which = "the sets"
        return f"{value}; {which} cannot be ordered by {self.n_rows:,} rows."

    def __str__(self) -> str:
        lines = [
            f"  {row.feature}: in {row.share:.0%} of the original sets"
            for row in self.features.itertuples(index=False)
        ]
        return "\n".join([self.sentence, *lines])


def stability(fitted: Any, n_halves: int, seed: int) -> Stability:
    """Search on halves of the rows; see :meth:`altfs.AlternativeFeatures.stability`."""
    data: FittedOn | None = getattr(fitted, "_fitted_on", None)
    if data is None:
        raise AltfsError(
            "stability: copies and pickles do not hold the data, call fit again before."
        )
    random, n_rows = np.random.default_rng(seed), len(data.y)
    sets = fitted.feature_sets_
    chosen = np.zeros((n_halves, fitted.n_features_in_), dtype=bool)
    qualities = np.full((n_halves, len(sets)), np.nan)
    for i in range(n_halves):
        fitted._say("halves of the rows searched", i, n_halves)
        rows = np.sort(random.choice(n_rows, n_rows // 2, replace=False))
        again = search_on(fitted, data, rows, f"stability: half {i}", n_alternatives=0)
        if not hasattr(again, "feature_sets_"):
            continue
        chosen[i] = again.feature_sets_[0].mask
        place = {j: p for p, j in enumerate(again.screened_.tolist())}
        for s, features in enumerate(sets):
            if all(j in place for j in features.indices):
                within = [place[j] for j in features.indices]
                qualities[i, s] = again.quality_.evaluate(within)
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
    return Stability(features, table, value, low, high, n_halves, n_rows)


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
