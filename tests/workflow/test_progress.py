"""The line of progress: the time that is left, and what it is judged by."""

import logging
import time

import pytest
import snakemake_logger_plugin_altfs as progress
from snakemake.settings.types import OutputSettings
from snakemake_interface_logger_plugins.common import LogEvent


def record(event, **about):
    made = logging.LogRecord("snakemake", logging.INFO, "", 0, "", (), None)
    made.__dict__.update(event=event, **about)
    return made


@pytest.fixture
def display(monkeypatch):
    # Lines at once, and as to a file.
    monkeypatch.setattr(progress, "_SECONDS_BETWEEN_LINES", 0.0)
    handler = progress.LogHandler(OutputSettings(), None)

    def run(jobs, total):
        for number, (output, seconds) in enumerate(jobs):
            handler.emit(record(LogEvent.JOB_INFO, jobid=number, output=[f"{output} (update)"]))
            time.sleep(seconds)
            handler.emit(record(LogEvent.JOB_FINISHED, job_id=number))
            handler.emit(record(LogEvent.PROGRESS, done=number + 1, total=total))

    yield run
    progress.expect({})


def test_long_jobs_first_do_not_frighten(display, capsys):
    # One long job and a thousand short ones: by their number it would be minutes.
    progress.expect({"long": 300.0, **{f"short{i}": 0.01 for i in range(1000)}})
    display([("long", 0.3)], 1001)
    assert "1 of 1001 jobs (0%), 0 s passed, about 0 s left" in capsys.readouterr().err


def test_too_little_work_tells_nothing(display, capsys):
    progress.expect({"long": 300.0, **{f"short{i}": 0.01 for i in range(1000)}})
    display([(f"short{i}", 0.0) for i in range(50)], 1001)
    assert "left" not in capsys.readouterr().err


def test_without_costs_jobs_are_counted(display, capsys):
    display([(f"job{i}", 0.02) for i in range(30)], 60)
    assert "30 of 60 jobs (50%), 1 s passed, about 1 s left" in capsys.readouterr().err
