"""Many-objective search, judged by comparing all sets with all."""

import re
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations
from math import inf

import numpy as np
import pandas as pd
import pytest
from marks import exhaustive
from sklearn.datasets import load_breast_cancer

from altfs import AlternativeFeatures, Constraints, Group
from altfs.errors import AltfsError, FewerSetsWarning, NoFeatureSetError, UnsupportedProblemError
from altfs.kinds.fronts.dominance import Dominance
from altfs.kinds.fronts.searches.many_objective import ManyObjective, ManyObjectiveOptions
from altfs.problem import Overlap, Problem
from altfs.problem.results import Status
from altfs.quality import Linear
from altfs.selectors import Part, selectors
from altfs.solvers import Limits

X, Y = load_breast_cancer(return_X_y=True)
# Too little work to look at any list of sets.
LITTLE = Limits(0.001)


def curve_of(n=8, name="naive_bayes_curve", X=X[::3], y=Y[::3], **options):
    component = selectors.get(name)
    part = Part(X[:, :n], y, "binary", 0)
    return component(component.Options(**options)).quality(part)


def many(seed=0, **options):
    return ManyObjective(seed, ManyObjectiveOptions(**options))


def front_of(problem, factor):
    """All valid sets of up to so many features that no valid one dominates."""
    quality, k = problem.quality, problem.n_features
    rule = Dominance.of(factor, quality)
    single = Problem(quality, range(1, k + 1), problem.overlap, 1, "sum", problem.given,
                     problem.constraints)  # fmt: skip
    sets = [s for size in range(1, k + 1) for s in combinations(range(quality.n_total), size)]
    valid = [s for s in sets if single.violation((s,)) is None]
    curves = {s: quality.levels(s) for s in valid}
    whole = np.array([*curves.values()]).reshape(-1, quality.n_positive)
    return {s: c for s, c in curves.items() if not rule.dominating(whole, c).any()}


def chosen_from(front, problem):
    """That of the largest area, and of all choices that differ enough the most and best sets."""
    order = sorted(front, key=lambda s: (-front[s].sum(), len(s), s))
    if not order:
        return []

    def fits(family):
        pairs = combinations(family, 2)
        return all(len(set(a) & set(b)) <= problem.overlap(len(a), len(b)) for a, b in pairs)

    families = [
        (order[0], *others)
        for n in range(problem.n_sets)
        for others in combinations(order[1:], n)
        if fits((order[0], *others))
    ]
    return max(families, key=lambda f: (len(f), np.max([front[s] for s in f], 0).sum()))


@pytest.mark.parametrize("name", ["naive_bayes_curve", "nearest_neighbours_curve"])
def test_with_the_size_as_an_objective_no_set_dominates_a_smaller_one(name):
    quality = curve_of(6, name)
    problem = Problem(quality, range(1, 4), Overlap(tau=0.5), 1, "sum")
    curves = {
        s: quality.levels(s)
        for size in (1, 2, 3)
        for s in combinations(range(6), size)
    }  # fmt: skip
    expected = {
        a
        for a, of_a in curves.items()
        if not any(
            len(b) <= len(a) and (of_b >= of_a).all() and (len(b) < len(a) or (of_b > of_a).any())
            for b, of_b in curves.items()
        )
    }
    search = many(by_size=True, dominance_factor=inf)
    front = search.front(problem, Limits())
    assert {*front.sets} == expected and {len(s) for s in expected} == {1, 2, 3}
    assert front.levels.shape[1] == quality.n_positive
    evolved = search.front(problem, LITTLE)
    assert not evolved.proven and {*evolved.sets} == expected


def test_the_sets_of_the_envelope_are_first_at_some_sensitivity():
    quality = curve_of(6)
    problem = Problem(quality, range(1, 3), Overlap(tau=0.5), 1, "sum")
    whole = many(dominance_factor=inf).front(problem, Limits())
    part = many(dominance_factor=inf, envelope=True).front(problem, Limits())
    highest = whole.levels.max(axis=0)
    np.testing.assert_array_equal(part.levels.max(axis=0), highest)
    first = [next(s for s, c in zip(whole.sets, whole.levels, strict=True) if c[k] == highest[k])
             for k in range(quality.n_positive)]  # fmt: skip
    assert {*part.sets} == {*first} and 1 < len(part.sets) < len(whole.sets)
    assert list(part.sets) == [s for s in whole.sets if s in first]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"by_size": True}, "by_size is not allowed with dominance_factor: 5.0, use inf"),
        ({"by_size": True, "envelope": True, "dominance_factor": inf}, "not allowed with envelope"),
    ],
)
def test_objectives_that_exclude_each_other_are_refused(options, said):
    with pytest.raises(ValueError, match=re.escape(said)):
        many(**options)


CONSTRAINED = {
    "none": ({}, ()),
    "given": ({}, ((0, 1, 5),)),
    "include": ({"include": (2,), "exclude": (0, 5)}, ()),
    "groups": ({"groups": (Group((0, 1, 2), at_most=1), Group((3, 5), at_least=1))}, ()),
    "floor": ({"quality_floor": 0.9}, ()),
}


def constrained(what):
    constraints, given = CONSTRAINED[what]
    return Problem(curve_of(6), 3, Overlap("0.6"), 4, "sum", given, Constraints(**constraints))


@pytest.mark.parametrize("what", CONSTRAINED)
@pytest.mark.parametrize("factor", [2, inf])
def test_sets_are_chosen_from_the_front_of_all_valid_sets(what, factor):
    problem = constrained(what)
    front = front_of(problem, factor)
    result = many(dominance_factor=factor).search(problem, Limits())
    expected = chosen_from(front, problem)
    sets = [s for s in result.sets if s]
    assert sets[:1] == [*expected[:1]] and set(sets) == set(expected)
    # Each adds most to those before it.
    for i in range(1, len(sets)):
        heights = [np.max([front[s] for s in (*sets[:i], one)], 0).sum() for one in sets[i:]]
        assert heights[0] == max(heights)
    missing = [Status.INFEASIBLE] * (4 - len(expected))
    assert result.status == [Status.OPTIMAL] * len(expected) + missing
    assert result.objectives[0] == max(problem.quality.evaluate(s) for s in front)
    assert result.bound[0] == result.objectives[0]


@pytest.mark.parametrize("what", ["none", "groups", *exhaustive("given", "include", "floor")])
def test_nsga_finds_them_without_looking_at_all(what):
    problem, search = constrained(what), many(population=12, generations=60)
    result = search.search(problem, LITTLE)
    assert set(result.status) <= {Status.FEASIBLE, Status.UNKNOWN}
    assert result.sets == search.search(problem, LITTLE).sets
    expected = chosen_from(front_of(problem, 5), problem)
    assert {s for s in result.sets if s} == set(expected)
    assert all(solver in ("nsga_ii", "") for solver in {one.solver for one in result})


def test_sets_of_one_size_or_of_a_range():
    quality = curve_of(8)
    for sizes, asked in (({2}, (2, "exact")), ({1, 2}, (2, "up_to")), ({2, 3}, ((2, 3), "up_to"))):
        problem = Problem(quality, asked[0], 2, 9)
        for limits in (Limits(), LITTLE):
            search = many(3, sizes=asked[1], generations=9, dominance_factor=inf)
            found = [s for s in search.search(problem, limits).sets if s]
            assert {len(s) for s in found} <= sizes
            assert len(found) == len(set(found)) > 3


def test_seeds_change_a_front_and_workers_do_not():
    # A tenth of a second of CPU.
    problem = Problem(curve_of(20), 4, 3, 6)
    asked = {"population": 8, "generations": 9, "dominance_factor": inf}

    def front(seed):
        found = many(seed, **asked).front(problem, LITTLE)
        return found.sets, found.levels.tolist()

    alone = [front(seed) for seed in range(3)]
    with ThreadPoolExecutor(3) as workers:
        assert [*workers.map(front, [*range(3)] * 2)] == alone * 2
    assert alone[0] != alone[1] != alone[2] != alone[0]


def test_no_valid_set_is_infeasible_or_unknown():
    problem = Problem(curve_of(6), 2, 0, 2, constraints=Constraints(quality_floor=1.0))
    assert many().search(problem, Limits()).status == [Status.INFEASIBLE] * 2
    assert many(generations=2).search(problem, LITTLE).status == [Status.UNKNOWN] * 2


def test_qualities_without_a_curve_are_refused():
    said = "search: 'many_objective' cannot handle a Linear, it needs a quality with a curve, use "
    with pytest.raises(UnsupportedProblemError, match=re.escape(said)):
        ManyObjective().search(Problem(Linear([1, 2]), 1, 1), Limits())


def test_a_mean_overlap_is_refused():
    with pytest.raises(AltfsError, match="'average' is not possible with the search"):
        ManyObjective().search(Problem(curve_of(), 2, 1, 2, average=True), Limits())


def test_the_estimator_takes_it():
    afs = AlternativeFeatures("naive_bayes_curve", "many_objective", n_features=2, tau=0.5)
    afs.fit(X[::3, :8], Y[::3])
    assert [s.status for s in afs.feature_sets_] == ["optimal"] * 2
    options = ManyObjectiveOptions(dominance_factor=1)
    afs.set_params(search=ManyObjective(0, options))
    said = "1 of 2 feature sets found, no further set of the front differs enough from the"
    with pytest.warns(FewerSetsWarning, match=said):
        afs.fit(X[::3, :8], Y[::3])
    afs.set_params(constraints=Constraints(quality_floor=1.0))
    with pytest.raises(NoFeatureSetError, match="no set that was looked at satisfies all"):
        afs.fit(X[::3, :8], Y[::3])


@pytest.mark.exhaustive
def test_nsga_finds_the_front_of_ionosphere(pmlb_cache):
    # Some 20 seconds: in nine of ten seeds every member and no other at factor 5, and most at
    # infinity, where the front is ten times larger than the population.
    table = pd.read_csv(pmlb_cache / "ionosphere" / "ionosphere.tsv.gz", sep="\t")
    rows = table.drop(columns="target").to_numpy(float)
    quality = curve_of(34, X=rows, y=table["target"].to_numpy())
    problem = many().prepared(Problem(quality, 4, 4))
    for factor, seeds in ((5, range(10)), (inf, range(3))):
        whole = set(many(dominance_factor=factor).front(problem, Limits()).sets)
        fronts = [many(seed, dominance_factor=factor).front(problem, LITTLE) for seed in seeds]
        assert not any(front.proven for front in fronts)
        if factor == 5:
            assert sum(set(front.sets) == whole for front in fronts) >= 9
        else:
            assert min(len(whole & set(front.sets)) for front in fronts) >= 0.6 * len(whole)
