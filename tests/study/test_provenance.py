"""The origin of results, as study.json and the logs have it."""

import json
import os

from altfs.study.provenance import stored_runs, task_times, this_run


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


def test_times_of_tasks_are_those_of_their_logs(tmp_path):
    assert task_times(tmp_path) is None
    for name, began, ended in (("a", 1000, 1003), ("b", 1001, 1006)):
        log = tmp_path / "logs" / "search" / f"{name}.log"
        log.parent.mkdir(parents=True, exist_ok=True)
        log.touch()
        os.utime(log, (ended, began))
    times = task_times(tmp_path)
    assert (times.n, times.seconds) == (2, 8)
    assert (times.began.timestamp(), times.ended.timestamp()) == (1000, 1006)
