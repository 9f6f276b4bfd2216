"""The floor of a quality: what the best set is worth if the target is shuffled."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import exp, expm1, log, pi, sqrt

import numpy as np

from altfs._numbers import FloatArray
from altfs.errors import AltfsError
from altfs.problem.results import FeatureSet
from altfs.quality import BatchedBox, Quality
from altfs.scores.base import Part
from altfs.scores.row_groups import permutation, shift
from altfs.searches.request import Request

#: A set is above chance if fewer than this share of shuffled targets allow one as good.
LEVEL = 0.01
#: Smaller p-values would be more than a few shuffles can say.
SMALLEST_P = 0.0001
# Shuffles may need all rows of a small table, and a fifth of those of a larger one.
_FEW_ROWS, _SHARE, _MANY_ROWS = 1000, 5, 10_000
# A part of the rows is searched with fewer evaluations of sets than all rows are.
FEW_EVALUATIONS = 300
_SEED = 0
_EULER = 0.5772156649015329


class Shuffles:
    """Parts whose target is shuffled, one after another.

    Attributes
    ----------
    rows : ndarray of int
        The rows that are used: all of at most 1,000, else a sample of at most 10,000.
    sample : Part
        The part of these rows with their own target. The others share its scores that do not
        depend on the target, if it has them.
    """

    def __init__(self, part: Part, number: int) -> None:
        order, random = part.canonical_rows(), np.random.default_rng(_SEED)
        n_rows = min(len(order), max(_FEW_ROWS, len(order) // _SHARE), _MANY_ROWS)
        self.rows, self.sample, self._order = np.arange(n_rows), part, order
        if n_rows < len(order):
            self.rows = order[np.sort(random.choice(len(order), n_rows, replace=False))]
            self.sample, self._order = part.with_rows(self.rows), np.arange(n_rows)
        if part.times is not None:
            self._order = np.argsort(part.times[self.rows], kind="stable")
            self._permutations = [shift(n_rows, random) for _ in range(number)]
            return
        groups = None if part.groups is None else part.groups[self.rows][self._order]
        self._permutations = [permutation(n_rows, groups, random) for _ in range(number)]

    def __iter__(self) -> Iterator[Part]:
        for places in self._permutations:
            y = self.sample.y.copy()
            y[self._order] = y[self._order[places]]
            yield self.sample.with_target(y)


@dataclass(frozen=True)
class Extremes:
    """The distribution of the best quality of shuffled targets (Gumbel's), by its moments."""

    place: float
    scale: float

    @classmethod
    def of(cls, values: FloatArray) -> Extremes:
        """Return the distribution with the mean and the standard deviation of some values."""
        scale = max(float(np.std(values, ddof=1)) * sqrt(6) / pi, 1e-300)
        return cls(float(np.mean(values)) - _EULER * scale, scale)

    @property
    def floor(self) -> float:
        """The value that one in a hundred exceeds."""
        return self.place - self.scale * log(-log(1 - LEVEL))

    def p_value(self, score: float) -> float:
        """Return the share of values that are as large, at least 0.0001."""
        exponent = -(score - self.place) / self.scale
        p = -expm1(-exp(exponent)) if exponent < 700 else 1.0
        return max(SMALLEST_P, p)


def in_unit(quality: Quality, value: float) -> float:
    """Return a value of a quality in its unit, if it has one."""
    return value if quality.measure is None else value * quality.measure.size


def with_fewer_evaluations(quality: Quality, most: int = FEW_EVALUATIONS) -> None:
    """Let a search on a part of the rows, one of many, evaluate few sets of a batched box."""
    if isinstance(quality, BatchedBox):
        quality.max_iterations = min(quality.max_iterations, most)


def best_set(request: Request, quality: Quality) -> FeatureSet:
    """Return the best set alone, of any quality.

    Raises
    ------
    AltfsError
        If there is none, or none was found.
    """
    without = {"quality_floor": None, "relative_floor": None}
    constraints = request.constraints.model_copy(update=without)
    best = replace(request, n_alternatives=0, constraints=constraints).run(quality)[0]
    if not best:
        raise AltfsError("n_features", "no set exists on a part of the rows", "allow others")
    return best
