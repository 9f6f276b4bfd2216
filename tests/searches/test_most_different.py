"""The most different sets that are good enough, judged by listing all families."""

from dataclasses import replace
from itertools import combinations, combinations_with_replacement

import numpy as np
import pytest
from audit import run_tasks, verify
from hypothesis import given
from hypothesis import strategies as st
from marks import examples
from sklearn.datasets import load_wine
from studies import SMALL

from altfs import AlternativeFeatures, Constraints
from altfs.errors import AltfsError
from altfs.problem import Overlap, Problem
from altfs.problem.overlap import dissimilarity_of
from altfs.quality import BlackBox, Linear, Pairwise, Ratio
from altfs.searches.most_different import MostDifferent
from altfs.solvers import Limits
from altfs.study.session import check_study


def dissimilarity(problem, family):
    if problem.overlap.max_overlap is not None and not problem.average:
        pairs = [*combinations(family, 2), *((s, g) for s in family for g in problem.given)]
        return -max((len({*a} & {*b}) for a, b in pairs), default=0)
    pairs = [*combinations(family, 2), *((s, g) for s in family for g in problem.given)]
    values = [dissimilarity_of(a, b, problem.overlap.dissimilarity) for a, b in pairs] or [1]
    return sum(values) / len(values) if problem.average else min(values)


def families(problem):
    sets = [
        s
        for size in problem.sizes
        for s in combinations(range(problem.quality.n_total), size)
        if problem.quality.allows(s) and not problem.constraints.violation(s, problem.quality)
    ]
    return [
        family
        for family in combinations_with_replacement(sets, problem.n_sets)
        if problem.violation(family) is None
    ]


@st.composite
def problems(draw):
    n, kind = draw(st.integers(2, 8)), draw(st.sampled_from(["linear", "pairwise", "ratio"]))
    k = draw(st.integers(1, min(3, n)))
    numbers = st.integers(0, 6).map(float)
    values = draw(st.lists(numbers, min_size=n, max_size=n))
    costs = np.array(draw(st.lists(numbers, min_size=n * n, max_size=n * n))).reshape(n, n)
    quality = {"linear": Linear, "pairwise": Pairwise, "ratio": Ratio}[kind]
    average, summed = draw(st.booleans()), draw(st.booleans())
    given = draw(st.lists(st.sets(st.integers(0, n - 1), min_size=1, max_size=4), max_size=1))
    measure = draw(st.sampled_from(["dice", "jaccard"]))
    tau = draw(st.sampled_from(["0", "0.3", "0.5"]))
    overlap = draw(st.sampled_from([Overlap(tau, None, measure), Overlap(max_overlap=k)]))
    if average and any(len(g) != k for g in given):
        overlap = Overlap(tau, None, measure)
    floors = {
        "quality_floor": st.integers(-3, 12).map(float),
        "relative_floor": st.sampled_from([0.5, 0.8, 0.95]),
    }
    floor = draw(st.sampled_from([None, *floors]))
    constraints = Constraints(**{floor: draw(floors[floor])}) if floor else Constraints()
    return Problem(
        quality(values) if kind == "linear" else quality(values, costs),
        k, overlap, draw(st.integers(1, 3 if n < 6 else 2)), "sum" if summed else "min",
        tuple(map(tuple, map(sorted, given))), constraints, average,
    )  # fmt: skip


@given(problem=problems())
@examples(300)
def test_no_valid_family_is_more_different_and_none_as_different_is_better(problem):
    result = MostDifferent().search(problem, Limits())
    listed = families(with_absolute_floor(problem))
    if not listed:
        assert set(result.status) == {"infeasible"}
        return
    most = max(dissimilarity(problem, family) for family in listed)
    best = max(problem.objective(f) for f in listed if dissimilarity(problem, f) == most)
    assert dissimilarity(problem, result.sets) == most
    assert tuple(result.sets) in listed
    # Of a sum of pairs, a set of the best family may miss the floor.
    if set(result.status) != {"optimal"}:
        assert set(result.status) == {"feasible"}
        assert problem.n_counted > 1 and not problem.quality.additive
        assert problem.constraints != Constraints()
    else:
        assert result.run_objective == pytest.approx(best)


def with_absolute_floor(problem):
    """The problem with the share of the best set that satisfies everything else as a number."""
    share = problem.constraints.relative_floor
    if share is None:
        return problem
    plain = replace(problem, constraints=Constraints())
    valid = [chosen for (chosen,) in families(replace(plain, n_sets=1, aggregation="sum"))]
    if not valid:
        return plain
    best = max(map(problem.quality.evaluate, valid))
    floor = best - (1 - share) * abs(best) - 1e-9
    return replace(problem, constraints=Constraints(quality_floor=floor))


def test_a_number_of_shared_features_holds_for_given_sets_of_any_size():
    quality = Linear([8.0, 7, 6, 5, 4, 3, 2, 1])
    problem = Problem(quality, 2, Overlap(max_overlap=1), 2, "sum", (tuple(range(7)),))
    result = MostDifferent().search(problem, Limits())
    assert result.status == ["optimal"] * 2
    assert problem.violation(tuple(result.sets)) is None
    averaged = Problem(quality, 2, Overlap(max_overlap=1), 2, "sum", problem.given, average=True)
    with pytest.raises(AltfsError, match=r"max_overlap: .* of other sizes, use tau"):
        MostDifferent().search(averaged, Limits())


def test_sets_of_several_sizes():
    quality = Linear([4.0, 3.0, 2.0, 1.0, 1.0])
    problem = Problem(quality, (1, 2), Overlap("0"), 2, "min", (), Constraints(quality_floor=3.5))
    result = MostDifferent().search(problem, Limits())
    assert result.sets == [(0, 3), (1, 2)]
    assert result.status == ["optimal"] * 2


@pytest.mark.parametrize(("share", "shared"), [(0.5, 0), (0.8, 1), (0.9, 2)])
def test_the_library_keeps_a_share_of_the_best_quality(share, shared):
    afs = AlternativeFeatures(
        [5.0, 4.0, 3.0, 2.0, 1.0, 1.0],
        "most_different",
        n_features=3,
        n_alternatives=1,
        tau=0,
        constraints=Constraints(relative_floor=share),
    ).fit([[0] * 6] * 2)
    first, second = (set(s.indices) for s in afs.feature_sets_)
    assert len(first & second) == shared
    # What is proven is not that the set is the best one.
    assert "proven most different: x" in str(afs.explain())


def test_a_floor_that_no_family_reaches():
    afs = AlternativeFeatures(
        [3.0, 2.0, 1.0],
        "most_different",
        n_features=2,
        n_alternatives=1,
        constraints=Constraints(quality_floor=5),
    )
    with pytest.raises(AltfsError, match="too few reach the quality floor 5"):
        afs.fit([[0] * 3] * 2)


@pytest.mark.parametrize("selector", ["mrmr", "cfs"])
def test_pairs_with_a_floor_need_no_further_option(selector):
    X, y = load_wine(return_X_y=True)
    floor = Constraints(relative_floor=0.9)
    afs = AlternativeFeatures(
        selector, "most_different", n_features=3, n_alternatives=1, tau=0.3, overlap="average",
        constraints=floor,
    ).fit(X, y)  # fmt: skip
    best = AlternativeFeatures(selector, n_features=3, tau=1).fit(X, y).search_result_.objectives[0]
    assert min(afs.search_result_.objectives) >= 0.9 * best - 1e-9
    assert afs.dissimilarities_[0, 1] >= 0.3


def test_families_of_black_boxes_are_not_proven():
    box = BlackBox(lambda s: float(sum(s)), 5, 10.0)
    problem = Problem(box, 2, 2, 2, "min", constraints=Constraints(quality_floor=3))
    result = MostDifferent().search(problem, Limits())
    assert set(result.status) == {"feasible"}
    assert min(result.objectives) >= 3
    assert len({*result.sets[0]} & {*result.sets[1]}) < 2


def test_a_study_passes_its_audit(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    searches = [
        {"name": "apart", "type": "most_different", "n_alternatives": 1, "aggregation": "min"},
    ]
    plan = check_study({**SMALL, "searches": searches, "constraints": [{"quality_floor": 0.1}]})
    run_tasks(plan)
    code, said = verify(capsys, plan)
    assert code == 0, said
