"""State of the files of a study, and its words."""

import io
import json
import os
import shutil
from pathlib import Path

import pytest
from audit import SEQUENTIAL, edit
from rich.console import Console
from studies import SMALL

from altfs.commands.main import main
from altfs.commands.report import report
from altfs.study import plan as module_of_plan
from altfs.study.config import parse_config
from altfs.study.costs import disk_bytes
from altfs.study.cross_validation import Folds
from altfs.study.facts import gather_facts
from altfs.study.forecast import as_data as forecast
from altfs.study.forecast import next_paths
from altfs.study.plan import Plan
from altfs.study.session import open_study
from altfs.study.state import (
    Ledger,
    count,
    evaluation_jobs,
    look_at_files,
    look_at_logs,
    look_at_report,
    outdated_files,
)
from altfs.study.status import as_data, as_text, outcome
from altfs.study.store import read_metadata
from altfs.study.task import hash_of
from altfs.study.tasks import task_types


def state_of(plan):
    state = look_at_files(plan, Ledger(plan.results))
    look_at_logs(state)
    return state


def standings(state, kind="search"):
    return as_data(state)["tasks"][kind]


def test_every_file_of_the_plan_is_a_task_once(finished):
    listed = list(finished.tasks.values())
    assert len({task.path for task in listed}) == len(listed)
    on_disk = {str(p) for p in Path(finished.results).rglob("*.parquet")}
    assert {task.path for task in listed} == on_disk
    # Its rows are neither explained nor measured, and its sets are not assessed; tests/kinds/ has
    # studies that do it. It has a job for each shard, and its predictions are too few for parts.
    others = {"explain", "acquire", "assess", "predict_part", "searches"}
    assert {task.rule for task in listed} == {one.rule for one in task_types()} - others


def test_a_finished_study_is_done(finished):
    state = state_of(finished)
    assert state.complete
    assert standings(state)["done"] == sum(standings(state).values()) == 24
    # There are no tables yet.
    assert as_data(state)["report"] == "missing"
    assert not as_data(state)["complete"]
    assert next_paths(state) == set()


@pytest.mark.parametrize(
    ("harm", "standing"),
    [
        (lambda path: path.unlink(), "missing"),
        (lambda path: path.write_bytes(path.read_bytes()[:-50]), "damaged"),
        (lambda path: path.write_bytes(b""), "damaged"),
        (lambda path: edit(path, lambda rows: rows[0].update(work=7), digest=False), "damaged"),
    ],
)
def test_what_happened_to_a_shard(finished, harm, standing):
    path = Path(finished.search_task(SEQUENTIAL).path)
    state_of(finished)
    harm(path)
    state = state_of(finished)
    assert standings(state) == {
        **dict.fromkeys(("running", "failed", "damaged", "stale", "missing"), 0),
        "done": 23,
        standing: 1,
    }
    assert state.to_recompute() == [str(path)]
    predictions = finished.predict_task("wine", 0, "decision_tree").path
    assert next_paths(state) == {str(path), predictions}


def test_other_settings_make_what_depends_on_them_stale(finished):
    changed = finished.config.model_copy(update={"seed": 26})
    state = state_of(Plan(changed, finished.facts))
    assert standings(state)["stale"] == 24
    assert standings(state, "data")["done"] == 1


def test_the_ledger_saves_reading_and_misses_no_change(finished, monkeypatch):
    from altfs.study import state as module

    read = []
    real = module.read_whole
    monkeypatch.setattr(module, "read_whole", lambda path: read.append(str(path)) or real(path))
    ledger = Ledger(finished.results)
    look_at_files(finished, ledger)
    n_files = len(finished.tasks)
    assert len(read) == n_files
    ledger.save()
    again = Ledger(finished.results)
    look_at_files(finished, again)
    assert len(read) == n_files
    path = Path(finished.search_task(SEQUENTIAL).path)
    os.utime(path)
    assert look_at_files(finished, again).complete
    assert read[n_files:] == [str(path)]
    # In another place everything is read once more.
    other = Path(finished.results).parent / "other"
    shutil.copytree(finished.results, other)
    moved = Plan(finished.config.model_copy(update={"results": other}), finished.facts)
    assert look_at_files(moved, Ledger(other)).complete
    assert len(read) == 2 * n_files + 1


@pytest.mark.parametrize("content", ["", "[]", '{"files": 3}', '{"schema_version": 0}', "\0"])
def test_a_damaged_ledger_is_no_ledger(finished, content):
    Path(finished.results, ".whole.json").write_text(content)
    assert state_of(finished).complete


def test_failures_are_told_from_what_was_never_begun(finished):
    listed = list(finished.shards())[:5]
    said = [
        'Traceback (most recent call last):\n  File "x.py", line 1, in f\nValueError: no\n',
        "Job failed: KilledWorker: three workers died\n",
        "12 feature sets, 3 of them new\n",
        # Ctrl-C while Python begins.
        'Traceback (most recent call last):\n  File "<frozen x>", line 1\nKeyboardInterrupt\n',
        "Traceback (most recent call last):\n  File 'gc.py', line 199, in _gc_callback\n"
        "snakemake_executor_plugin_dask.call.TaskCancelled: \n",
    ]
    for task, text in zip(listed, said, strict=True):
        Path(task.path).unlink()
        log = Path(task.log)
        log.parent.mkdir(parents=True, exist_ok=True)
        log.write_text(text)
    state = state_of(finished)
    assert standings(state)["failed"] == 2
    assert standings(state)["missing"] == 3
    assert [failure.reason for failure in state.failures] == [
        "ValueError: no",
        "KilledWorker: three workers died",
    ]


@pytest.fixture
def reported(reported_results, tmp_path):
    """The plan of a copy of a finished study with tables, figures and the page."""
    return open_study(shutil.copytree(reported_results, tmp_path / "reported"))


def test_a_report_is_done_wherever_it_lies(reported):
    state = state_of(reported)
    assert as_data(state)["report"] == "done"
    assert as_data(state)["complete"]
    assert look_at_report(state).to_recompute() == []
    tables = [p for p in reported.evaluation_paths() if p.endswith(".parquet")]
    hashes = {read_metadata(Path(path))["task_hash"] for path in tables}
    assert hashes == {hash_of(reported.evaluation)}


@pytest.mark.parametrize(
    "file",
    ["tables/feature_sets.parquet", "tables/quality.csv", "tables/feature_sets/wine.parquet",
     "figures/solver_time.svg", "report.html"],
)  # fmt: skip
@pytest.mark.parametrize(
    "harm",
    [
        lambda path: path.write_bytes(path.read_bytes()[:-50]),
        lambda path: path.write_bytes(path.read_bytes()[:-1] + b"7"),
    ],
)
def test_what_happened_to_what_the_evaluation_made(reported, file, harm):
    path = Path(reported.results, file)
    times = path.stat().st_atime_ns, path.stat().st_mtime_ns
    harm(path)
    os.utime(path, ns=times)
    state = state_of(reported)
    there = look_at_report(state)
    assert (there.state, there.damaged) == ("damaged", [str(path)])
    assert there.to_recompute() == list(dict.fromkeys([str(path), there.page]))
    assert as_data(state)["damaged"] == [str(path)]
    assert forecast(state)["report"] == "damaged"


@pytest.mark.parametrize("note", [None, "", "[]", '{"files": 3}', "\0"])
def test_a_report_of_which_nothing_is_noted_is_made_again(reported, note):
    if note is None:
        Path(reported.evaluated_path()).unlink()
    else:
        Path(reported.evaluated_path()).write_text(note)
    there = look_at_report(state_of(reported))
    assert there.state == "stale"
    assert there.to_recompute() == [reported.collected_portion(name)[0] for name in reported.facts]


@pytest.mark.exhaustive
def test_a_change_of_the_evaluation_makes_the_report_stale(reported, monkeypatch, capsys):
    real = module_of_plan.code_hash

    def changed(*modules):
        return "changed" if "altfs.evaluation.task" in modules else real(*modules)

    monkeypatch.setattr(module_of_plan, "code_hash", changed)
    assert main(["status", reported.results]) == 1
    assert "the report is out of date" in capsys.readouterr().out
    assert main(["plan", reported.results]) == 0
    said = capsys.readouterr().out
    assert "The next run would make only tables, figures and the report." in said
    # Made without Snakemake it is up to date again.
    report(reported.results)
    assert main(["status", reported.results]) == 0


def test_other_results_make_the_report_stale(reported):
    Path(reported.search_task(SEQUENTIAL).path).unlink()
    assert look_at_report(state_of(reported)).state == "stale"
    Path(reported.results, "report.html").unlink()
    there = look_at_report(state_of(reported))
    # Snakemake makes it by itself.
    assert (there.state, there.to_recompute()) == ("missing", [])


@pytest.mark.parametrize(
    "rule", ["collect/wine", "combine", "tables/quality", "figures/solver_time", "report"]
)
def test_a_failure_of_the_last_tasks_is_told(finished, rule, capsys):
    log = Path(finished.results, "logs", f"{rule}.log")
    log.parent.mkdir(parents=True, exist_ok=True)
    log.write_text("Traceback (most recent call last):\n  File 'x'\nMemoryError: too much\n")
    (told,) = as_data(state_of(finished))["failures"]
    assert (told["kind"], told["reason"], told["log"]) == (
        rule.split("/")[0], "MemoryError: too much", str(log)
    )  # fmt: skip
    assert main(["status", finished.results]) == 1
    said = capsys.readouterr().out
    assert f"failed: {rule.replace('/', ', ')}\n  MemoryError: too much\n" in said
    assert "there is no report yet" in said


def test_a_failure_that_was_made_good_is_not_told(reported):
    log = Path(reported.results, "logs", "report.log")
    log.parent.mkdir(exist_ok=True)
    log.write_text("Traceback (most recent call last):\nMemoryError: too much\n")
    assert as_data(state_of(reported))["failures"] == []


def test_status_and_plan_on_the_command_line(finished, capsys):
    Path(finished.search_task(SEQUENTIAL).path).unlink()
    assert main(["status", finished.results]) == 1
    said = capsys.readouterr().out
    assert "7/8" in said
    assert "there is no report yet" in said
    assert main(["plan", finished.results]) == 0
    said = capsys.readouterr().out
    assert "24 shards with" in said
    assert "The next run, about: 1 core" in said
    assert main(["plan", "--json", finished.results]) == 0
    plan = json.loads(capsys.readouterr().out)
    assert plan["tasks"]["search"]["next_tasks"] == 1
    assert plan["tasks"]["predict"]["next_tasks"] == 1
    assert plan["tasks"]["data"]["next_tasks"] == 0
    assert main(["status", "nowhere"]) == 2
    assert "nowhere" in capsys.readouterr().err


def test_the_plan_counts_tables_figures_and_the_report(finished, reported):
    there = forecast(state_of(finished))["tasks"]["evaluation"]
    n_jobs = sum(1 for _ in evaluation_jobs(finished))
    assert there["tasks"] == there["next_tasks"] == n_jobs > 30
    # Each draws, writes or reads for a tenth of a second or longer.
    assert 3600 * there["next_cpu_hours"] > n_jobs / 10
    assert forecast(state_of(reported))["tasks"]["evaluation"]["next_tasks"] == 0


def test_the_last_line_of_a_run_names_the_report_and_what_failed(finished, reported):
    n_tasks, n_jobs = len(reported.tasks), sum(1 for _ in evaluation_jobs(reported))
    n = n_tasks + n_jobs
    assert outcome(reported, False, {}) == (
        f"Report: {reported.report_path()} ({n} of {n} tasks done, 0 failed)"
    )
    task = finished.search_task(SEQUENTIAL)
    Path(task.path).unlink()
    Path(task.log).parent.mkdir(parents=True, exist_ok=True)
    Path(task.log).write_text("Job failed: KilledWorker: three workers died\n")
    done = f"{n_tasks - 1} of {n} tasks done, 1 failed"
    assert outcome(finished, False, {}) == (
        f"No report: {done}; see altfs status {finished.results}"
    )
    assert outcome(finished, True, {}) == f"Stopped: {done}; the same command continues the study."


def test_the_last_line_of_a_run_counts_no_file_that_is_still_out_of_date(reported):
    n_jobs = sum(1 for _ in evaluation_jobs(reported))
    n = len(reported.tasks) + n_jobs
    content = {**reported.config.model_dump(mode="json"), "seed": 7}
    other = Plan(parse_config(content), gather_facts(parse_config(content)))
    state = state_of(other)
    outdated = outdated_files(state, look_at_report(state))
    n_data = sum(task.rule == "data" for task in other.tasks.values())
    assert outcome(other, True, outdated) == (
        f"Stopped: {n_data} of {n} tasks done, 0 failed; the same command continues the study."
    )
    assert outcome(other, False, outdated).startswith(f"No report: {n_data} of {n}")
    # A file that was made again since has another stamp.
    task = next(task for task in other.tasks.values() if task.rule == "search")
    os.utime(task.path)
    assert f"{n_data + 1} of {n} tasks done" in outcome(other, True, outdated)


@pytest.mark.parametrize("width", [80, 200])
def test_words_of_the_status_are_whole(finished, width):
    selectors = ["mutual_information", "greedy_wrapper", "permutation_importance", "fcbf", "rar"]
    cells = [
        {"dataset": dataset, "selector": selector, **count(["done"] * 7 + ["failed"])}
        for dataset in ("breast_cancer_of_wisconsin", "wine")
        for selector in selectors
    ]
    said = io.StringIO()
    data = {**as_data(state_of(finished)), "shards": cells}
    as_text(data, Console(file=said, width=width))
    lines = said.getvalue().splitlines()
    assert max(map(len, lines)) <= width
    assert {*selectors} <= {*said.getvalue().split()}
    assert sum(line.count("7/8, 1 failed") for line in lines) == len(cells)
    assert sum("shards done of expected" in line for line in lines) == (3 if width == 80 else 1)


def test_the_disk_is_what_the_folder_takes(reported):
    there = sum(path.stat().st_blocks * 512 for path in Path(reported.results).rglob("*"))
    assert 0.5 < forecast(state_of(reported))["disk_mb"] * 1e6 / there < 2


def test_wide_pair_scores_take_most_of_the_disk(finished):
    facts = finished.facts["wine"].model_copy(update={"n_total": 1_000})
    selectors = parse_config({**SMALL, "selectors": ["mrmr"]}).selectors
    config = finished.config.model_copy(update={"selectors": selectors})
    wide = Plan(config, {"wine": facts})
    scores = [task for task in wide.tasks_of_fold("wine", 0) if task.kind == "score"]
    pairs = [task for task in scores if task.of.key.of_pairs]
    # What a matrix of random numbers takes in such files, whole and in parts.
    per_score = 2 * 9.1e6
    expected = len({t.detail for t in pairs}) * per_score
    assert disk_bytes(wide, pairs) - disk_bytes(wide, []) == pytest.approx(expected, rel=0.1)


def test_costs_grow_with_the_study(finished):
    state = state_of(finished)
    less = forecast(state)
    bigger = finished.config.model_copy(update={"folds": Folds(number=4)})
    more = forecast(state_of(Plan(bigger, finished.facts)))
    assert more["shards"] == 2 * less["shards"]
    assert more["cpu_hours"] > less["cpu_hours"] > 0
    assert more["disk_mb"] > less["disk_mb"] > 0
