"""Exact solver for several sets without conflicting features, where few such sets exist."""

from __future__ import annotations

from dataclasses import replace
from math import inf

import numpy as np
import numpy.typing as npt

from altfs.problem import Problem
from altfs.quality import Linear
from altfs.results import NAN, Status
from altfs.solvers._cliques import bits_of, cliques
from altfs.solvers._histogram_table import MOST_HISTOGRAMS, frontier_size
from altfs.solvers._prices import tune_prices
from altfs.solvers._reduced import reduce_problem
from altfs.solvers._tuples import Tuple, best_tuple
from altfs.solvers.base import Limits, Solution, Solver, bound_in_truth, solvers

_FEW = 5_000
# A node is up to 64 sets looked at: some 50 nanoseconds.
_NODES_PER_UNIT = 500_000
_ROUNDS = 100

IntArray = npt.NDArray[np.int64]


@solvers.register("cliques")
class Cliques(Solver):
    """Conflicts (FCBF): lists all cliques of compatible features, then picks the best family.

    Where there are more than 5,000 of them the next solver takes over.
    """

    proves = True
    rank = 30
    carries = frozenset({"include", "exclude", "at_most", "quality_floor", "given"})

    def handles(self, problem: Problem) -> bool:
        quality = problem.quality
        return isinstance(quality, Linear) and quality.conflicts is not None and problem.n_sets > 1

    def solve(self, problem: Problem, limits: Limits) -> Solution:
        return solve_by_cliques(problem, limits, _FEW)


def solve_by_cliques(problem: Problem, limits: Limits, most: int) -> Solution:
    """Solve a problem with conflicts if it has no more than so many single sets."""
    quality = problem.quality
    assert isinstance(quality, Linear)
    assert quality.conflicts is not None
    reduced = reduce_problem(problem, quality.conflicts)
    if reduced is None:
        return Solution(Status.INFEASIBLE, (), NAN, 1)
    budget = max(int(_NODES_PER_UNIT * limits.work), 1)
    features, k = reduced.features, reduced.n_features
    if k == 0:
        sets = np.zeros((1, 0), dtype=np.int64)
    else:
        graph = quality.conflicts[np.ix_(features, features)]
        complete, sets = cliques(graph, k, most, budget)
        if not complete:
            return Solution(Status.UNKNOWN, (), inf, most)
    valid = np.ones(len(sets), dtype=bool)
    for members, room in reduced.rows:
        flags = np.zeros(len(features), dtype=bool)
        flags[list(members)] = True
        valid &= flags[sets].sum(axis=1) <= room
    offset = sum(quality.scaled[j] for j in reduced.include)
    values = quality.weights[features[sets]].sum(axis=1) + offset
    if problem.constraints.quality_floor is not None:
        valid &= values >= quality.scaled_floor(problem.constraints.quality_floor)
    sets, values = sets[valid], values[valid]
    if len(sets) == 0:
        return Solution(Status.INFEASIBLE, (), NAN, len(valid) + 1)
    if reduced.max_overlap >= k:
        # The best set may be there any number of times.
        top = int(np.argmax(values))
        family = (reduced.restore(sets[top]),) * problem.n_sets
        return Solution(Status.OPTIMAL, family, problem.objective(family), len(valid))
    found = _pick(sets, values, len(features), problem, reduced.max_overlap, budget)
    work = len(valid) + found.nodes
    if found.members is None:
        if found.complete:
            return Solution(Status.INFEASIBLE, (), NAN, work)
        return Solution(Status.UNKNOWN, (), bound_in_truth(problem, quality, found.bound), work)
    family = tuple(sorted(reduced.restore(sets[i]) for i in found.members))
    if not found.complete:
        bound = bound_in_truth(problem, quality, found.bound)
        return Solution(Status.FEASIBLE, family, bound, work)
    return Solution(Status.OPTIMAL, family, problem.objective(family), work)


def _pick(
    sets: IntArray, values: IntArray, n: int, problem: Problem, max_overlap: int, budget: int
) -> Tuple:
    """The best family of listed sets; with prices where a first look does not settle it."""
    bits, minimum = bits_of(sets, n), problem.aggregation == "min"
    shape = (problem.n_sets, sets.shape[1], max_overlap)
    first = budget if minimum or frontier_size(*shape) > MOST_HISTOGRAMS else budget // 50
    found = best_tuple(values, bits, problem.n_sets, max_overlap, minimum, first)
    if found.complete or first == budget:
        return found

    def best(prices: IntArray, _: int) -> tuple[IntArray | None, int, int, int]:
        after = values - prices[sets].sum(axis=1)
        top = int(np.argmax(after))
        return sets[top], int(after[top]), int(after[top]), 1

    known = found.members is not None
    aim = found.value if known else int(0.9 * found.bound)
    priced = tune_prices(best, n, shape, aim, budget, _ROUNDS)
    slack = priced.single - values + priced.prices[sets].sum(axis=1)
    # Fewer sets need not be solved: r sets hold r families of r - 1.
    dolls = found.dolls[: problem.n_sets]
    while len(dolls) < problem.n_sets:
        r = len(dolls)
        dolls.append(dolls[-1] * r // (r - 1) if r > 1 else int(values.max()))
    again = best_tuple(
        values, bits, problem.n_sets, max_overlap, False, budget,
        found.value - 1 if known else -(1 << 61), dolls, slack,
        priced.paid + problem.n_sets * priced.single,
    )  # fmt: skip
    bound = min(found.bound, again.bound, priced.bound)
    if again.complete:
        return again
    better = again if again.members is not None else found
    return replace(better, bound=max(bound, better.value) if better.members is not None else bound)
