"""The sets that cannot be told from the best one by the sampling error of the scores."""

from __future__ import annotations

from dataclasses import dataclass
from math import floor, sqrt
from typing import Any

import numpy as np

from altfs._numbers import FloatArray, IntArray
from altfs.errors import AltfsError
from altfs.library.answers.fitted import FittedRequest
from altfs.library.inputs import chosen_selector
from altfs.problem import Problem
from altfs.problem.results import Status
from altfs.quality import Linear, Quality
from altfs.scores.base import Part
from altfs.solvers import solve
from altfs.solvers.all_best import all_best

#: The fewest samples of rows.
FEWEST_SAMPLES = 20
# The largest number of rows of a sample, and the fewest rows of a table.
_MOST_ROWS, _FEWEST_ROWS = 5000, 40
# A difference of so many standard errors is one that the rows show.
_ERRORS = 2
# The largest number of sets that are compared one by one, and the work to list them.
_MOST_SETS, _WORK = 10_000, 10.0
# If there are more, those by so many times less worse are compared.
_NEARER = (64, 16, 4, 1)


@dataclass(frozen=True)
class WithinError:
    """The number of sets whose scores do not differ from those of the best one beyond their error.

    Attributes
    ----------
    n_best : int
        The sets of the best value.
    n_others : int
        Further sets of at most two standard errors less; a lower bound of it unless `exact`.
    exact : bool
    """

    n_best: int
    n_others: int
    exact: bool

    @property
    def sentence(self) -> str:
        """The numbers in words.

        >>> print(WithinError(1, 312, True).sentence)
        One set is best by these scores; 312 others are within their error.
        """
        best = "One set is" if self.n_best == 1 else f"{self.n_best:,} sets are"
        number = f"{'' if self.exact else 'at least '}{self.n_others:,}"
        others = f"{number} {'other is' if self.n_others == 1 else 'others are'}"
        if not self.n_others:
            others = "no other is" if self.exact else "it is not known how many others are"
        return f"{best} best by these scores; {others} within their error."


def within_error(estimator: Any, scores: FloatArray | None = None) -> WithinError | None:
    """Count the sets within the error of the best one's scores; see the page of mathematics.

    It is None unless the selector learned summed scores with a unit from a dense table of at least
    40 rows, and the best set of one size is proven.

    Parameters
    ----------
    estimator : AlternativeFeatures
    scores : ndarray of float of shape (n_samples, n_features), optional
        The scores of features on halves of the rows, in their unit. By default, they are computed
        on 20 samples of at most 5,000 rows.
    """
    fitted: FittedRequest = estimator._fitted
    part: Part | None = getattr(estimator, "_part_fitted_on", None)
    quality, problems = fitted.quality, fitted.singles()
    if part is None or len(part.y) < _FEWEST_ROWS or len(problems) > 1 or fitted.has_prices:
        return None
    if not isinstance(quality, Linear) or quality.measure is None:
        return None
    n = len(part.y)
    n_rows = n // 2 if scores is not None else min(n // 2, _MOST_ROWS)
    try:
        best = solve(problems[0], fitted.request.limits)
        if best.status is not Status.OPTIMAL:
            return None
        if scores is None:
            scores = _sampled_scores(part, estimator.selector, n_rows)
    except AltfsError:
        return None
    # The jackknife that deletes n - n_rows rows (Shao and Wu 1989).
    deviations = scores - scores.mean(axis=0)
    deviations *= sqrt(n_rows / (n - n_rows) / (len(scores) - 1))
    return _counted(problems[0], np.array(best.sets[0]), deviations)


def _sampled_scores(part: Part, selector: Any, n_rows: int) -> FloatArray:
    """Return the scores of features on samples of rows, a sample a row."""
    rows, random = part.canonical_rows(), np.random.default_rng(0)
    learns: Any = chosen_selector(selector)
    sampled = []
    for _ in range(FEWEST_SAMPLES):
        chosen = np.sort(random.choice(len(rows), n_rows, replace=False))
        sampled.append(scores_of(learns.quality(part.with_rows(rows[chosen]))))
    return np.array(sampled)


def scores_of(quality: Quality) -> FloatArray | None:
    """Return the scores of features in their unit; None if they are not summed or have none."""
    if not isinstance(quality, Linear) or quality.measure is None:
        return None
    return quality.values * quality.measure.size


def _counted(problem: Problem, best: IntArray, sampled: FloatArray) -> WithinError:
    """Count sets that differ from the best one by less than the error of samples says."""
    quality = problem.quality_as(Linear)
    assert quality.measure is not None
    values = quality.values * quality.measure.size

    def error(sets: IntArray) -> FloatArray:
        apart = sampled[:, sets].sum(axis=-1) - sampled[:, best].sum(axis=-1)[:, None]
        errors: FloatArray = _ERRORS * np.sqrt((apart**2).sum(axis=0))
        return errors

    # No set has a larger error than the sum of those of its exchanges.
    swaps = ((sampled[:, :, None] - sampled[:, None, best]) ** 2).sum(axis=0)
    slack = _ERRORS * float(np.sqrt(swaps.max(axis=0)).sum())
    in_integers = 0
    if quality.unit * quality.measure.size > 0:
        in_integers = floor(slack / (quality.unit * quality.measure.size))
    sets, complete = best[None, :], False
    for nearer in _NEARER:
        near = all_best(problem, tuple(best.tolist()), _MOST_SETS, _WORK, in_integers // nearer)
        if not near.complete:
            break
        sets, complete = np.array(near.sets), nearer == 1
    n_best = int((quality.weights[sets].sum(axis=1) == quality.weights[best].sum()).sum())
    less = values[best].sum() - values[sets].sum(axis=1)
    n_within = int((less <= error(sets)).sum())
    return WithinError(n_best, n_within - n_best, complete)
