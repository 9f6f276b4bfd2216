"""Costs of tasks, as a component states them."""

from __future__ import annotations

from typing import NamedTuple


class Cost(NamedTuple):
    """Seconds of a task: a sum of `base` and a product of powers of the dataset's size.

    The product is ``scale * rows**rows_power * features**features_power *
    values**values_power``. The numbers are fitted to measured tasks on one core
    (``benchmarks/costs.py``). Their error is a factor of at most two or three, which is enough
    for a plan.

    Attributes
    ----------
    base, scale, rows_power, features_power, values_power : float

    Examples
    --------
    >>> Cost(0.5, 0.01, 1, 0).seconds(rows=100, features=10)
    1.5
    """

    base: float
    scale: float
    rows_power: float
    features_power: float
    #: For trees, which have more nodes the more distinct values a feature has.
    values_power: float = 0.0

    def seconds(self, rows: int, features: int, values: float = 1.0) -> float:
        """Return the seconds for a dataset of this size.

        Parameters
        ----------
        rows, features : int
        values : float, default=1.0
            The mean number of distinct values of a feature in at most 1,000 rows.

        Returns
        -------
        float
        """
        size: float = rows**self.rows_power * features**self.features_power
        size *= values**self.values_power
        return self.base + self.scale * size


#: The cost of a component that was not measured: 0.05 seconds for any dataset.
UNMEASURED = Cost(0.05, 0.0, 0.0, 0.0)
