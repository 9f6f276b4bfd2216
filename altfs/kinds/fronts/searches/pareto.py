"""Pareto search: quality against dissimilarity or information, without a threshold."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import comb
from typing import Literal

from altfs._clock import work_clock
from altfs.errors import UnsupportedProblemError
from altfs.kinds.fronts.evolved_families import FamilyEvolution
from altfs.kinds.fronts.family_front import (
    FamilyFront,
    SecondObjective,
    family_front,
    limited_on_average,
    limited_to,
    objectives_of,
    to_lower,
)
from altfs.kinds.fronts.nsga import NsgaOptions
from altfs.problem import Overlap, Problem
from altfs.problem.overlap import smallest_step
from altfs.problem.results import SearchResult, Status
from altfs.quality import Linear, Quality
from altfs.searches.base import SeededSearch, family_result, searches
from altfs.solvers import Limits, Solution, solve
from altfs.solvers.mean_overlap.multiplicities import table_of
from altfs.solvers.trade_off import trade_off

_DECIDED = (Status.OPTIMAL, Status.INFEASIBLE)
# The largest number of means at which a solver is asked for the best family.
_MOST_MEANS = 100


class ParetoOptions(NsgaOptions):
    """Options of Pareto search.

    against: the `dissimilarity` of families, or the `information` of their sets about the
    sensitive attribute of the constraints. dissimilarity: that of a family is the `smallest` one
    of its pairs of sets, or the `average` one. population, generations, crossover, mutation:
    those of NSGA-II; the last two are shares.
    """

    against: Literal["dissimilarity", "information"] = "dissimilarity"
    dissimilarity: Literal["average", "smallest"] = "smallest"

    @property
    def second(self) -> SecondObjective:
        """The second objective."""
        return "information" if self.against == "information" else self.dissimilarity


@searches.register("pareto")
class Pareto(SeededSearch):
    """Families of sets that no family reaches in quality and in a second objective.

    1. With the smallest dissimilarity, exact solvers find the best family at each number of
       features that two sets may share, from none to all. Each call has `Limits.work`. The front
       is proven if all answers are.
    2. With the average one, a table gives the best families at each mean at once. It is for the
       sum of linear qualities and Dice dissimilarity, with included, excluded and given features
       alone, and proven. Else CP-SAT finds the best family at each mean, of up to 100, for every
       linear quality. This proves the front, too.
    3. Against information, the families differ enough, as the problem says, and exact solvers find
       the best one for every limit of the most that one of its sets tells. If 100 calls are not
       enough, the front is not proven.
    4. Black boxes and everything else are left to NSGA-II over families. The first valid family
       of each number of shared features begins. Children are repaired, so that no two of their
       sets share more features than a drawn number. In a unit of `Limits.work`, 500 different
       sets are evaluated, of black boxes at most `max_iterations`.
    5. The result is the family of largest quality on the front that is different enough.

    The result is ``optimal`` or ``infeasible`` if the front is proven and measures what the
    problem limits: the smallest dissimilarity if it limits the overlap of each pair, the average
    one if it limits the mean. Else it is ``feasible`` or ``unknown``. Pairs with given sets
    count as others do; if given sets have another size, only a limit of the mean by tau can give
    an ``optimal`` result.
    """

    Options = ParetoOptions
    averages = True
    kind = "fronts"
    claims = "family"
    proof = "best together"
    asks_solvers = True

    def __init__(self, seed: int = 0, options: ParetoOptions | None = None) -> None:
        super().__init__(seed, options)
        # Constraints have to name the attribute, so that a study tries it.
        self.every_quality = self.options.second != "information"

    def objectives(self, quality: Quality) -> list[str]:
        return [*objectives_of(self.options.second)]

    def shortfall(self, result: SearchResult, request: str) -> str:
        if Status.UNKNOWN not in result.status:
            return ""
        if isinstance(result.front, FamilyFront) and not result.front.families:
            return (
                f"{request}, no family that satisfies the constraints was met, loosen them or use "
                "the search 'enumeration'."
            )
        return (
            f"{request}, no family of the front is different enough, use a smaller tau or the "
            "search 'simultaneous'."
        )

    def find(self, problem: Problem, limits: Limits) -> SearchResult:
        start = work_clock()
        front = self.front(problem, limits)
        points = zip(front.families, front.solvers, strict=True)
        # The best one comes first.
        answers = ((f, solver) for f, solver in points if problem.violation(f) is None)
        family, solver = next(answers, ((), ""))
        sure = front.proven and _measures_limit(problem, self.options.second)
        status = Status.INFEASIBLE if sure else Status.UNKNOWN
        bound = problem.n_counted * problem.quality.bound(problem.n_features)
        if family:
            status = Status.OPTIMAL if sure else Status.FEASIBLE
            bound = problem.objective(family) if sure else bound
        solution = Solution(status, family, bound, front.work, solver)
        return replace(family_result(problem, solution, work_clock() - start), front=front)

    def front(self, problem: Problem, limits: Limits) -> FamilyFront:
        """Return the front of all valid families, or of those that NSGA-II finds."""
        kind = self.options.second
        if kind == "information" and problem.constraints.information is None:
            reason = "'pareto' against information needs a sensitive attribute"
            raise UnsupportedProblemError(
                "search", reason, "name its column in constraints as `sensitive`"
            )
        for exactly in _EXACTLY[kind]:
            front = exactly(problem, limits)
            if front is not None:
                return front
        return FamilyEvolution(problem, kind, self.options, limits, self.seed).front()


def _measures_limit(problem: Problem, kind: SecondObjective) -> bool:
    """Return True if the best family that the problem allows is on every front of a kind."""
    if kind == "information":
        return True
    if problem.average != (kind == "average"):
        return False
    if problem.average and problem.overlap.tau is not None:
        return True
    # A mean number of shared features says nothing of the mean Jaccard dissimilarity.
    adds = not problem.average or problem.overlap.dissimilarity == "dice"
    return adds and all(len(g) == problem.n_features for g in problem.given)


def _by_overlap(problem: Problem, limits: Limits) -> FamilyFront | None:
    """Return the best family for each number of shared features; None if no solver has it."""
    if problem.quality.max_evaluations is not None:
        return None
    families, work, proven = [], 0, True
    for shared in range(problem.n_features + 1):
        try:
            solution = solve(limited_to(problem, shared), limits)
        except UnsupportedProblemError:
            return None
        work, proven = work + solution.work, proven and solution.status in _DECIDED
        if not proven and problem.evaluated_floor is not None:
            # A solver that does not know the floor has any family that reaches it.
            return None
        if solution.sets:
            families.append((solution.sets, solution.solver))
    return family_front(problem, "smallest", families, work, proven)


def _by_table(problem: Problem, limits: Limits) -> FamilyFront | None:
    """Return the best family for each sum of overlaps; None if there is no table for it."""
    quality = problem.quality
    plain = isinstance(quality, Linear) and quality.conflicts is None
    plain = plain and {*problem.kinds} <= {"include", "exclude", "given"}
    summed = problem.aggregation == "sum" or problem.n_sets == 1
    free = limited_on_average(problem, problem.n_features)
    table = table_of(free, limits) if plain and summed and free.adds_overlaps else None
    if table is None:
        return None
    families = (
        (table.family(common), "multiplicities")
        for common in range(table.most + 1)
        if table.exists(common) and (not common or table.best[common] > table.best[common - 1])
    )
    return family_front(problem, "average", families, table.cells, proven=True)


def _by_mean(problem: Problem, limits: Limits) -> FamilyFront | None:
    """Return the best family for each mean dissimilarity; None if no solver has all of them."""
    if problem.quality.max_evaluations is not None:
        return None
    families, work, tau = [], 0, Fraction(0)
    k, n_sets, given = problem.n_features, problem.n_sets, problem.given
    n_pairs = comb(n_sets, 2) + n_sets * len(given)
    step = smallest_step([k, *map(len, given)], n_pairs)
    for _ in range(_MOST_MEANS):
        overlap = Overlap(tau, None, problem.overlap.dissimilarity)
        try:
            solution = solve(replace(problem, overlap=overlap, average=True), limits)
        except UnsupportedProblemError:
            return None
        work += solution.work
        if solution.status not in _DECIDED:
            return None
        if solution.sets:
            families.append((solution.sets, solution.solver))
            tau = 1 - to_lower(problem, solution.sets, "average") + step
        if not solution.sets or tau > 1:
            return family_front(problem, "average", families, work, proven=True)
    return None


def _by_limit(problem: Problem, limits: Limits) -> FamilyFront | None:
    """Return the best family for each limit of information; None if no solver has them."""
    if problem.quality.max_evaluations is not None:
        return None
    try:
        best = trade_off(problem, problem.constraints.information or (), limits)
    except UnsupportedProblemError:
        return None
    if not best.proven and problem.evaluated_floor is not None:
        return None
    return family_front(problem, "information", best.families, best.work, best.proven)


_EXACTLY = {
    "smallest": (_by_overlap,), "average": (_by_table, _by_mean), "information": (_by_limit,),
}  # fmt: skip
