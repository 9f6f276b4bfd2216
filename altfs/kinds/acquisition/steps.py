"""The steps of a row, from nothing known to the answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from altfs.kinds.acquisition.base import Method, Verdict
from altfs.kinds.acquisition.task import State


class MeasuringStep(NamedTuple):
    """A state on the way of a row, what is done there, and what is not available."""

    state: State
    verdict: Verdict
    without: frozenset[int]


def steps(
    method: Method,
    state: State,
    ask: Callable[[int], Sequence[float] | None],
    without: frozenset[int] = frozenset(),
) -> Iterator[MeasuringStep]:
    """Yield the states of a row; the last one is that of the answer.

    `ask` returns the values of an action, or None if it is not available, as those of `without`
    are not.
    """
    while True:
        said = method.judge(state, without)
        yield MeasuringStep(state, said, without)
        if said.best is None:
            return
        values = ask(said.best)
        if values is None:
            without |= {said.best}
        else:
            state = state.told(method.task.actions[said.best].features, values)
