"""First come: every column that correlates with the target, until a set is full."""

import numpy as np

from altfs.kinds.streams.measures import FisherZ
from altfs.kinds.streams.methods import Decision, State
from altfs.kinds.streams.methods.singly import Filtered
from altfs.kinds.streams.streaming_selector import StreamingSelector
from altfs.selectors import selectors

MOST = 3


class FirstCome(Filtered):
    """The first columns that correlate with the target."""

    def state(self):
        return FirstState()


class FirstState(State):
    """One set."""

    def offer(self, group):
        (new,) = group
        self.tests += 1
        if len(self.columns) == MOST:
            return Decision([], [group])
        self.columns.append(new)
        return Decision([new], [])


@selectors.register("first_come")
class FirstComeSelector(StreamingSelector):
    """The first columns that correlate with the target (Fisher's z test)."""

    def method(self, y, target_type, seed):
        codes = np.unique(y, return_inverse=True)[1] if target_type != "regression" else y
        return FirstCome(FisherZ(codes, "regression"))
