"""The numbers of sets that exist at each tau: exact, or between two bounds."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd

from altfs.errors import UnsupportedProblemError
from altfs.library.answers.fitted import FittedRequest, Say
from altfs.problem import FeatureIndices, Problem
from altfs.problem.overlap import attainable
from altfs.searches.existence import families_exist
from altfs.solvers import Limits, solve
from altfs.solvers.bounds import packing_bound

# The largest number of sets that are counted one by one.
MOST_SETS = 64
# The limits of each answer whether one more set exists.
_QUESTION = Limits(work=0.2)


def counts(fitted: FittedRequest, say: Say) -> pd.DataFrame:
    """Count the sets that differ enough from each other, at every attainable overlap.

    Returns
    -------
    DataFrame
        A row per size of sets and per tau, smallest first, without tau 0 (which allows equal
        sets). The columns are n_features, tau, max_overlap, asked (True for the overlap of
        the request), at_least (the number of sets that are known to exist together, up to
        64), at_most (an upper bound), exact (True if the two are equal). The original set is
        counted, too.
    """
    if fitted.request.averages:
        raise UnsupportedProblemError(
            "counts", "sets are counted for overlap='pairwise'", "use `mean_curve` for 'average'"
        )
    rows: list[list[object]] = []
    problems = fitted.singles()
    total = sum(problem.n_features for problem in problems)
    for problem in problems:
        size = problem.n_features
        here = fitted.problem.overlap(size, size)
        taus = attainable(size, fitted.request.dissimilarity)
        low = 0
        counted: list[list[object]] = []
        # Sets that are allowed with a small overlap are allowed with a larger one.
        for overlap in range(size):
            say(f"number of sets: {len(rows) + len(counted)} of {total} overlaps counted")
            low, high = bounds(problem if overlap == here else problem.at(overlap), low)
            tau = float(taus[overlap])
            counted.append([size, tau, overlap, overlap == here, low, high, low == high])
        rows += reversed(counted)
    columns = ["n_features", "tau", "max_overlap", "asked", "at_least", "at_most", "exact"]
    return pd.DataFrame(rows, columns=columns)


def bounds(problem: Problem, least: int = 0) -> tuple[int, int]:
    """Return a lower bound, up to 64, and an upper bound of the number of sets of a problem.

    The problem is that of one set with an overlap below its size. `least` is a lower bound.

    >>> from altfs.quality import Linear
    >>> bounds(Problem(Linear([1.0] * 9), 3, overlap=0))
    (3, 3)
    >>> bounds(Problem(Linear([1.0] * 7), 3, overlap=1))
    (7, 7)
    """
    high = packing_bound(problem)
    low = least
    if least < MOST_SETS:
        low = min(max(len(_greedy(problem)), least), high)
    while 0 < low < min(high, MOST_SETS):
        more = families_exist(problem, low + 1, _QUESTION)
        if more is None:
            break
        if more:
            low += 1
        else:
            high = low
    if not low and families_exist(problem, 1, Limits()) is False:
        return 0, 0
    return low, high


def _greedy(problem: Problem) -> list[FeatureIndices]:
    """Return sets one after the other, each the first in lexicographic order that fits."""
    sets: list[FeatureIndices] = []
    # The quality matters only if there is a floor.
    floor = problem.constraints.quality_floor is not None
    bare = problem if floor else problem.without_values()
    while len(sets) < MOST_SETS:
        try:
            solution = solve(replace(bare, given=(*problem.given, *sets)), _QUESTION)
        except UnsupportedProblemError:
            break
        if not solution.sets:
            break
        sets.append(solution.sets[0])
    return sets
