"""All feature sets of a size, by the included and excluded features alone."""

from __future__ import annotations

from itertools import combinations
from math import comb

from altfs.problem import FeatureIndices, Problem


def number_of_sets(problem: Problem) -> int:
    """Count the sets of the size with the included and without the excluded features.

    >>> from altfs.quality import Linear
    >>> number_of_sets(Problem(Linear([1, 2, 3]), 2, overlap=1))
    3
    """
    include, exclude = problem.constraints.include, problem.constraints.exclude
    free = problem.quality.n_total - len({*include, *exclude})
    size = problem.n_features - len(include)
    return comb(free, size) if size >= 0 else 0


def every_set(problem: Problem) -> list[FeatureIndices]:
    """Return these sets in lexicographic order.

    >>> from altfs.quality import Linear
    >>> every_set(Problem(Linear([1, 2, 3]), 2, overlap=1))
    [(0, 1), (0, 2), (1, 2)]
    """
    include = problem.constraints.include
    decided = {*include, *problem.constraints.exclude}
    free = [j for j in range(problem.quality.n_total) if j not in decided]
    size = problem.n_features - len(include)
    if size < 0:
        return []
    return sorted(tuple(sorted((*include, *rest))) for rest in combinations(free, size))
