"""Curve: a quality that is the area under a curve of sensitivities."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from altfs._numbers import check_value, check_word
from altfs.errors import AltfsError
from altfs.quality.black_box import BlackBox

CurveKind = Literal["specificity", "confidence"]
#: Heights of a curve in whole numbers.
Levels = npt.NDArray[np.int64]
Scores = npt.NDArray[np.float64]

#: The level of height 1 where levels are rounded. Different fractions of up to 2^17 rows have
#: different levels.
WHOLE = 2**36
#: The rounding of sums of a few columns.
ROUNDING = 1e-12
# The rounding of a sensitivity times a number of rows.
_SLACK = 1e-9


def places(sensitivities: npt.ArrayLike, n_positive: int) -> Levels:
    """Return the entries of a curve for sensitivities: the first that is not smaller.

    >>> places([0.1, 0.5, 0.51, 1.0], 10)
    array([0, 4, 5, 9])
    """
    entries = np.ceil(np.asarray(sensitivities) * n_positive - _SLACK).astype(np.int64) - 1
    return np.maximum(entries, 0)


class Curve(BlackBox):
    """The area under the curve of specificity or confidence against sensitivity.

    A function scores all rows with the features of a set. For k = 1, ..., P (the number of
    positive rows) the threshold is the k-th largest score of a positive row. Rows whose score
    reaches it count as positive; scores within `tie` of it reach it.

    - Specificity: the share of the negative rows below the threshold.
    - Confidence: the share of positive rows among those that count as positive. It is the
      largest one over all thresholds that at least k positive rows reach.

    Searches for black boxes work on the area. Heights are whole numbers (:meth:`levels`), so
    that curves are compared without rounding.

    Parameters
    ----------
    scores : callable
        A function of a sorted tuple of feature indices that returns an array of n_rows scores.
        Rows with larger scores are more likely positive.
    positive : array-like of shape (n_rows,)
        True for the rows of the class of interest; there have to be others, too. Or numbers from 0
        to 1, the probability of each row to be positive: it then counts as so much of a positive
        row, and the rest as a negative one. P is their sum, rounded up.
    n_total : int
        Number of features to choose from.
    kind : {"specificity", "confidence"}, default="specificity"
        What is drawn against the sensitivity.
    max_iterations : int, default=1000
        The largest number of candidate sets of a search for black boxes.
    tie : float, default=1e-12
        The error of the scores, below which a difference does not count.

    Attributes
    ----------
    n_positive : int
        P, the number of heights.
    n_negative : float
        The number of negative rows.
    top : int
        The level of height 1: the number of negative rows, or 2^36 for confidence and for
        probabilities, whose levels are rounded.

    Raises
    ------
    AltfsError
        If an argument is outside its range.

    Notes
    -----
    Source: Reynolds, Corne, Chantler, *Feature Selection for Multi-Purpose Predictive Models: a
    Many-Objective Task*, 2009 (section 3).

    Examples
    --------
    >>> import numpy as np
    >>> from altfs.kinds.fronts.curve import Curve
    >>> rows = np.array([[0.9, 0.2], [0.4, 0.8], [0.5, 0.1], [0.3, 0.3]])
    >>> q = Curve(lambda s: rows[:, list(s)].sum(axis=1), [True, True, False, False], 2)
    >>> q.curve((0,)), q.evaluate((0,)), q.evaluate((0, 1))
    (array([1. , 0.5]), 0.75, 1.0)
    """

    def __init__(
        self,
        scores: Callable[[tuple[int, ...]], Scores],
        positive: npt.ArrayLike,
        n_total: int,
        kind: CurveKind = "specificity",
        max_iterations: int = 1000,
        tie: float = ROUNDING,
    ) -> None:
        super().__init__(self._area, n_total, 1.0, max_iterations)
        check_value(callable(scores), "scores", scores, "use a function of a set")
        check_word("kind", kind, get_args(CurveKind))
        of_rows = np.array(positive)
        is_share = of_rows.dtype == np.float64 and ((of_rows >= 0) & (of_rows <= 1)).all()
        known = of_rows.ndim == 1 and (of_rows.dtype == np.bool_ or is_share)
        if not known or not 0 < of_rows.sum() < len(of_rows):
            raise AltfsError(
                "positive",
                "true or false, or a number from 0 to 1, is needed for every row, and rows of "
                "both kinds",
            )
        self.scores, self.positive, self.kind, self.tie = scores, of_rows, kind, tie
        self.n_positive = int(np.ceil(of_rows.sum() - _SLACK))
        self.n_negative = len(of_rows) - of_rows.sum()
        #: True if each row is one or the other.
        self.is_exact = kind == "specificity" and of_rows.dtype == np.bool_
        self.top = int(self.n_negative) if self.is_exact else WHOLE

    @property
    def rounding(self) -> int:
        """The largest rounding of a sum of differences of two curves, in levels."""
        return 0 if self.is_exact else self.n_positive

    @property
    def objectives(self) -> list[str]:
        """The names of the heights of a curve."""
        n = self.n_positive
        return [f"{self.kind} at sensitivity {k}/{n}" for k in range(1, n + 1)]

    def levels(self, indices: Any) -> Levels:
        """Return the heights of the curve of a feature set as whole numbers.

        Parameters
        ----------
        indices : sequence of int

        Returns
        -------
        ndarray of int of shape (n_positive,)
            From 0 to `top`, never increasing.
        """
        # Compiled code is slow to import.
        from altfs.kinds.fronts._curves import levels_of

        key = tuple(sorted(map(int, indices)))
        if not key or len(set(key)) < len(key) or key[0] < 0 or key[-1] >= self.n_total:
            advice = f"use different numbers from 0 to {self.n_total - 1}"
            raise AltfsError("indices", f"{indices!r} is not a feature set", advice)
        scores = np.asarray(self.scores(key), dtype=np.float64)
        if scores.shape != self.positive.shape or not np.isfinite(scores).all():
            raise AltfsError(
                "scores",
                f"a finite score for each of {len(self.positive)} rows is needed for features "
                f"{key}",
            )
        if self.positive.dtype != np.bool_:
            return _weighted_levels(scores, self.positive, self.n_positive, self.kind, self.tie)
        whole = WHOLE if self.kind == "confidence" else 0
        return levels_of(scores, self.positive, whole, self.tie)

    def curve(self, indices: Any) -> Scores:
        """Return the heights of the curve of a feature set.

        Parameters
        ----------
        indices : sequence of int

        Returns
        -------
        ndarray of shape (n_positive,)
            Entry k - 1 is the specificity or confidence at the sensitivity k / n_positive. They
            are from 0 to 1 and never increase.
        """
        return self.levels(indices) / self.top

    def place(self, sensitivity: float) -> int:
        """Return the entry of a curve for a sensitivity: the first that is not smaller.

        Examples
        --------
        >>> q = Curve(lambda s: None, [True] * 10 + [False], 1)
        >>> q.place(0), q.place(0.1), q.place(0.11), q.place(1)
        (0, 0, 1, 9)
        """
        return int(places(sensitivity, self.n_positive))

    def area(self, levels: Levels) -> float:
        """Return the area below a curve of whole numbers, from 0 to 1."""
        return int(levels.sum()) / (self.n_positive * self.top)

    def _area(self, indices: tuple[int, ...]) -> float:
        return self.area(self.levels(indices))


def _weighted_levels(
    scores: Scores, positive: Scores, n_levels: int, kind: CurveKind, tie: float
) -> Levels:
    """Return the levels of a curve of rows that are positive with a probability."""
    order = np.argsort(-scores, kind="stable")
    falling = -scores[order]
    # Rows reach a threshold that is at most `tie` above their scores.
    reached = np.searchsorted(falling, falling + tie, side="right") - 1
    found = np.cumsum(positive[order])[reached]
    wrong = np.cumsum(1 - positive[order])[reached]
    if kind == "specificity":
        heights = 1 - wrong / (1 - positive).sum()
    else:
        # The largest of all thresholds that reach as many rows.
        heights = np.maximum.accumulate((found / (found + wrong))[::-1])[::-1]
    needed = np.arange(1, n_levels + 1) / n_levels * positive.sum()
    first = np.searchsorted(found, needed * (1 - _SLACK))
    levels: Levels = np.rint(heights[first] * WHOLE).astype(np.int64)
    return levels
