"""Greedy balancing: the worst set that has room gets the next best feature."""

from __future__ import annotations

from altfs.problem import Problem
from altfs.quality import Linear
from altfs.searches._greedy import GreedySearch
from altfs.searches.base import searches


@searches.register("greedy_balancing")
class GreedyBalancing(GreedySearch):
    """All sets share the best features, and the next best ones make them equally good.

    Every set has the best `max_overlap` features. Each further feature, from best to worst,
    is added to the set of lowest quality that has room, the first of equals (the rule of the
    longest processing time). It handles linear qualities only. If there are too few features
    for all sets, all are ``unknown``, as others may exist.

    Source: the package alfese of the author of the paper.
    """

    def fill(self, quality: Linear, problem: Problem) -> list[list[int]]:
        n_sets, overlap, order = problem.n_sets, problem.max_overlap, quality.order.tolist()
        dealt = order[overlap : overlap + (problem.n_features - overlap) * n_sets]
        if len(dealt) < (problem.n_features - overlap) * n_sets:
            return []
        sets = [order[:overlap] for _ in range(n_sets)]
        # The shared features make no difference. Integers are equal if decimals nearly are.
        worth = [0] * n_sets
        for j in dealt:
            with_room = [i for i in range(n_sets) if len(sets[i]) < problem.n_features]
            worst = min(with_room, key=lambda i: worth[i])
            sets[worst].append(j)
            worth[worst] += quality.scaled[j]
        return sets
