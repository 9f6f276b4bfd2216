"""The origin of results, as study.json and the logs have it."""

import json
import os

from altfs.study.provenance import note_outcome, stored_runs, task_times, this_run


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


def test_times_of_tasks_are_those_of_their_logs(tmp_path):
    assert task_times(tmp_path) is None
    for name, began, ended in (("a", 1000, 1003), ("b", 1001, 1006)):
        log = tmp_path / "logs" / "search" / f"{name}.log"
        log.parent.mkdir(parents=True, exist_ok=True)
        log.write_text(f"warning\nCPU time: {ended - 1000}.250 s\n" if name == "a" else "")
        os.utime(log, (ended, began))
    times = task_times(tmp_path)
    assert (times.n, times.seconds) == (2, 8)
    # The other log is of a task that did not succeed.
    assert (times.cpu_seconds, times.n_cpu) == (3.25, 1)
    assert task_times(tmp_path) == times
    assert (times.began.timestamp(), times.ended.timestamp()) == (1000, 1006)
