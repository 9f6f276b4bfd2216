"""Upper bounds of the number of sets, from their sizes."""

from __future__ import annotations

from altfs.problem import Problem
from altfs.problem.overlap import most_sets


def packing_bound(problem: Problem) -> int:
    """Return an upper bound of the number of sets of a problem, as :func:`most_sets`.

    Parameters
    ----------
    problem : Problem
        Its overlap has to be below its number of features.

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
    return most_sets(n_total, problem.n_features - held, problem.max_overlap - held)
