"""Constraints in config.yaml, from the refusal to the audit."""

import json
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from audit import edit, hashes, run_tasks, verify
from hypothesis import given
from hypothesis import strategies as st
from marks import examples
from solvers.strategies import SIGNED
from studies import SMALL

from altfs.errors import AltfsError
from altfs.problem import Constraints, Problem
from altfs.problem.overlap import dissimilarity_of
from altfs.quality import BlackBox, Linear
from altfs.solvers import Limits
from altfs.solvers.floor import with_floor
from altfs.study.config import parse_config
from altfs.study.plan import load_plan
from altfs.study.session import begin_study, check_study
from altfs.study.store import read_table
from altfs.study.task import Place

SEARCHES = [*SMALL["searches"], {"name": "random", "n_alternatives": 2}]
CONSTRAINTS = [
    {
        "include": ["proline"],
        "exclude": ["ash"],
        "exclusive": [["hue", "alcohol"]],
        "groups": [{"features": ["flavanoids", "magnesium", "malic_acid"], "at_least": 1}],
    },
    {
        "searches": ["sequential", "random"],
        "costs": {"proline": 1.5, "flavanoids": 2, "color_intensity": 2},
        "budget": 3.5,
        "relative_floor": 0.5,
    },
    {
        "groups": [{"features": ["total_phenols", "hue"], "all_or_none": True}],
        "given": [["proline", "flavanoids", "hue", "magnesium"], ["proline", "alcohol"]],
    },
]


pytestmark = pytest.mark.usefixtures("elsewhere")


def plan_of(*constraints, **changes):
    config = {**SMALL, "selectors": ["mutual_information"], "searches": SEARCHES, **changes}
    if constraints:
        config["constraints"] = list(constraints)
    return check_study(config)


# tests/test_refusals.py has those that the library and the command line refuse, too.
REFUSED = {
    "mapping": ({"constraints": {"include": ["hue"]}}, "constraints: .*use a list"),
    "unknown key": ({"include": ["hue"], "budgets": 1}, "did you mean 'budget'"),
    "unknown dataset": ({"datasets": ["wien"]}, r"constraints\[0\].datasets: .* 'wine'"),
    "unknown selector": ({"selectors": ["fcbf"]}, r"not one of the study's selectors"),
    "unknown search": ({"searches": ["seq"]}, r"not one of the study's searches"),
    "unknown feature": (
        {"include": ["prolin"]},
        r"constraints\[0\].include: 'prolin' is not a feature of dataset 'wine', .*'proline'",
    ),
    "no pair": ({"exclusive": [["hue", "ash", "alcohol"]]}, r"exclusive\[0\]: "),
    "floor of nothing": ({"quality_floor": {"absolute": None}}, "quality_floor: "),
}


@pytest.mark.parametrize("case", REFUSED)
def test_constraints_that_make_no_sense_are_refused(case, tmp_path):
    changes, message = REFUSED[case]
    wanted = changes if "constraints" in changes else {"constraints": [changes]}
    with pytest.raises(AltfsError, match=message) as refused:
        begin_study(plan_of(**wanted))
    assert "\n" not in str(refused.value)
    assert str(refused.value).endswith(".")
    assert list(tmp_path.iterdir()) == []


IMPOSSIBLE = {
    "no best set of a wrapper": (
        {"selectors": ["greedy_wrapper"], "searches": SEARCHES[2:]},
        {"quality_floor": {"relative": 0.5}},
        "'random' with selector 'greedy_wrapper' cannot have a relative_floor",
    ),
    "heuristic": (
        {"searches": [{"name": "greedy_balancing", "n_alternatives": 1}]},
        {"exclude": ["hue"]},
        r"greedy_balancing' cannot handle constraints \(exclude\)",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", IMPOSSIBLE)
def test_what_no_search_can_honour_is_refused_before_anything_runs(case, tmp_path):
    changes, wanted, message = IMPOSSIBLE[case]
    with pytest.raises(AltfsError, match=rf"^searches\[\d\]: .*{message}") as refused:
        plan_of(wanted, **changes)
    assert str(refused.value).endswith(".")
    plan_of({**wanted, "selectors": []}, **changes)


def test_the_wrapper_takes_every_constraint():
    every = {
        "include": ["hue"], "exclude": ["ash"], "exclusive": [["alcohol", "proline"]],
        "given": [["hue", "ash"]], "costs": {"hue": 1}, "budget": 1, "quality_floor": 0.1,
        "groups": [
            {"features": ["flavanoids", "proline"], "at_least": 1},
            {"features": ["magnesium", "alcohol"], "all_or_none": True},
        ],
    }  # fmt: skip
    assert plan_of(every, selectors=["greedy_wrapper"]).config.constraints


def test_heuristics_are_refused_for_qualities_that_they_cannot_handle():
    greedy = [{"name": "g", "type": "greedy_replacement", "n_alternatives": 1}]
    plan_of(searches=greedy, selectors=["mutual_information", "model_gain"])
    with pytest.raises(AltfsError, match=r"'g' with selector 'fcbf' is not possible: .*exclude"):
        plan_of(searches=greedy, selectors=["mutual_information", "fcbf"])


def test_two_budgets_are_one_too_many():
    one = {"costs": {"hue": 1}, "budget": 1}
    with pytest.raises(AltfsError, match="two entries give costs to dataset 'wine'"):
        plan_of(one, one)
    plan_of({**one, "searches": ["sequential"]}, {**one, "searches": ["random"]})


def test_no_constraints_are_an_empty_list():
    plain = plan_of()
    assert hashes(plan_of(constraints=[])) == hashes(plain)
    assert plan_of(constraints=[]).hash == plain.hash
    assert json.loads(plain.dump())["config"]["constraints"] == []
    for key in plain.places():
        assert plain.search_task(key).constraints is None


def test_constraints_change_the_shards_they_are_for_and_no_others(tmp_path):
    before = hashes(plan_of())
    plan = plan_of({"searches": ["sequential"], "exclude": ["ash"]})
    after = hashes(plan)
    assert {k.search for k in before if before[k] != after[k]} == {"sequential"}
    assert hashes(plan_of({"searches": ["sequential"], "exclude": ["hue"]})) != after
    (tmp_path / "study.json").write_text(plan.dump())
    assert hashes(load_plan(tmp_path)) == after
    assert parse_config(json.loads(plan.config.model_dump_json())) == plan.config


@pytest.mark.exhaustive
def test_every_search_honours_them_and_the_audit_sees_to_it(capsys):
    plan = plan_of(*CONSTRAINTS, taus=["0.3"], selectors=["mutual_information", "fcbf"])
    run_tasks(plan)
    cost = {"proline": 1.5, "flavanoids": 2, "color_intensity": 2}
    found = 0
    for key in plan.places():
        for row in read_table(Path(plan.search_task(key).path))[0].to_pylist():
            names = set(row["feature_names"])
            if not names:
                continue
            found += 1
            assert "proline" in names
            assert "ash" not in names
            assert not names >= {"hue", "alcohol"}
            assert names & {"flavanoids", "magnesium", "malic_acid"}
            assert ("hue" in names) == ("total_phenols" in names)
            for known in CONSTRAINTS[2]["given"]:
                assert dissimilarity_of(names, known) >= Fraction(3, 10)
            if key.search != "simultaneous":
                assert sum(cost.get(name, 0) for name in names) <= 3.5
    assert found > 20
    code, said = verify(capsys, plan, "--full")
    assert code == 0, said
    # A better set that costs too much.
    key = Place("wine", 0, "mutual_information", "0.3", "sequential")
    names = read_table(Path(plan.data_path("wine")))[0].column_names
    other = sorted(names.index(n) for n in ("proline", "flavanoids", "color_intensity"))
    changed = {"selected": other, "feature_names": [names[j] for j in other]}
    edit(plan.search_task(key).path, lambda rows: rows[0].update(changed))
    code, said = verify(capsys, plan)
    assert code == 1
    assert "budget: its sum is 5.5, at most 3.5 is allowed" in said


@examples(50)
@given(
    st.lists(SIGNED, min_size=4, max_size=6),
    st.sampled_from([0.0, 0.3, 0.7, 0.9, 1.0]),
)
def test_relative_floors_are_shares_of_the_best_set(values, share):
    quality, names = Linear(values), [f"x{j}" for j in range(len(values))]
    wanted = {"relative_floor": share, "exclude": ["x0"]}
    asked = Problem(quality, 2, 2, constraints=Constraints(**wanted).resolved(names))
    constraints = with_floor(asked, Limits()).constraints
    sets = [s for s in combinations(range(len(values)), 2) if 0 not in s]
    totals = [sum(Fraction(values[j]) for j in s) for s in sets]
    least = max(totals) - (1 - Fraction(repr(share))) * abs(max(totals))
    # By less than this a set may be worse than the floor.
    rounding = 2 * Fraction(quality.unit) + Fraction(2.0**-40)
    for s, total in zip(sets, totals, strict=True):
        reaches = constraints.violation(s, quality) is None
        if total >= least:
            assert reaches
        if total < least - rounding:
            assert not reaches


def test_floors_relative_to_what_cannot_be_had():
    relative = Constraints(relative_floor=0.5)
    with pytest.raises(AltfsError, match="BlackBox quality is not known beforehand"):
        with_floor(Problem(BlackBox(len, 2, 2.0), 1, 1, constraints=relative), Limits())
    # Where there is no set at all, there is no floor.
    conflicts = Linear([1.0, 2.0], np.ones((2, 2)))
    without = with_floor(Problem(conflicts, 2, 2, constraints=relative), Limits())
    assert without.constraints.quality_floor is None


def test_a_relative_floor_may_be_inside_of_the_floor():
    flat, nested = ({"relative_floor": 0.5}, {"quality_floor": {"relative": 0.5}})
    assert hashes(plan_of(flat)) == hashes(plan_of(nested)) != hashes(plan_of())
