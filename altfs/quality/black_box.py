"""Black box: a quality that is known only by evaluating feature sets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isnan

from altfs._numbers import check_value, check_whole, is_number
from altfs.errors import AltfsError
from altfs.progress import tell
from altfs.quality.base import Quality

# Rounding can lift a score of at most 1 above 1.
_ROUNDING = 1e-9


class BlackBox(Quality):
    """A quality that is known only by evaluating feature sets (wrapper methods).

    Parameters
    ----------
    function : callable
        A function of a sorted tuple of feature indices that returns the quality.
    n_total : int
        Number of features to choose from.
    upper_bound : float, default=inf
        The largest value that `function` can take (1 for MCC and R^2).
    max_iterations : int, default=1000
        The largest number of candidate sets of a hill climber (``max_iters`` of Algorithm 1).

    Notes
    -----
    Every set is evaluated once.
    """

    def __init__(
        self,
        function: Callable[[tuple[int, ...]], float],
        n_total: int,
        upper_bound: float = float("inf"),
        max_iterations: int = 1000,
    ) -> None:
        check_value(callable(function), "function", function, "use a function of a set")
        for name, value in (("n_total", n_total), ("max_iterations", max_iterations)):
            check_whole(name, value, 1)
        is_bound = is_number(upper_bound) and not isnan(upper_bound)
        check_value(is_bound, "upper_bound", upper_bound, "use a number")
        self.function = function
        self._n_total = n_total
        self.upper_bound = upper_bound
        self.max_iterations = max_iterations
        self._values: dict[tuple[int, ...], float] = {}

    @property
    def n_total(self) -> int:
        return self._n_total

    @property
    def max_evaluations(self) -> int:
        return self.max_iterations

    @property
    def n_evaluations(self) -> int:
        """The number of sets that were evaluated."""
        return len(self._values)

    def bound(self, n_features: int) -> float:
        """Return `upper_bound` for every size."""
        return self.upper_bound

    def evaluate(self, indices: Sequence[int]) -> float:
        key = tuple(sorted(indices))
        if key not in self._values:
            self._keep(key, self.function(key))
        return self._values[key]

    def _keep(self, key: tuple[int, ...], value: float) -> None:
        """Remember the quality of a set, if it is a number that is allowed."""
        if not is_number(value) or isnan(value):
            raise AltfsError(
                "function", f"the quality of features {key} is {value!r}", "numbers are needed"
            )
        if value - self.upper_bound > _ROUNDING:
            raise AltfsError(
                "function",
                f"the quality of features {key} is {value}, above its upper_bound "
                f"{self.upper_bound}",
                "use a larger one",
            )
        self._values[key] = float(value)
        tell("feature sets evaluated", len(self._values))
