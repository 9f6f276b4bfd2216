"""When to stop in one order of measurements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np
from pydantic import Field

from altfs._numbers import FloatArray
from altfs.errors import AltfsError
from altfs.kinds.acquisition.base import Method, Options, SubsetModel, Verdict, methods
from altfs.kinds.acquisition.methods.static import Static
from altfs.kinds.acquisition.models.naive_bayes import NaiveBayesOfSubsets
from altfs.kinds.acquisition.task import Acquisition, State


class StoppingOptions(Options):
    """Options of the method ``stopping``. grid: probabilities at which values are computed."""

    grid: int = Field(default=2001, ge=3)


@methods.register("stopping")
class OptimalStopping(Method):
    """The order of ``static``, and the optimal time to stop in it, by naive Bayes.

    For two classes. Its value is the expected risk and price of stopping optimally. Another
    measurement may come first; the order goes on after it.
    """

    Options = StoppingOptions
    two_classes = True
    only_model = "naive_bayes"
    has_tree = True
    has_values = True

    def fit(self, task: Acquisition, model: SubsetModel) -> Self:
        if task.n_classes != 2:
            reason = f"'stopping' is for two classes, y has {task.n_classes}"
            raise AltfsError("method", reason, "use 'greedy'")
        if not isinstance(model, NaiveBayesOfSubsets):
            reason = f"'stopping' needs codes, which '{model.name}' has not"
            raise AltfsError("model", reason, "use 'naive_bayes'")
        super().fit(task, model.fit(task))
        self.coding = model.coding
        self.order = Static().fit(task, model).order(range(len(task.actions)))
        share = np.linspace(0, 1, self.options.grid)
        self._p = np.column_stack([1 - share, share])
        self._tables = [model.table(action.features) for action in task.actions]
        self._ends: dict[tuple[int, ...], FloatArray] = {(): (self._p @ task.loss).min(axis=1)}
        return self

    def verdict(self, state: State, allowed: Sequence[int]) -> Verdict:
        p, left = self.proba(state.x), self.task.left(state)
        order = [a for a in self.order if a in {*allowed}]
        choices = []
        for a in order:
            others = [b for b in order if b != a]
            value = self._first(a, p[None], self._fit_in(others, left, a))[0]
            choices.append((a, float(value)))
        stop = self.task.answer(p)[1]
        # It takes the first of the order or stops; others may be better.
        first = self.said(state, stop, choices[:1])
        return first._replace(choices=self.said(state, stop, choices).choices)

    def _fit_in(self, actions: Sequence[int], left: float, first: int) -> tuple[int, ...]:
        """Return the actions of an order that can be paid for after a first one."""
        left, paid = left - self.task.costs[first], []
        for a in actions:
            if self.task.costs[a] <= left:
                left -= self.task.costs[a]
                paid.append(a)
        return tuple(paid)

    def _first(self, a: int, p: FloatArray, rest: tuple[int, ...]) -> FloatArray:
        """Return the values of taking an action and the rest of an order, for probabilities."""
        ends = self._from(rest)
        total = np.full(len(p), self.task.price * self.task.costs[a])
        for row in self._tables[a]:
            joint = row * p
            likely = joint.sum(axis=1)
            after = joint[:, 1] / np.where(likely > 0, likely, 1.0)
            total += likely * np.interp(after, self._p[:, 1], ends)
        return total

    def _from(self, rest: tuple[int, ...]) -> FloatArray:
        """Return the values of stopping optimally in an order, on the grid."""
        for k in range(len(rest) - 1, -1, -1):
            part = rest[k:]
            if part not in self._ends:
                going = self._first(part[0], self._p, part[1:])
                self._ends[part] = np.minimum(self._ends[()], going)
        return self._ends[rest]
