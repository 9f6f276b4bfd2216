"""Group-SAOLA: streaming groups of features, compared in pairs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import numpy.typing as npt
from pydantic import Field, model_validator

from altfs.errors import DataError, did_you_mean
from altfs.kinds.streams.methods.group_saola import GroupSaola, group_places
from altfs.kinds.streams.selectors.saola import SaolaOptions
from altfs.kinds.streams.streaming_selector import StreamingSelector
from altfs.selectors.base import selectors


class GroupSaolaOptions(SaolaOptions):
    """groups: the names of the features of each group. group_size: columns in a group."""

    groups: list[Annotated[list[str], Field(min_length=1)]] = Field(default_factory=list)
    group_size: Annotated[int, Field(ge=1)] | None = None

    @model_validator(mode="after")
    def _one_of_both(self) -> GroupSaolaOptions:
        if self.groups and self.group_size is not None:
            raise ValueError("group_size: groups are given, too, leave one of the two out")
        group_places(self.groups)
        return self


@selectors.register("group_saola")
class GroupSaolaSelector(StreamingSelector):
    """Group-SAOLA: SAOLA within a group that arrives, and then between groups.

    A feature without a group is a group of its own. A group arrives with its last column. The
    quality of a set is the sum of its features' dependences on the target.

    Source: Yu, Wu, Ding, Pei, *Scalable and Accurate Online Feature Selection for Big Data*,
    ACM Transactions on Knowledge Discovery from Data 11, 2016 (Algorithm 2).
    """

    Options = GroupSaolaOptions

    def check_features(self, names: Sequence[str]) -> None:
        known = set(names)
        for group in self.options.groups:
            for name in group:
                if name not in known:
                    near = did_you_mean(name, list(names)) or ","
                    raise DataError(
                        f"groups: '{name}' is not a feature{near} use the names of columns."
                    )

    def method(self, y: npt.NDArray[Any], target_type: str, seed: int) -> GroupSaola:
        asked = self.options
        measure = asked.made(y, target_type)
        return GroupSaola(measure, asked.groups, asked.group_size, asked.rule == "slides")
