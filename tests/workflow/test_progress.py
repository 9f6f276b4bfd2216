"""The line of progress: the time that is left, and what it is judged by."""

import logging
import time
from types import SimpleNamespace

import pytest
import snakemake_logger_plugin_altfs as progress
from snakemake.settings.types import OutputSettings
from snakemake_interface_logger_plugins.common import LogEvent


def record(event, **about):
    made = logging.LogRecord("snakemake", logging.INFO, "", 0, "", (), None)
    made.__dict__.update(event=event, **about)
    return made


class Jobs:
    """As much of a DAG as the display looks at: which jobs are to run, which wait for which."""

    def __init__(self, outputs, waiting=()):
        jobs = {output: SimpleNamespace(output=[output]) for output in outputs}
        self.jobs = jobs.values()
        self.depending = {output: [] for output in outputs}
        for first, then in waiting:
            self.depending[first].append(jobs[then])

    def needrun_jobs(self):
        return self.jobs

    def bfs(self, depending, job):
        yield job
        for then in depending[job.output[0]]:
            yield from self.bfs(depending, then)


def expect(seconds, **dag):
    progress.expect(seconds, Jobs(**{"outputs": list(seconds), **dag}))


@pytest.fixture
def display(monkeypatch):
    # Lines at once, and as to a file.
    monkeypatch.setattr(progress, "_SECONDS_BETWEEN_LINES", 0.0)
    monkeypatch.setattr(progress, "_work", None)
    handler = progress.LogHandler(OutputSettings(), None)

    def run(jobs, total, failing=()):
        for number, (output, seconds) in enumerate(jobs):
            about = {"output": [f"{output} (update)"], "log": [], "rule_name": "", "rule_msg": ""}
            handler.emit(record(LogEvent.JOB_INFO, jobid=number, **about))
            time.sleep(seconds)
            if output in failing:
                handler.emit(record(LogEvent.JOB_ERROR, jobid=number, **about))
                continue
            handler.emit(record(LogEvent.JOB_FINISHED, job_id=number))
            handler.emit(record(LogEvent.PROGRESS, done=number + 1, total=total))

    return run


def test_long_jobs_first_do_not_frighten(display, capsys):
    # One long job and a thousand short ones: by their number it would be minutes.
    expect({"long": 300.0, **{f"short{i}": 0.01 for i in range(1000)}})
    display([("long", 0.3)], 1001)
    assert "1 of 1001 jobs (0%), 0 s passed, about 0 s left" in capsys.readouterr().err


def test_too_little_work_tells_nothing(display, capsys):
    expect({"long": 300.0, **{f"short{i}": 0.01 for i in range(1000)}})
    display([(f"short{i}", 0.0) for i in range(50)], 1001)
    assert "left" not in capsys.readouterr().err


def test_without_costs_jobs_are_counted(display, capsys):
    display([(f"job{i}", 0.02) for i in range(30)], 60)
    assert "30 of 60 jobs (50%), 1 s passed, about 1 s left" in capsys.readouterr().err


def test_what_is_not_to_run_is_not_waited_for(display, capsys):
    # As with --until: the study has a job of five minutes more, this run has not.
    costs = {"long": 300.0, **{f"short{i}": 1.0 for i in range(20)}}
    expect(costs, outputs=[f"short{i}" for i in range(20)])
    display([(f"short{i}", 0.05) for i in range(19)], 20)
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith("19 of 20 jobs (95%)")
    assert last.endswith("about 0 s left")


def test_what_waits_for_a_failed_job_is_not_waited_for(display, capsys):
    costs = {"fails": 1.0, "long": 300.0, "last": 300.0, **{f"short{i}": 1.0 for i in range(20)}}
    waiting = [("fails", "long"), ("long", "last")]
    short = [(f"short{i}", 0.05) for i in range(19)]
    expect(costs, waiting=waiting)
    display([("fails", 0.0), *short], 23, failing=["fails"])
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith("20 of 23 jobs (87%)")
    assert last.endswith("about 0 s left, 1 failed")
    # Tried again, it counts again.
    display([("fails", 0.0)], 23)
    assert "about 0 s left" not in capsys.readouterr().err
