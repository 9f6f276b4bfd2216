"""Black box: a quality that is known only by evaluation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isnan

from altfs._numbers import is_number, is_whole
from altfs.errors import AltfsError
from altfs.quality.base import Quality

# Scores that cannot be above 1 can be above it by the last digit of a float.
_ROUNDING = 1e-9


class BlackBox(Quality):
    """A quality that is known only by evaluation (wrapper methods).

    Parameters
    ----------
    function : callable
        Takes a sorted tuple of feature indices, returns the quality.
    n_total : int
        Number of features to choose from.
    upper_bound : float, default=inf
        The largest value that `function` can take (1 for MCC and R^2).
    max_iterations : int, default=1000
        The largest number of candidate sets that a hill climber may ask its solver
        for (Algorithm 1's ``max_iters``).

    Notes
    -----
    Evaluations are remembered, so a second question about a set costs nothing.
    """

    def __init__(
        self,
        function: Callable[[tuple[int, ...]], float],
        n_total: int,
        upper_bound: float = float("inf"),
        max_iterations: int = 1000,
    ) -> None:
        if not callable(function):
            raise AltfsError(f"function: {function!r} cannot be called, use a function of a set.")
        for name, value in (("n_total", n_total), ("max_iterations", max_iterations)):
            if not is_whole(value) or value < 1:
                raise AltfsError(f"{name}: {value!r} is not allowed, use a whole number from 1.")
        if not is_number(upper_bound) or isnan(upper_bound):
            raise AltfsError(f"upper_bound: {upper_bound!r} is not allowed, use a number.")
        self.function = function
        self._n_total = n_total
        self.upper_bound = upper_bound
        self.max_iterations = max_iterations
        self._known: dict[tuple[int, ...], float] = {}

    @property
    def n_total(self) -> int:
        return self._n_total

    @property
    def max_evaluations(self) -> int:
        return self.max_iterations

    def bound(self, n_features: int) -> float:
        """Return `upper_bound`, whatever the size."""
        return self.upper_bound

    def evaluate(self, indices: Sequence[int]) -> float:
        key = tuple(sorted(indices))
        if key not in self._known:
            value = self.function(key)
            if not is_number(value) or isnan(value):
                raise AltfsError(
                    f"function: the quality of features {key} is {value!r}, numbers are needed."
                )
            if value - self.upper_bound > _ROUNDING:
                raise AltfsError(
                    f"function: the quality of features {key} is {value}, above its upper_bound "
                    f"{self.upper_bound}, use a larger one."
                )
            self._known[key] = float(value)
        return self._known[key]
