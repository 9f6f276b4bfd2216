"""How many sets there are at most, from sizes alone."""

from __future__ import annotations

from altfs.problem import Problem


def packing_bound(problem: Problem) -> int:
    """A number that there are no more sets than (Johnson 1962).

    Of m sets of k of n features, those that hold one feature are sets of
    k - 1 of n - 1 with an overlap that is one smaller; on average a feature is
    in m k / n of them.

    Parameters
    ----------
    problem : Problem
        Its overlap has to be below its number of features: else a set may be there
        any number of times.

    Examples
    --------
    >>> import numpy as np
    >>> from altfs.quality import Linear
    >>> packing_bound(Problem(Linear(np.ones(7)), n_features=3, max_overlap=1))
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
        # From the innermost step out: disjoint sets first.
        bound = (n_total - k + size) * bound // size
    return bound
