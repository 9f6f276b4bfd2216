"""The proven policy on coded rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Self

import numpy as np
from pydantic import Field

from altfs._numbers import FloatArray, IntArray
from altfs.kinds.acquisition.base import Method, Options, SubsetModel, Verdict, methods, verdict_of
from altfs.kinds.acquisition.methods._sizes import largest_size
from altfs.kinds.acquisition.task import Acquisition, Coding, State
from altfs.problem.results import Status

_MOST_SETS = 200_000
# Whole numbers up to this one are exact as floats.
_EXACT = 2**53


class ExactOptions(Options):
    """Options of the method ``exact``.

    bins: codes of a feature with more values. alpha: rows of each class that are added to every
    cell; by default one, shared by the classes. min_rows: the fewest rows of a cell that goes
    on. most: the largest number of measurements of a row.
    """

    bins: int = Field(default=3, ge=2)
    alpha: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    min_rows: int = Field(default=10, ge=1)
    most: int | None = Field(default=None, ge=1)


@methods.register("exact")
class ExactPolicy(Method):
    """The policy of the least expected risk and price, proven for the rows of the fit.

    No policy of the same codes is better on these rows, all of which it looks at. It says
    nothing about new rows, and fits old ones too well if cells are small. It needs no model.
    """

    Options = ExactOptions
    proves = True
    has_tree = True
    has_values = True

    def fit(self, task: Acquisition, model: SubsetModel) -> Self:
        super().fit(task, model)
        options, n = self.options, len(task.actions)
        self.alpha = 1 / task.n_classes if options.alpha is None else float(options.alpha)
        self.most = largest_size(n, task.most_affordable(), options.most, _MOST_SETS)
        self.coding = Coding(task.X, task.categorical, options.bins)
        joint = [
            np.unique(self.coding.codes[:, list(a.features)], axis=0, return_inverse=True)[1]
            for a in task.actions
        ]
        self._codes = np.array(joint, dtype=np.int64).reshape(n, len(task.y))
        self._sizes = self._codes.max(axis=1, initial=0) + 1
        self._used = frozenset(task.features(range(n))) | {*task.given}
        self._scale()
        return self

    @cached_property
    def n_states(self) -> int:
        """The number of states of a row."""
        start, given, actions = self.task.start, list(self.task.given), range(len(self._sizes))
        _, first = np.unique(self.coding.codes[:, given], axis=0, return_index=True)
        states = [start.told(given, self.task.X[i, given]) for i in first]
        return sum(self._solve(self.rows_of(s)[0], actions, s)[2] for s in states)

    def _scale(self) -> None:
        """Turn the price, the costs and the loss into whole numbers, if these are small."""
        task = self.task
        price = Fraction(repr(task.price))
        charges = [price * Fraction(repr(cost)) for cost in task.costs.tolist()]
        loss = [Fraction(repr(value)) for value in task.loss.ravel().tolist()]
        unit = lcm(*(value.denominator for value in (*charges, *loss)))
        highest = len(task.y) * (sum(charges) + max(loss))
        self._unit = unit if unit * highest < _EXACT else 1
        self._charges = np.array([float(c * self._unit) for c in charges])
        self._loss = np.array([float(v * self._unit) for v in loss]).reshape(task.loss.shape)

    def _solve(
        self, rows: IntArray, allowed: Iterable[int], state: State
    ) -> tuple[float, FloatArray, int]:
        from altfs.kinds.acquisition.methods._policy_values import policy_values

        task, chosen = self.task, list(allowed)
        most = max(0, min(self.most - int(task.done(state).sum()), len(chosen)))
        return policy_values(
            np.ascontiguousarray(self._codes[chosen][:, rows]), self._sizes[chosen], task.y[rows],
            self._loss, self.alpha, self._charges[chosen], task.costs[chosen], task.left(state),
            most, self.options.min_rows,
        )  # fmt: skip

    def rows_of(self, state: State) -> tuple[IntArray, bool]:
        """Return the rows of a state's cell; of its last known cell, and True, if it left them."""
        rows = np.arange(len(self.task.y))
        for j in state.order:
            if j in self._used:
                equal = self.coding.codes[rows, j] == self.coding.of(j, state.x[j])
                if not equal.any():
                    return rows, True
                rows = rows[equal]
        return rows, False

    def verdict(self, state: State, allowed: Sequence[int]) -> Verdict:
        rows, left = self.rows_of(state)
        allowed = [] if left else allowed
        stop, values, _ = self._solve(rows, allowed, state)
        counts = np.bincount(self.task.y[rows], minlength=self.task.n_classes) + self.alpha
        p = counts / counts.sum()
        unit = self._unit * len(rows)
        choices = [
            (a, float(q) / unit) for a, q in zip(allowed, values, strict=True) if np.isfinite(q)
        ]
        # The counts decide, as they are whole.
        answer = int((counts @ self._loss).argmin())
        said = verdict_of(
            answer, float(p.max()), float(stop) / unit, choices, status=Status.OPTIMAL
        )
        return said._replace(bound=said.value)

    def outage(self, state: State, action: int, without: Iterable[int] = ()) -> float:
        # A policy that does not take the action stays the best one.
        needed = action in self._takes(state, frozenset(without))
        return super().outage(state, action, without) if needed else 0.0

    def start_outage(self, action: int) -> float:
        task = self.task
        given = np.unique(task.X[:, list(task.given)], axis=0)
        starts = (task.start.told(task.given, row) for row in given)
        needed = any(action in self._takes(state, frozenset()) for state in starts)
        return super().start_outage(action) if needed else 0.0

    def least_values(self, sets: Sequence[Sequence[int]]) -> list[float]:
        from altfs.kinds.acquisition.methods._least_values import least_values

        task = self.task
        # With rows added to cells, some losses are less in larger cells.
        if self.alpha and not task.usual:
            return super().least_values(sets)
        given = self.coding.codes[:, list(task.given)]
        starts = np.unique(given, axis=0, return_inverse=True)[1].reshape(-1)
        places = np.full((len(sets), max(map(len, sets), default=0)), -1)
        for place, chosen in zip(places, sets, strict=True):
            place[: len(chosen)] = chosen
        stops = [self._solve(np.flatnonzero(starts == g), [], task.start)[0]
                 for g in range(starts.max() + 1)]  # fmt: skip
        values = least_values(
            self._codes, self._sizes, starts, np.array(stops), task.y, self._loss, self._charges,
            places,
        )  # fmt: skip
        return [float(value) for value in values / (self._unit * len(task.y))]

    def _takes(self, state: State, without: frozenset[int]) -> frozenset[int]:
        """Return the actions that the policy takes from a state on."""
        best = self.judge(state, without).best
        if best is None:
            return frozenset()
        features, (rows, _) = list(self.task.actions[best].features), self.rows_of(state)
        _, first = np.unique(self._codes[best][rows], return_index=True)
        after = (state.told(features, self.task.X[rows[i], features]) for i in first)
        return frozenset({best}).union(*(self._takes(each, without) for each in after))
