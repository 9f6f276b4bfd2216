"""The bases of methods and of models, and their registries."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from math import inf, isclose
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from altfs._numbers import BoolArray, FloatArray
from altfs._options import StrictModel
from altfs.kinds.acquisition.task import Acquisition, Coding, Neighbours, State
from altfs.problem.results import NAN, Status
from altfs.registry import Registry

# A value that is lower by less than this is the same.
_ROUNDING = 1e-12
# The largest number of states that are remembered.
_MOST_STATES = 50_000


class Options(StrictModel):
    """Options of a method or a model; unknown keys are refused."""


class Verdict(NamedTuple):
    """The answer of a method in a state.

    `value` is what the method minimises, `stop` that of stopping, and `best` the action to take,
    None to stop. `choices` are all possible actions with the value of taking each first, the best
    one first.
    """

    answer: int
    certainty: float
    value: float
    best: int | None
    choices: tuple[tuple[int, float], ...]
    stop: float
    bound: float = NAN
    status: Status = Status.FEASIBLE


class SubsetModel(ABC):
    """The base class of models that predict from any known features."""

    name: ClassVar[str]
    Options: ClassVar[type[Options]] = Options
    #: The largest number of sets whose losses a plan asks for by default.
    most_sets: ClassVar[int] = 1_000
    # Rows whose values stand for those that a feature may have.
    _near: ClassVar[int] = 20

    def __init__(self, options: Any = None) -> None:
        self.options: Any = options if options is not None else self.Options()

    def fit(self, task: Acquisition) -> Self:
        """Learn from rows."""
        self.task = task
        self.neighbours = Neighbours(task.X, task.categorical)
        return self

    @abstractmethod
    def proba(self, X: FloatArray) -> FloatArray:
        """Return the probabilities of the classes for rows in which NaN is unknown.

        Parameters
        ----------
        X : ndarray of shape (n_rows, n_features)

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
        """

    @abstractmethod
    def losses(self, masks: BoolArray) -> Any:
        """Return the log loss of each row of the fit if sets of features are known.

        The model has not seen the row.

        Parameters
        ----------
        masks : ndarray of bool of shape (n_sets, n_features)

        Returns
        -------
        ndarray of shape (n_rows, n_sets)
        """

    def outcomes(self, x: FloatArray, features: Sequence[int]) -> tuple[FloatArray, FloatArray]:
        """Return how likely further values of a row are, and the probabilities of classes then.

        By default the values are those of the nearest rows.
        """
        near = self.neighbours.nearest(x, self._near)
        values, counts = np.unique(self.task.X[near][:, list(features)], axis=0, return_counts=True)
        rows = np.tile(x, (len(values), 1))
        rows[:, list(features)] = values
        return counts / counts.sum(), self.proba(rows)


class Method(ABC):
    """The base class of methods that choose the next measurement.

    Attributes
    ----------
    unit : str
        What its value is, in words.
    two_classes : bool
        True if it refuses more classes.
    only_model : str
        The model that it needs; empty if it takes any.
    needs_budget : bool
        True if only a budget ends it.
    extra : str
        The library that it needs beside those of altfs; empty if none.
    proves : bool
        True if its value is proven for the rows of the fit.
    has_tree : bool
        True if what it does depends on few codes of values, so that it can be written out.
    has_values : bool
        True if its value is that of a whole policy, so that kits can be compared.
    """

    name: ClassVar[str]
    Options: ClassVar[type[Options]] = Options
    unit: ClassVar[str] = "expected loss and price of a row"
    proves: ClassVar[bool] = False
    two_classes: ClassVar[bool] = False
    only_model: ClassVar[str] = ""
    needs_budget: ClassVar[bool] = False
    extra: ClassVar[str] = ""
    has_tree: ClassVar[bool] = False
    has_values: ClassVar[bool] = False
    coding: Coding

    def __init__(self, options: Any = None) -> None:
        self.options: Any = options if options is not None else self.Options()
        self._said: dict[Any, Verdict] = {}

    def fit(self, task: Acquisition, model: SubsetModel) -> Self:
        """Learn from rows; the model is not fitted yet."""
        self.task, self.model = task, model
        return self

    @abstractmethod
    def verdict(self, state: State, allowed: Sequence[int]) -> Verdict:
        """Say what to do in a state if some actions are possible."""

    def judge(self, state: State, without: Iterable[int] = ()) -> Verdict:
        """Say what to do in a state without some actions."""
        barred = frozenset(without)
        values: Any = state.x.tobytes()
        if self.has_tree:
            values = tuple(int(self.coding.of(j, state.x[j])) for j in state.order)
        key = (state.order, values, barred)
        if key not in self._said:
            if len(self._said) >= _MOST_STATES:
                self._said.clear()
            allowed = [a for a in self.task.free(state) if a not in barred]
            self._said[key] = self.verdict(state, allowed)
        return self._said[key]

    def outage(self, state: State, action: int, without: Iterable[int] = ()) -> float:
        """Return by how much the value rises if an action can never be taken."""
        value = self.judge(state, {*without, action}).value
        return difference(value, self.judge(state, without).value)

    def start_outage(self, action: int) -> float:
        """Return by how much the value before the first measurement rises in an outage."""
        everything = {*range(len(self.task.actions))}
        return difference(self.start_value(everything - {action}), self.start_value(everything))

    def start_value(self, allowed: Iterable[int]) -> float:
        """Return the value of a row before the first measurement if some actions are possible."""
        task = self.task
        barred = {*range(len(task.actions))} - {*allowed}
        if not task.given:
            return self.judge(task.start, barred).value
        given = np.unique(task.X[:, list(task.given)], axis=0, return_counts=True)
        values = [
            self.judge(task.start.told(task.given, row), barred).value * count
            for row, count in zip(*given, strict=True)
        ]
        return float(sum(values)) / len(task.y)

    def least_values(self, sets: Sequence[Sequence[int]]) -> list[float]:
        """Return lower bounds of :meth:`start_value` for sets of actions, at less cost."""
        return [-inf] * len(sets)

    def proba(self, x: FloatArray) -> FloatArray:
        """Return the probabilities of the classes for a row in which NaN is unknown."""
        p: FloatArray = self.model.proba(x[None])[0]
        return p

    def said(
        self, state: State, stop: float, choices: Iterable[tuple[int, float]], **more: Any
    ) -> Verdict:
        """Return the verdict of values, with the answer of the model."""
        p = self.proba(state.x)
        return verdict_of(self.task.answer(p)[0], float(p.max()), stop, choices, **more)

    def of_gains(self, state: State, gains: Iterable[tuple[int, float]]) -> Verdict:
        """Return the verdict of gains per cost; without a price nothing but the budget ends it."""
        price = self.task.price
        said = self.said(state, -price if price else float("inf"), [(a, -g) for a, g in gains])
        stop = -price + 0.0
        return said._replace(stop=stop, value=stop if said.best is None else said.value)


def difference(value: float, least: float) -> float:
    """Return what a value is above another one, without the last digits, which are rounding."""
    return round(value - least, 12) + 0.0


def verdict_of(
    answer: int, certainty: float, stop: float, choices: Iterable[tuple[int, float]], **more: Any
) -> Verdict:
    """Return a verdict: what is best, where to stop comes first and then the lower column."""
    listed = sorted(choices, key=lambda choice: (choice[1], choice[0]))
    if listed:
        # Values that differ by rounding are equal.
        least = listed[0][1]
        ties = [c for c in listed if _same(c[1], least)]
        listed = [*sorted(ties), *listed[len(ties) :]]
    takes = bool(listed) and listed[0][1] < stop and not _same(listed[0][1], stop)
    value = listed[0][1] if takes else stop
    best = listed[0][0] if takes else None
    return Verdict(answer, certainty, value, best, tuple(listed), stop, **more)


def _same(a: float, b: float) -> bool:
    return isclose(a, b, rel_tol=_ROUNDING, abs_tol=_ROUNDING)


methods: Registry[Method] = Registry("altfs.kinds.acquisition.methods", "method")
subset_models: Registry[SubsetModel] = Registry("altfs.kinds.acquisition.models", "model")
