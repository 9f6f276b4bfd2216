"""Upper bounds of the number of sets, from their sizes."""

from __future__ import annotations

from altfs.problem import Problem


def packing_bound(problem: Problem) -> int:
    """Return an upper bound of the number of sets (Johnson 1962).

    Consider m sets of k of n features. Those that hold one feature are sets of k - 1 of
    n - 1 features, and their overlap is smaller by one. On average a feature is in
    m k / n of the sets.

    Parameters
    ----------
    problem : Problem
        Its overlap has to be below its number of features. Otherwise a set may occur
        any number of times.

    Examples
    --------
    >>> import numpy as np
    >>> from altfs.quality import Linear
    >>> packing_bound(Problem(Linear(np.ones(7)), 3, overlap=1))
    7
    """
    constraints = problem.constraints
    held = len(constraints.include)
    n_total = problem.quality.n_total - held - len(constraints.exclude)
    k, overlap = problem.n_features - held, problem.max_overlap - held
    if k < 0 or n_total < k:
        return 0
    if overlap < 0 or k == 0:
        return 1
    bound = 1
    for size in range(k - overlap, k + 1):
        # From the innermost step outwards: disjoint sets come first.
        bound = (n_total - k + size) * bound // size
    return bound
