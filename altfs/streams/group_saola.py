"""Group-SAOLA: groups of features that arrive whole, sparse in groups and in features.

Source: Yu, Wu, Ding, Pei, *Scalable and Accurate Online Feature Selection for Big Data*,
ACM Transactions on Knowledge Discovery from Data 11, 2016 (Algorithm 2).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise

import numpy as np
import numpy.typing as npt

from altfs.errors import AltfsError
from altfs.streams.base import Column, Decision, Group, State, Values
from altfs.streams.measures import FisherZ, SymmetricUncertainty
from altfs.streams.saola import Saola, SaolaState


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
        self.needs_names = bool(groups)
        self._sizes = [len(group) for group in groups]
        # The number of columns of each group that have not come yet, and the others.
        self._missing: dict[int, int] = {}
        self._waiting: dict[int, list[Column]] = {}

    def arrivals(
        self, X: Values, columns: range, numbers: Values, names: Sequence[str]
    ) -> Iterator[tuple[int, Group]]:
        relevant = dict(super().arrivals(X, columns, numbers, names))
        for i, number in enumerate(numbers.tolist()):
            found = relevant.get(i + 1, ())
            if self.group_size is not None:
                key, size = number // self.group_size, self.group_size
            elif self.group_of and names[i] in self.group_of:
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
        inside = SaolaState(self.measure, not self.slides, self.slides)
        for column in group:
            inside.offer((column,))
        self.tests += inside.tests
        new, refused = inside.columns, set()
        lost = np.zeros(len(self.columns), dtype=bool)
        close = [np.flatnonzero(self.members.close(one)) for one in new]
        for start, end in pairwise([0, *accumulate(self.sizes)]):
            for i, one in enumerate(new):
                # In the slides, a feature that is refused is compared no more.
                if self.slides and i in refused:
                    continue
                compared = end - start
                for k in close[i][(close[i] >= start) & (close[i] < end)].tolist():
                    old = self.columns[k].dependence
                    if old > one.dependence:
                        refused.add(i)
                        compared = k + 1 - start
                        break
                    if old < one.dependence or not self.slides:
                        lost[k] = True
                self.tests += compared
        gone = self._let_go(lost)
        kept = [one for i, one in enumerate(new) if i not in refused]
        numbers = {one.number for one in kept}
        if rest := tuple(one for one in group if one.number not in numbers):
            gone.append(rest)
        for one in kept:
            self.members.append(one)
        if kept:
            self.sizes.append(len(kept))
        return Decision(kept, gone)

    def leave(self, column: Column) -> None:
        lost = np.zeros(len(self.columns), dtype=bool)
        lost[self.place(column)] = True
        self._let_go(lost)

    def _let_go(self, lost: npt.NDArray[np.bool_]) -> list[Group]:
        """Remove members, and return those of each group together."""
        ends = pairwise([0, *accumulate(self.sizes)])
        places = [np.flatnonzero(lost[a:b]) + a for a, b in ends]
        gone = [tuple(self.columns[i] for i in chosen) for chosen in places]
        for i in np.flatnonzero(lost)[::-1].tolist():
            self.members.remove(i)
        left = (size - len(chosen) for size, chosen in zip(self.sizes, places, strict=True))
        self.sizes = [size for size in left if size]
        return [group for group in gone if group]
