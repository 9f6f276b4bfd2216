"""Measured rows in a study: files, audit, tables and figures."""

import sys
from dataclasses import replace

import numpy as np
import pandas as pd
import pyarrow.compute as pc
import pytest
from audit import assert_named, edit, results_of, verify
from made_up import make_tables
from marks import exhaustive
from studies import SMALL

from altfs import AlternativeAcquisition
from altfs.catalogue import figures, tables
from altfs.errors import AltfsError, ConfigError
from altfs.evaluation.figures import make_figure
from altfs.evaluation.report.columns import described
from altfs.kinds.acquisition.audit import judge_values
from altfs.kinds.acquisition.kind import has_acquisition
from altfs.kinds.acquisition.measuring import costs_of, measured_fold
from altfs.selectors.row_wise import drawn_places
from altfs.study.config import parse_config
from altfs.study.cross_validation import Folds
from altfs.study.facts import gather_facts
from altfs.study.session import check_study
from altfs.study.store import read_table

MADE = {"name": "made", "type": "synthetic", "options": {"design": "xor_context", "rows": 80}}
CONFIG = {
    **SMALL, "results": "results/acquired", "datasets": [MADE, "sklearn:iris"],
    "selectors": ["mutual_information"], "n_features": 2, "taus": ["0.5"],
    "searches": [{"name": "sequential", "n_alternatives": 1}],
    "acquisition": {
        "methods": ["static", "stopping", "greedy", "plan",
                    {"name": "proven", "type": "exact", "options": {"min_rows": 4}}],
        "budgets": [6], "prices": [0.05], "costs": "random", "rows": 12,
    },
}  # fmt: skip
METHODS = {"static", "stopping", "greedy", "plan", "proven"}
TABLES = ["acquisition", "acquisition_features"]
FIGURES = [name for name in figures.names() if name.startswith("acquisition_")]


def tasks_of(plan):
    return [task for task in plan.tasks.values() if task.rule == "acquire"]


def test_there_is_a_task_for_each_fold_method_and_limit(plan):
    places = {(t.dataset, t.fold, t.method, t.limit) for t in tasks_of(plan)}
    limits = ("budget-6", "price-0.05")
    expected = {("made", f, m, x) for f in (0, 1) for m in METHODS for x in limits}
    # It is for two classes.
    others = METHODS - {"stopping"}
    assert places == expected | {("iris", f, m, x) for f in (0, 1) for m in others for x in limits}


def test_the_rows_are_those_of_the_library(plan):
    for task in tasks_of(plan):
        if task.fold:
            continue
        frame = read_table(task.path)[0].to_pandas()
        dataset = task.data
        train, test = Folds(number=2).split(dataset, SMALL["seed"])[0]
        rows = test[drawn_places(len(test), 12, SMALL["seed"])]
        assert frame["row"].unique().tolist() == rows.tolist()
        mode, number = task.limit.split("-")
        limits = {"budget": 6, "price": 0.0001} if mode == "budget" else {"price": float(number)}
        costs = costs_of("random", dataset.feature_names, SMALL["seed"])
        acquisition = AlternativeAcquisition(
            {"type": task.component.type, "options": task.component.options}, costs=costs, **limits
        ).fit(dataset.X[train], dataset.y[train])
        run = acquisition.simulate(dataset.X[rows], dataset.y[rows])
        expected = run.rows()
        numbers = expected["feature"].map(lambda name: np.nan if name is None else int(name[1:]))
        assert np.array_equal(frame["feature"], numbers, equal_nan=True)
        for name in ("spent", "answer", "certainty", "value", "switch", "status", "step"):
            assert frame[name].tolist() == pytest.approx(expected[name].tolist(), nan_ok=True)
        ends = frame[frame["feature"].isna()]
        assert ends["correct"].mean() == run.accuracy
        assert (ends["truth"].to_numpy() == dataset.y[ends["row"]]).all()
        assert frame["feature_name"].dropna().isin(dataset.feature_names).all()
        # What is measured first has the same outage in every row.
        first = frame[frame["step"] == 0]
        if first["feature"].notna().all():
            assert first["outage"].iloc[0] == acquisition.next().outage


def test_the_steps_of_a_budget_are_planned_by_the_costs(plan):
    task = next(t for t in tasks_of(plan) if (t.dataset, t.limit) == ("made", "budget-6"))
    for costs, cost in (("unit", 1.0), ("random", 1.5), ({"a": 1, "b": 5}, 3.0), ({"a": 0}, 1e-9)):
        measurements = min(6 / cost, plan.facts["made"].n_total)
        changed = task.model_copy(update={"costs": costs})
        assert changed.units(plan) == 12 * (1 + measurements)
        assert changed.model_copy(update={"limit": "price-0.05"}).units(plan) == 12 * 4


def dearer(rows):
    rows[0]["cost"] += 1


def known_twice(rows):
    step = next(i for i, row in enumerate(rows) if row["step"] == 1 and row["feature"] is not None)
    for name in ("feature", "feature_name", "cost"):
        rows[step][name] = rows[step - 1][name]


def lied(rows):
    next(row for row in rows if row["correct"] is not None)["correct"] ^= True


def better(rows):
    rows[0]["value"] -= 0.01


def lost(rows):
    del rows[-1]


@pytest.mark.parametrize(
    ("change", "text", "options"),
    [
        (dearer, "cost is", ("--sample", "0")),
        *exhaustive(
            (better, "row 0: value is", ("--full",)),
            (known_twice, "is known or another feature", ("--sample", "0")),
            (lied, "correct is", ("--sample", "0")),
            (lost, "is not the next step", ("--sample", "0")),
        ),
    ],
)
def test_the_audit_names_what_is_edited(plan, capsys, change, text, options):
    path = next(
        t.path for t in tasks_of(plan)
        if (t.dataset, t.method, t.limit) == ("made", "proven", "budget-6")
    )  # fmt: skip
    edit(path, change)
    assert_named(capsys, plan, path, text, *options)


@pytest.mark.exhaustive
def test_the_audit_judges_proven_values_by_recursion(plan, capsys):
    code, said = verify(capsys, plan)
    assert code == 0, said
    assert "acquisition        36        0        0" in said
    for task in tasks_of(plan):
        if task.method == "proven" and task.fold == 0:
            table, fold = read_table(task.path)[0], measured_fold(task)
            assert [*judge_values(fold, table)] == []
            # A claim that is too good is found, whatever the method says.
            rows = table.to_pylist()
            for row in rows:
                row["value"] -= 0.01
            assert [*judge_values(fold, table.from_pylist(rows, schema=table.schema))]


@pytest.mark.exhaustive
def test_tables_and_figures_are_those_of_plain_loops(plan):
    results = results_of(plan)
    built = make_tables(results, TABLES)
    assert all(c.meaning for name, table in built.items() for c in described(name, table))
    rows = results.more["acquisition_steps"].to_pandas()
    keys = ["dataset", "method", "limit"]
    table = built["acquisition"]
    for key, group in rows.groupby(keys):
        ends = group[group["feature"].isna()]
        [found] = table[table[keys].eq(list(key)).all(axis=1)].to_dict("records")
        folds = [ends[ends["fold"] == fold] for fold in (0, 1)]
        assert found["n"] == len(ends) == 24
        assert found["accuracy"] == pytest.approx(np.mean([f["correct"].mean() for f in folds]))
        assert found["cost"] == pytest.approx(np.mean([f["spent"].mean() for f in folds]))
        assert found["measurements"] == pytest.approx(np.mean([f["step"].mean() for f in folds]))
        features = built["acquisition_features"]
        part = features[features[keys].eq(list(key)).all(axis=1)].set_index("feature")
        taken = group[group["feature"].notna()]
        for name, cells in taken.groupby("feature_name"):
            assert part.loc[name, "n"] == len(cells)
            assert part.loc[name, "share"] == pytest.approx(len(cells) / 24)
            assert part.loc[name, "step"] == pytest.approx(cells["step"].mean() + 1)
            assert part.loc[name, "outage"] == pytest.approx(cells["outage"].mean())
    means = table[(table["limit"] == "mean") & (table["mode"] == "budget")]
    # `stopping` lacks iris, so there is no mean over both datasets.
    assert len(means) == 9
    steps = results.more["acquisition_steps"]
    several = steps.filter(pc.not_equal(steps["method"], "stopping"))
    results_of_four = replace(results, more={**results.more, "acquisition_steps": several})
    table = make_tables(results_of_four, TABLES)["acquisition"]
    first = table[table["dataset"] == "mean of 2"]
    assert len(first) == 4 * 4 and first.index.tolist() == list(range(16))
    for _, row in first.iterrows():
        same = ["method", "mode", "limit"]
        of_both = table[table[same].eq(row[same]).all(axis=1)].iloc[1:]
        assert of_both["dataset"].tolist() == ["iris", "made"] and row["n"] == 48
        assert row["accuracy"] == pytest.approx(of_both["accuracy"].mean())
    for name in FIGURES:
        figure = make_figure(name, results, built)
        assert not figure.usermeta.get("absent") and figure.to_dict()
    assert len(FIGURES) == 3


def test_other_studies_have_none_of_it():
    without = {key: value for key, value in CONFIG.items() if key != "acquisition"}
    config = parse_config(without)
    assert not has_acquisition(config)
    assert not {*TABLES} & {*tables.order(config)} and not {*FIGURES} & {*figures.order(config)}


@pytest.mark.parametrize(
    ("section", "said"),
    [
        ({"methods": [{"type": "plan", "options": 1}]}, "options: 1 is not allowed, use a mapping"),
        ({"methods": ["exakt"]}, "'exakt' is not a known method, did you mean 'exact'?"),
        ({"methods": ["plan", "plan"]}, "'plan' is listed twice, give it another name"),
        ({"methods": [{"type": "exact", "options": {"bins": 1}}]}, "bins: 1 is not allowed"),
        ({"budgets": []}, "there are neither budgets nor prices, give one of them"),
        ({"budgets": [0]}, "0 is not allowed"),
        ({"costs": "dear"}, "acquisition.costs"),
        ({"model": "bayes"}, "'bayes' is not a known model"),
        ({"rows": 0}, "acquisition.rows: 0 is not allowed"),
        ({"methods": ["gdfs"], "prices": [0.1]}, "'gdfs' stops by a budget alone, there are"),
    ],
)
def test_wrong_sections_are_refused(section, said):
    with pytest.raises(ConfigError) as error:
        parse_config({**CONFIG, "acquisition": section})
    assert said in str(error.value)


def test_datasets_that_cannot_be_measured_are_refused(elsewhere):
    with pytest.raises(ConfigError, match="its target has numbers, and acquisition is for classes"):
        check_study({**CONFIG, "datasets": ["sklearn:diabetes"]})
    costs = {"acquisition": {"costs": {"x1": 1}}}
    with pytest.raises(ConfigError, match="'x2' has none, give one for every"):
        check_study({**CONFIG, "datasets": [MADE], **costs})


def test_a_missing_library_is_named_before_anything_runs(elsewhere, monkeypatch):
    # Python takes such a module for one that is not there.
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(AltfsError, match="acquisition: the study needs the library torch, which"):
        check_study({**CONFIG, "acquisition": {"methods": ["static", "dime"]}})


def test_folds_by_group_are_refused(tmp_path):
    random = np.random.default_rng(0)
    frame = pd.DataFrame(random.normal(size=(40, 4)), columns=list("abcd"))
    frame = frame.assign(patient=np.arange(40) // 4, y=np.arange(40) // 4 % 2)
    frame.to_csv(tmp_path / "d.csv", index=False)
    options = {"path": str(tmp_path / "d.csv"), "target": "y"}
    entry = {"name": "d", "type": "file", "options": options}
    folds = {"type": "group", "number": 3, "column": "patient"}
    content = {**SMALL, "datasets": [entry], "folds": folds, "n_features": 2, "acquisition": {}}
    with pytest.raises(ConfigError, match=r"acquisition: its methods hold rows out one by one"):
        gather_facts(parse_config(content))
