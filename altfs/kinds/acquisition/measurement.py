"""The next measurement of one row, and its alternatives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from altfs.kinds.acquisition.base import Method, difference
from altfs.kinds.acquisition.policy import Labels
from altfs.kinds.acquisition.steps import MeasuringStep
from altfs.problem.results import Status


class Measurement:
    """The next step with a row, made by :meth:`altfs.AlternativeAcquisition.next`.

    Attributes
    ----------
    measure : str or None
        The next measurement; None: stop and give the answer.
    answer : object
        The best class by what is known.
    certainty : float
        Its probability, or that of another class if losses make a less likely one better.
    value, bound : float
        What the method minimises, and its proven bound; NaN without a proof.
    status : Status
        "optimal" if the value is proven for the rows of the fit.
    stop : bool
    cost, spent : float
        Of the next measurement (0 to stop), and of those before it.
    """

    def __init__(self, method: Method, step: MeasuringStep, labels: Labels) -> None:
        self._method, self._step, self._labels = method, step, labels
        said, task = step.verdict, method.task
        self.measure: str | None = None if said.best is None else labels.actions[said.best]
        self.answer: Any = labels.classes[said.answer]
        self.certainty, self.value, self.bound = said.certainty, said.value, said.bound
        self.status: Status = said.status
        self.stop = said.best is None
        self.cost = 0.0 if said.best is None else task.actions[said.best].cost
        self.spent = float(task.costs[task.done(step.state)].sum())

    def __repr__(self) -> str:
        return f"<Measurement {self}>"

    def __str__(self) -> str:
        answer = f"{self.answer} ({self.certainty:.0%} sure)"
        if self.measure is None:
            return f"Stop. The answer is {answer}."
        words = f"Measure {self.measure}. So far the answer is {answer}."
        others = [f"{name} (+{switch:.3g})" for name, switch, _ in self.alternatives[:3]]
        return words + (f" Instead: {', '.join(others)}." if others else "")

    @cached_property
    def outage(self) -> float:
        """The price if the next measurement is never available; 0 to stop."""
        return 0.0 if self._step.verdict.best is None else self._outage(self._step.verdict.best)

    @cached_property
    def alternatives(self) -> list[tuple[str, float, float]]:
        """The measurements that can be taken instead, the best first: name, switch and outage.

        The switch is what it costs to measure it first, and the outage what it costs if this one
        is never available.
        """
        said = self._step.verdict
        return [
            (self._labels.actions[a], difference(q, said.value), self._outage(a))
            for a, q in said.choices
            if a != said.best
        ]

    def _outage(self, action: int) -> float:
        return self._method.outage(self._step.state, action, self._step.without)


@dataclass(frozen=True)
class Acquired:
    """The end of a row's measurements.

    Attributes
    ----------
    answer : object
    certainty, spent : float
    measured : list of (str, object)
        What was asked for and what came, in this order; None was not available.
    status : Status
    """

    answer: Any
    certainty: float
    spent: float
    measured: Sequence[tuple[str, Any]]
    status: Status
