"""Every set that is as good as the best one, in lexicographic order.

Linear qualities: depth first in the order of the features; a branch is left
where its best remaining features cannot reach the value. With no other
constraints every branch that is entered ends in a set. Qualities with pair
costs: the list that their exact solver makes; where it is too long, the first
sets one after the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from math import comb

import numpy as np
import numpy.typing as npt

from altfs.problem import FeatureIndices, Problem
from altfs.quality import Linear, Pairwise, Ratio
from altfs.solvers._first_family import OutOfWorkError, Questions
from altfs.solvers._source import PairSource
from altfs.solvers.pairwise import PairwiseSearch
from altfs.solvers.ratio import RatioSearch
from altfs.solvers.ratio import exact_value as ratio_value

# Branches of the depth-first search, and nodes of the compiled one, per unit of work.
_BRANCHES_PER_UNIT = 5_000
_NODES_PER_UNIT = 50_000


@dataclass(frozen=True)
class AllBest:
    """Sets of one value.

    Attributes
    ----------
    sets : list of tuple of int
        In lexicographic order; the first ones unless `first` is False.
    complete : bool
        Whether these are all.
    first : bool
        Whether no set that is missing comes before one that is there.
    """

    sets: list[FeatureIndices]
    complete: bool
    first: bool = True


def all_best(problem: Problem, best: FeatureIndices, limit: int, work: float) -> AllBest:
    """List the sets that are exactly as good as an optimal one.

    Parameters
    ----------
    problem : Problem
        Of one set; linear, pairwise or ratio quality.
    best : tuple of int
        An optimum of it.
    limit : int
        How many sets to list, at least 1.
    work : float
        A count as in :class:`altfs.solvers.Limits`.

    Examples
    --------
    >>> ties = Problem(Linear([1.0, 2.0, 1.0]), n_features=2, max_overlap=2)
    >>> all_best(ties, (0, 1), 10, 1.0)
    AllBest(sets=[(0, 1), (1, 2)], complete=True, first=True)
    """
    if isinstance(problem.quality, Linear):
        return _linear(problem, problem.quality, best, limit, work)
    solver = PairwiseSearch if isinstance(problem.quality, Pairwise) else RatioSearch
    source = solver.source(problem)
    assert source is not None
    return _listed(source, best, limit, work)


def number_of_ties(problem: Problem, best: FeatureIndices) -> tuple[int, FeatureIndices, list[int]]:
    """How many sets are as good as the best one where features differ in value only.

    Parameters
    ----------
    problem : Problem
        Linear quality without conflicts; include and exclude are all that is demanded.
    best : tuple of int

    Returns
    -------
    count : int
    fixed : tuple of int
        Features that all of these sets hold.
    tied : list of int
        Features of which they hold any ``n_features - len(fixed)``.
    """
    quality, constraints = problem.quality, problem.constraints
    assert isinstance(quality, Linear)
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
    """Whether `number_of_ties` can count the problem's optima."""
    quality = problem.quality
    plain = isinstance(quality, Linear) and quality.conflicts is None
    return plain and set(problem.kinds) <= {"include", "exclude"}


def exact_value(problem: Problem, chosen: FeatureIndices) -> Fraction:
    """The value of a set in the numbers in which solvers compare sets of any size.

    Examples
    --------
    >>> quality = Pairwise([1, 1], [[0, 1], [1, 0]])
    >>> exact_value(Problem(quality, 2, 2), (0, 1))
    Fraction(0, 1)
    """
    return exact_values(problem, [chosen])[0]


def exact_values(problem: Problem, sets: Sequence[FeatureIndices]) -> list[Fraction]:
    """The same of many sets of one size."""
    quality = problem.quality
    if isinstance(quality, Linear):
        return [Fraction(sum(quality.scaled[j] for j in chosen)) for chosen in sets]
    if isinstance(quality, Pairwise) and sets:
        gains, costs = quality.integers(len(sets[0]))
        divisor = quality.divisor(len(sets[0]))
        chosen = np.array(sets, dtype=np.int64)
        among = costs[chosen[:, :, None], chosen[:, None, :]].sum(axis=(1, 2)) // 2
        return [Fraction(int(v), divisor) for v in gains[chosen].sum(axis=1) - among]
    if isinstance(quality, Ratio):
        return [Fraction(ratio_value(quality, one)) for one in sets]
    return [Fraction(quality.evaluate(one)) for one in sets]


def _listed(source: PairSource, best: FeatureIndices, limit: int, work: float) -> AllBest:
    reduced = source.reduced
    free = np.searchsorted(reduced.features, [j for j in best if j not in reduced.include])
    if source.k == 0:
        return AllBest([best], True)
    value = int(source.values(free[None, :].astype(np.int64))[0])
    nodes = max(int(_NODES_PER_UNIT * work), 1)
    listing = source.some(value, limit + 1, nodes)
    if listing.reached <= value:
        return AllBest([reduced.restore(row) for row in listing.sets.tolist()], True)
    # Too many, or too far apart: the first ones, one after the other.
    found: list[FeatureIndices] = []
    try:
        for row in islice(Questions(source, nodes).each([], value), limit):
            found.append(reduced.restore(row))
    except OutOfWorkError:
        some = {best, *found, *(reduced.restore(row) for row in listing.sets.tolist())}
        return AllBest(sorted([best, *sorted(some - {best})[: limit - 1]]), False, first=False)
    return AllBest(found, False)


def _linear(
    problem: Problem, quality: Linear, best: FeatureIndices, limit: int, work: float
) -> AllBest:
    constraints = problem.constraints
    target = sum(quality.scaled[j] for j in best)
    free = np.ones(quality.n_total, dtype=bool)
    free[[*constraints.exclude, *constraints.include]] = False
    candidates = np.flatnonzero(free)
    include = set(constraints.include)
    for j in include if quality.conflicts is not None else ():
        candidates = candidates[~quality.conflicts[j][candidates]]  # type: ignore[index]
    rows = [(frozenset(g), problem.max_overlap) for g in problem.given]
    rows += [
        (frozenset(g.features), g.at_most) for g in constraints.groups if g.at_most is not None
    ]
    room = [most - len(members & include) for members, most in rows]
    held = np.zeros((len(rows), quality.n_total), dtype=bool)
    for i, (members, _) in enumerate(rows):
        held[i, list(members)] = True
    search = _DepthFirst(problem, quality, held, limit, max(1, int(_BRANCHES_PER_UNIT * work)))
    start = sum(quality.scaled[j] for j in include)
    slots = problem.n_features - len(include)
    complete = search.extend((), candidates, room, slots, target - start)
    return AllBest(sorted(search.found), complete)


class _DepthFirst:
    """What does not change from branch to branch."""

    def __init__(
        self,
        problem: Problem,
        quality: Linear,
        held: npt.NDArray[np.bool_],
        limit: int,
        branches: int,
    ) -> None:
        self.problem, self.quality, self.held = problem, quality, held
        self.limit, self.branches = limit, branches
        self.found: list[FeatureIndices] = []

    def extend(
        self,
        chosen: FeatureIndices,
        candidates: npt.NDArray[np.int64],
        room: list[int],
        slots: int,
        missing: int,
    ) -> bool:
        """Add all completions of a set; False if a limit ended that."""
        if slots == 0:
            whole = tuple(sorted((*self.problem.constraints.include, *chosen)))
            if missing == 0 and self.problem.violation((whole,)) is None:
                if len(self.found) == self.limit:
                    return False
                self.found.append(whole)
            return True
        weights = self.quality.weights
        for i, left in enumerate(room):
            if left <= 0:
                candidates = candidates[~self.held[i][candidates]]
        values = weights[candidates]
        while len(candidates) >= slots:
            top = np.partition(values, len(values) - slots)[len(values) - slots :]
            if int(top.sum()) < missing:
                return True
            if self.branches == 0:
                return False
            self.branches -= 1
            j, candidates, values = int(candidates[0]), candidates[1:], values[1:]
            rest = candidates
            if self.quality.conflicts is not None:
                rest = rest[~self.quality.conflicts[j][rest]]
            less = [left - int(self.held[i, j]) for i, left in enumerate(room)]
            if not self.extend((*chosen, j), rest, less, slots - 1, missing - int(weights[j])):
                return False
        return True
