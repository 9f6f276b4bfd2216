"""The origin of results, as study.json and the logs have it."""

import json

from altfs.study.runs import note_outcome, stored_runs, task_times, this_run


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
