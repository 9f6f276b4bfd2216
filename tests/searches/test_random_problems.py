"""Every search on random problems of every kind of quality, judged by listing all families.

Constraints of all kinds are mixed. The quick test takes 3 seconds of CPU, the exhaustive one 30.
"""

import random
from itertools import combinations, combinations_with_replacement

import numpy as np
import pytest
from marks import exhaustive

from altfs.errors import AltfsError, UnsupportedProblemError
from altfs.problem import (
    Constraints,
    Group,
    Implication,
    Problem,
    SharedWeight,
    Status,
    WeightedSum,
)
from altfs.quality import BlackBox, Linear, Pairwise, Ratio
from altfs.searches import searches
from altfs.searches.base import make_search
from altfs.solvers import Limits

SEARCHES = [
    "sequential", "simultaneous", "enumeration", "local_search", "random", "pareto",
    "most_different",
]  # fmt: skip


def rules(chance, n):
    """Some constraints of every kind; AltfsError if they contradict each other in themselves."""

    def some(size):
        return tuple(chance.sample(range(n), size))

    def often(share, value):
        return value() if chance.random() < share else ()

    groups = [
        *often(0.4, lambda: [Group(some(chance.randint(2, 3)), at_most=chance.randint(0, 2))]),
        *often(0.2, lambda: [Group(some(2), all_or_none=True)]),
        *often(0.2, lambda: [Group(some(3), at_least=1)]),
    ]
    sums = []
    if chance.random() < 0.3:
        # Solvers treat a number of features as they do that of a group.
        sums.append(WeightedSum(dict.fromkeys(some(3), 1), at_most=chance.choice([0, 1])))
    for _ in range(chance.choice([0, 0, 1, 2])):
        weights = {j: chance.choice([1, 1, 1, 2, -1, 0.5]) for j in some(chance.randint(1, 3))}
        shared = often(0.3, lambda: [SharedWeight(some(2), chance.choice([1, 2]))])
        least = chance.choice([None, None, 0, 1])
        most = chance.choice([0, 1, 2] if least is None else [None, least + 1, least])
        sums.append(WeightedSum(weights, shared, least, most))
    limits = {}
    if chance.random() < 0.25:
        limits |= {"costs": [chance.choice([0, 1, 1, 2, 0.1]) for _ in range(n)], "budget": 2.2}
    if chance.random() < 0.25:
        bits = [chance.choice([0, 0.1, 0.25, 1]) for _ in range(n)]
        limits |= {"information": bits, "most_information": chance.choice([0.2, 0.5, 1.2])}
    if chance.random() < 0.15:
        limits["quality_floor"] = chance.choice([0, 0.5, 1])
    return Constraints(
        include=often(0.25, lambda: some(1)), exclude=often(0.25, lambda: some(1)),
        groups=groups, exclusive=often(0.2, lambda: [some(2)]), sums=sums,
        implications=often(0.3, lambda: [Implication(some(1), some(2))]), **limits,
    )  # fmt: skip


def quality_of(chance, n):
    values = np.array([chance.randint(0, 8) / 8 for _ in range(n)])
    costs = np.array([[chance.randint(0, 8) / 8 for _ in range(n)] for _ in range(n)])
    costs = (costs + costs.T) / 2
    kind = chance.choice(["linear", "exclusive", "pairs", "ratio", "box"])
    if kind == "exclusive":
        conflicts = np.triu(costs < 0.25, 1)
        return Linear(values, conflicts | conflicts.T)
    if kind == "box":
        pairs = Pairwise(values, costs)
        return BlackBox(pairs.evaluate, n, 10.0)
    return {"linear": Linear, "pairs": Pairwise, "ratio": Ratio}[kind](
        *((values,) if kind == "linear" else (values, costs))
    )


def problem_of(seed):
    chance = random.Random(seed)
    n, k, n_sets = chance.randint(4, 7), chance.randint(1, 3), chance.randint(1, 2)
    given = [tuple(sorted(chance.sample(range(n), k))) for _ in range(chance.randint(0, 1))]
    aggregation = chance.choice(["sum", "min"])
    overlap = chance.randint(0, k)
    return Problem(
        quality_of(chance, n), k, overlap, n_sets, aggregation, tuple(given), rules(chance, n)
    )


@pytest.mark.parametrize("seeds", [range(40), *exhaustive(range(40, 440))], ids=["few", "many"])
def test_every_search_honours_all_constraints_and_proves_what_is_true(seeds):
    judged, n_proven = 0, 0
    for seed in seeds:
        try:
            problem = problem_of(seed)
        except AltfsError:
            # A feature is included and excluded.
            continue
        single = problem.of_size(problem.n_features, 1)
        every = combinations(range(problem.quality.n_total), problem.n_features)
        sets = [s for s in every if single.violation((s,)) is None]
        families = combinations_with_replacement(sets, problem.n_sets)
        best = max(
            (problem.objective(f) for f in families if problem.violation(f) is None), default=None
        )
        for name in SEARCHES:
            try:
                result = make_search(searches.get(name)).search(problem, Limits(work=5))
            except UnsupportedProblemError:
                assert name == "most_different"
                continue
            judged += 1
            chosen = tuple(s for s in result.sets if s)
            assert all(single.violation((s,)) is None for s in chosen), (seed, name)
            if len(chosen) == problem.n_sets:
                assert problem.violation(chosen) is None, (seed, name)
            if name in ("simultaneous", "pareto"):
                proven, status = best, {*result.status}
            elif name == "sequential":
                proven = max(map(problem.quality.evaluate, sets), default=None)
                chosen, status = chosen[:1], {result.status[0]}
            else:
                continue
            if status == {Status.OPTIMAL}:
                worths = [problem.quality.evaluate(s) for s in chosen]
                worth = problem.aggregate(worths) if name != "sequential" else worths[0]
                assert worth == pytest.approx(proven), (seed, name)
            elif status == {Status.INFEASIBLE}:
                assert proven is None, (seed, name)
            n_proven += status <= {Status.OPTIMAL, Status.INFEASIBLE}
    assert judged > 5 * len(seeds) and n_proven > len(seeds)
