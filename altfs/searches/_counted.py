"""Drawing feature sets uniformly by counting them.

Each set to differ from and each group is a *row*. Features that are in the same rows can
replace each other: they form a *cell*. The number of sets with given numbers of features of
each cell is a product of binomials. So all sets can be counted cell by cell, and every draw
gives a valid set.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from math import comb

from altfs.problem import FeatureIndices

#: Features, and the allowed numbers of them in a set.
Row = tuple[Collection[int], Collection[int]]
# The number of features taken so far, and the number of them in each row that is not complete.
_State = tuple[int, tuple[int, ...]]


class TooManyStatesError(Exception):
    """Counting would take more steps than allowed."""


class CountedSets:
    """All feature sets of a size that hold an allowed number of features of every row.

    `total` is their number. Counting took `steps` steps; more than `most_steps` are a
    TooManyStatesError.

    Examples
    --------
    >>> CountedSets(6, 2, (), (), [((0, 1, 2), (0, 1))], 1000).total
    12
    """

    def __init__(
        self,
        n_total: int,
        n_features: int,
        include: Collection[int],
        exclude: Collection[int],
        rows: Sequence[Row],
        most_steps: int,
    ) -> None:
        self.include = sorted(set(include))
        free = [j for j in range(n_total) if j not in {*include, *exclude}]
        members = [frozenset(features) for features, _ in rows]
        allowed = [frozenset(numbers) for _, numbers in rows]
        cells: dict[FeatureIndices, list[int]] = {}
        for j in free:
            cells.setdefault(tuple(r for r, m in enumerate(members) if j in m), []).append(j)
        # The cells of a row follow each other, so that a complete row leaves the state.
        ordered = sorted(cells.items(), key=lambda cell: (not cell[0], cell[0]))
        self.cells = [group for _, group in ordered]
        last = {r: i for i, (in_rows, _) in enumerate(ordered) for r in in_rows}
        held = tuple(len(m.intersection(self.include)) for m in members)
        impossible = any(r not in last and count not in allowed[r] for r, count in enumerate(held))
        left = len(free)
        start: _State = (len(self.include), held)
        #: Before each cell: state -> number of ways to reach it.
        self.ways: list[dict[_State, int]] = [{} if impossible else {start: 1}]
        #: After each cell: state -> the previous states, and the features taken of the cell.
        self.origins: list[dict[_State, list[tuple[_State, int]]]] = []
        self.steps = 0
        for i, (in_rows, group) in enumerate(ordered):
            left -= len(group)
            ways: dict[_State, int] = {}
            origins: dict[_State, list[tuple[_State, int]]] = {}
            for (taken, counts), number in self.ways[-1].items():
                least = max(0, n_features - taken - left)
                if self.steps > most_steps:
                    raise TooManyStatesError
                for more in range(least, min(len(group), n_features - taken) + 1):
                    self.steps += 1
                    after = list(counts)
                    for r in in_rows:
                        after[r] += more
                    if any(after[r] > max(allowed[r], default=-1) for r in in_rows):
                        break
                    done = [r for r in in_rows if last[r] == i]
                    if any(after[r] not in allowed[r] for r in done):
                        continue
                    for r in done:
                        after[r] = 0
                    state = (taken + more, tuple(after))
                    ways[state] = ways.get(state, 0) + number * comb(len(group), more)
                    origins.setdefault(state, []).append(((taken, counts), more))
            self.ways.append(ways)
            self.origins.append(origins)
        complete = [s for s in self.ways[-1] if s[0] == n_features]
        # All rows are complete, so this is at most one state.
        self.end = complete[0] if complete else None
        self.total = 0 if self.end is None else self.ways[-1][self.end]

    def draw(self, chance: random.Random) -> FeatureIndices:
        """Draw one of the sets, each with the same probability; `total` must not be 0."""
        assert self.end is not None
        chosen = list(self.include)
        state = self.end
        for i in range(len(self.cells) - 1, -1, -1):
            group = self.cells[i]
            place = chance.randrange(self.ways[i + 1][state])
            for before, more in self.origins[i][state]:
                place -= self.ways[i][before] * comb(len(group), more)
                if place < 0:
                    chosen += subset(group, more, chance)
                    state = before
                    break
        return tuple(sorted(chosen))


def subset(items: Sequence[int], size: int, chance: random.Random) -> list[int]:
    """Draw some of the items, each choice with the same probability.

    `random.sample` may differ between versions of Python; this does not.
    """
    pool = list(items)
    for i in range(size):
        j = i + chance.randrange(len(pool) - i)
        pool[i], pool[j] = pool[j], pool[i]
    return pool[:size]
