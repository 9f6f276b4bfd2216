"""Long runs in which workers die, disks fill up, files are damaged and jobs fail."""

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time

import psutil
import pyarrow.parquet as pq
import pytest
from audit import FIGURES, TABLES
from snakemake_runs import wait_for, wait_until_gone
from test_interruptions import (
    N_SHARDS,
    SHARDS,
    STUDY,
    assert_found,
    assert_it_goes_on,
    start_and_wait,
)
from test_runs import assert_same, contents
from workspaces import ROOT

from altfs.commands.main import main
from altfs.study.store import SCHEMA_VERSION

pytestmark = pytest.mark.study


def jobs_of(output):
    """Job counts by rule, as Snakemake announces them."""
    found = dict(re.findall(r"^([a-z_]+) +(\d+)$", output, re.MULTILINE))
    return {rule: int(number) for rule, number in found.items() if rule not in ("total", "all")}


def scheduler_of(process):
    """The process of the Dask scheduler that a running Snakemake has started."""
    (scheduler,) = wait_for(lambda: _spawned_by(process.pid), process)
    return scheduler


def workers_of(process):
    """The Dask workers of a running Snakemake."""
    scheduler = scheduler_of(process)
    return wait_for(lambda: _spawned_by(scheduler.pid), process)


def _spawned_by(pid):
    spawned = []
    for child in psutil.Process(pid).children():
        # A program that Snakemake asks for something may have ended since.
        with contextlib.suppress(psutil.Error):
            if any("spawn_main" in part for part in child.cmdline()):
                spawned.append(child)
    return spawned


@pytest.mark.exhaustive
def test_a_worker_killed_in_the_middle_of_a_task_is_replaced(workspace, reported_results):
    work = workspace(**STUDY)
    process = start_and_wait(work, 6, *SHARDS)
    victim = workers_of(process)[0]
    victim.kill()
    output, _ = process.communicate(timeout=300)
    assert process.returncode == 0, output
    assert_found(work, reported_results, *SHARDS)


def start_dask(file, scratch):
    """A scheduler and one worker, as somebody else might start them."""
    places = {"cwd": ROOT, "stderr": subprocess.DEVNULL}
    started = []
    for kind, options in {
        "scheduler": ["--port", "0"],
        "worker": ["--nthreads", "1", "--death-timeout", "5", "--local-directory", str(scratch)],
    }.items():
        command = [sys.executable, "-m", f"distributed.cli.dask_{kind}", "--no-dashboard"]
        started.append(
            subprocess.Popen([*command, "--scheduler-file", str(file), *options], **places)
        )
    return started


@pytest.mark.exhaustive
def test_a_scheduler_that_is_killed_ends_the_run_and_the_next_one_finishes(
    workspace, reported_results
):
    work = workspace(**STUDY)
    file = work.folder / "scheduler.json"
    scheduler, worker = start_dask(file, work.folder / "scratch")
    try:
        while not file.exists():
            time.sleep(0.1)
        process = work.start("--cores", "2", "--dask-scheduler-file", str(file))
        end = time.monotonic() + 120
        while len(work.shards()) < 5 and process.poll() is None and time.monotonic() < end:
            time.sleep(0.05)
        scheduler.kill()
        output, _ = process.communicate(timeout=120)
    finally:
        for started in (scheduler, worker):
            started.terminate()
            started.wait(timeout=60)
    assert process.returncode != 0
    assert "The Dask scheduler" in output, output
    assert "Traceback" not in output, output
    assert_it_goes_on(work, reported_results, *SHARDS)


@pytest.mark.exhaustive
def test_a_scheduler_of_the_runs_own_that_is_killed_ends_it_too(workspace, reported_results):
    work = workspace(**STUDY)
    process = start_and_wait(work, 6)
    scheduler_of(process).kill()
    output, _ = process.communicate(timeout=120)
    assert process.returncode != 0
    assert "The Dask scheduler" in output, output
    assert "Traceback" not in output, output
    assert wait_until_gone(work.folder) == []
    assert len(work.shards()) < N_SHARDS
    work.run("--cores", "2", *SHARDS)
    assert_found(work, reported_results, *SHARDS)


@pytest.fixture
def small_disk(tmp_path):
    """A folder with a disk of its own, of 300 kilobytes."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=300k", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(mount, check=False).returncode != 0:
        if os.environ.get("CI"):
            pytest.fail("a full disk needs a file system of its own, run the tests as root")
        pytest.skip("only root can mount a small file system")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


@pytest.mark.exhaustive
def test_a_full_disk_loses_nothing_that_was_finished(workspace, small_disk, reported_results):
    work = workspace(**{**STUDY, "results": str(small_disk / "small")})
    output = work.run(ok=False)
    assert "No space left on device" in output
    assert not [p for p in work.results.rglob("*") if p.name.endswith(".partial")]
    subprocess.run(["mount", "-o", "remount,size=99m", str(small_disk)], check=True)
    assert_it_goes_on(work, reported_results)


SHARD = "shards/dataset=wine/fold=0/selector=model_gain/tau=1/search=sequential.parquet"


def edit(path):
    """Change one number and keep everything else, as somebody might."""
    table = pq.read_table(path.open("rb"))
    frame = table.to_pandas()
    numbers = frame.select_dtypes("float").columns.drop("seconds", errors="ignore")
    column = "train_objective" if "train_objective" in frame else numbers[0]
    frame.loc[0, column] = 0.125
    changed = table.from_pandas(frame, schema=table.schema.remove_metadata(), preserve_index=False)
    pq.write_table(changed.replace_schema_metadata(table.schema.metadata), path)


# Everything that is made from the results.
EVALUATION = {
    "collect": 1,
    "combine": 1,
    "tables": len(TABLES),
    "figures": len(FIGURES),
    "report": 1,
}


def truncate(path):
    path.write_bytes(path.read_bytes()[:-100])


def delete(path):
    path.unlink()


PREDICTION = "predictions/dataset=wine/fold=1/model=decision_tree.parquet"
SCORE = "scores/dataset=wine/fold=0/importances.parquet"
DATASET = "datasets/wine.parquet"
# What happens to which file, and the jobs that make the study whole again.
HARMS = [
    (truncate, SHARD, {"search": 1, "predict": 1, **EVALUATION}),
    (edit, SHARD, {"search": 1, "predict": 1, **EVALUATION}),
    (delete, SHARD, {"search": 1, "predict": 1, **EVALUATION}),
    (edit, PREDICTION, {"predict": 1, **EVALUATION}),
    (delete, PREDICTION, {"predict": 1, **EVALUATION}),
    (truncate, SCORE, {"score": 1, "quality": 1, "search": 4, "predict": 1, **EVALUATION}),
    (delete, SCORE, {"score": 1, "quality": 1, "search": 4, "predict": 1, **EVALUATION}),
    (edit, DATASET,
     {"data": 1, "score": 4, "quality": 4, "search": 16, "predict": 2, **EVALUATION}),
    (delete, DATASET,
     {"data": 1, "score": 4, "quality": 4, "search": 16, "predict": 2, **EVALUATION}),
]  # fmt: skip


@pytest.mark.exhaustive
@pytest.mark.parametrize("copied", [True, False])
def test_the_jobs_that_make_good_a_harm_are_planned(finished_workspace, copied):
    work = finished_workspace(taus=[0.5, 1])
    if copied:
        # As when a folder was copied: without Snakemake's records and without the times.
        shutil.rmtree(work.folder / ".snakemake")
    for harm, file, expected in HARMS if copied else HARMS[1::2]:
        path = work.results / file
        content, times = path.read_bytes(), path.stat()
        harm(path)
        plan = work.run("--cores", "2", "--dry-run")
        damaged = f"altfs: 'results/small/{file}' is damaged and will be recomputed"
        assert (damaged in plan) == (harm is not delete)
        assert jobs_of(plan) == expected, (harm, file)
        path.write_bytes(content)
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


@pytest.mark.exhaustive
@pytest.mark.parametrize("copied", [True, False])
def test_what_was_harmed_is_made_again(finished_workspace, copied):
    work = finished_workspace(taus=[0.5, 1])
    before = contents(work.results)
    if copied:
        shutil.rmtree(work.folder / ".snakemake")
    other = SHARD.replace("selector=model_gain", "selector=mutual_information")
    first = [(truncate if copied else delete, other), (edit, other.replace("tau=1", "tau=0.5")),
             (edit if copied else delete, PREDICTION), (truncate, SCORE)]  # fmt: skip
    # The dataset comes after the others, because everything depends on it.
    for harms in (first, [(edit if copied else delete, DATASET)]):
        for harm, file in harms:
            harm(work.results / file)
        work.run()
        assert_same(contents(work.results), before)
        assert "Nothing to be done" in work.run()
    assert main(["verify", str(work.results)]) == 0
    assert main(["status", str(work.results)]) == 0


@pytest.mark.exhaustive
def test_what_is_missing_elsewhere_is_not_made_for_a_single_target(finished_workspace):
    work = finished_workspace(taus=[1])
    other = SHARD.replace("selector=model_gain", "selector=mutual_information")
    (work.results / SHARD).unlink()
    (work.results / other).unlink()
    target = f"results/small/{other}"
    dry = ("--cores", "2", "--dry-run")
    assert jobs_of(work.run(*dry, target)) == {"search": 1}
    assert jobs_of(work.run(*dry, "--until", "data")) == {}
    assert jobs_of(work.run(*dry, "--until", "search")) == {"search": 2}
    assert jobs_of(work.run(*dry, "--omit-from", "predict")) == {"search": 2}
    summary = work.run("--cores", "2", "--summary")
    assert len([line for line in summary.splitlines() if "\tmissing\t" in line]) == 2
    # What exists is touched, what does not is neither made up nor forgotten.
    work.run("--cores", "2", "--touch")
    assert not (work.results / SHARD).exists()
    work.run("--cores", "2", target)
    assert (work.results / other).exists()
    assert not (work.results / SHARD).exists()
    plan = jobs_of(work.run(*dry))
    assert plan["search"] == 1
    work.run()
    assert "Nothing to be done" in work.run()


@pytest.mark.exhaustive
def test_a_copied_folder_is_as_good_as_the_original(finished_workspace):
    work = finished_workspace(taus=[1])
    shutil.rmtree(work.folder / ".snakemake")
    shutil.move(work.results, work.folder / "moved")
    shutil.copytree(work.folder / "moved", work.results)
    assert "Nothing to be done" in work.run()


@pytest.mark.exhaustive
def test_a_folder_copied_without_its_times_keeps_its_results(finished_workspace):
    work = finished_workspace(taus=[1])
    before = contents(work.results)
    shutil.rmtree(work.folder / ".snakemake")
    shutil.move(work.results, work.folder / "moved")
    shutil.copytree(work.folder / "moved", work.results, copy_function=shutil.copy)
    # They also say how long the search took.
    shards = {path: path.read_bytes() for path in work.shards()}
    work.run()
    assert shards == {path: path.read_bytes() for path in work.shards()}
    assert_same(contents(work.results), before)
    assert "Nothing to be done" in work.run()


@pytest.mark.exhaustive
def test_a_study_that_changed_and_grew_is_as_good_as_a_new_one(workspace):
    work = workspace("changed", taus=[1], seed=26, selectors=["mutual_information"])
    work.run("--cores", "2", *SHARDS)
    now = {
        "taus": [0.5, 1],
        "seed": 25,
        "selectors": ["mutual_information", "model_gain"],
        "datasets": ["sklearn:wine", "sklearn:breast_cancer"],
    }
    work.configure({**work.config, **now})
    work.run()
    new = workspace("new", **now)
    new.run()
    assert_same(contents(work.results), contents(new.results))


@pytest.mark.exhaustive
def test_what_the_evaluation_made_is_looked_after(finished_workspace, capsys):
    work = finished_workspace(taus=[1])
    before = contents(work.results)
    only = {rule: n for rule, n in EVALUATION.items() if rule != "collect"}
    table = work.results / "tables" / "feature_sets.parquet"
    overview = work.results / "tables" / "datasets.csv"
    shown = overview.read_text()
    truncate(table)
    overview.unlink()
    plan = work.run("--cores", "2", "--dry-run")
    assert "altfs: 'results/small/tables/feature_sets.parquet' is damaged" in plan
    assert jobs_of(plan) == only
    work.run()
    assert overview.read_text() == shown
    assert_same(contents(work.results), before)
    assert "Nothing to be done" in work.run()
    # Fewer datasets, and no records of Snakemake's: all times are in order.
    more = {**work.config, "datasets": ["sklearn:wine", "sklearn:breast_cancer"]}
    fewer = work.config
    work.configure(more)
    work.run()
    work.configure(fewer)
    shutil.rmtree(work.folder / ".snakemake")
    assert jobs_of(work.run("--cores", "2", "--dry-run")) == EVALUATION
    work.run()
    tables = {name for name in before if name.startswith("tables/")}
    now = contents(work.results)
    assert_same({name: now[name] for name in tables}, {name: before[name] for name in tables})
    assert main(["status", str(work.results)]) == 0
    assert "Nothing to be done" in work.run()


@pytest.mark.exhaustive
def test_the_code_of_a_selector_its_seed_and_more_datasets(workspace):
    work = workspace(taus=[1], selectors=["mutual_information", "fcbf", "model_gain"])
    shutil.copytree(ROOT / "altfs", work.folder / "altfs")
    code = {"PYTHONPATH": str(work.folder)}
    work.run(**code)
    file = work.folder / "altfs" / "selectors" / "fcbf.py"
    file.write_text(file.read_text() + "\n# A comment changes nothing.\n")
    assert "Nothing to be done" in work.run(**code)
    file.write_text(file.read_text() + "\nCHANGED = True\n")
    plan = work.run("--cores", "2", "--dry-run", **code)
    assert jobs_of(plan) == {"quality": 2, "search": 4, "predict": 2, **EVALUATION}
    # Also where Snakemake has no records of what it ran.
    shutil.rmtree(work.folder / ".snakemake")
    assert jobs_of(work.run("--cores", "2", "--dry-run", **code)) == jobs_of(plan)
    before = {path: pq.read_table(path.open("rb")) for path in work.shards()}
    found = contents(work.results)
    work.run(**code)
    assert_same(contents(work.results), found)
    for path in work.shards():
        made_again = not pq.read_table(path.open("rb")).equals(before[path], check_metadata=True)
        assert made_again == ("selector=fcbf" in str(path))
    assert "Nothing to be done" in work.run(**code)
    work.configure({**work.config, "datasets": ["sklearn:wine", "sklearn:breast_cancer"]})
    plan = jobs_of(work.run("--cores", "2", "--dry-run", **code))
    assert (plan["data"], plan["search"], plan["predict"], plan["report"]) == (1, 12, 2, 1)
    work.configure({**work.config, "datasets": ["sklearn:wine"], "seed": 26})
    plan = jobs_of(work.run("--cores", "2", "--dry-run", **code))
    assert (plan["search"], plan["predict"], plan["report"]) == (12, 2, 1)
    assert "data" not in plan


@pytest.mark.exhaustive
def test_a_job_that_always_fails_stops_no_other_and_status_tells(workspace, capsys, monkeypatch):
    work = workspace(taus=[1])
    # A folder is in the way of a shard.
    (work.results / SHARD).mkdir(parents=True)
    (work.results / SHARD / "in the way").touch()
    (work.results / "study.json").write_text("{}")
    output = work.run(ok=False)
    assert f"Error in rule search: results/small/{SHARD}" in output
    assert "Traceback (most recent call last)" in output
    log = work.results / "logs" / SHARD.replace(".parquet", ".log")
    assert "IsADirectoryError" in log.read_text()
    monkeypatch.chdir(work.folder)
    assert main(["status", "--json"]) == 1
    status = json.loads(capsys.readouterr().out)
    shards = status["tasks"]["search"]
    assert (shards["done"], shards["failed"], shards["missing"]) == (7, 1, 0)
    assert sum(shards.values()) == 8
    assert [f["reason"].split(":")[0] for f in status["failures"]] == ["IsADirectoryError"]
    assert main(["status"]) == 1
    shown = capsys.readouterr().out
    assert "IsADirectoryError" in shown
    assert "3/4, 1 failed" in shown
    shutil.rmtree(work.results / SHARD)
    work.run()
    assert main(["status", str(work.results)]) == 0
    assert "the report is up to date" in capsys.readouterr().out


@pytest.mark.exhaustive
def test_status_of_a_run_that_is_at_work(workspace, capsys, monkeypatch):
    work = workspace(**STUDY)
    monkeypatch.chdir(work.folder)
    assert main(["status", "--json"]) == 1
    status = json.loads(capsys.readouterr().out)
    assert status["tasks"]["search"]["missing"] == N_SHARDS
    process = start_and_wait(work, 6)
    assert main(["status", "--json"]) == 1
    status = json.loads(capsys.readouterr().out)
    assert status["at_work"]
    for counted in status["tasks"].values():
        assert counted["failed"] == counted["damaged"] == counted["stale"] == 0
    assert sum(counted["running"] for counted in status["tasks"].values()) <= 2
    assert sum(status["tasks"]["search"].values()) == N_SHARDS
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert main(["status", "--json"]) == 1
    status = json.loads(capsys.readouterr().out)
    assert not status["at_work"]
    assert status["tasks"]["search"]["running"] == 0
    assert wait_until_gone(work.folder) == []


def test_results_of_an_older_schema_are_refused(workspace, finished_results):
    work = workspace()
    shutil.copytree(finished_results, work.results)
    study = work.results / "study.json"
    text = study.read_text()
    older = text.replace(f'"schema_version": {SCHEMA_VERSION}', '"schema_version": 1')
    assert older != text
    study.write_text(older)
    before = sorted(work.results.rglob("*"))
    output = work.run(ok=False)
    assert "altfs: results: 'results/small' holds results of schema version 1" in output
    assert "run the study again" in output
    assert "Traceback" not in output
    assert sorted(work.results.rglob("*")) == before
