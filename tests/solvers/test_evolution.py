"""Evolution and annealing, judged by enumeration."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from marks import examples, exhaustive
from test_greedy_solvers import problems, random_box, valid_sets

from altfs import search_sequentially, search_simultaneously
from altfs.problem import Problem
from altfs.problem.results import Status
from altfs.quality import BlackBox, Pairwise
from altfs.solvers import Limits, solve
from altfs.solvers.by_name._families import Families
from altfs.solvers.named import named_solver

SOLVERS = [
    pytest.param({"type": "annealing"}, id="annealing"),
    pytest.param({"type": "evolution", "options": {"invalid": "penalty"}}, id="penalty"),
    *exhaustive({"type": "evolution"}, {"type": "evolution", "options": {"invalid": "reject"}}),
]


def family_exists(problem):
    """Tell whether so many valid sets exist of which any two differ enough."""
    valid = [frozenset(s) for s in valid_sets(replace(problem, n_sets=1))]

    def extend(start, chosen):
        if len(chosen) == problem.n_sets:
            return True
        return any(
            all(len(valid[i] & s) <= problem.overlap(len(valid[i]), len(s)) for s in chosen)
            and extend(i, [*chosen, valid[i]])
            for i in range(start, len(valid))
        )

    return extend(0, [])


@pytest.mark.parametrize("asked", SOLVERS)
@given(
    problem=problems(),
    n_sets=st.integers(1, 3),
    aggregation=st.sampled_from(["sum", "min"]),
    seed=st.integers(0, 3),
)
@examples(50)
def test_only_valid_families_are_returned(asked, problem, n_sets, aggregation, seed):
    problem = replace(problem, n_sets=n_sets, aggregation=aggregation)
    limits = Limits(work=0.04)
    found = solve(problem, limits, named_solver(asked, seed))
    if found.sets:
        assert problem.violation(found.sets) is None
        assert found.status is Status.FEASIBLE
        assert found.bound >= problem.objective(found.sets)
        assert found.work <= 20
        assert solve(problem, limits, named_solver(asked, seed)) == found
    else:
        assert found.status is Status.INFEASIBLE
        assert not family_exists(problem)


def quality_of(n_total, seed):
    """A quality of single features, pairs and triples, as wrappers have them."""
    rng = np.random.default_rng(seed)
    pairs = Pairwise(rng.random(n_total), rng.random((n_total, n_total)))
    triples = rng.normal(0, 0.1, (n_total,) * 3)
    return BlackBox(
        lambda s: pairs.evaluate(s) + float(triples[np.ix_(s, s, s)].sum() / len(s) ** 2), n_total
    )


@pytest.mark.parametrize("name", ["evolution", "annealing"])
@pytest.mark.parametrize(("n_total", "n_seeds"), [(12, 2), *exhaustive((16, 60))])
def test_the_optimum_is_found_with_a_thousand_evaluations(name, n_total, n_seeds):
    reached = 0
    for seed in range(n_seeds):
        quality = quality_of(n_total, seed)
        found = search_sequentially(
            quality, n_features=4, n_alternatives=0, tau=0, solver=name, random_state=seed
        )
        assert found[0].work <= 1000
        best = max(map(quality.evaluate, combinations(range(n_total), 4)))
        reached += found.objectives[0] == best
    assert reached >= 0.95 * n_seeds


@pytest.mark.parametrize("name", ["evolution", "annealing"])
@pytest.mark.parametrize(("n_total", "size", "n_seeds"), [(9, 3, 5), *exhaustive((16, 4, 20))])
def test_a_limit_of_all_sets_finds_the_best_of_any_quality(name, n_total, size, n_seeds):
    sets = list(combinations(range(n_total), size))
    reached = 0
    for seed in range(n_seeds):
        # Each set has a value of its own, so that no other set leads to it.
        values = dict(zip(sets, np.random.default_rng(seed).random(len(sets)), strict=True))
        quality = BlackBox(lambda s, v=values: float(v[tuple(s)]), n_total, 1.0, len(sets))
        asked = {"n_features": size, "n_alternatives": 0, "tau": 0, "solver": name}
        found = search_sequentially(quality, random_state=seed, **asked)
        reached += found.objectives[0] == max(values.values())
        half = BlackBox(quality.function, n_total, 1.0, len(sets) // 2)
        assert search_sequentially(half, random_state=seed, **asked)[0].work == len(sets) // 2
    assert reached >= 0.9 * n_seeds


@pytest.mark.parametrize("aggregation", ["sum", "min"])
def test_families_are_searched_as_a_whole(aggregation):
    quality = quality_of(8, 0)
    asked = {"n_features": 2, "n_alternatives": 2, "tau": 1, "aggregation": aggregation}
    limits = Limits(work=0.1)
    sets = list(combinations(range(8), 2))
    problem = Problem(quality, 2, 0, 3, aggregation)
    best = max(problem.objective(f) for f in combinations(sets, 3) if problem.violation(f) is None)
    for name in ("evolution", "annealing"):
        found = search_simultaneously(quality, solver=name, limits=limits, **asked)
        assert found.run_objective == pytest.approx(best)
        assert [one.solver for one in found] == [name] * 3


def test_annealing_ends_if_no_new_set_comes(monkeypatch):
    steps = []
    exchanged = Families.exchanged
    monkeypatch.setattr(
        Families, "exchanged", lambda self, bits: steps.append(bits) or exchanged(self, bits)
    )
    found = search_sequentially(
        random_box(6, 0), n_features=2, n_alternatives=0, tau=0, solver="annealing"
    )
    assert [one.work for one in found] == [15]
    assert len(steps) < 1200


def test_the_seed_decides_and_the_limits_are_kept():
    box = random_box(12, 0)
    asked = {"n_features": 5, "n_alternatives": 0, "tau": 0, "limits": Limits(work=0.1)}
    for name in ("evolution", "annealing"):
        found = [search_sequentially(box, solver=name, random_state=s, **asked) for s in (1, 1, 2)]
        assert found[0].sets == found[1].sets
        assert found[0].sets != found[2].sets
        assert found[0][0].work <= 50
    fewer = BlackBox(box.function, 12, 1.0, max_iterations=7)
    assert search_sequentially(fewer, solver="evolution", **asked)[0].work == 7
