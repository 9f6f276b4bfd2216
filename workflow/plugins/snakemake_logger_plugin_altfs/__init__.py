"""Snakemake's messages for studies of thousands of jobs: progress and failures.

Snakemake prints ten lines a job, with every input. Here a run shows one line of
progress with the time that is left, and each failure with the end of its log.
``--verbose`` and ``--printshellcmds`` bring the long form back.
"""

from __future__ import annotations

import logging
import math
import os
import signal
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from snakemake.logging import DefaultFormatter, get_event
from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.common import LogEvent
from snakemake_interface_logger_plugins.settings import LogHandlerSettingsBase

from altfs.study.runs import Forecast, log_times
from snakemake_logger_plugin_altfs.time_left import TimeLeft

_NOT_SHOWN = {
    LogEvent.JOB_INFO,
    LogEvent.JOB_STARTED,
    LogEvent.JOB_FINISHED,
    LogEvent.SHELLCMD,
    LogEvent.GROUP_INFO,
    LogEvent.RESOURCES_INFO,
    LogEvent.RULEGRAPH,
    LogEvent.DEBUG_DAG,
}
# Messages of Snakemake around each job, which the progress line replaces.
_CHATTER = (
    "Select jobs to execute",
    "Execute ",
    "Shell command:",
    "Removing output files of failed job",
    "Assuming unrestricted shared filesystem",
    "Finished jobid",
    "host:",
    "Provided ",
    "Using profile",
    "Job rate limit",
    "Exiting because a job",
)
# A warning without effect: outputs flagged update() have no copy, and their tasks write them whole.
_NO_WARNING = ("Cannot restore ",)
# Snakemake's messages after signals that stop a run.
_SIGNALS = {
    "Terminating processes on user request": signal.SIGINT,
    "Will exit after finishing currently running jobs": signal.SIGTERM,
}
_LOG_LINES = 40
# A process that begins and imports what most tasks need.
_SECONDS_PER_PROCESS = 2.0
_SECONDS_BETWEEN_LINES = 10.0
# An estimate takes 40 ms for 24,000 jobs.
_SECONDS_BETWEEN_ESTIMATES = 2.0
# Clocks of this machine and of the file server.
_CLOCKS_DIFFER = 1.0


class _Work:
    """The jobs of this run, by their first outputs, and the time that they still take."""

    def __init__(self, expected: Mapping[str, Forecast], start_up: float, dag: Any) -> None:
        self._dag = dag
        self._jobs = {str(job.output[0]): job for job in dag.needrun_jobs() if job.output}
        self._submitted: dict[str, float] = {}
        self._estimate: tuple[float, float | None] = (-math.inf, None)
        self._failed: set[str] = set()
        # The local executor starts a process for each job; workers and SLURM jobs last.
        local = _executor(dag.workflow) == "local"
        self._per_job = _SECONDS_PER_PROCESS if local else 0.0
        forecasts = {path: self._forecast(path, expected) for path in self._jobs}
        last = {path: job for path, job in self._jobs.items() if len(forecasts[path].kind) == 1}
        self._left = TimeLeft(
            forecasts,
            last=_stages(dag, last),
            n_workers=_n_workers(dag.workflow),
            began=self._began,
            start_up=0.0 if self._per_job else start_up,
        )

    def _forecast(self, path: str, expected: Mapping[str, Forecast]) -> Forecast:
        default = Forecast((self._jobs[path].rule.name,), 0.0)
        kind, seconds, measured = expected.get(path, default)
        return Forecast(kind, seconds + self._per_job if measured else seconds, measured)

    def begin(self, path: str, now: float) -> None:
        """Note that a job is submitted; a failed one is tried again."""
        if path in self._jobs:
            if path in self._failed:
                self._failed.remove(path)
                self._left.retry(self._from(path))
            self._submitted[path] = now
            self._left.begin(path, now)

    def end(self, path: str, now: float) -> None:
        """Note that a job finished."""
        if path in self._jobs:
            self._left.end(path, now, self._seconds(path, now))

    def fail(self, path: str) -> None:
        """Expect no more of a job and of those that wait for it."""
        if path in self._jobs and path not in self._failed:
            self._failed.add(path)
            self._left.fail(self._from(path))

    def left(self, now: float) -> float | None:
        """Return the seconds until the end, or None if that is unknown."""
        then, left = self._estimate
        if now - then >= _SECONDS_BETWEEN_ESTIMATES:
            then, left = self._estimate = now, self._left.seconds(now)
        return None if left is None else max(left - (now - then), 0.0)

    @property
    def misses(self) -> bool:
        """True if the time of some jobs is unknown, so that it is not counted."""
        return self._left.misses

    def _began(self, path: str) -> float | None:
        if self._per_job:
            return self._submitted.get(path)
        times = self._times(path)
        return times and times[0]

    def _seconds(self, path: str, now: float) -> float | None:
        if self._per_job:
            return now - self._submitted.get(path, now)
        times = self._times(path)
        return times[1] - times[0] if times and times[1] is not None else None

    def _times(self, path: str) -> tuple[float, float | None] | None:
        """Return the times of a job's log, or None if this run did not write it."""
        logs = self._jobs[path].log
        times = _times(str(logs[0])) if logs else None
        early = self._submitted.get(path, math.inf) - _CLOCKS_DIFFER
        return times if times and times[0] >= early else None

    def _from(self, path: str) -> list[str]:
        jobs = self._dag.bfs(self._dag.depending, self._jobs[path])
        paths = [str(job.output[0]) for job in jobs if job.output]
        return [path for path in paths if path in self._jobs]


_work: _Work | None = None
_stopped: signal.Signals | None = None


def stopped() -> signal.Signals | None:
    """Return the signal by which the user has stopped this run."""
    return _stopped


def expect(expected: Mapping[str, Forecast], start_up: float, dag: Any) -> None:
    """Estimate the time that is left from the costs of jobs, not from their number.

    `expected` has each job that may run, by its first output. Its kind is such as ``("predict
    random_forest", "wine")``; jobs of a kind without a dataset wait for those with one. For
    `start_up` seconds each worker compiles at first. `dag` is Snakemake's.
    """
    global _work
    _work = _Work(expected, start_up, dag)


class LogHandlerSettings(LogHandlerSettingsBase):
    """Settings of the plugin; there are none."""


class LogHandler(LogHandlerBase):
    """Writes progress and failures to the terminal."""

    writes_to_stream = True
    # Snakemake keeps its own log file.
    writes_to_file = False
    # `emit` decides what is shown, and writes the text itself.
    has_filter = False
    has_formatter = True
    needs_rulegraph = False

    def __post_init__(self) -> None:
        self._start = time.monotonic()
        self._shown = 0.0
        self._line_open = False
        self._failed = 0
        # First outputs of submitted jobs, by number.
        self._outputs: dict[int, str] = {}
        self._long = DefaultFormatter(self.common_settings.quiet or set())
        self._wordy = bool(self.common_settings.verbose or self.common_settings.printshellcmds)

    def emit(self, record: logging.LogRecord) -> None:
        """Show a message unless it is hidden."""
        try:
            self._handle(record)
        except Exception:
            self.handleError(record)

    def _handle(self, record: logging.LogRecord) -> None:
        global _stopped
        if _stopped and record.levelno >= logging.WARNING:
            # Tasks that were stopped have not failed.
            return
        for message, number in _SIGNALS.items():
            if record.getMessage().startswith(message):
                _stopped = number
        event = get_event(record)
        self._note(event, record.__dict__)
        if record.levelno < logging.INFO and not self.common_settings.verbose:
            return
        if event == LogEvent.PROGRESS:
            self._progress(record.__dict__["done"], record.__dict__["total"])
        elif event == LogEvent.JOB_ERROR:
            self._failure(record.__dict__)
        elif self._wordy or record.levelno >= logging.WARNING:
            text = self._long.format(record)
            if self._wordy or not text.strip().startswith(_NO_WARNING):
                self._print(text)
        elif event not in _NOT_SHOWN:
            text = self._long.format(record).strip()
            if text and not text.startswith(_CHATTER):
                self._print(text)

    def _note(self, event: Any, about: dict[str, Any]) -> None:
        if _work is None:
            return
        if event == LogEvent.JOB_INFO and about["output"]:
            self._outputs[about["jobid"]] = _first(about)
            _work.begin(_first(about), time.time())
        elif event == LogEvent.JOB_ERROR and about["output"]:
            _work.fail(_first(about))
        elif event == LogEvent.JOB_FINISHED and about["job_id"] in self._outputs:
            _work.end(self._outputs.pop(about["job_id"]), time.time())

    def _progress(self, done: int, total: int) -> None:
        now = time.monotonic()
        interactive = sys.stderr.isatty()
        pause = 0.2 if interactive else _SECONDS_BETWEEN_LINES
        if now - self._shown < pause and done < total:
            return
        self._shown = now
        text = f"{done} of {total} jobs ({done / total:.0%}), {_duration(now - self._start)} passed"
        left = _work.left(time.time()) if _work is not None and done < total else None
        if _work is not None and left is not None:
            text += f", {'at least' if _work.misses else 'about'} {_duration(left)} left"
        if self._failed:
            text += f", {self._failed} failed"
        if interactive:
            sys.stderr.write(f"\r\x1b[K{text}")
            self._line_open = True
            if done >= total:
                self._print("")
        else:
            sys.stderr.write(f"{text}\n")
        sys.stderr.flush()

    def _failure(self, about: dict[str, Any]) -> None:
        self._failed += 1
        self._print(f"Error in rule {about['rule_name']}: {', '.join(about['output'][:1])}")
        lines = str(about["rule_msg"] or "").splitlines()
        for log in about["log"]:
            # Snakemake adds what to do with the file in brackets.
            path = Path(str(log).split(" (")[0])
            self._print(f"  log: {path}")
            text = path.read_text("utf-8", "replace") if path.is_file() else ""
            # Nothing can be written to the log where the disk is full.
            lines = text.splitlines() or lines
        for line in lines[-_LOG_LINES:]:
            self._print(f"    {line}")

    def _print(self, text: str) -> None:
        if self._line_open:
            sys.stderr.write("\n" if not text else "\r\x1b[K")
            self._line_open = False
        if text:
            sys.stderr.write(f"{text}\n")
        sys.stderr.flush()


def _stages(dag: Any, jobs: Mapping[str, Any]) -> list[list[str]]:
    """Return jobs in stages: those of a stage wait for jobs of the stage before."""
    stages: list[list[str]] = []
    left = dict(jobs)
    while left:
        waiting = {path for path, job in left.items() if _needs(dag, job) & left.keys()}
        stages.append([path for path in left if path not in waiting])
        left = {path: left[path] for path in waiting}
    return stages


def _needs(dag: Any, job: Any) -> set[str]:
    return {str(needed.output[0]) for needed in dag.dependencies[job] if needed.output}


def _executor(workflow: Any) -> str:
    return str(getattr(workflow.executor_plugin, "name", ""))


def _n_workers(workflow: Any) -> int | None:
    """Return how many jobs run at the same time, if the command line says so."""
    if _executor(workflow) not in ("dask", "local"):
        # Cores are those of each job of a batch system, whose number is not known.
        return None
    settings = workflow.executor_settings
    if n_workers := getattr(settings, "slurm_workers", None):
        return int(n_workers)
    elsewhere = getattr(settings, "scheduler", None) or getattr(settings, "scheduler_file", None)
    cores = workflow.resource_settings.cores
    # Snakemake stands a large number for "as many as there are".
    return cores if cores and cores < 2**20 and not elsewhere else None


def _times(log: str) -> tuple[float, float | None] | None:
    """Return when a job began and ended, which its log says; None without a log.

    A job that has not ended has emptied its log when it began, and writes there only what is
    unusual. The times of its outputs are of no use, as Snakemake touches them later.
    """
    if times := log_times(log):
        return times[:2]
    with suppress(OSError):
        return os.stat(log).st_mtime, None
    return None


def _first(about: dict[str, Any]) -> str:
    # Flags follow in brackets.
    return str(about["output"][0]).split(" (")[0]


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"
