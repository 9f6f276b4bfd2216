"""SAOLA: streaming features, compared in pairs."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from altfs.kinds.streams.base import ColumnGroup, Decision, StreamSet, Values
from altfs.kinds.streams.measures import Measure, SymmetricUncertainty
from altfs.kinds.streams.measures.members import MeasuredSet
from altfs.kinds.streams.streaming_selector import ArrivalOptions, MeasuredSelector
from altfs.selectors.base import selectors


class SaolaOptions(ArrivalOptions):
    """measure, alpha, threshold: the dependence. rule: as in the public code or on the slides."""

    measure: Literal["auto", "fisher_z", "symmetric_uncertainty"] = "auto"
    alpha: Annotated[float, Field(gt=0, lt=1)] = 0.01
    threshold: Annotated[float, Field(ge=0, lt=1)] = 0.0
    rule: Literal["code", "slides"] = "code"


@selectors.register("saola")
class Saola(MeasuredSelector):
    """SAOLA: a feature is redundant if another one tells more about the target and about it.

    The quality of a set is the sum of its features' dependences on the target.

    Source: Yu, Wu, Ding, Pei, *Scalable and Accurate Online Feature Selection for Big Data*,
    ACM Transactions on Knowledge Discovery from Data 11, 2016 (Algorithm 1).
    """

    Options = SaolaOptions
    counting = "symmetric_uncertainty"

    def counts(self, y: Values, target_type: str) -> Measure:
        return SymmetricUncertainty(y, target_type, self.options.threshold)

    @property
    def slides(self) -> bool:
        """True for the algorithm as it is written; else as in the public code."""
        return bool(self.options.rule == "slides")

    def empty_set(self) -> StreamSet:
        return SaolaSet(self.measure, self.measure.equal_loses and not self.slides, self.slides)


class SaolaSet(MeasuredSet):
    """One set of SAOLA; see `MeasuredMembers.judge`."""

    def __init__(self, measure: Measure, equal_loses: bool, touching: bool) -> None:
        super().__init__(measure.members())
        self.equal_loses, self.touching = equal_loses, touching

    def offer(self, group: ColumnGroup) -> Decision:
        (new,) = group
        lost, compared, redundant = self.members.judge(new, self.equal_loses, self.touching)
        self.tests += compared
        gone: list[ColumnGroup] = [(self.columns[i],) for i in lost]
        for i in reversed(lost):
            self.remove(i)
        if redundant:
            return Decision([], [*gone, group])
        self.members.append(new)
        return Decision([new], gone)
