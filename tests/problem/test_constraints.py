import numpy as np
import pytest
from brute_force import best_sets
from ordinary import SEARCHES, small

from altfs import (
    AlternativeFeatures,
    search_randomly,
    search_sequentially,
    search_simultaneously,
)
from altfs.errors import AltfsError, UnsupportedProblemError
from altfs.problem import Constraints, Group, Implication, Problem, SharedWeight, WeightedSum
from altfs.quality import BlackBox, Linear, Quality, Ratio
from altfs.searches import searches
from altfs.searches._greedy import GreedySearch
from altfs.solvers import Limits
from altfs.solvers.floor import with_floor


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"include": (9,)}, "include: 9 is not a feature"),
        ({"exclude": (1, 1)}, "exclude: feature 1 is a duplicate"),
        ({"include": (1,), "exclude": (1,)}, "feature 1 is in both"),
        ({"groups": ({"features": (1, 2), "at_least": 3},)}, "at_least 3 of 2 features"),
        ({"costs": (1.0,) * 5}, "give both or neither"),
        ({"costs": (1.0,) * 4, "budget": 1.0}, "4 values"),
        ({"costs": set(range(5)), "budget": 1.0}, "use one for each feature"),
        ({"costs": (float("nan"),) * 5, "budget": 1.0}, "nan is not allowed"),
        ({"quality_floor": float("inf")}, "quality_floor: inf"),
        (
            {"implications": [{"when": [1], "then": [7]}]},
            r"implications\[0\].then: 7 is not",
        ),
        ({"implications": [{"when": [1], "then": [2], "at_least": 2}]}, "2 of 1 features"),
        ({"implications": [{"when": [], "then": [2]}]}, "at least 1"),
        ({"sums": [{"weights": {1: 1}}]}, "a sum needs at_least or at_most"),
        ({"sums": [{"at_most": 1}]}, "a sum needs weights or shared"),
        ({"sums": [{"weights": {1: 1}, "at_least": 2, "at_most": 1}]}, "2 to at_most 1"),
        ({"sums": [{"weights": {1: "x"}, "at_most": 1}]}, "'x' for 1 is not allowed"),
        ({"sums": [{"weights": {9: 1}, "at_most": 1}]}, r"sums\[0\].weights: 9 is not a feature"),
        ({"sums": [{"weights": {1: 1e-30}, "at_most": 1}]}, "too many digits"),
        ({"sums": [{"shared": [{"features": []}], "at_most": 1}]}, "at least 1"),
    ],
)
def test_nonsense_is_refused(arguments, said):
    with pytest.raises(AltfsError, match=said):
        search_sequentially(
            Linear(np.ones(5)), n_features=2, n_alternatives=1, tau=1,
            constraints=Constraints(**arguments),
        )  # fmt: skip


def test_a_budget_is_exact_in_decimals():
    quality = Linear([3.0, 2.0, 1.0])
    limited = Constraints(costs=(0.1, 0.2, 0.1), budget=0.3)
    result = search_sequentially(
        quality, n_features=2, n_alternatives=0, tau=1, constraints=limited
    )
    assert result.sets == [(0, 1)]


def test_a_floor_makes_worse_sets_infeasible():
    quality = Linear([3.0, 2.0, 1.0, 0.5])
    shared = {"n_features": 2, "n_alternatives": 1, "tau": 1}
    low = search_sequentially(quality, **shared, constraints=Constraints(quality_floor=1.5))
    assert low.sets == [(0, 1), (2, 3)]
    high = search_sequentially(quality, **shared, constraints=Constraints(quality_floor=1.6))
    assert [str(s) for s in high.status] == ["optimal", "infeasible"]
    both = search_simultaneously(quality, **shared, constraints=Constraints(quality_floor=2.5))
    assert both.sets == [(0, 2), (1, 3)]
    best = search_simultaneously(quality, **shared, constraints=Constraints(quality_floor=2.6))
    assert best.sets == [(0, 3), (1, 2)]


def test_costs_may_be_those_of_some_features():
    for feature in ("b", 1):
        limited = Constraints(costs={feature: 0.5}, budget=1)
        assert limited.resolved(["a", "b"]).costs == (0, 0.5)


def test_given_sets_count():
    result = search_sequentially(
        Linear([3.0, 2.0, 1.0, 0.5]), n_features=2, n_alternatives=0, tau=1, given=[(1, 0)]
    )
    assert result.sets == [(2, 3)]
    among = Problem(Linear([3.0, 2.0, 1.0, 0.5]), 2, 0, constraints=Constraints(given=[(1, 0)]))
    assert among.given == ((0, 1),) and among.kinds == ("given",)
    with pytest.raises(AltfsError, match="given"):
        search_sequentially(Linear([1.0]), n_features=1, n_alternatives=0, tau=1, given=[(4,)])


class Plain(Quality):
    """A quality of which no solver knows anything."""

    n_total = 4

    def evaluate(self, indices):
        return 0.0


def test_what_no_solver_carries_is_an_error_that_names_it():
    with pytest.raises(UnsupportedProblemError, match=r"Plain quality .*\(quality_floor\)"):
        search_sequentially(
            Plain(), n_features=2, n_alternatives=1, tau=1,
            constraints=Constraints(quality_floor=1.0),
        )  # fmt: skip


def judged(n_sets, constraints, aggregation="sum", given=()):
    return Problem(VALUES, 3, 1, n_sets, aggregation, given, constraints)


VALUES = Linear([4.0, 1.0, 3.0, 2.0, 2.0, 3.0, 1.0])
EVERY_KIND = {
    "include": Constraints(include=(1,)),
    "exclude": Constraints(exclude=(0, 5)),
    "at_most": Constraints(groups=(Group((0, 2, 5), at_most=1),)),
    "at_least": Constraints(groups=(Group((1, 6), at_least=1),)),
    "all_or_none": Constraints(groups=(Group((0, 6), all_or_none=True),)),
    "implications": Constraints(implications=(Implication((0,), (1, 6), 1),)),
    "sums": Constraints(
        sums=(
            WeightedSum({0: 1, 2: 1}, at_most=1.5),
            WeightedSum({4: 0.1}, (SharedWeight((0, 3)), SharedWeight((2, 5))), 0.1, 1.1),
        )
    ),
    "exclusive": Constraints(exclusive=((0, 2), (2, 5))),
    "budget": Constraints(costs=(2.0, 0.5, 1.0, 1.0, 0.1, 2.0, 0.2), budget=3.1),
    "most_information": Constraints(
        information=(2.0, 0.5, 1.0, 1.0, 0.1, 2.0, 0.2), most_information=2.6
    ),
    "quality_floor": Constraints(quality_floor=6.0),
    "relative_floor": Constraints(relative_floor=0.6),
    "all of them": Constraints(
        include=(4,), exclude=(3,), groups=(Group((0, 6), all_or_none=True), Group((1, 2), 1)),
        costs=(1.0,) * 7, budget=3.0, quality_floor=5.0, exclusive=((2, 5),),
    ),
}  # fmt: skip


@pytest.mark.exhaustive
@pytest.mark.parametrize("kind", EVERY_KIND)
@pytest.mark.parametrize("given", [(), ((0, 2, 4),)], ids=["none given", "given"])
@pytest.mark.parametrize("search", [*map(searches.get, SEARCHES)], ids=lambda s: s.name)
def test_every_search_honours_every_constraint_or_refuses_it(search, kind, given):
    for aggregation in search.aggregations:
        objective = "min" if aggregation == "min" else "sum"
        problem = Problem(VALUES, 3, 1, 2, objective, given, EVERY_KIND[kind])
        absolute = with_floor(problem, Limits()).constraints
        try:
            result = small(search).search(problem, Limits())
        except UnsupportedProblemError as refusal:
            said = str(refusal)
        else:
            said = ""
        if said:
            assert search.name in said and said.endswith(".")
            assert issubclass(search, GreedySearch)
            continue
        sets = tuple(s for s in result.sets if s)
        expected = best_sets(judged(2, absolute, objective, given))
        for s in sets:
            assert judged(1, absolute, given=given).violation((s,)) is None
        if search.name == "simultaneous":
            assert sets == (expected or ())
        elif search.name == "sequential":
            first = best_sets(judged(1, absolute, given=given))
            assert sets[:1] == (first or ())
            second = first and best_sets(judged(1, absolute, given=(*given, *first)))
            assert sets[1:] == (second or ())
        elif expected is None:
            assert len(sets) < 2


NOT_0 = Constraints(exclude=(0,))


@pytest.mark.parametrize("share", [0, 0.5, 0.875, 1])
def test_a_relative_floor_is_a_share_of_the_best_set(share):
    constraints = Constraints(exclude=(0,), relative_floor=share)
    shared = {"n_features": 2, "n_alternatives": 5, "max_overlap": 1, "constraints": constraints}
    for result in (search_sequentially(VALUES, **shared), search_randomly(VALUES, **shared)):
        assert result.sets[0]
        assert all(VALUES.evaluate(s) >= share * 6 for s in result.sets if s)
    number = Constraints(exclude=(0,), quality_floor=share * 6)
    assert (
        search_sequentially(VALUES, **shared).sets
        == search_sequentially(VALUES, **{**shared, "constraints": number}).sets
    )
    ratio = Ratio(np.arange(7.0), np.ones((7, 7)))
    best = ratio.evaluate(search_sequentially(ratio, **{**shared, "constraints": NOT_0}).sets[0])
    drawn = search_randomly(ratio, **shared).sets
    assert all(ratio.evaluate(s) >= share * best for s in drawn if s)
    box = BlackBox(len, 7, 7.0)
    with pytest.raises(AltfsError, match="relative_floor: the best set of a BlackBox quality is"):
        search_randomly(box, **shared)
    for wrong in (1.5, -0.1, True):
        with pytest.raises(AltfsError, match=r"relative_floor: .* is not allowed"):
            Constraints(relative_floor=wrong)
    with pytest.raises(AltfsError, match="quality_floor, relative_floor: give one of the two"):
        Constraints(relative_floor=0.5, quality_floor=1)


def test_pairs_are_pairs():
    for wrong in ((0,), (0, 1, 2), "ab"):
        with pytest.raises(AltfsError, match=r"exclusive\[0\]: .* is not allowed"):
            Constraints(exclusive=(wrong,))
    constraints = Constraints(exclusive=((0, 1),)).resolved(range(3))
    assert constraints.groups == (Group((0, 1), at_most=1),)


def test_the_library_takes_them_by_name():
    constraints = Constraints(
        groups=(Group(("x0", "x6"), all_or_none=True),), exclusive=(("x2", "x5"),),
        relative_floor=0.9,
    )  # fmt: skip
    afs = AlternativeFeatures(VALUES, n_features=3, max_overlap=2, constraints=constraints)
    afs.fit(np.zeros((2, 7)))
    assert [s.indices for s in afs.feature_sets_] == [(0, 2, 6), (0, 5, 6)]
    assert afs.explain().counts["at_least"].min() >= 1
    assert "budget" not in str(afs.explain())


def test_indices_from_numpy_are_plain_numbers():
    constraints = Constraints(
        include=np.array([1, 2]), groups=(Group(np.array([0, 3]), at_most=1),)
    )
    assert constraints == Constraints(include=(1, 2), groups=(Group((0, 3), at_most=1),))
    assert {type(j) for j in (*constraints.include, *constraints.groups[0].features)} == {int}


def test_a_sensitive_column_is_in_no_set_and_its_information_is_limited():
    limit = Constraints(sensitive="sex", most_information=0.5, information={"age": 0.4, "job": 0.2})
    resolved = limit.resolved(["age", "sex", "job", "hue"])
    assert resolved.exclude == (1,) and resolved.sensitive == 1
    assert resolved.information == (0.4, 0.0, 0.2, 0.0)
    assert resolved.resolved(range(4)) == resolved
    [one] = resolved.inequalities()
    assert one.key == "most_information" and one.admits({0, 3}) and not one.admits({0, 2})
    assert resolved.informed(np.ones(4)) is resolved
    named = resolved.with_names(["age", "sex", "job", "hue"])
    assert named.information == {"age": 0.4, "job": 0.2} and named.sensitive == "sex"
    with pytest.raises(AltfsError, match="include, exclude: feature 'sex' is in both"):
        Constraints(sensitive="sex", include=("sex",)).resolved(["age", "sex"])
    with pytest.raises(AltfsError, match="most_information: there is no sensitive attribute"):
        Constraints(most_information=1).resolved(["age", "sex"])
    unknown = Constraints(sensitive=0, most_information=1)
    with pytest.raises(AltfsError, match="what features tell about the sensitive attribute is not"):
        Problem(Linear([1, 2, 3]), 2, 1, constraints=unknown)


@pytest.mark.parametrize("rule", [(["a"], ["a"]), (["a", "b"], ["b", "c"], 1)])
def test_a_rule_that_every_set_satisfies_is_refused(rule):
    with pytest.raises(AltfsError, match="then: every set satisfies it, as the features of"):
        Implication(*rule)
    assert Implication(["a"], ["a", "b"]).then == ("a", "b")
