"""First come: every column that correlates with the target, until a set is full."""

import numpy as np

from altfs.kinds.streams.base import Decision, StreamSet
from altfs.kinds.streams.measures import FisherZ
from altfs.kinds.streams.streaming_selector import MeasuredSelector
from altfs.selectors import selectors

MOST = 3


class FirstColumns(StreamSet):
    """One set."""

    def offer(self, group):
        (new,) = group
        self.tests += 1
        if len(self.columns) == MOST:
            return Decision([], [group])
        self.columns.append(new)
        return Decision([new], [])


@selectors.register("first_come")
class FirstCome(MeasuredSelector):
    """The first columns that correlate with the target (Fisher's z test)."""

    def prepare(self, y, target_type, seed):
        codes = np.unique(y, return_inverse=True)[1] if target_type != "regression" else y
        self.measure = FisherZ(codes, "regression")

    def empty_set(self):
        return FirstColumns()
