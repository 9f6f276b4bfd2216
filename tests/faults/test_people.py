"""People who change files, code and settings while a study runs, and who share a machine."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

from snakemake_runs import wait_until_gone
from test_faults import jobs_of
from test_interruptions import N_SHARDS, SHARDS, STUDY, assert_found, start_and_wait
from test_runs import assert_same, contents
from workspaces import ROOT

WINE = {"name": "w", "type": "file", "options": {"path": "w.csv", "target": "kind"}}


def test_the_configuration_changes_while_a_study_runs(workspace, finished_results):
    work = workspace(**STUDY)
    process = start_and_wait(work, 4, *SHARDS)
    work.configure({**work.config, "seed": 26})
    output, _ = process.communicate(timeout=300)
    # The run goes on with what it read.
    assert process.returncode == 0, output
    assert_found(work, finished_results, *SHARDS)
    work.configure({**work.config, "seed": STUDY["seed"]})
    assert jobs_of(work.run("--cores", "2", *SHARDS, "--dry-run")) == {}


def test_a_table_changes_while_a_study_runs(workspace, wine_file):
    work = workspace(**{**STUDY, "datasets": [WINE]})
    table = Path(shutil.copy(wine_file, work.folder / "w.csv"))
    process = start_and_wait(work, 4, *SHARDS)
    first, *others = table.read_text().splitlines(keepends=True)
    table.write_text("".join([first, *reversed(others)]))
    output, _ = process.communicate(timeout=300)
    assert process.returncode == 0, output
    before = contents(work.results)
    # The next run makes all again, from the table that is there now.
    work.run("--cores", "2", *SHARDS)
    after = contents(work.results)
    assert before.keys() == after.keys()
    assert before["datasets/w.parquet"] != after["datasets/w.parquet"]


def test_results_are_deleted_while_a_study_runs(workspace, finished_results):
    work = workspace(**STUDY)
    process = start_and_wait(work, 8, *SHARDS)
    for path in work.shards()[:3]:
        path.unlink()
    process.communicate(timeout=300)
    assert wait_until_gone(work.folder) == []
    work.run("--cores", "2", *SHARDS)
    assert_found(work, finished_results, *SHARDS)


def test_the_folder_is_moved_while_a_study_runs(workspace, finished_results):
    work = workspace(**STUDY)
    process = start_and_wait(work, 4, *SHARDS)
    moved = work.folder.with_name("moved")
    work.folder.rename(moved)
    process.communicate(timeout=300)
    assert wait_until_gone(moved) == []
    if work.folder.exists():
        shutil.rmtree(work.folder)
    moved.rename(work.folder)
    work.run("--cores", "2", *SHARDS)
    assert_found(work, finished_results, *SHARDS)


def test_the_package_is_upgraded_while_a_study_runs(workspace, finished_results):
    work = workspace(**STUDY)
    shutil.copytree(ROOT / "altfs", work.folder / "altfs")
    code = {"PYTHONPATH": str(work.folder)}
    process = work.start("--cores", "2", *SHARDS, **code)
    while len(work.shards()) < 4 and process.poll() is None:
        time.sleep(0.05)
    file = work.folder / "altfs" / "selectors" / "fcbf.py"
    file.write_text(file.read_text() + "\nCHANGED = True\n")
    output, _ = process.communicate(timeout=300)
    assert process.returncode == 0, output
    before = {path: path.stat().st_mtime_ns for path in work.shards()}
    work.run("--cores", "2", *SHARDS, **code)
    # What the changed file makes is made again, and nothing else.
    again = [path for path in work.shards() if path.stat().st_mtime_ns != before[path]]
    assert {"selector=fcbf" in str(path) for path in again} == {True}
    assert len(again) == N_SHARDS / 3
    assert_found(work, finished_results, *SHARDS)


# Runs Snakemake without root's right to write everywhere: PR_CAPBSET_DROP (24) of
# CAP_DAC_OVERRIDE (1).
OTHER = """
import ctypes, os, sys
assert ctypes.CDLL(None).prctl(24, 1, 0, 0, 0) == 0
os.execv(sys.executable, [sys.executable, "-m", "snakemake", *sys.argv[1:]])
"""


def test_results_of_another_user(workspace):
    work = workspace(**STUDY)
    work.run("--cores", "2", *SHARDS)
    work.shards()[0].unlink()
    for path in (work.results, *work.results.rglob("*")):
        os.chown(path, 65534, 65534)
        path.chmod(0o755 if path.is_dir() else 0o644)
    before = sorted(work.results.rglob("*"))
    done = subprocess.run(
        [sys.executable, "-c", OTHER, "--cores", "1", *SHARDS],
        cwd=work.folder, capture_output=True, text=True,
    )  # fmt: skip
    said = [line for line in done.stderr.splitlines() if line.startswith("altfs: ")]
    assert len(said) == 1 and "cannot be written to (Permission denied)" in said[0], done.stderr
    assert "Traceback" not in done.stderr
    assert sorted(work.results.rglob("*")) == before


def test_two_studies_at_once_in_one_clone(workspace, finished_results):
    work = workspace(**STUDY)
    other = work.folder / "other.yaml"
    other.write_text(
        (work.folder / "config.yaml").read_text().replace("results/small", "results/b")
    )
    first = work.start("--cores", "2", *SHARDS)
    second = work.start("--cores", "2", *SHARDS, "--configfile", str(other))
    for process in (first, second):
        output, _ = process.communicate(timeout=200)
        assert process.returncode == 0, output
    assert_found(work, finished_results, *SHARDS)
    assert_same(contents(work.folder / "results" / "b"), contents(work.results))
