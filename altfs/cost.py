"""Costs of tasks, as a component states them."""

from __future__ import annotations

from typing import NamedTuple


class Cost(NamedTuple):
    """Seconds of a task: ``base + scale * rows**rows_power * features**features_power``.

    The four numbers are fitted to measured tasks on one core (``benchmarks/costs.py``). Their
    error is a factor of at most two or three, which is enough for a plan.

    Attributes
    ----------
    base, scale, rows_power, features_power : float

    Examples
    --------
    >>> Cost(0.5, 0.01, 1, 0).seconds(rows=100, features=10)
    1.5
    """

    base: float
    scale: float
    rows_power: float
    features_power: float

    def seconds(self, rows: int, features: int) -> float:
        """Return the seconds for a dataset of this size."""
        power: float = rows**self.rows_power * features**self.features_power
        return self.base + self.scale * power


#: The cost of a component that was not measured: 0.05 seconds for any dataset.
UNMEASURED = Cost(0.05, 0.0, 0.0, 0.0)
