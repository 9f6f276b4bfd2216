"""Group-SAOLA: groups of features that arrive whole, sparse in groups and in features.

Source: Yu, Wu, Ding, Pei, *Scalable and Accurate Online Feature Selection for Big Data*,
ACM Transactions on Knowledge Discovery from Data 11, 2016 (Algorithm 2).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from altfs.errors import AltfsError
from altfs.kinds.streams.base import Column, Decision, Group, State, Values
from altfs.kinds.streams.measures import FisherZ, SymmetricUncertainty
from altfs.kinds.streams.methods.saola import Saola, SaolaState


class GroupSaola(Saola):
    """Group-SAOLA. A group arrives when its last column has come.

    Parameters
    ----------
    measure : FisherZ or SymmetricUncertainty
    groups : sequence of sequence of str
        Names of the features of each group. A feature in none is a group of its own.
    group_size : int, optional
        The number of columns that follow each other and are a group, in place of `groups`.
    slides : bool, default=False
        True for Algorithm 2 as it is written; else as in the public code.

    Raises
    ------
    AltfsError
        If a feature is in two groups.
    """

    def __init__(
        self,
        measure: FisherZ | SymmetricUncertainty,
        groups: Sequence[Sequence[str]] = (),
        group_size: int | None = None,
        slides: bool = False,
    ) -> None:
        super().__init__(measure, slides)
        self.group_size = group_size
        self.group_of = group_places(groups)
        self.expected = set(self.group_of)
        self._sizes = [len(group) for group in groups]
        # The number of columns of each group that have not come yet, and the others.
        self._missing: dict[int, int] = {}
        self._waiting: dict[int, list[Column]] = {}

    def arrivals(
        self, X: Values, columns: range, numbers: Values, names: Sequence[str]
    ) -> Iterator[tuple[int, Group]]:
        arriving = super().arrivals(X, columns, numbers, names)
        if not self.group_of and self.group_size is None:
            yield from arriving
            return
        relevant = dict(arriving)
        for i, number in enumerate(numbers.tolist()):
            found = relevant.get(i + 1, ())
            if self.group_size is not None:
                key, size = number // self.group_size, self.group_size
            elif names[i] in self.group_of:
                key = self.group_of[names[i]]
                size = self._sizes[key]
            else:
                key, size = -1, 1
            self._missing[key] = self._missing.get(key, size) - 1
            self._waiting.setdefault(key, []).extend(found)
            if self._missing[key] == 0:
                del self._missing[key]
                if whole := tuple(self._waiting.pop(key)):
                    yield i + 1, whole

    @property
    def waiting(self) -> list[Column]:
        return [column for columns in self._waiting.values() for column in columns]

    def rest(self) -> list[Group]:
        groups = [tuple(columns) for columns in self._waiting.values() if columns]
        self._missing, self._waiting = {}, {}
        return groups

    def state(self) -> GroupState:
        return GroupState(self.measure, self.slides)


def group_places(groups: Sequence[Sequence[str]]) -> dict[str, int]:
    """Return the number of the group of each feature; an AltfsError if a feature has two."""
    found: dict[str, int] = {}
    for i, group in enumerate(groups):
        for name in group:
            if name in found:
                where = "in two groups" if found[name] != i else "twice in a group"
                raise AltfsError(f"groups: feature '{name}' is {where}, name it once.")
            found[name] = i
    return found


class GroupState(State):
    """One set of Group-SAOLA.

    Parameters
    ----------
    measure : FisherZ or SymmetricUncertainty
    slides : bool
    """

    def __init__(self, measure: FisherZ | SymmetricUncertainty, slides: bool) -> None:
        super().__init__()
        self.measure, self.slides = measure, slides
        self.members = SaolaState(measure, False, slides)
        self.columns = self.members.columns
        #: The number of members of each group; groups are in order of admission.
        self.sizes: list[int] = []

    def offer(self, group: Group) -> Decision:
        new = self._chosen_inside(group)
        lost = np.zeros(len(self.columns), dtype=bool)
        ends = np.cumsum(self.sizes)
        kept = [one for one in new if self._is_kept(one, ends, lost)]
        gone = self._let_go(lost, ends)
        numbers = {one.number for one in kept}
        if rest := tuple(one for one in group if one.number not in numbers):
            gone.append(rest)
        for one in kept:
            self.members.append(one)
        if kept:
            self.sizes.append(len(kept))
        return Decision(kept, gone)

    def _chosen_inside(self, group: Group) -> list[Column]:
        """Return the set that SAOLA finds in a group."""
        if len(group) == 1:
            return list(group)
        inside = SaolaState(self.measure, not self.slides, self.slides)
        for column in group:
            inside.offer((column,))
        self.tests += inside.tests
        return inside.columns

    def _is_kept(
        self, new: Column, ends: npt.NDArray[np.int64], lost: npt.NDArray[np.bool_]
    ) -> bool:
        """Compare a feature with all members, and mark in `lost` those that it makes redundant.

        A member that makes it redundant ends the comparison with its group; in the slides, with
        all groups.
        """
        kept, after = True, 0
        self.tests += len(self.columns)
        members = self.members
        for k in np.flatnonzero(members.shelf.close(new, members.relevance, self.slides)).tolist():
            if k < after:
                continue
            old = self.columns[k].dependence
            if old > new.dependence:
                kept = False
                after = len(self.columns)
                if not self.slides:
                    after = int(ends[np.searchsorted(ends, k, side="right")])
                self.tests -= after - k - 1
            elif old < new.dependence or not self.slides:
                lost[k] = True
        return kept

    def leave(self, column: Column) -> None:
        lost = np.zeros(len(self.columns), dtype=bool)
        lost[self.place(column)] = True
        self._let_go(lost, np.cumsum(self.sizes))

    def _let_go(self, lost: npt.NDArray[np.bool_], ends: npt.NDArray[np.int64]) -> list[Group]:
        """Remove members, and return those of each group together."""
        gone: dict[int, list[Column]] = {}
        places = np.flatnonzero(lost)
        for k, owner in zip(
            places.tolist(), np.searchsorted(ends, places, side="right").tolist(), strict=True
        ):
            gone.setdefault(owner, []).append(self.columns[k])
            self.sizes[owner] -= 1
        if gone:
            for k in places[::-1].tolist():
                self.members.remove(k)
            self.sizes = [size for size in self.sizes if size]
        return [tuple(columns) for columns in gone.values()]
