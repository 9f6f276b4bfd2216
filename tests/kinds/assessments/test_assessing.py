"""Assessments of sets in a study: files, audit, table and sentences.

They take about four seconds of CPU.
"""

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from audit import assert_named, edit, results_of, verify
from made_up import make_tables
from sklearn.tree import DecisionTreeClassifier
from studies import SMALL

from altfs import AlternativeFeatures
from altfs.errors import ConfigError
from altfs.evaluation.report.columns import described
from altfs.kinds.assessments.schema import ASSESSMENT_SCHEMA
from altfs.kinds.assessments.words import sentences
from altfs.kinds.base import kinds
from altfs.study.config import parse_config
from altfs.study.qualities import qualities_of
from altfs.study.session import check_study
from altfs.study.sharding import problem_of
from altfs.study.store import read_table

PEOPLE = {"name": "people", "type": "synthetic", "options": {
    "design": "mixed", "rows": 90, "informative": 3, "combinations": 1, "noise": 6,
    "categorical_share": 0.5, "categories": 3,
}}  # fmt: skip
CONFIG = {
    **SMALL, "results": "results/assessed", "datasets": [PEOPLE, "sklearn:diabetes"],
    "selectors": ["mutual_information", "mrmr", "greedy_wrapper"], "taus": ["0.3", "0.7"],
    "searches": [
        {"name": "sequential", "n_alternatives": 2},
        {"name": "averaged", "type": "simultaneous", "n_alternatives": 1, "aggregation": "sum",
         "overlap": "average", "selectors": ["mutual_information"]},
    ],
    "assessments": {"near": 0.2, "equivalents": 0.05, "sensitive": {"people": "informative2"}},
}  # fmt: skip


def assessed(plan):
    """Return the tasks that assess sets, with the rows of their files and those of the shards."""
    tasks = [task for task in plan.tasks.values() if task.rule == "assess"]
    return [
        (task, *(read_table(Path(path))[0].to_pylist() for path in (task.path, task.shard.path)))
        for task in tasks
    ]


@pytest.fixture
def column(plan):
    return plan.config.assessments.sensitive["people"]


@pytest.mark.exhaustive
def test_near_sets_are_those_of_all_sets(plan):
    judged = set()
    for task, rows, shard in assessed(plan):
        quality = qualities_of(task.shard).train
        problem = problem_of(task.shard, quality, task.runs()[0])
        if task.search == "averaged":
            assert {row["near_at_least"] for row in rows} == {None}
            continue
        judged.add((task.dataset, task.selector))
        values = {s: quality.evaluate(s) for s in combinations(range(quality.n_total), 3)}
        best = max(values.values())
        near = [s for s, value in values.items() if value >= best - 0.2 * abs(best)]
        original = {*shard[0]["selected"]}
        most = problem.max_overlap
        rivals = [s for s in near if len(original & {*s}) <= most]
        for row in rows:
            assert row["near_at_least"] == row["near_at_most"] == len(near)
            assert row["alternatives_at_least"] == row["alternatives_at_most"] == len(rivals)
    assert len(judged) == 6


def test_equivalent_sets_are_those_of_the_library(plan):
    for task, rows, shard in assessed(plan):
        train, _ = task.parts()
        categorical = np.flatnonzero(train.categorical).tolist()
        afs = AlternativeFeatures(
            "mutual_information", n_features=3, n_shuffles=0, categorical=categorical
        )
        said = afs.fit(train.X, train.y).equivalents(alpha=0.05)
        assert {row["n_equivalent"] for row in rows} == {said.number}
        members = [{*names} for names in said.sets["feature_names"]]
        for row, found in zip(rows, shard, strict=True):
            if found["selected"]:
                names = {f"x{j}" for j in found["selected"]}
                assert row["equivalent"] == (names in members)


def test_what_sets_tell_is_that_of_predictions(plan, column):
    of_numbers = [rows for task, rows, _ in assessed(plan) if task.dataset == "diabetes"]
    assert {row["information"] for rows in of_numbers for row in rows} == {None}
    seen = 0
    for task, rows, shard in assessed(plan):
        if task.dataset != "people":
            continue
        data, (train, test) = task.data, task.parts()
        assert column not in data.feature_names
        of_rows = data.attributes[column][task.sides()[1]]
        for row, found in zip(rows, shard, strict=True):
            if not found["selected"]:
                assert row["parity"] is None
                continue
            tree = DecisionTreeClassifier(criterion="entropy", random_state=train.seed)
            tree.fit(train.X[:, found["selected"]], train.y)
            predicted = tree.predict(test.X[:, found["selected"]])
            shares, alarms = [], []
            for group in np.unique(of_rows):
                there = of_rows == group
                shares.append((predicted[there] == 1).mean())
                alarms.append([(predicted[there & (test.y == c)] == 1).mean() for c in (0, 1)])
            assert row["parity"] == pytest.approx(np.ptp(shares))
            assert row["odds"] == pytest.approx(np.ptp(alarms, axis=0).max())
            assert row["information"] >= 0 and row["chance_information"] >= 0
            assert 0 < row["chance_parity"] < 0.6
            seen += 1
    assert seen > 20


def test_the_table_has_medians_and_means_with_headings(own_results, tmp_path, monkeypatch):
    from altfs.study.session import open_study

    monkeypatch.chdir(tmp_path)
    import shutil

    plan = open_study(shutil.copytree(own_results, CONFIG["results"]))
    results = results_of(plan)
    table = make_tables(results, ["assessments"])["assessments"]
    assert all(column.meaning for column in described("assessments", table))
    rows = results.more["assessed_sets"].to_pandas()
    keys = ["dataset", "selector", "search", "tau", "set_index"]
    assert len(table) == len(rows[keys].drop_duplicates())
    for row in table.to_dict("records"):
        cells = rows[rows[keys].eq([row[key] for key in keys]).all(axis=1)]
        assert row["n_folds"] == len(cells) == 2
        for name, of in (
            ("n_near", "near_at_least"),
            ("n_near_alternatives", "alternatives_at_least"),
        ):
            assert np.array_equal(row[name], cells[of].median(), equal_nan=True)
        of_attribute = ("information", "parity", "odds")
        for name in (*of_attribute, *(f"chance_{name}" for name in of_attribute)):
            assert np.allclose(row[name], cells[name].astype(float).mean(), equal_nan=True)
    (kind,) = (kind for kind in kinds.all() if kind.name == "assessments")
    said = [*kind.sentences(table, results)]
    assert len(said) == 4
    assert all(len(sentence.split()) <= 20 for sentence in said), said
    low, high = (
        f"{end:,.1f}".removesuffix(".0") for end in (table["n_near"].min(), table["n_near"].max())
    )
    assert f"{low} to {high}" in said[0]
    assert [*sentences(table.iloc[:0].drop(columns=["n_near", "equivalent", "information"]))] == []


def fairer(rows):
    rows[0]["parity"] = 0.0


def lost_row(rows):
    del rows[-1]


def fewer(rows):
    rows[1]["near_at_most"] = 0.0


@pytest.mark.exhaustive
def test_the_audit_finds_nothing(plan, capsys):
    assert verify(capsys, plan, "--full")[0] == 0


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("change", "text", "options"),
    [
        (fairer, "parity", ("--full",)),
        (lost_row, "its rows are not those of the plan", ("--sample", "0")),
        (fewer, r"set 1: near_at_least is \d+", ("--sample", "0")),
    ],
)
def test_the_audit_names_what_is_edited(plan, capsys, change, text, options):
    task = next(task for task, *_ in assessed(plan) if task.dataset == "people")
    edit(task.path, change)
    assert_named(capsys, plan, Path(task.path), text, *options)


def test_groups_of_shards_come_before_assessments():
    plan = check_study({**CONFIG, "shards_per_job": "all"})
    for task in (task for task in plan.tasks.values() if task.rule == "assess"):
        group = plan.searches_task(task.dataset, task.fold, task.selector)
        assert group.path in task.inputs(plan)
        assert task.shard.path not in task.inputs(plan)


def test_other_studies_have_none():
    plain = {key: value for key, value in CONFIG.items() if key != "assessments"}
    assert "assessments" not in parse_config(plain).model_dump()
    assert not [task for task in check_study(plain).tasks.values() if task.rule == "assess"]
    assert "assess" not in ASSESSMENT_SCHEMA.names


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"near": -0.1}, r"assessments\.near: -0\.1 is not allowed, the least is 0"),
        ({"near": 1}, r"assessments\.near: 1 is not allowed"),
        ({"equivalents": 0}, r"assessments\.equivalents"),
        ({"sensitive": None, "near": None, "equivalents": None}, "it asks for nothing"),
        (
            {"sensitive": {"persons": "informative2"}},
            "'persons' is not one of the study's datasets",
        ),
        (
            {"sensitive": "informative2"},
            "'informative2' is not a column of dataset 'diabetes', name one of its other",
        ),
        ({"sensitive": {"diabetes": "target"}}, "'target' is the target of dataset 'diabetes'"),
        ({"sensitive": {"diabetes": "bmi"}}, r"sensitive: 'bmi' has \d+ values, use 2 to 20 gro"),
    ],
)
def test_bad_sections_are_refused(changes, said):
    with pytest.raises(ConfigError, match=said):
        check_study({**CONFIG, "assessments": {**CONFIG["assessments"], **changes}})


def test_a_study_whose_sets_are_not_compared_is_refused():
    searches = [{"name": "pareto", "n_alternatives": 1, "aggregation": "sum"}]
    changes = {"searches": searches, "selectors": ["mutual_information"]}
    with pytest.raises(ConfigError, match="no search of the study has sets that are compared"):
        check_study({**CONFIG, **changes})


def test_the_column_of_folds_is_refused():
    folds = {"type": "group", "number": 2, "column": {"people": "informative2", "diabetes": "sex"}}
    with pytest.raises(
        ConfigError, match="'informative2' is the column of the folds of dataset 'people'"
    ):
        check_study({**CONFIG, "folds": folds})
