"""Snakemake's messages for studies of thousands of jobs: progress and failures.

Snakemake prints ten lines a job, with every input. Here a run shows one line of
progress with the time that is left, and each failure with the end of its log.
``--verbose`` and ``--printshellcmds`` bring the long form back.
"""

from __future__ import annotations

import logging
import sys
import time
from collections import Counter, deque
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from snakemake.logging import DefaultFormatter, get_event
from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.common import LogEvent
from snakemake_interface_logger_plugins.settings import LogHandlerSettingsBase

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
# Said by Snakemake before and after each job; a progress line says it better.
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
# A warning that says nothing: outputs flagged update() have no copy, their tasks write them whole.
_NO_WARNING = ("Cannot restore ",)
_LOG_LINES = 40
_SECONDS_BETWEEN_LINES = 10.0
# Less than this share of the work is too little to tell from it how long the rest takes.
_ENOUGH = 0.01


class _Work:
    """What the jobs of this run are expected to cost, by their first outputs."""

    def __init__(self, seconds: Mapping[str, float], dag: Any) -> None:
        self._dag = dag
        self._jobs = {str(job.output[0]): job for job in dag.needrun_jobs() if job.output}
        self._seconds = {path: seconds.get(path, 0.0) for path in self._jobs}
        self._left_out: Counter[str] = Counter()
        self._failed: set[str] = set()
        self.total = sum(self._seconds.values())

    def of(self, path: str) -> float:
        """Seconds of one job."""
        return self._seconds.get(path, 0.0)

    def failed(self, path: str) -> None:
        """Expect no more of a job and of those that wait for it."""
        if path in self._jobs and path not in self._failed:
            self._failed.add(path)
            for other in self._from(path):
                self._left_out[other] += 1
                if self._left_out[other] == 1:
                    self.total -= self._seconds[other]

    def tried(self, path: str) -> None:
        """Expect it all again of a job that is tried once more."""
        if path in self._failed:
            self._failed.remove(path)
            for other in self._from(path):
                self._left_out[other] -= 1
                if not self._left_out[other]:
                    self.total += self._seconds[other]

    def _from(self, path: str) -> list[str]:
        jobs = self._dag.bfs(self._dag.depending, self._jobs[path])
        paths = [str(job.output[0]) for job in jobs if job.output]
        return [path for path in paths if path in self._seconds]


_work: _Work | None = None


def expect(seconds: Mapping[str, float], dag: Any) -> None:
    """Let the time that is left be judged by what jobs cost, not by their number.

    Parameters
    ----------
    seconds : mapping of str to float
        For each job that may run, by its first output; only their ratios matter.
    dag : snakemake.dag.DAG
        Which of them are to run, and which wait for which.
    """
    global _work
    _work = _Work(seconds, dag)


class LogHandlerSettings(LogHandlerSettingsBase):
    """No settings."""


class LogHandler(LogHandlerBase):
    """Writes progress and failures to the terminal."""

    def __post_init__(self) -> None:
        self._start = time.monotonic()
        self._shown = 0.0
        self._line_open = False
        self._failed = 0
        # Recent progress, for the time that is left: what ran an hour ago were
        # other jobs than those that run now.
        self._recent: deque[tuple[float, int]] = deque(maxlen=500)
        # The costs of submitted jobs by number, and of finished ones in all.
        self._costs: dict[int, float] = {}
        self._cost_done = 0.0
        self._first_job = 0.0
        self._long = DefaultFormatter(self.common_settings.quiet or set())
        self._wordy = bool(self.common_settings.verbose or self.common_settings.printshellcmds)

    def emit(self, record: logging.LogRecord) -> None:
        """Show a message, or not."""
        try:
            self._handle(record)
        except Exception:
            self.handleError(record)

    def _handle(self, record: logging.LogRecord) -> None:
        event = get_event(record)
        self._note_cost(event, record.__dict__)
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

    def _note_cost(self, event: Any, about: dict[str, Any]) -> None:
        if event == LogEvent.JOB_INFO and about["output"]:
            self._first_job = self._first_job or time.monotonic()
            output = _first(about)
            if _work is not None:
                _work.tried(output)
                self._costs[about["jobid"]] = _work.of(output)
        elif event == LogEvent.JOB_ERROR and about["output"] and _work is not None:
            _work.failed(_first(about))
        elif event == LogEvent.JOB_FINISHED:
            self._cost_done += self._costs.pop(about["job_id"], 0.0)

    def _left(self, now: float, done: int, total: int) -> float | None:
        """Seconds until the end; None as long as there is too little to tell from."""
        if _work is not None and _work.total > 0:
            share = min(1.0, self._cost_done / _work.total)
            return (now - self._first_job) * (1 / share - 1) if share >= _ENOUGH else None
        first, done_then = self._recent[0] if len(self._recent) > 1 else (self._start, 0)
        if done - done_then < max(5, total // 100):
            return None
        return (total - done) * (now - first) / (done - done_then)

    def _progress(self, done: int, total: int) -> None:
        now = time.monotonic()
        self._recent.append((now, done))
        interactive = sys.stderr.isatty()
        pause = 0.2 if interactive else _SECONDS_BETWEEN_LINES
        if now - self._shown < pause and done < total:
            return
        self._shown = now
        text = f"{done} of {total} jobs ({done / total:.0%}), {_duration(now - self._start)} passed"
        left = self._left(now, done, total)
        if done < total and left is not None:
            text += f", about {_duration(left)} left"
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

    @property
    def writes_to_stream(self) -> bool:
        """Yes, to stderr."""
        return True

    @property
    def writes_to_file(self) -> bool:
        """No; Snakemake keeps its own log file."""
        return False

    @property
    def has_filter(self) -> bool:
        """No, `emit` decides."""
        return False

    @property
    def has_formatter(self) -> bool:
        """Yes, `emit` writes the text itself."""
        return True

    @property
    def needs_rulegraph(self) -> bool:
        """No."""
        return False


def _first(about: dict[str, Any]) -> str:
    # Flags follow in brackets.
    return str(about["output"][0]).split(" (")[0]


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"
