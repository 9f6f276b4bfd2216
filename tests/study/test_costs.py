"""Seconds of tasks, learned from measured ones."""

import json
import re
import shutil

import numpy as np
import pytest

from altfs.commands.main import main
from altfs.study.costs import measured, task_seconds
from altfs.study.plan import Plan
from altfs.study.store import cpu_seconds_and_rows
from altfs.study.times import TABLE, Measured, Times

KIND = ("predict", "mine")
SIZES = [(100.0, 10.0, 5.0), (1000.0, 10.0, 50.0), (1000.0, 200.0, 5.0), (20000.0, 40.0, 900.0)]


def seconds(size):
    return 1e-4 * size[0] * size[1] ** 0.5 * size[2] ** 0.3


def test_a_kind_of_unknown_time_is_learned_from_the_studys_own_tasks():
    assert Times().seconds(KIND, SIZES[0], "d") is None
    times = Times([Measured(KIND, size, seconds(size), str(size)) for size in SIZES])
    # What was measured stays, and other datasets follow the powers.
    assert times.seconds(KIND, SIZES[0], str(SIZES[0])) == pytest.approx(seconds(SIZES[0]))
    other = (5000.0, 60.0, 100.0)
    assert times.seconds(KIND, other, "other") == pytest.approx(seconds(other), rel=0.5)
    # So do other options, but no other component.
    assert times.seconds((*KIND, '{"a": 1}'), other, "d") == times.seconds(KIND, other, "d")
    assert times.seconds(("predict", "other"), other, "d") is None


def test_another_machine_is_learned_from_all_kinds():
    content = json.loads(TABLE.read_text())["seconds"]
    kinds = [tuple(kind.split("|")) for kind in content if kind.startswith("predict")]
    size = SIZES[1]
    slower = [Measured(kind, size, 3 * Times().seconds(kind, size, ""), "d") for kind in kinds]
    kind = ("score", "relevance", "auto")
    assert 1.8 < Times(slower).seconds(kind, size, "d") / Times().seconds(kind, size, "d") <= 3.01


def test_the_tables_laws_are_near_its_points():
    content = json.loads(TABLE.read_text())["seconds"]
    errors = [
        np.log(Times().seconds(tuple(kind.split("|")), tuple(size), str(size)) / each)
        for kind, points in content.items()
        for *size, each in points
        if each > 0.01
    ]
    assert np.quantile(np.abs(errors), 0.8) < np.log(2)


def test_finished_tasks_tell_their_time(finished):
    task = finished.predict_task("wine", 0, "decision_tree")
    spent, rows = cpu_seconds_and_rows(task.path)
    points = {point.kind: point for point in measured(finished)}
    point = points["predict", "decision_tree"]
    assert point.size == finished.facts["wine"].size
    per_set = [
        cpu / rows for cpu, rows in (cpu_seconds_and_rows(t.path) for t in finished.tasks.values()
        if t.rule == "predict")
    ]  # fmt: skip
    assert point.seconds == pytest.approx(sum(per_set) / len(per_set))
    assert task_seconds(finished, task, Times([point])) == pytest.approx(
        point.seconds * task.units(finished)
    )
    assert 0 < spent < 60
    assert rows > 0


def test_out_of_date_tasks_count_and_damaged_ones_do_not(finished):
    before = {point.kind for point in measured(finished)}
    changed = Plan(finished.config.model_copy(update={"seed": 26}), finished.facts)
    assert {point.kind for point in measured(changed)} == before
    for task in finished.tasks.values():
        if task.rule == "predict":
            with open(task.path, "wb"):
                pass
    assert {point.kind[0] for point in measured(finished)} == {k[0] for k in before} - {"predict"}


def test_a_plan_names_what_it_does_not_know(finished, capsys, monkeypatch):
    assert main(["plan", finished.results]) == 0
    assert "unknown" not in capsys.readouterr().out
    monkeypatch.setattr("altfs.study.times._table", dict)
    shutil.rmtree(f"{finished.results}/predictions")
    assert main(["plan", finished.results]) == 0
    assert "And 2 tasks of unknown time: decision_tree." in capsys.readouterr().out
    assert main(["plan", "--json", finished.results]) == 0
    assert json.loads(capsys.readouterr().out)["next_unknown"] == {"decision_tree": 2}


def test_a_kind_with_times_of_its_own_is_not_mixed_with_more_special_ones():
    plain, special = Measured(KIND, SIZES[0], 0.2, "d"), Measured((*KIND, "{}"), SIZES[0], 5, "d")
    other = Times([plain, special])
    assert other.seconds(KIND, SIZES[0], "e") == pytest.approx(0.2)
    assert other.seconds((*KIND, "{}"), SIZES[0], "e") == pytest.approx(5)
    assert Times([special]).seconds(KIND, SIZES[0], "e") == pytest.approx(5)


def test_floors_of_shuffled_targets_are_a_kind_of_work(finished):
    task = finished.quality_task("wine", 0, "mutual_information")
    assert finished.config.n_shuffles == 20
    assert (task.work, task.units(finished)) == (("quality", "mutual_information", "floors"), 1.0)
    without = finished.config.model_copy(update={"n_shuffles": 0})
    task = Plan(without, finished.facts).quality_task("wine", 0, "mutual_information")
    assert (task.work, task.units(finished)) == (("quality", "mutual_information"), 1.0)
    more = finished.config.model_copy(update={"n_shuffles": 100})
    assert Plan(more, finished.facts).quality_task("wine", 0, "mutual_information").units_in(9) == 5


def test_no_line_of_a_plan_ends_between_a_number_and_its_unit(finished, capsys, monkeypatch):
    for columns in range(40, 100, 7):
        monkeypatch.setenv("COLUMNS", str(columns))
        assert main(["plan", finished.results]) == 0
        lines = capsys.readouterr().out.splitlines()
        begin = next(i for i, line in enumerate(lines) if "feature sets" in line)
        assert not [line for line in lines[begin:] if re.match(r"(s|min|h|MB|cores?)\b", line)]
        assert max(map(len, lines[begin:])) <= columns


def test_the_best_worst_set_is_a_kind_of_work(finished):
    task = next(finished.shards("wine", 0))
    both = task.model_copy(update={"entry": {**task.entry, "aggregation": ["sum", "min"]}})
    assert both.work == (*task.work, "min")
