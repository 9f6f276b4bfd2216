"""Batched box: a black box that evaluates many feature sets at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from math import sqrt

from altfs.quality.black_box import BlackBox


def _quality_of_one(
    function: Callable[[list[tuple[int, ...]]], Sequence[float]], chosen: tuple[int, ...]
) -> float:
    return function([chosen])[0]


class BatchedBox(BlackBox):
    """A quality that is known only by evaluating feature sets, many of them at once.

    It is for qualities that are cheap in batches. If there are few sets, solvers evaluate all.

    Parameters
    ----------
    function : callable
        A function of a list of sorted tuples of feature indices, which may differ in size. It
        returns the quality of each.
    n_total : int
        Number of features to choose from.
    upper_bound : float, default=inf
        The largest value that `function` can return.
    max_iterations : int, default=5000
        The largest number of sets that a solver evaluates. Single features do not count.
    bounds : callable, optional
        A function of the same list that returns an upper bound of each quality. Enumeration
        evaluates a set only if its bound does not exclude it.
    deviation : callable, optional
        A function of a set that returns the standard deviation of its quality over other draws of
        what it is estimated from, such as folds.
    rank : sequence of int, optional
        The place of each feature in an order that follows from its values. Of sets of equal
        quality the first one in this order is the answer, in whatever order the columns are.

    Examples
    --------
    >>> box = BatchedBox(lambda sets: [float(len(chosen)) for chosen in sets], 3)
    >>> box.evaluate_many([(0, 1), (2,)]), box.evaluate((0, 1))
    ([2.0, 1.0], 2.0)
    """

    def __init__(
        self,
        function: Callable[[list[tuple[int, ...]]], Sequence[float]],
        n_total: int,
        upper_bound: float = float("inf"),
        max_iterations: int = 5000,
        bounds: Callable[[list[tuple[int, ...]]], Sequence[float]] | None = None,
        deviation: Callable[[tuple[int, ...]], float] | None = None,
        rank: Sequence[int] | None = None,
    ) -> None:
        # Qualities are pickled, which functions in functions are not.
        alone = partial(_quality_of_one, function)
        super().__init__(alone, n_total, upper_bound, max_iterations)
        self._function_of_many, self._bounds = function, bounds
        self.deviation = deviation
        self._rank = range(n_total) if rank is None else rank

    def margin(self, chosen: tuple[int, ...]) -> float:
        """Return two standard errors of the difference to another set, as folds change it."""
        return 0.0 if self.deviation is None else 2 * sqrt(2) * self.deviation(chosen)

    def place(self, chosen: Iterable[int]) -> tuple[int, ...]:
        """Return a key that puts sets of equal quality in order."""
        return tuple(sorted(self._rank[j] for j in chosen))

    def evaluate_many(self, sets: Sequence[Sequence[int]]) -> list[float]:
        """Return the qualities of feature sets; those that are not known are evaluated at once.

        Parameters
        ----------
        sets : sequence of sequence of int

        Returns
        -------
        list of float
        """
        keys = [tuple(sorted(chosen)) for chosen in sets]
        new = [key for key in dict.fromkeys(keys) if key not in self._values]
        if new:
            for key, value in zip(new, self._function_of_many(new), strict=True):
                self._keep(key, value)
        return [self._values[key] for key in keys]

    def bounds_of(self, sets: Sequence[Sequence[int]]) -> list[float]:
        if self._bounds is None:
            return super().bounds_of(sets)
        return [*self._bounds([tuple(sorted(chosen)) for chosen in sets])]
