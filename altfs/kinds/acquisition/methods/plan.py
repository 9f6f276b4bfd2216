"""The best set of further measurements, planned anew at every step."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any, Literal, NamedTuple, Self

import numpy as np
from pydantic import Field

from altfs._numbers import BoolArray, FloatArray, IntArray
from altfs.kinds.acquisition.base import Method, Options, SubsetModel, Verdict, methods
from altfs.kinds.acquisition.methods._sizes import largest_size
from altfs.kinds.acquisition.models.naive_bayes import BINS
from altfs.kinds.acquisition.task import Acquisition, Coding, State
from altfs.progress import tell

_MOST_SETS = 50_000


class PlanOptions(Options):
    """Options of the method ``plan``.

    order: closed measures what is best if the plan may depend on the value; open follows one
    plan. neighbours: rows that stand for this one. most: the largest set of the table of plans;
    by default as large as the model is fast. drawn: plans to draw in place of all.
    """

    order: Literal["closed", "open"] = "closed"
    neighbours: int = Field(default=20, ge=1)
    most: int | None = Field(default=None, ge=1)
    drawn: int | None = Field(default=None, ge=1, le=_MOST_SETS)


class PlanValues(NamedTuple):
    """The value of stopping, and of beginning with each action."""

    stop: float
    open: FloatArray
    closed: FloatArray


@methods.register("plan")
class PlannedSets(Method):
    """The set of further features with the least price and mean log loss of the nearest rows.

    After every measurement it plans anew. Its value is that of its plan on these rows, in nats.
    """

    Options = PlanOptions
    unit = "expected log loss and price of a row"
    has_values = True

    def fit(self, task: Acquisition, model: SubsetModel) -> Self:
        super().fit(task, model.fit(task))
        n, options = len(task.actions), self.options
        most = largest_size(
            n, min(n, task.most_affordable()), options.most,
            model.most_sets if options.most is None else _MOST_SETS,
        )  # fmt: skip
        sets = [s for k in range(most + 1) for s in combinations(range(n), k)]
        if options.drawn is not None:
            random = np.random.RandomState(task.seed)
            sets = [
                tuple(np.flatnonzero(random.permutation(n) < random.randint(0, n + 1)).tolist())
                for _ in range(options.drawn)
            ]
        #: Shape (n_sets, n_actions), and the losses of rows for each set.
        self.sets = np.unique(_flags(sets, n), axis=0)
        tell("plans", len(self.sets))
        self.losses = model.losses(self._masks(self.sets))
        self._place = {s.tobytes(): i for i, s in enumerate(self.sets)}
        # Losses of sets that are not in the table.
        self._others: dict[bytes, Any] = {}
        coding = Coding(task.X, task.categorical, BINS)
        self._codes = np.array([
            np.unique(coding.codes[:, list(a.features)], axis=0, return_inverse=True)[1].ravel()
            for a in task.actions
        ])  # fmt: skip
        return self

    def verdict(self, state: State, allowed: Sequence[int]) -> Verdict:
        values = self.values(state, allowed)
        chosen = values.closed if self.options.order == "closed" else values.open
        said = self.said(state, values.stop, zip(allowed, chosen.tolist(), strict=True))
        if self.options.order == "open" and said.best is not None:
            # Of the features of the best plan, that with the least loss alone.
            near, done = self._near(state), self.task.done(state)
            first = [a for a, q in said.choices if q == said.value]
            alone = self._losses_of(done | _flags([(a,) for a in first], len(done)))[near]
            return said._replace(best=first[int(alone.mean(axis=0).argmin())])
        return said

    def plans(self, state: State, sets: Sequence[Sequence[int]]) -> list[float]:
        """Return the values of open plans: of measuring sets of actions and stopping."""
        done = self.task.done(state)
        further = _flags(sets, len(done))
        means = self._losses_of(done | further)[self._near(state)].mean(axis=0, dtype=np.float64)
        return [float(value) for value in self.task.price * (further @ self.task.costs) + means]

    def best_plan(self, state: State, allowed: Sequence[int]) -> tuple[int, ...]:
        """Return the actions of the best open plan."""
        done = self.task.done(state)
        sets = np.vstack([self.sets[self._inside(state, allowed)], self._next(done, allowed)])
        further = [tuple(np.flatnonzero(s & ~done).tolist()) for s in sets]
        return min(zip(self.plans(state, further), map(len, further), further, strict=True))[2]

    def values(self, state: State, allowed: Sequence[int]) -> PlanValues:
        """Return the values of open and of closed plans that begin with each action."""
        task, done, near = self.task, self.task.done(state), self._near(state)
        inside, further = self._inside(state, allowed), self._next(done, allowed)
        sets = np.vstack([self.sets[inside], further])
        losses = [self.losses[near][:, inside], self._losses_of(further)[near]]
        return plan_values(
            np.hstack(losses), task.price * ((sets & ~done) @ task.costs),
            sets[:, list(allowed)].T, self._codes[:, near][list(allowed)],
        )  # fmt: skip

    def _inside(self, state: State, allowed: Sequence[int]) -> IntArray:
        """Return the sets of the table that can be reached."""
        done = self.task.done(state)
        possible = done.copy()
        possible[list(allowed)] = True
        inside = (self.sets >= done).all(axis=1) & (self.sets <= possible).all(axis=1)
        inside &= (self.sets & ~done) @ self.task.costs <= self.task.left(state)
        return np.flatnonzero(inside)

    def _next(self, done: BoolArray, allowed: Sequence[int]) -> BoolArray:
        """Return what is known, and that with one action more."""
        return done | _flags([(), *((a,) for a in allowed)], len(done))

    def _near(self, state: State) -> IntArray:
        return self.model.neighbours.nearest(state.x, self.options.neighbours)

    def _losses_of(self, sets: BoolArray) -> Any:
        """Return the losses of sets of actions, computed if they are not in the table."""
        keys = [s.tobytes() for s in sets]
        new = [
            i for i, key in enumerate(keys) if key not in self._place and key not in self._others
        ]
        if new:
            further = self.model.losses(self._masks(sets[new]))
            self._others |= {keys[i]: loss for i, loss in zip(new, further.T, strict=True)}
        return np.column_stack([
            self.losses[:, self._place[key]] if key in self._place else self._others[key]
            for key in keys
        ])  # fmt: skip

    def _masks(self, sets: BoolArray) -> BoolArray:
        masks = np.zeros((len(sets), self.task.X.shape[1]), dtype=bool)
        masks[:, list(self.task.given)] = True
        for a, action in enumerate(self.task.actions):
            masks[:, list(action.features)] |= sets[:, a, None]
        return masks


def _flags(sets: Sequence[Sequence[int]], n: int) -> BoolArray:
    flags = np.zeros((len(sets), n), dtype=bool)
    for row, chosen in zip(flags, sets, strict=True):
        row[list(chosen)] = True
    return flags


def plan_values(losses: Any, charges: FloatArray, holds: BoolArray, codes: IntArray) -> PlanValues:
    """Return the values of plans on some rows.

    Parameters
    ----------
    losses : ndarray of shape (n_rows, n_sets)
        The loss of each row if a set is known.
    charges : ndarray of shape (n_sets,)
        The price of what a set adds; 0 for the set that adds nothing.
    holds : ndarray of bool of shape (n_actions, n_sets)
        Whether a set has an action.
    codes : ndarray of int of shape (n_actions, n_rows)
        The values of each action.
    """
    means = charges + losses.mean(axis=0, dtype=np.float64)
    adds_nothing = ~holds.any(axis=0)
    opened, closed = np.empty(len(holds)), np.zeros(len(holds))
    for a, (with_it, values) in enumerate(zip(holds, codes, strict=True)):
        opened[a] = means[with_it].min()
        part = losses[:, with_it]
        for value in np.unique(values):
            rows = values == value
            least = charges[with_it] + part[rows].mean(axis=0, dtype=np.float64)
            closed[a] += rows.mean() * least.min()
    return PlanValues(float(means[adds_nothing].min()), opened, closed)
