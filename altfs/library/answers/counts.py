"""Numbers of sets that exist at each tau: exact, or between two bounds."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from altfs.errors import UnsupportedProblemError
from altfs.library.answers.asked import Asked, Say
from altfs.problem import FeatureIndices, Problem
from altfs.problem.overlap import attainable
from altfs.searches.feasibility import families_exist
from altfs.solvers import Limits, solve
from altfs.solvers.bounds import packing_bound

if TYPE_CHECKING:
    import pandas as pd

# Sets beyond this number are not counted one by one.
MOST_SETS = 64
# Each question whether one more set exists may take so much work.
_QUESTION = Limits(work=0.2)
COLUMNS = ["n_features", "tau", "max_overlap", "asked", "at_least", "at_most", "exact"]


def counts(asked: Asked, say: Say) -> pd.DataFrame:
    """Count the sets of which any two overlap little enough, at every attainable overlap.

    Returns
    -------
    DataFrame
        A row per size that sets may have and per tau, smallest first, without tau 0
        (at which the same set may come again): n_features (of all the sets
        counted), tau, max_overlap, asked (whether that is the overlap of the
        request), at_least (so many are known to exist together, up to 64), at_most
        (more cannot exist), exact (whether the two are the same). The original set
        counts, so there is one alternative less.
    """
    import pandas as pd

    rows: list[list[object]] = []
    problems = asked.singles()
    total = sum(problem.n_features for problem in problems)
    for problem in problems:
        size = problem.n_features
        here = asked.problem.overlap(size, size)
        taus = attainable(size, asked.request.dissimilarity)
        low = 0
        counted: list[list[object]] = []
        # What differs enough for a small overlap does so for a larger one.
        for overlap in range(size):
            say(f"number of sets: {len(rows) + len(counted)} of {total} overlaps counted")
            low, high = bounds(problem if overlap == here else problem.at(overlap), low)
            tau = float(taus[overlap])
            counted.append([size, tau, overlap, overlap == here, low, high, low == high])
        rows += reversed(counted)
    return pd.DataFrame(rows, columns=COLUMNS)


def bounds(problem: Problem, known: int = 0) -> tuple[int, int]:
    """Bounds on the number of sets that differ enough from one another.

    Parameters
    ----------
    problem : Problem
        Of one set: what every set has to satisfy, and their overlap, below
        the number of features.
    known : int, default=0
        So many are known to exist.

    Returns
    -------
    at_least, at_most : int
        `at_least` is not raised beyond 64.

    Examples
    --------
    >>> from altfs.quality import Linear
    >>> bounds(Problem(Linear([1.0] * 9), 3, overlap=0))
    (3, 3)
    >>> bounds(Problem(Linear([1.0] * 7), 3, overlap=1))
    (7, 7)
    """
    high = packing_bound(problem)
    low = known
    if known < MOST_SETS:
        low = min(max(len(_greedy(problem)), known), high)
    while 0 < low < min(high, MOST_SETS):
        more = families_exist(problem, low + 1, _QUESTION)
        if more is None:
            break
        if more:
            low += 1
        else:
            high = low
    return low, high if low else _none(problem, high)


def _greedy(problem: Problem) -> list[FeatureIndices]:
    """Return sets one after the other, each the first in lexicographic order that fits."""
    found: list[FeatureIndices] = []
    # A quality matters for what exists only where there is a floor.
    floor = problem.constraints.quality_floor is not None
    bare = problem if floor else problem.without_values()
    while len(found) < MOST_SETS:
        try:
            solution = solve(replace(bare, given=(*problem.given, *found)), _QUESTION)
        except UnsupportedProblemError:
            break
        if not solution.sets:
            break
        found.append(solution.sets[0])
    return found


def _none(problem: Problem, known: int) -> int:
    """Return the upper bound where not even one set was found."""
    return 0 if families_exist(problem, 1, Limits()) is False else known
