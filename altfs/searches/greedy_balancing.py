"""Greedy balancing: the next best feature goes to the worst set that has room."""

from __future__ import annotations

from altfs.quality import Linear
from altfs.searches._greedy import GreedySearch
from altfs.searches.base import searches


@searches.register("greedy_balancing")
class GreedyBalancing(GreedySearch):
    """The best features stay, the next best ones are dealt out to equally good sets.

    Every set has the best `max_overlap` features. The following features go,
    best first, to the set of lowest quality that still has room, the first of
    equals (the rule of the longest processing time). Linear qualities only.
    Where the features do not suffice for all sets there is none, ``unknown``:
    others may exist.

    Source: a later work by the author of paper 000, and his package alfese.
    """

    def fill(
        self, quality: Linear, n_features: int, n_sets: int, max_overlap: int
    ) -> list[list[int]]:
        order = quality.order.tolist()
        core = order[:max_overlap]
        dealt = order[max_overlap : max_overlap + (n_features - max_overlap) * n_sets]
        if len(dealt) < (n_features - max_overlap) * n_sets:
            return []
        sets = [list(core) for _ in range(n_sets)]
        # All have the core, so it makes no difference; integers tie where decimals nearly do.
        worth = [0] * n_sets
        for j in dealt:
            with_room = [i for i in range(n_sets) if len(sets[i]) < n_features]
            worst = min(with_room, key=lambda i: worth[i])
            sets[worst].append(j)
            worth[worst] += quality.scaled[j]
        return sets
