"""Shards of every search are recomputed: what is edited is named, whichever search made it."""

import shutil
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest
from audit import assert_named, claims_of, edit, make_study, stored_run, verify
from marks import exhaustive
from ordinary import SEARCHES
from studies import SMALL

from altfs.problem import NO_CONSTRAINTS, Problem
from altfs.quality import BlackBox, Linear
from altfs.searches import searches
from altfs.solvers import Limits
from altfs.solvers.floor import with_floor
from altfs.study.qualities import learn
from altfs.study.session import open_study
from altfs.study.sharding import problem_of
from altfs.study.store import read_table
from altfs.study.task import Place
from altfs.study.verify.promises import check_promises
from altfs.study.verify.rows import StoredRun

ROWS = [name for name in SEARCHES if searches.get(name).aggregations == ("none",)]
FAMILIES = [name for name in SEARCHES if name not in ROWS]
#: Those that take constraints have a second entry with some.
WITHIN = [name for name in SEARCHES if not name.startswith("greedy")]
ENTRIES = [
    *({"name": name, "n_alternatives": [3, 4]} for name in ROWS),
    *({"name": name, "n_alternatives": [1], "aggregation": ["sum", "min"]} for name in FAMILIES),
    *(
        {"name": f"{name}_within", "type": name, "n_alternatives": [2]}
        | ({"aggregation": ["sum"]} if name in FAMILIES else {})
        for name in WITHIN
    ),
]
CONFIG = {
    **SMALL,
    "name": "searches",
    "results": "results/searches",
    "selectors": ["mutual_information"],
    "taus": ["1"],
    "searches": ENTRIES,
    "constraints": [
        {
            "searches": [f"{name}_within" for name in WITHIN],
            "exclude": ["ash"],
            "exclusive": [["alcohol", "proline"]],
            "groups": [{"features": ["flavanoids", "total_phenols", "hue"], "at_least": 1}],
            "costs": {"flavanoids": 2.5, "proline": 0.5, "alcohol": 1.0, "hue": 1.0},
            "budget": 3.0,
            "quality_floor": 0.1,
            "given": [["malic_acid", "magnesium"]],
        }
    ],
}
BOXES = {
    **SMALL,
    "name": "boxes",
    "results": "results/boxes",
    "selectors": [{"name": "greedy_wrapper", "options": {"max_iterations": 300}}],
    "taus": ["1"],
    "searches": [
        {"name": "enumeration", "n_alternatives": 4},
        {"name": "random", "n_alternatives": 4},
        {"name": "local_search", "n_alternatives": [1, 4], "aggregation": "sum"},
    ],
}
NAMES = [entry["name"] for entry in ENTRIES]
SOME = ["simultaneous"]


def key_of(search, selector="mutual_information"):
    return Place("wine", 1, selector, "1", search)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return [make_study(tmp_path_factory.mktemp("made"), config) for config in (CONFIG, BOXES)]


@pytest.fixture
def plan(made, tmp_path):
    shutil.copytree(made[0], tmp_path / "copy")
    return open_study(tmp_path / "copy")


@pytest.fixture
def boxes(made, tmp_path):
    shutil.copytree(made[1], tmp_path / "boxes")
    return open_study(tmp_path / "boxes")


def exchange(plan, key, *, worse=False, broken=False):
    """Put another set in the place of the last one, or another family in that of the last one.

    It is valid, or else only breaks a constraint, and has all that follows from it.
    """
    task = plan.search_task(key)
    qualities = learn(plan.quality_task(*key[:3]))
    names = read_table(Path(plan.data_path("wine")))[0].column_names[:13]

    def change(rows):
        # The points of a front are no sets of the run.
        own = [row for row in rows if row.get("point") is None]
        last = max(i for i, row in enumerate(own) if row["selected"] and row["set_index"] > 0)
        mine = own[last - own[last]["set_index"] : last + 1]
        run = StoredRun(plan, key, mine)
        aggregation = "sum" if run.aggregation == "none" else run.aggregation
        asked = (run.sizes, run.n_alternatives, aggregation)
        run.problem = with_floor(problem_of(task, qualities.train, asked), Limits())
        fixed = run.single()
        free = replace(fixed, constraints=NO_CONSTRAINTS, given=())
        known = tuple(tuple(row["selected"]) for row in mine)
        every = [s for s in combinations(range(13), 3) if free.violation((s,)) is None]
        right = [s for s in every if fixed.violation((s,)) is None]
        if run.aggregation == "none":
            others = ((*known[:-1], s) for s in every)
        else:
            others = combinations(every, len(known))

        def worth(sets):
            values = [qualities.train.evaluate(s) for s in sets]
            return values[-1] if run.aggregation == "none" else fixed_family.aggregate(values)

        fixed_family = run.problem
        chosen = next(
            family for family in others
            if (not set(family) <= set(right)) == broken
            and family != known
            and all(not set(s) & set(t) for s, t in combinations(family, 2))
            and (not worse or worth(family) < worth(known))
        )  # fmt: skip
        for row, one in zip(mine, chosen, strict=True):
            row.update(
                selected=list(one),
                feature_names=[names[j] for j in one],
                train_objective=qualities.train.evaluate(one),
                test_objective=qualities.test.evaluate(one),
            )
        if run.aggregation == "none":
            if mine[-1]["status"] == "optimal":
                mine[-1].update(bound=worth(chosen))
            return
        for row in mine:
            optimal = row["status"] == "optimal"
            bound = worth(chosen) if optimal else row["run_bound"]
            row.update(run_objective=worth(chosen), run_bound=bound)

    edit(plan.search_task(key).path, change)


@pytest.mark.exhaustive
def test_studies_with_every_search_pass(capsys, plan, boxes):
    for study in (plan, boxes):
        code, said = verify(capsys, study, "--sample", "100")
        assert code == 0, said
        assert ", 0 problems, 0 files missing" in said.splitlines()[-1]
    # Of the black boxes every claim could be judged, by evaluating all sets.
    assert " 0 not checked" in said.splitlines()[-1]
    # Three searches in two folds that no solver answers for; a wrapper needs no scores.
    assert "recomputed and compared: 6 scores, qualities and shards" in said


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", SOME + exhaustive(*[n for n in NAMES if n not in SOME]))
def test_another_valid_set_is_found_by_the_sample(capsys, plan, name):
    """Nothing is wrong with the set, but the search would not have given it."""
    judged = plan.search_entries[name].make().claims in ("steps", "family")
    exchange(plan, key_of(name), worse=judged)
    text = "is better" if judged else r"row \d+: selected is .*, recomputed it is"
    if plan.search_entries[name].type == "pareto":
        text = "its sets are not the best family of the front"
    assert_named(capsys, plan, plan.search_task(key_of(name)).path, text, "--sample", "100")


@pytest.mark.parametrize("search", ["enumeration", *exhaustive("random", "local_search")])
def test_another_set_of_a_black_box_is_found_too(capsys, boxes, search):
    key = key_of(search, "greedy_wrapper")
    exchange(boxes, key, worse=search == "enumeration")
    text = "is better" if search == "enumeration" else "recomputed it is"
    assert_named(capsys, boxes, boxes.search_task(key).path, text, "--sample", "100")


@pytest.mark.parametrize("name", WITHIN)
def test_a_set_that_breaks_a_constraint_is_found_without_a_sample(capsys, plan, name):
    key = key_of(f"{name}_within")
    exchange(plan, key, broken=True)
    text = r"feature 2, which is excluded|of group|costs|is worse than"
    assert_named(capsys, plan, plan.search_task(key).path, text, "--sample", "0")


def _status(status, *, bound=False):
    def change(rows):
        for row in rows:
            if row["selected"]:
                row["status"] = status
                if bound:
                    known = "bound" if row["aggregation"] == "none" else "run_bound"
                    value = "train_objective" if known == "bound" else "run_objective"
                    row[known] = row[value]

    return change


def _overlap(rows):
    names = ("selected", "feature_names", "train_objective", "test_objective")
    rows[1].update({name: rows[0][name] for name in names})


EDITS = {
    "sets 0 and 1 have 3 features in common, 0 are": _overlap,
    "train_objective is 9.0, data and scores give": lambda r: r[0].update(train_objective=9.0),
    "test_objective is 0.25, data and scores give": lambda r: r[1].update(test_objective=0.25),
    "does not have 3 features": lambda r: r[0].update(selected=r[0]["selected"][:2]),
    "cannot know|can only know": None,
}


@pytest.mark.parametrize("text", EDITS)
@pytest.mark.parametrize("name", [SOME[0], *exhaustive(*[n for n in NAMES if n != SOME[0]])])
def test_an_edited_shard_of_any_search_is_found_without_a_sample(capsys, plan, name, text):
    change = EDITS[text]
    if change is None:
        statuses = searches.get(plan.search_entries[name].type).statuses
        if "optimal" in statuses and "feasible" in statuses:
            # The solver says what such a search can know.
            text = "proves nothing"

            def change(rows):
                rows[0].update(solver="hill_climbing", status="optimal")
        elif "optimal" in statuses:
            change = _status("feasible")
        else:
            change = _status("optimal", bound=True)
    path = plan.search_task(key_of(name)).path
    edit(path, change)
    assert_named(capsys, plan, path, text, "--sample", "0")


@pytest.mark.exhaustive
def test_claims_that_nothing_exists_are_judged(capsys, plan, boxes):
    gone = {
        "selected": [], "feature_names": [], "train_objective": None, "test_objective": None,
        "bound": None, "run_objective": None, "run_bound": None, "status": "infeasible",
        "solver": "",
    }  # fmt: skip

    def last_is_gone(rows):
        rows[3].update(gone)

    def all_are_gone(rows):
        for row in rows[:2]:
            row.update(gone)

    for study, selector in ((plan, "mutual_information"), (boxes, "greedy_wrapper")):
        for name, change in (("enumeration", last_is_gone), ("local_search", all_are_gone)):
            path = study.search_task(key_of(name, selector)).path
            before = Path(path).read_bytes()
            edit(path, change)
            assert_named(capsys, study, path, "infeasible, but there is", "--sample", "100")
            Path(path).write_bytes(before)
    path = plan.search_task(key_of("random")).path
    edit(path, last_is_gone)
    assert_named(capsys, plan, path, "infeasible, but there is", "--sample", "100")


def test_rows_that_contradict_one_another_are_found_without_a_sample(capsys, plan):
    path = plan.search_task(key_of("enumeration")).path
    before = Path(path).read_bytes()
    names = ("selected", "feature_names", "train_objective", "test_objective", "bound")

    def swap(rows):
        first, third = ({n: rows[i][n] for n in names} for i in (0, 2))
        rows[0].update(third)
        rows[2].update(first)

    edit(path, swap)
    text = "set_index 1: is better than set_index 0, which is said to be optimal"
    assert_named(capsys, plan, path, text, "--sample", "0")
    Path(path).write_bytes(before)
    path = plan.search_task(key_of("greedy_replacement")).path
    missing = {
        "selected": [], "feature_names": [], "train_objective": None, "test_objective": None,
        "status": "unknown",
    }  # fmt: skip
    edit(path, lambda rows: rows[1].update(missing))
    text = "set_index 2: status is feasible after a set that is missing"
    assert_named(capsys, plan, path, text, "--sample", "0")


BOX = BlackBox(sum, 4, 9.0)


@pytest.mark.parametrize(
    ("search", "quality", "rows", "expected"),
    [
        ("random", Linear([3, 2, 1, 0]), [("feasible", (0, 2), 5.0)], (1, 0, 0)),
        ("random", Linear([3, 2, 1, 0]), [("feasible", (0, 2), 4.5)], (0, 0, 1)),
        # One bound for all sets is one claim; that there is no third set is another.
        (
            "random", Linear([3, 2, 1, 0]),
            [("feasible", (0, 2), 5.0), ("feasible", (1, 3), 5.0), ("infeasible", (), None)],
            (2, 0, 0),
        ),
        ("random", Linear([3, 2, 1, 0]), [("feasible", (0, 2), 5.0), ("infeasible", (), None)],
         (1, 0, 1)),
        ("greedy_replacement", Linear([3, 2, 1, 0]), [("unknown", (), 4.5)], (0, 0, 1)),
        ("enumeration", BOX, [("optimal", (2, 3), 5.0)], (1, 0, 0)),
        ("enumeration", BOX, [("optimal", (0, 3), 3.0)], (0, 0, 1)),
        ("enumeration", BlackBox(sum, 4, 9.0, 3), [("optimal", (0, 3), 3.0)], (0, 1, 0)),
        ("enumeration", Linear([3, 2, 1]), [("optimal", (0, 1), 5.0), ("infeasible", (), None)],
         (2, 0, 0)),
    ],
)  # fmt: skip
def test_claims_of_other_searches_are_judged(plan, search, quality, rows, expected):
    run = stored_run(plan, key_of(search), rows)
    found = claims_of(run, quality, Limits())
    assert (found.proven, found.unchecked, len(found.wrong)) == expected


def test_a_black_box_is_proven_by_no_solver_of_others(plan):
    qualities = learn(plan.quality_task(*key_of("sequential")[:3]))
    for name, text in (("branch_and_bound", "cannot have solved"), ("guess", "is unknown")):
        run = stored_run(plan, key_of("sequential"), [("optimal", (0, 1), 1.0)], solver=name)
        run.qualities = type(qualities)(train=BOX, test=None)
        run.problem = Problem(BOX, run.n_features, run.overlap)
        wrong = list(check_promises(run))
        assert len(wrong) == 1
        assert text in wrong[0]
