"""One order of measurements for all rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np

from altfs._numbers import BoolArray
from altfs.kinds.acquisition.base import Method, SubsetModel, Verdict, methods
from altfs.kinds.acquisition.task import Acquisition, State


@methods.register("static")
class Static(Method):
    """The order of forward selection by log loss saved per cost, the same for all rows.

    It is the baseline. Its value is the log loss that the next measurement saves on average per
    cost, with a minus sign; it stops if that is below the price.
    """

    unit = "minus the saved log loss per cost"

    def fit(self, task: Acquisition, model: SubsetModel) -> Self:
        super().fit(task, model.fit(task))
        self._means: dict[bytes, float] = {}
        return self

    def verdict(self, state: State, allowed: Sequence[int]) -> Verdict:
        saved = self.saved(state.known, allowed)
        return self.of_gains(state, zip(allowed, saved, strict=True))

    def saved(self, known: BoolArray, actions: Sequence[int]) -> list[float]:
        """Return the mean log loss that actions save per cost if features are known."""
        masks = [known]
        for a in actions:
            mask = known.copy()
            mask[list(self.task.actions[a].features)] = True
            masks.append(mask)
        first, *after = self._losses(masks)
        return [
            per_cost(first - loss, self.task.actions[a].cost)
            for a, loss in zip(actions, after, strict=True)
        ]

    def order(self, allowed: Sequence[int]) -> tuple[int, ...]:
        """Return actions in the order of forward selection."""
        left, order = list(allowed), []
        known = np.zeros(self.task.X.shape[1], dtype=bool)
        known[list(self.task.given)] = True
        while left:
            # Of equals the first.
            best = left.pop(int(np.argmax(np.round(self.saved(known, left), 12))))
            known[list(self.task.actions[best].features)] = True
            order.append(best)
        return tuple(order)

    def _losses(self, masks: Sequence[BoolArray]) -> list[float]:
        new = {m.tobytes(): m for m in masks if m.tobytes() not in self._means}
        if new:
            means = self.model.losses(np.array(list(new.values()))).mean(axis=0, dtype=np.float64)
            self._means.update(zip(new, means.tolist(), strict=True))
        return [self._means[mask.tobytes()] for mask in masks]


def per_cost(gain: float, cost: float) -> float:
    """Return a gain per cost; what is free is measured at once."""
    return gain / cost if cost else float("inf")
