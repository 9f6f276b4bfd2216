"""OSSFS-DD: streaming features, of which the weakly relevant ones wait for a decision."""

from __future__ import annotations

from collections.abc import Iterator
from math import log, sqrt
from typing import Annotated

from pydantic import Field, model_validator

from altfs.errors import AltfsError
from altfs.kinds.streams.base import (
    ColumnGroup,
    Decision,
    StreamColumn,
    StreamSet,
    Values,
    floats,
    rounded,
)
from altfs.kinds.streams.measures import SymmetricUncertainty
from altfs.kinds.streams.measures.counts import information, uncertainty
from altfs.kinds.streams.streaming_selector import ArrivalOptions, MeasuredSelector
from altfs.scores.independence import Codes, coded
from altfs.selectors.base import selectors


class OssfsDdOptions(ArrivalOptions):
    """sigma_low, sigma_high: thresholds. pool: its size. below_sum: the slides' condition."""

    sigma_low: Annotated[float, Field(allow_inf_nan=False)] = -1.0
    sigma_high: Annotated[float, Field(allow_inf_nan=False)] = 1.0
    pool: Annotated[int, Field(ge=1)] = 100
    below_sum: bool = False

    @model_validator(mode="after")
    def _in_order(self) -> OssfsDdOptions:
        if self.sigma_low > self.sigma_high:
            reason = f"{self.sigma_low} is not allowed"
            raise AltfsError("sigma_low", reason, f"use at most sigma_high, {self.sigma_high}")
        return self


@selectors.register("ossfs_dd")
class OssfsDd(MeasuredSelector):
    """OSSFS-DD: features with much information about the target join, others wait in a pool.

    Columns are weakly relevant if their symmetric uncertainty is more than `sigma_low` standard
    deviations above the mean of all features so far, and strongly relevant from `sigma_high`. By
    default these are one below and one above, after the slides, which break off at the second; the
    public code has 1 and 2. The quality of a set is the sum of its features' symmetric
    uncertainties.

    Source: Zhou, Zhang, Yan, Wu, *Online Scalable Streaming Feature Selection via Dynamic
    Decision*, ACM Transactions on Knowledge Discovery from Data 16, 2022.
    """

    Options = OssfsDdOptions
    measure: SymmetricUncertainty

    def prepare(self, y: Values, target_type: str, seed: int) -> None:
        self.measure = SymmetricUncertainty(y, target_type)
        # The number, the mean and the standard deviation of the relevances so far.
        self.n_seen, self.mean, self.deviation = 0, 0.0, 0.0

    @property
    def low(self) -> float:
        """The relevance above which a column is weakly relevant."""
        return float(self.mean + self.options.sigma_low * self.deviation)

    @property
    def high(self) -> float:
        """The relevance from which a column is strongly relevant."""
        return float(self.mean + self.options.sigma_high * self.deviation)

    def _count(self, relevance: float) -> None:
        self.n_seen += 1
        before = self.mean
        self.mean += (relevance - before) / self.n_seen
        if self.n_seen > 1:
            squares = (self.n_seen - 2) * self.deviation**2
            squares += (relevance - before) * (relevance - self.mean)
            self.deviation = sqrt(max(squares / (self.n_seen - 1), 0.0))

    def relevant(self, X: Values, columns: range) -> Iterator[tuple[int, float, Codes]]:
        for j, values in enumerate(floats(X, columns)):
            self.tests += 1
            x = coded(values)
            relevance = float(rounded(uncertainty(x, self.measure.target.codes)))
            self._count(relevance)
            # The first two columns only start the distribution.
            if self.n_seen > 2 and relevance > self.low:
                yield j, relevance, x

    def empty_set(self) -> OssfsSet:
        return OssfsSet(self)


class OssfsSet(StreamSet):
    """One set of OSSFS-DD, and the pool of columns that wait."""

    def __init__(self, selector: OssfsDd) -> None:
        super().__init__()
        self.selector = selector
        self.pool: list[StreamColumn] = []

    @property
    def waiting(self) -> list[StreamColumn]:
        return self.pool

    def offer(self, group: ColumnGroup) -> Decision:
        (new,) = group
        if new.dependence < self.selector.high:
            self.pool.append(new)
            is_full = len(self.pool) >= self.selector.options.pool
            return self.finish() if is_full else Decision([], [])
        gone: list[ColumnGroup] = []
        for old in list(self.columns):
            if self._redundant(old, new):
                if new.dependence < old.dependence:
                    return Decision([], [*gone, group])
                self.columns.remove(old)
                gone.append((old,))
        self.columns.append(new)
        return Decision([new], gone)

    def _redundant(self, old: StreamColumn, new: StreamColumn) -> bool:
        together = self._joint(old, new)
        alone = old.dependence + new.dependence
        less = together < alone or not self.selector.options.below_sum
        return less and together < 2 * self.selector.high

    def _joint(self, first: StreamColumn, second: StreamColumn) -> float:
        """Return the relevance of a column plus its information given another one, in bits.

        The units are mixed as in the public code.
        """
        self.tests += 1
        target = self.selector.measure.target.codes
        conditional = information(first.values, target, second.values) / log(2)
        return float(rounded(first.dependence + conditional))

    def finish(self) -> Decision:
        chosen: set[int] = set()
        enough = 2 * self.selector.high
        for i, first in enumerate(self.pool):
            for second in self.pool[i + 1 :]:
                if self._joint(first, second) > enough:
                    chosen |= {first.number, second.number}
                    break
        kept = [column for column in self.pool if column.number in chosen]
        gone: list[ColumnGroup] = [(c,) for c in self.pool if c.number not in chosen]
        self.pool = []
        self.columns += kept
        return Decision(kept, gone)
