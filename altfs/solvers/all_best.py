"""All sets that are as good as the best one, or nearly so, in lexicographic order.

For linear qualities the search is depth first in the order of the features. It leaves a
branch if the best remaining features cannot reach the value. For qualities with pair costs
the exact solver lists the sets. If the list is too long, the first sets are found one after
the other.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice
from math import comb

import numpy as np

from altfs._numbers import IntArray
from altfs.problem import FeatureIndices, Problem
from altfs.quality import Linear
from altfs.solvers.first_optimum import OutOfWorkError
from altfs.solvers.pair_costs._first_family import Questions
from altfs.solvers.pair_costs._listing import SOME
from altfs.solvers.pair_costs._solver import pair_solver
from altfs.solvers.pair_costs._source import PairSource
from altfs.solvers.reduced import reduce_problem

# Branches of the depth-first search, and nodes of the compiled one, per unit of work.
_BRANCHES_PER_UNIT = 5_000
_NODES_PER_UNIT = 50_000


@dataclass(frozen=True)
class AllBest:
    """Sets of one value."""

    #: In lexicographic order; the first ones unless `first` is False.
    sets: list[FeatureIndices]
    #: True if these are all.
    complete: bool
    #: True if no missing set comes before a listed one.
    first: bool = True


def all_best(
    problem: Problem, best: FeatureIndices, limit: int, work: float, slack: int = 0
) -> AllBest:
    """List the sets that are exactly as good as an optimal one, or by at most `slack` worse.

    Parameters
    ----------
    problem : Problem
        Of one set; linear, pairwise or ratio quality.
    best : tuple of int
        An optimum of it.
    limit : int
        The number of sets to list, at least 1.
    work : float
        A count as in :class:`altfs.solvers.Limits`.
    slack : int, default=0
        In the integers in which the solvers of the quality compare sets.

    Examples
    --------
    >>> ties = Problem(Linear([1.0, 2.0, 1.0]), 2, overlap=2)
    >>> all_best(ties, (0, 1), 10, 1.0)
    AllBest(sets=[(0, 1), (1, 2)], complete=True, first=True)
    """
    if problem.quality.additive:
        return _linear(problem, best, limit, work, slack)
    constraints = problem.constraints.model_copy(update={"quality_floor": None})
    free = replace(problem, constraints=constraints)
    source = pair_solver(free).source(free)
    assert source is not None
    listed = _listed(source, best, limit, work, slack)
    floor = problem.constraints.quality_floor
    if floor is None:
        return listed
    return replace(listed, sets=[s for s in listed.sets if problem.quality.reaches(s, floor)])


def number_of_ties(problem: Problem, best: FeatureIndices) -> tuple[int, FeatureIndices, list[int]]:
    """Count the sets that are as good as the best one, if features differ in value only.

    Parameters
    ----------
    problem : Problem
        Of linear quality without conflicts, with no constraints but include and exclude.
    best : tuple of int

    Returns
    -------
    count : int
    fixed : tuple of int
        Features that all of these sets hold.
    tied : list of int
        The features from which each set holds any ``n_features - len(fixed)``.
    """
    quality, constraints = problem.quality_as(Linear), problem.constraints
    included = set(constraints.include)
    free = [j for j in best if j not in included]
    if not free:
        return 1, best, []
    lowest = min(quality.scaled[j] for j in free)
    fixed = tuple(j for j in best if j in included or quality.scaled[j] > lowest)
    decided = {*included, *constraints.exclude}
    tied = np.flatnonzero(quality.weights == lowest).tolist()
    tied = [j for j in tied if j not in decided]
    return comb(len(tied), len(best) - len(fixed)), fixed, tied


def differ_in_value_only(problem: Problem) -> bool:
    """Return True if `number_of_ties` can count the optima of a problem."""
    quality = problem.quality
    plain = quality.additive and quality.conflicts is None
    return plain and set(problem.kinds) <= {"include", "exclude"}


def _listed(
    source: PairSource, best: FeatureIndices, limit: int, work: float, slack: int
) -> AllBest:
    reduced = source.reduced
    free = np.searchsorted(reduced.features, [j for j in best if j not in reduced.include])
    if source.k == 0:
        return AllBest([best], True)
    value = int(source.values(free[None, :].astype(np.int64))[0]) - slack
    nodes = max(int(_NODES_PER_UNIT * work), 1)
    listing = source.listing(value, limit + 1, nodes, mode=SOME)
    if listing.reached <= value:
        return AllBest([reduced.restore(row) for row in listing.sets.tolist()], True)
    # There are too many for a list, or the search takes too long.
    optima: list[FeatureIndices] = []
    try:
        for row in islice(Questions(source, nodes).each(([], value)), limit):
            optima.append(reduced.restore(row))
    except OutOfWorkError:
        some = {best, *optima, *(reduced.restore(row) for row in listing.sets.tolist())}
        return AllBest(sorted([best, *sorted(some - {best})[: limit - 1]]), False, first=False)
    return AllBest(optima, False)


def _linear(problem: Problem, best: FeatureIndices, limit: int, work: float, slack: int) -> AllBest:
    quality = problem.quality_as(Linear)
    reduced = reduce_problem(problem)
    assert reduced is not None
    flags, most = reduced.limits()
    held = np.zeros((len(flags), quality.n_total), dtype=bool)
    held[:, reduced.features] = flags
    weights, conflicts = quality.weights, quality.conflicts
    branches = max(1, int(_BRANCHES_PER_UNIT * work))
    optima: list[FeatureIndices] = []

    def extend(
        chosen: FeatureIndices, candidates: IntArray, room: IntArray, slots: int, missing: int
    ) -> bool:
        """Add all completions of a set; return False if a limit ended the search."""
        nonlocal branches
        if slots == 0:
            whole = tuple(sorted((*reduced.include, *chosen)))
            if missing <= 0 and problem.violation((whole,)) is None:
                if len(optima) == limit:
                    return False
                optima.append(whole)
            return True
        candidates = candidates[~held[:, candidates][room <= 0].any(axis=0)]
        values = weights[candidates]
        if len(candidates) > slots:
            top = np.partition(values, len(values) - slots)[len(values) - slots :]
            # Features that not even the best others make good enough.
            useful = values >= missing - int(top[1:].sum())
            candidates, values = candidates[useful], values[useful]
        while len(candidates) >= slots:
            top = np.partition(values, len(values) - slots)[len(values) - slots :]
            if int(top.sum()) < missing:
                return True
            if branches == 0:
                return False
            branches -= 1
            j, candidates, values = int(candidates[0]), candidates[1:], values[1:]
            rest = candidates if conflicts is None else candidates[~conflicts[j][candidates]]
            less = room - held[:, j]
            if not extend((*chosen, j), rest, less, slots - 1, missing - int(weights[j])):
                return False
        return True

    free = sum(quality.scaled[j] for j in best if j not in reduced.include)
    complete = extend((), reduced.features, most, reduced.n_features, free - slack)
    return AllBest(sorted(optima), complete)
