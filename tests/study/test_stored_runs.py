"""The origin of results, as study.json and the logs have it."""

import json
import re
import subprocess
from importlib.metadata import version

from packaging.requirements import Requirement

from altfs.study.runs import (
    commit_of,
    installed_packages,
    note_outcome,
    stored_runs,
    task_times,
    this_run,
)


def test_a_run_names_its_command_code_and_machine():
    run = this_run()
    assert run["started"].endswith(" UTC") and run["command"] and run["machine"]
    assert {"python", "altfs", "numpy"} <= run["versions"].keys()
    assert run["commit"]


def test_runs_of_a_study_are_kept(tmp_path):
    path = tmp_path / "study.json"
    assert stored_runs(path) == []
    path.write_text(json.dumps({"runs": [{"command": "snakemake"}]}))
    assert stored_runs(path) == [{"command": "snakemake"}]
    for damaged in ("", "[]", '{"runs": 3}'):
        path.write_text(damaged)
        assert stored_runs(path) == []


def test_the_last_run_says_what_it_came_to(tmp_path):
    path = tmp_path / "study.json"
    path.write_text(json.dumps({"config": {"seed": 1}, "runs": [{"commit": "a"}, {"commit": "b"}]}))
    note_outcome(path, {"cpu_seconds": 1.5})
    assert stored_runs(path) == [{"commit": "a"}, {"commit": "b", "cpu_seconds": 1.5}]
    assert json.loads(path.read_text())["config"] == {"seed": 1}


def test_times_of_tasks_are_those_in_their_logs(tmp_path):
    assert task_times(tmp_path) is None
    # The last log is of a task that did not succeed.
    for name, text in (
        ("a", "a warning\nRan from 1000.000 to 1003.500, CPU time: 3.250 s\n"),
        ("b", "Ran from 1001.000 to 1006.000, CPU time: 1.000 s\n"),
        ("c", "Traceback (most recent call last):\n"),
    ):
        log = tmp_path / "logs" / "search" / f"{name}.log"
        log.parent.mkdir(parents=True, exist_ok=True)
        log.write_text(text)
    times = task_times(tmp_path)
    assert (times.n, times.seconds, times.cpu_seconds) == (2, 8.5, 4.25)
    assert (times.began.timestamp(), times.ended.timestamp()) == (1000, 1006)


def repository(folder):
    """A repository with code and a configuration; returns a function that calls git in it."""

    def git(*words):
        command = ["git", "-c", "user.name=a", "-c", "user.email=a@b", *words]
        subprocess.run(command, cwd=folder, check=True, capture_output=True)

    for name in ("altfs/code.py", "workflow/Snakefile", "workflow/studies/one.yaml", "config.yaml"):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("1\n")
    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "First")
    return git


def test_only_changed_code_makes_a_commit_dirty(tmp_path):
    assert commit_of(tmp_path) == "unknown"
    git = repository(tmp_path)
    clean = commit_of(tmp_path)
    assert re.fullmatch("[0-9a-f]{12}", clean)
    for name in (
        "config.yaml",
        "workflow/studies/one.yaml",
        "mine.csv",
        "workflow/studies/two.yaml",
    ):
        (tmp_path / name).write_text("2\n")
        assert commit_of(tmp_path) == clean, name
    for name in ("altfs/code.py", "workflow/Snakefile", "altfs/new.py"):
        (tmp_path / name).write_text("2\n")
        assert commit_of(tmp_path) == f"{clean}-dirty", name
        git("stash", "-qu")


def test_packages_are_named_with_their_versions():
    pins = installed_packages().splitlines()
    assert f"numpy=={version('numpy')}" in pins and f"dask=={version('dask')}" in pins
    assert f"snakemake=={version('snakemake')}" in pins
    assert not any(pin.startswith("altfs==") for pin in pins)
    assert all(Requirement(pin) for pin in pins)
