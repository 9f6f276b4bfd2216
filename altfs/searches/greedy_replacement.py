"""Greedy replacement: from set to set, the next best features replace all that can go."""

from __future__ import annotations

from altfs.problem import Problem
from altfs.quality import Linear
from altfs.searches._greedy import GreedySearch
from altfs.searches.base import searches


@searches.register("greedy_replacement")
class GreedyReplacement(GreedySearch):
    """All sets share the best features, and the next best ones fill one set after the other.

    Every set has the best `max_overlap` features. The next best features fill the first set,
    the following ones the second set, and so on. The first set is the best one. It handles
    linear qualities only. A set for which too few features are left is ``unknown``, as
    others may exist.

    The source is that of `greedy_balancing`.
    """

    def fill(self, quality: Linear, problem: Problem) -> list[list[int]]:
        order, overlap = quality.order.tolist(), problem.max_overlap
        core, rest = order[:overlap], order[overlap:]
        places = problem.n_features - overlap
        sets = [core + rest[i * places : (i + 1) * places] for i in range(problem.n_sets)]
        return [s for s in sets if len(s) == problem.n_features]
