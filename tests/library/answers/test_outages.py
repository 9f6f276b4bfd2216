"""Sets without some features, and families of them, judged by brute force."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from brute_force import valid_sets
from hypothesis import given
from hypothesis import strategies as st
from marks import examples

from altfs import AlternativeFeatures, Constraints, Group, quality
from altfs.errors import AltfsError, NoFeatureSetError, UnsupportedProblemError
from altfs.problem import Problem

VALUES = st.lists(st.integers(-1, 9), min_size=5, max_size=10)
GROUPED = Constraints(groups=(Group((0, 1), at_most=1),), exclude=(3,))


def fitted(objective, **parameters):
    return AlternativeFeatures(objective, n_alternatives=0, **parameters).fit(
        np.zeros((2, objective.n_total))
    )


def qualities(values):
    yield quality.Linear(values)
    yield quality.Pairwise(values, np.outer(values, values) / 4)


@given(VALUES, st.integers(1, 3), st.sampled_from([None, GROUPED]), st.booleans())
@examples(25)
def test_the_best_set_without_features(values, k, constraints, pairs):
    objective = list(qualities(values))[pairs]
    afs = fitted(objective, n_features=k, constraints=constraints)
    problem = Problem(objective, k, k, constraints=constraints or Constraints())
    for missing in [*combinations(range(3), 1), *combinations(range(3), 2)]:
        left = [s for s in valid_sets(problem) if not set(s) & set(missing)]
        if not left:
            with pytest.raises(NoFeatureSetError, match="no set without them satisfies"):
                afs.without(missing)
            continue
        result = afs.without([f"x{j}" for j in missing])
        # The integers in which sets are compared depend on the features that a set can hold.
        exact = problem.quality.under(exclude=(*problem.constraints.exclude, *missing)).exact_values
        assert result.indices == max(left, key=lambda s: (exact([s])[0], [-j for j in s]))
        assert result.status == "optimal"
        assert result.train_objective == objective.evaluate(result.indices)


@given(
    VALUES,
    st.integers(1, 4),
    st.integers(1, 2),
    st.sampled_from([None, 0, 0.5, 0.9, 1]),
    st.sampled_from([None, GROUPED]),
)
@examples(60)
def test_no_smaller_family_has_a_set_for_every_outage(values, k, at_once, floor, constraints):
    objective = quality.Linear(values)
    problem = Problem(objective, k, k, constraints=constraints or Constraints())
    sets = valid_sets(problem)
    if not sets:
        return
    afs = fitted(objective, n_features=k, constraints=constraints)
    plan = afs.plan_for_outages(["x4", "x0", "x1"], at_once, relative_floor=floor)
    outages = [set(c) for r in range(1, at_once + 1) for c in combinations((0, 1, 4), r)]
    worth = {s: Fraction(objective.evaluate(s)) for s in sets}
    best = {
        tuple(sorted(missing)): max((worth[s] for s in sets if not missing & set(s)), default=None)
        for missing in outages
    }

    def fits(s, missing):
        top = best[tuple(sorted(missing))]
        least = None if floor is None else top - (1 - Fraction(repr(float(floor)))) * abs(top)
        return not missing & set(s) and (least is None or worth[s] >= least)

    there = [missing for missing in outages if best[tuple(sorted(missing))] is not None]
    usable_in = {s: {i for i, missing in enumerate(there) if fits(s, missing)} for s in sets}
    # No smallest family has two sets for the same outages, and the better one is left.
    best_for = {frozenset(usable_in[s]): s for s in sorted(sets, key=worth.get)}
    families = (
        [
            f
            for f in combinations(best_for.values(), size)
            if len(set().union(*map(usable_in.get, f))) == len(there)
        ]
        for size in range(len(there) + 1)
    )
    smallest = next(filter(None, families))
    assert len(plan) == len(smallest[0]) and plan.proven
    assert sum(worth[s.indices] for s in plan) == max(sum(map(worth.get, f)) for f in smallest)
    assert len(plan.table) == len(outages)
    for row, missing in zip(plan.table.itertuples(), outages, strict=True):
        assert row.missing == [f"x{j}" for j in sorted(missing)]
        usable = (
            [s.train_objective for s in plan if fits(s.indices, missing)]
            if missing in there
            else []
        )
        if not usable:
            assert row.status == "infeasible" and row.feature_names == []
            continue
        assert row.train_objective == max(usable) == plan[row.set_index].train_objective
        if best[tuple(sorted(missing))] > 0:
            assert row.of_best == row.train_objective / best[tuple(sorted(missing))]


def test_what_a_plan_says():
    afs = fitted(quality.Linear([4.0, 3.0, 2.0]), n_features=2)
    assert afs.without("x2") == afs.feature_sets_[0]
    plan = afs.plan_for_outages(["x0", "x1"], at_once=2)
    assert [s.names for s in plan] == [("x0", "x2"), ("x1", "x2")]
    assert plan.sentence == (
        "2 sets are enough for every outage of up to 2 of these features that leaves a set."
    )
    assert "Without x0, x1: no set exists." in str(plan)
    each = fitted(quality.Linear([4.0]), n_features=1).plan_for_outages(["x0"])
    assert each.sentence == "There is no set without any of these features." and len(each) == 0


def test_sets_without_features_that_a_black_box_has():
    values = np.array([5.0, 4.0, 3.0, 2.0, 1.0])
    objective = quality.BlackBox(lambda s: float(values[list(s)].sum()), 5, 15.0)
    afs = fitted(objective, n_features=2)
    assert afs.without("x0").status == "feasible"
    plan = afs.plan_for_outages(["x0", "x1"], relative_floor=1)
    assert not plan.proven and "a smaller number is not ruled out" in plan.sentence
    evaluated = fitted(
        objective, search="enumeration", n_features=2, constraints=Constraints(include=(4,))
    )
    assert evaluated.without(["x4", "x0"]).names == ("x1", "x2")


def test_what_cannot_be_asked():
    afs = fitted(quality.Linear(np.arange(12.0)), n_features=2)
    for features, more, why in [
        (["x0", "y"], {}, "there is no feature 'y'"),
        ([], {}, "features: 0 are not allowed, name 1 to 6"),
        (range(7), {}, "features: 7 are not allowed"),
        (["x0"], {"at_once": 2}, "at_once: 2 is not allowed, use a whole number from 1 to 1"),
        (["x0"], {"relative_floor": 2}, "relative_floor: 2 is not allowed"),
    ]:
        with pytest.raises(AltfsError, match=why):
            afs.plan_for_outages(features, **more)
    X = np.random.default_rng(0).random((20, 3))
    stream = AlternativeFeatures("saola", n_alternatives=0).fit(X, X[:, 0] > 0.5)
    with pytest.raises(UnsupportedProblemError, match="without is not possible for a streaming"):
        stream.without("x0")


def test_numbers_that_are_names_can_be_left_out():
    import pandas as pd

    X = pd.DataFrame(np.zeros((2, 3)), columns=[101, 7, 3])
    afs = AlternativeFeatures([3.0, 2.0, 1.0], n_features=1, tau=1).fit(X)
    assert afs.without(101).names == ("7",)


@pytest.mark.parametrize("k", [3, 5, 7])
@pytest.mark.exhaustive
def test_the_most_features_are_planned_for(k):
    afs = fitted(quality.Linear(np.arange(8.0)), n_features=k)
    plan = afs.plan_for_outages([f"x{j}" for j in range(6)], at_once=3)
    assert plan.proven and not {s.names for s in plan} & {()}
