"""OSSFS-DD: streaming feature selection that defers the decision on weakly relevant features.

Source: Zhou, Zhang, Yan, Wu, *Online Scalable Streaming Feature Selection via Dynamic Decision*,
ACM Transactions on Knowledge Discovery from Data 16, 2022.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log, sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from altfs.kinds.streams.base import Column, Decision, Group, State, Values, rounded
from altfs.kinds.streams.measures import SymmetricUncertainty
from altfs.kinds.streams.measures.codes import Codes
from altfs.kinds.streams.measures.counts import information, uncertainty
from altfs.kinds.streams.methods.singly import Filtered


@dataclass
class Thresholds:
    """The distribution of the relevance of all columns so far, and what follows from it.

    Attributes
    ----------
    number : int
    mean, deviation : float
    low, high : float
        Columns are weakly relevant above `low`, and strongly relevant from `high`.
    """

    sigma_low: float
    sigma_high: float
    number: int = 0
    mean: float = 0.0
    deviation: float = 0.0

    @property
    def low(self) -> float:
        return self.mean + self.sigma_low * self.deviation

    @property
    def high(self) -> float:
        return self.mean + self.sigma_high * self.deviation

    def add(self, relevance: float) -> None:
        """Count one more column."""
        self.number += 1
        before = self.mean
        self.mean += (relevance - before) / self.number
        if self.number > 1:
            squares = (self.number - 2) * self.deviation**2
            squares += (relevance - before) * (relevance - self.mean)
            self.deviation = sqrt(max(squares / (self.number - 1), 0.0))


class OssfsDd(Filtered):
    """OSSFS-DD.

    Parameters
    ----------
    y : ndarray of shape (n_rows,)
    target_type : {"binary", "multiclass", "regression"}
    sigma_low, sigma_high : float, default=1, 2
        Columns are weakly relevant if their relevance is more than so many standard deviations
        above the mean, and strongly relevant from `sigma_high`.
    pool : int, default=100
        The number of weakly relevant columns that are decided on together.
    below_sum : bool, default=False
        True for the condition of the slides besides, that two redundant features tell less
        together than the sum of both.
    """

    measure: SymmetricUncertainty

    def __init__(
        self,
        y: npt.NDArray[Any],
        target_type: str,
        sigma_low: float = 1.0,
        sigma_high: float = 2.0,
        pool: int = 100,
        below_sum: bool = False,
    ) -> None:
        super().__init__(SymmetricUncertainty(y, target_type))
        self.thresholds = Thresholds(sigma_low, sigma_high)
        self.pool, self.below_sum = pool, below_sum

    def arrivals(
        self, X: Values, columns: range, numbers: Values, names: Sequence[str]
    ) -> Iterator[tuple[int, Group]]:
        target = self.measure.target.own
        for j, codes in enumerate(self.measure.kept(X, np.arange(columns.start, columns.stop))):
            self.tests += 1
            relevance = float(rounded(np.array(uncertainty(codes, target))))
            self.thresholds.add(relevance)
            # The first two columns only start the distribution.
            if self.thresholds.number > 2 and relevance > self.thresholds.low:
                yield j + 1, (Column(int(numbers[j]), relevance, codes),)

    def state(self) -> OssfsState:
        return OssfsState(self)


class OssfsState(State):
    """One set of OSSFS-DD, and the pool of columns that wait."""

    def __init__(self, method: OssfsDd) -> None:
        super().__init__()
        self.method = method
        self.pool: list[Column] = []

    @property
    def waiting(self) -> list[Column]:
        return self.pool

    def offer(self, group: Group) -> Decision:
        (new,) = group
        if new.dependence < self.method.thresholds.high:
            self.pool.append(new)
            return self.finish() if len(self.pool) >= self.method.pool else Decision([], [])
        gone: list[Group] = []
        for old in list(self.columns):
            if self._redundant(old, new):
                if new.dependence < old.dependence:
                    return Decision([], [*gone, group])
                self.leave(old)
                gone.append((old,))
        self.columns.append(new)
        return Decision([new], gone)

    def _redundant(self, old: Column, new: Column) -> bool:
        together = self._joint(old, new)
        alone = old.dependence + new.dependence
        less = together < alone or not self.method.below_sum
        return less and together < 2 * self.method.thresholds.high

    def _joint(self, first: Column, second: Column) -> float:
        """Return the relevance of a column plus its information given another one, in bits.

        The units are mixed as in the public code.
        """
        self.tests += 1
        target: Codes = self.method.measure.target.own
        conditional = information(first.values, target, second.values) / log(2)
        return float(rounded(np.array(first.dependence + conditional)))

    def finish(self) -> Decision:
        chosen: set[int] = set()
        enough = 2 * self.method.thresholds.high
        for i, first in enumerate(self.pool):
            for second in self.pool[i + 1 :]:
                if self._joint(first, second) > enough:
                    chosen |= {first.number, second.number}
                    break
        kept = [one for one in self.pool if one.number in chosen]
        gone: list[Group] = [(one,) for one in self.pool if one.number not in chosen]
        self.pool = []
        self.columns += kept
        return Decision(kept, gone)
