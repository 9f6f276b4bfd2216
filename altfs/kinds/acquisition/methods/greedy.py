"""The measurement that tells most of the class per cost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Self

import numpy as np
from pydantic import Field
from scipy.special import entr

from altfs._numbers import FloatArray
from altfs.kinds.acquisition.base import Method, Options, SubsetModel, Verdict, methods
from altfs.kinds.acquisition.methods.static import per_cost
from altfs.kinds.acquisition.task import Acquisition, State


class GreedyGainOptions(Options):
    """Options of the method ``greedy``.

    gain: information about the class in nats, or risk that is saved. sure: a probability of a
    class with which it stops.
    """

    gain: Literal["information", "risk"] = "information"
    sure: float = Field(default=1.0, gt=0, le=1)


@methods.register("greedy")
class Greedy(Method):
    """The largest expected gain of one measurement per cost.

    It looks one step ahead, so it does not see features that tell something together only. Its
    value is the gain per cost with a minus sign; it stops if that is below the price.
    """

    Options = GreedyGainOptions
    unit = "minus the gain per cost"

    def fit(self, task: Acquisition, model: SubsetModel) -> Self:
        return super().fit(task, model.fit(task))

    def verdict(self, state: State, allowed: Sequence[int]) -> Verdict:
        p = self.proba(state.x)
        sure = float(p.max()) >= self.options.sure
        gains = []
        for a in () if sure else allowed:
            action = self.task.actions[a]
            likely, after = self.model.outcomes(state.x, action.features)
            gain = float(self._worth(p[None])[0] - likely @ self._worth(after))
            gains.append((a, per_cost(gain if abs(gain) > _NOTHING else 0.0, action.cost)))
        return self.of_gains(state, gains)

    def _worth(self, p: FloatArray) -> FloatArray:
        if self.options.gain == "risk":
            return np.asarray((p @ self.task.loss).min(axis=1))
        return np.asarray(entr(p).sum(axis=1))


# A gain that is smaller is rounding.
_NOTHING = 1e-13
