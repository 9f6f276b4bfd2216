"""Group-SAOLA: streaming groups of features, compared in pairs."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from typing import Annotated

import numpy as np
from pydantic import Field, model_validator

from altfs.errors import AltfsError, DataError
from altfs.kinds.streams.base import ColumnGroup, Decision, StreamColumn, Values
from altfs.kinds.streams.measures import Measure
from altfs.kinds.streams.measures.members import MeasuredSet
from altfs.kinds.streams.selectors.saola import Saola, SaolaOptions, SaolaSet
from altfs.selectors.base import selectors


class GroupSaolaOptions(SaolaOptions):
    """groups: the names of the features of each group. group_size: columns in a group."""

    groups: list[Annotated[list[str], Field(min_length=1)]] = Field(default_factory=list)
    group_size: Annotated[int, Field(ge=1)] | None = None

    @model_validator(mode="after")
    def _either(self) -> GroupSaolaOptions:
        if self.groups and self.group_size is not None:
            raise AltfsError("group_size", "groups are given, too", "leave one of the two out")
        self.places()
        return self

    def places(self) -> dict[str, int]:
        """Return the number of the group of each feature; an AltfsError if a feature has two."""
        places: dict[str, int] = {}
        for i, group in enumerate(self.groups):
            for name in group:
                if name in places:
                    where = "in two groups" if places[name] != i else "twice in a group"
                    raise AltfsError("groups", f"feature '{name}' is {where}", "name it once")
                places[name] = i
        return places


@selectors.register("group_saola")
class GroupSaola(Saola):
    """Group-SAOLA: SAOLA within a group that arrives, and then between groups.

    A feature without a group is a group of its own. A group arrives with its last column. The
    quality of a set is the sum of its features' dependences on the target.

    Source: Yu, Wu, Ding, Pei, *Scalable and Accurate Online Feature Selection for Big Data*,
    ACM Transactions on Knowledge Discovery from Data 11, 2016 (Algorithm 2).
    """

    Options = GroupSaolaOptions

    def check_features(self, names: Sequence[str]) -> None:
        columns = set(names)
        for name in self.options.places():
            if name not in columns:
                reason, advice = f"'{name}' is not a feature", "use the names of columns"
                raise DataError.of_name("groups", reason, name, names, advice)

    def prepare(self, y: Values, target_type: str, seed: int) -> None:
        super().prepare(y, target_type, seed)
        self.group_of = self.options.places()
        self.expected = set(self.group_of)
        # The number of columns of each group that have not come yet, and the others.
        self._missing: dict[int, int] = {}
        self._waiting: dict[int, list[StreamColumn]] = {}

    def arrivals(
        self, X: Values, columns: range, numbers: Values, names: Sequence[str]
    ) -> Iterator[tuple[int, ColumnGroup]]:
        arriving = super().arrivals(X, columns, numbers, names)
        whole_size = self.options.group_size
        if not self.group_of and whole_size is None:
            yield from arriving
            return
        relevant = dict(arriving)
        for i, number in enumerate(numbers.tolist()):
            if whole_size is not None:
                key, size = number // whole_size, whole_size
            elif names[i] in self.group_of:
                key = self.group_of[names[i]]
                size = len(self.options.groups[key])
            else:
                key, size = -1, 1
            self._missing[key] = self._missing.get(key, size) - 1
            self._waiting.setdefault(key, []).extend(relevant.get(i + 1, ()))
            if self._missing[key] == 0:
                del self._missing[key]
                if whole := tuple(self._waiting.pop(key)):
                    yield i + 1, whole

    @property
    def waiting(self) -> list[StreamColumn]:
        return [column for columns in self._waiting.values() for column in columns]

    def rest(self) -> list[ColumnGroup]:
        groups = [tuple(columns) for columns in self._waiting.values() if columns]
        self._missing, self._waiting = {}, {}
        return groups

    def empty_set(self) -> GroupSaolaSet:
        return GroupSaolaSet(self.measure, self.slides)


class GroupSaolaSet(MeasuredSet):
    """One set of Group-SAOLA."""

    def __init__(self, measure: Measure, slides: bool) -> None:
        super().__init__(measure.members())
        self.measure, self.slides = measure, slides
        # The number of the group of each member, ascending.
        self.group_numbers: list[int] = []
        self.n_groups = 0

    def offer(self, group: ColumnGroup) -> Decision:
        lost: set[int] = set()
        kept = [new for new in self._best_inside(group) if self._is_kept(new, lost)]
        gone = self._let_go(lost)
        numbers = {column.number for column in kept}
        if rest := tuple(column for column in group if column.number not in numbers):
            gone.append(rest)
        for column in kept:
            self.members.append(column)
            self.group_numbers.append(self.n_groups)
        self.n_groups += 1
        return Decision(kept, gone)

    def _best_inside(self, group: ColumnGroup) -> list[StreamColumn]:
        """Return the set that SAOLA finds in a group."""
        if len(group) == 1:
            return list(group)
        inside = SaolaSet(self.measure, not self.slides, self.slides)
        for column in group:
            inside.offer((column,))
        self.tests += inside.tests
        return inside.columns

    def _is_kept(self, new: StreamColumn, lost: set[int]) -> bool:
        """Compare a feature with all members, and add to `lost` those that it makes redundant.

        A member that makes it redundant ends the comparison with its group; in the slides, with
        all groups.
        """
        kept, after, n = True, 0, len(self.columns)
        self.tests += n
        for k in np.flatnonzero(self.members.close(new, self.slides)).tolist():
            if k < after:
                continue
            old = self.columns[k].dependence
            if old > new.dependence:
                kept = False
                groups = self.group_numbers
                after = n if self.slides else bisect_right(groups, groups[k])
                self.tests -= after - k - 1
            elif old < new.dependence or not self.slides:
                lost.add(k)
        return kept

    def remove(self, place: int) -> None:
        self._let_go([place])

    def _let_go(self, places: Collection[int]) -> list[ColumnGroup]:
        """Remove members, and return those of each group together."""
        gone: dict[int, list[StreamColumn]] = {}
        for k in sorted(places):
            gone.setdefault(self.group_numbers[k], []).append(self.columns[k])
        for k in sorted(places, reverse=True):
            self.members.remove(k)
            self.group_numbers.pop(k)
        return [tuple(columns) for columns in gone.values()]
