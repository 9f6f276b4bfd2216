"""Sets whose mean overlap is limited, judged by listing all families."""

from dataclasses import replace
from fractions import Fraction
from itertools import combinations, combinations_with_replacement
from math import comb

import numpy as np
import pytest
from audit import run_tasks, verify
from hypothesis import given
from hypothesis import strategies as st
from marks import examples, exhaustive
from studies import SMALL

from altfs import (
    AlternativeFeatures,
    Constraints,
    Group,
    quality,
    search_sequentially,
    search_simultaneously,
)  # fmt: skip
from altfs.errors import AltfsError
from altfs.problem import Overlap, Problem
from altfs.quality import BlackBox, Linear, Pairwise, Ratio
from altfs.solvers import Limits, solve
from altfs.solvers.named import named_solver
from altfs.study.session import check_study
from altfs.study.verify.listing import best_listed


def is_apart(problem, family):
    """The rule of the paper: the mean dissimilarity of the pairs reaches tau; or a mean overlap."""
    pairs = [*combinations(family, 2), *((s, g) for s in family for g in problem.given)]
    if problem.overlap.tau is None:
        most = problem.overlap.max_overlap
        allowed = sum(min(most, len(a), len(b)) for a, b in pairs)
        return sum(len({*a} & {*b}) for a, b in pairs) <= allowed
    total = Fraction(0)
    for a, b in pairs:
        both = len({*a} & {*b})
        if problem.overlap.dissimilarity == "dice":
            total += 1 - Fraction(2 * both, len(a) + len(b))
        else:
            total += 1 - Fraction(both, len(a) + len(b) - both)
    return total >= Fraction(problem.overlap.tau) * len(pairs)


def allowed(problem):
    """All families that a problem allows, sets that are equal included."""
    kept, out = {*problem.constraints.include}, {*problem.constraints.exclude}
    single = [
        chosen
        for chosen in combinations(range(problem.quality.n_total), problem.n_features)
        if kept <= {*chosen} and not out & {*chosen}
    ]
    single = [s for s in single if is_alone_valid(problem, s)]
    families = combinations_with_replacement(single, problem.n_sets)
    return [family for family in families if is_apart(problem, family)]


def is_alone_valid(problem, chosen):
    """Conflicts, a floor and a group of at most so many."""
    constraints, conflicts = problem.constraints, problem.quality.conflicts
    if conflicts is not None and any(conflicts[a, b] for a, b in combinations(chosen, 2)):
        return False
    floor = constraints.quality_floor
    if floor is not None and problem.quality.evaluate(chosen) < floor:
        return False
    return all(len({*g.features} & {*chosen}) <= g.at_most for g in constraints.groups)


@st.composite
def problems(draw, most_sets=3, plain=True):
    n = draw(st.integers(2, 8))
    k = draw(st.integers(1, min(3, n)))
    n_sets = draw(st.integers(1, most_sets if n < 7 else 2))
    values = draw(st.lists(st.integers(-2, 6), min_size=n, max_size=n))
    sets = st.sets(st.integers(0, n - 1), min_size=1, max_size=min(3, n)).map(
        lambda s: tuple(sorted(s))
    )
    held = draw(st.sets(st.integers(0, n - 1), max_size=2))
    include = draw(st.sets(st.sampled_from(sorted(held)), max_size=1)) if held else set()
    overlap = draw(
        st.one_of(
            st.integers(0, k).map(lambda c: Overlap(max_overlap=c)),
            st.builds(
                lambda twentieths, kind: Overlap(str(twentieths / 20), None, kind),
                st.integers(0, 20),
                st.sampled_from(["dice", "jaccard"]),
            ),
        )
    )
    constraints, conflicts = {"include": tuple(include), "exclude": tuple(held - include)}, None
    if not plain:
        constraints["quality_floor"] = draw(st.none() | st.integers(-2, 12).map(float))
        if draw(st.booleans()):
            constraints["groups"] = (Group(tuple(range(n)[:3]), at_most=draw(st.integers(1, 2))),)
        pairs = draw(st.sets(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=3))
        conflicts = np.zeros((n, n), dtype=bool)
        for a, b in pairs:
            conflicts[a, b] = True
    return Problem(
        Linear([float(v) for v in values], conflicts), k, overlap, n_sets,
        "sum" if plain else draw(st.sampled_from(["sum", "min"])),
        tuple(draw(st.lists(sets, max_size=2))), Constraints(**constraints), True,
    )  # fmt: skip


@given(problem=problems())
@examples(300)
def test_the_best_family_reaches_the_mean(problem):
    found = solve(problem, Limits())
    families = allowed(problem)
    judged = best_listed(problem)
    if not families:
        assert found.status == "infeasible"
        assert judged[1] is None
    else:
        best = max(map(problem.objective, families))
        assert found.status == "optimal"
        assert found.sets in families
        assert problem.violation(found.sets) is None
        assert problem.objective(found.sets) == pytest.approx(best)
        assert judged[0] == pytest.approx(best)
        assert found.solver == ("multiplicities" if problem.adds_overlaps else "cp_sat")


@given(problem=problems(plain=False))
@examples(300)
def test_the_best_family_of_any_request_reaches_the_mean(problem):
    solution = solve(problem, Limits())
    families = allowed(problem)
    if not families:
        assert solution.status == "infeasible"
        return
    best = max(map(problem.objective, families))
    assert solution.status == "optimal"
    assert problem.objective(solution.sets) == pytest.approx(best)
    assert solution.sets in families
    assert best_listed(problem)[0] == pytest.approx(best)


@given(problem=problems(), data=st.data())
@examples(300)
def test_the_best_family_of_pairs_reaches_the_mean(problem, data):
    n = problem.quality.n_total
    costs = np.zeros((n, n))
    costs[np.triu_indices(n, 1)] = data.draw(
        st.lists(st.sampled_from([0.0, 0.0, 0.5, 1.0]), min_size=comb(n, 2), max_size=comb(n, 2))
    )
    costs += costs.T
    kind, values = data.draw(st.sampled_from([Pairwise, Ratio])), problem.quality.values
    quality = Pairwise(values, costs) if kind is Pairwise else Ratio(abs(values), costs / 2)
    aggregation = data.draw(st.sampled_from(["sum", "min"]))
    problem = replace(problem, quality=quality, aggregation=aggregation)
    solution, families = solve(problem, Limits()), allowed(problem)
    if not families:
        assert solution.status == "infeasible"
        return
    assert solution.status == "optimal"
    assert solution.sets in families
    best = max(map(problem.objective, families))
    assert problem.objective(solution.sets) == pytest.approx(best)
    assert best_listed(problem)[0] == pytest.approx(best)


@pytest.mark.parametrize("aggregation", ["sum", "min"])
def test_a_limit_of_work_leaves_a_bound_of_pairs(aggregation):
    rng = np.random.default_rng(0)
    quality = Pairwise(rng.random(40), np.abs(np.corrcoef(rng.random((40, 15)))))
    problem = Problem(quality, 8, Overlap("0.7"), 4, aggregation, average=True)
    short, long = (solve(problem, Limits(work=work)) for work in (0.01, 20))
    assert short.status == "feasible"
    assert problem.violation(short.sets) is None
    assert problem.objective(short.sets) <= problem.objective(long.sets) + 1e-9 <= short.bound


@given(problem=problems())
@examples(300)
def test_a_family_is_valid_if_its_mean_is_allowed(problem):
    single = combinations(range(problem.quality.n_total), problem.n_features)
    plain = replace(problem, constraints=Constraints())
    for family in combinations_with_replacement([*single][:12], problem.n_sets):
        assert (plain.violation(family) is None) == is_apart(plain, family)


def test_a_listing_takes_sets_that_others_make_up_for():
    # With the given set alone (1, 3) would be too near.
    overlap = Overlap("0.7", None, "jaccard")
    quality = Linear([3.0, 3.0, -1.0, 2.0])
    problem = Problem(quality, 2, overlap, 3, "sum", ((1, 3),), average=True)
    assert best_listed(problem)[0] == max(map(problem.objective, allowed(problem))) == 13


def test_a_mean_is_not_held_to_the_overlap_of_a_pair():
    # A pair may share one feature of three, but three pairs may share four of nine.
    asked = {"n_features": 3, "n_alternatives": 2, "tau": 0.5, "overlap": "average"}
    found = search_simultaneously(Linear([5.0, 4.0, 3.0, 2.0, 1.0]), **asked)
    assert found.status == ["optimal"] * 3
    assert sum(len({*a} & {*b}) for a, b in combinations(found.sets, 2)) == 4
    none = search_simultaneously(Linear([4.0, 3.0, 2.0, 1.0]), **asked)
    assert none.status == ["infeasible"] * 3


def test_a_mean_dissimilarity_with_many_digits_is_kept():
    # Fractions of 60 features have more digits than integers of CP-SAT.
    rng = np.random.default_rng(0)
    given = tuple(tuple(sorted(rng.choice(70, 30, replace=False).tolist())) for _ in range(2))
    overlap = Overlap("0.8", None, "jaccard")
    problem = Problem(Linear(rng.random(70)), 30, overlap, 1, "sum", given, average=True)
    found = solve(problem, Limits())
    assert found.solver == "cp_sat" and found.status == "optimal"
    assert is_apart(problem, found.sets)


@given(
    problem=problems(),
    name=st.sampled_from(["forward", "evolution", "annealing"]),
    aggregation=st.sampled_from(["sum", "min"]),
)
@examples(50)
def test_named_solvers_keep_the_mean(problem, name, aggregation):
    box = BlackBox(problem.quality.evaluate, problem.quality.n_total)
    n_sets = 1 if name == "forward" else problem.n_sets
    problem = replace(problem, quality=box, n_sets=n_sets, aggregation=aggregation)
    found = solve(problem, Limits(work=0.04), named_solver(name, 1))
    if found.sets:
        assert is_apart(problem, found.sets)
    else:
        assert not allowed(problem)


@given(problem=problems(plain=False), name=st.sampled_from(["forward", "evolution", "annealing"]))
@examples(50)
def test_named_solvers_keep_the_mean_and_every_constraint(problem, name):
    problem = replace(problem, n_sets=1 if name == "forward" else problem.n_sets)
    solution = solve(problem, Limits(work=0.04), named_solver(name, 1))
    assert bool(solution.sets) == bool(allowed(problem))
    assert not solution.sets or solution.sets in allowed(problem)


def test_the_curve_has_the_best_quality_at_every_mean_overlap():
    values = [5.0, 4.0, 2.5, 2.0, 1.0, 0.5]
    afs = AlternativeFeatures(
        values, "simultaneous", n_features=2, n_alternatives=2, max_overlap=1, overlap="average"
    ).fit([[0] * 6] * 2)
    curve = afs.explain().mean_curve
    for row in curve.itertuples():
        problem = Problem(Linear(values), 2, 2, 3, average=True)
        families = combinations_with_replacement(list(combinations(range(6), 2)), 3)
        common = round(row.mean_overlap * 3)
        allowed = [
            f
            for f in families
            if sum(len(set(a) & set(b)) for a, b in combinations(f, 2)) <= common
        ]
        assert row.mean_objective == pytest.approx(max(map(problem.objective, allowed)) / 3)
    assert curve["mean_objective"].is_monotonic_increasing
    assert curve["mean_overlap"].iloc[-1] == 2
    text = str(afs.explain())
    assert "At most 1 in common on average: mean quality" in text
    assert "with at most 1 in common on average were found" in text


def test_the_mean_is_never_worse_than_every_pair():
    rng = np.random.default_rng(0)
    for _ in range(5):
        q = quality.Linear(rng.random(8))
        asked = {"n_features": 3, "n_alternatives": 2, "max_overlap": 1}
        pairs = search_simultaneously(q, **asked).run_objective
        assert search_simultaneously(q, overlap="average", **asked).run_objective >= pairs - 1e-9


def test_sequential_search_counts_the_sets_before():
    q = quality.Linear([6.0, 5.0, 1.0, 0.9, 0.8])
    found = search_sequentially(q, n_features=2, n_alternatives=2, max_overlap=1, overlap="average")
    # The third set may share all with one of the others if it shares nothing with the other.
    assert found.sets == [(0, 1), (0, 2), (0, 3)]
    problem = Problem(q, 2, 1, given=(found.sets[0], found.sets[1]), average=True)
    sets = [c for c in combinations(range(5), 2) if problem.violation((c,)) is None]
    assert found.objectives[2] == max(map(q.evaluate, sets))


@pytest.mark.exhaustive
@pytest.mark.parametrize("dissimilarity", ["dice", *exhaustive("jaccard")])
def test_a_study_with_a_mean_overlap_passes_its_audit(dissimilarity, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    searches = [{**entry, "overlap": "average"} for entry in SMALL["searches"]]
    searches[1]["aggregation"] = "sum"
    config = {**SMALL, "selectors": ["model_gain", "mrmr"], "taus": ["0.6"], "searches": searches,
              "dissimilarity": dissimilarity}  # fmt: skip
    plan = check_study(config)
    run_tasks(plan)
    code, said = verify(capsys, plan)
    assert code == 0, said
    plain = check_study({**config, "searches": [{**searches[0], "overlap": "pairwise"}]})
    assert "overlap" not in plain.config.model_dump()["searches"][0]


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"selectors": ["greedy_wrapper"]}, "'average' is solved for sums and pairs, not for"),
        ({"n_features": "2-3"}, "'average' needs sets of one size"),
        ({"type": "random"}, r"searches\[0\].overlap: .* not possible with the search 'random'"),
        ({"overlap": "averge"}, "overlap: 'averge' is not allowed"),
    ],
)
def test_what_a_study_refuses(asked, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    search = {"name": "one", "type": "sequential", "n_alternatives": 1, "overlap": "average"}
    search |= {key: asked.pop(key) for key in ("type", "overlap") & asked.keys()}
    with pytest.raises(AltfsError, match=message):
        check_study({**SMALL, "searches": [search], **asked})
    assert not list(tmp_path.iterdir())


def test_what_the_library_refuses():
    fit = AlternativeFeatures([3.0, 2.0, 1.0], "local_search", n_features=1, overlap="average").fit
    with pytest.raises(AltfsError, match="not possible with the search 'local_search'"):
        fit([[0] * 3] * 2)
    with pytest.raises(AltfsError, match="overlap: 'mean' is unknown, allowed are: pairwise"):
        search_sequentially(Linear([1.0]), n_features=1, n_alternatives=0, tau=0, overlap="mean")
    asked = {"n_features": 1, "n_alternatives": 0, "tau": 0, "overlap": "average"}
    limited = Constraints(costs=[1.0, 2.0], budget=1.0)
    pairs = Ratio([1.0, 2.0], np.zeros((2, 2)))
    assert search_sequentially(pairs, constraints=limited, **asked).sets == [(0,)]
    box = BlackBox(lambda s: 1.0, 2)
    with pytest.raises(AltfsError, match=r"^overlap: 'average' is solved for sums and pairs, not "):
        search_sequentially(box, **asked)
    floor = Constraints(quality_floor=1.0)
    above = search_sequentially(pairs, constraints=floor, solver="forward", **asked)
    assert above.sets == [(1,)]
