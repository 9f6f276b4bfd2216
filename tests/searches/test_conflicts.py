"""The smallest conflict, judged by all subsets of the constraints."""

import re
from dataclasses import replace
from itertools import combinations

import pytest
from brute_force import valid_sets
from hypothesis import assume, given
from hypothesis import strategies as st
from marks import examples
from solvers.strategies import rules_of

from altfs import AlternativeFeatures, explain_feasibility
from altfs.errors import NoFeatureSetError
from altfs.problem import Constraints, Group, Problem
from altfs.quality import Linear
from altfs.searches.conflicts import parts_of, restricted, smallest_conflict
from altfs.solvers import Limits


@examples(60)
@given(data=st.data())
def test_no_fewer_constraints_are_in_conflict(data):
    rules = data.draw(rules_of(5))
    drawn = Constraints(
        include=data.draw(st.sampled_from([(), (0,), (0, 1)])),
        exclude=data.draw(st.sampled_from([(), (2,), (2, 3)])),
        groups=data.draw(
            st.lists(st.sampled_from([Group((0, 1), at_most=1), Group((2, 4), 1)]), max_size=2)
        ),
        costs=(2.0, 1.0, 1.0, 0.5, 0.5),
        budget=data.draw(st.sampled_from([1.5, 2.5, 9.0])),
        **rules,
    )
    problem = Problem(Linear([1.0] * 5), 3, 3, constraints=drawn, given=((0, 1, 2),))
    problem = replace(problem, overlap=2)
    assume(not valid_sets(problem))
    conflict = smallest_conflict(problem, Limits())
    whole = problem.constraints.model_copy(update={"given": problem.given})

    def exist(parts):
        only = restricted(whole, parts)
        rest = only.model_copy(update={"given": ()})
        return bool(valid_sets(replace(problem, given=only.given, constraints=rest)))

    assert not exist(conflict)
    parts = parts_of(whole)
    assert {*conflict} <= {*parts}
    for fewer in combinations(parts, max(len(conflict) - 1, 0)):
        assert not conflict or exist(fewer)


def test_a_conflict_is_named_by_features():
    table = [[0, 1, 2, 3], [1, 0, 3, 2]]
    rules = {
        "include": ["x0"],
        "exclude": ["x3"],
        "implications": [{"when": ["x0"], "then": ["x1"]}],
        "groups": [{"features": ["x2", "x3"], "at_most": 1}],
        "costs": {"x0": 2, "x1": 2},
        "budget": 3,
    }
    afs = AlternativeFeatures([4, 3, 2, 1], n_features=2, constraints=rules)
    try:
        afs.fit(table)
    except NoFeatureSetError as error:
        said = str(error)
    assert "because of include (x0), budget 3 and implications[0] (x0 needs x1)" in said


@pytest.mark.parametrize(
    ("rules", "conflict"),
    [
        # A pair may come from either key.
        ({"exclusive": [["x0", "x1"]], "include": ["x0", "x1"]},
         "include (x0), include (x1) and at most 1 of x0, x1"),
        ({"information": {"x0": 1, "x1": 0.5}, "most_information": 0.25, "include": ["x1"]},
         "include (x1) and most_information 0.25"),
    ],
)  # fmt: skip
def test_a_conflict_is_named_by_the_keys_of_its_user(rules, conflict):
    afs = AlternativeFeatures([4, 3, 2, 1], n_features=2, constraints=rules)
    with pytest.raises(NoFeatureSetError, match=re.escape(f"because of {conflict}")):
        afs.fit([[0, 1, 2, 3], [1, 0, 3, 2]])


def test_without_constraints_there_is_no_conflict():
    answer = explain_feasibility(Linear([1.0] * 3), n_features=2, n_alternatives=1, tau=1)
    assert (answer.n_sets, answer.conflict) == (1, "")
