"""Survey of a study: tasks that are done, stale, damaged, running, failed or missing."""

from __future__ import annotations

import fcntl
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, NamedTuple, get_args

from altfs.study.inventory import Task, log_path, tasks
from altfs.study.ledger import Ledger, State, stamp_of
from altfs.study.plan import Plan

Standing = Literal["done", "running", "failed", "damaged", "stale", "missing"]

# Text of the executors in the log of a failed job without a traceback.
_FAILED = "Job failed: "


class Failure(NamedTuple):
    """A task that failed and has not been run again."""

    task: Task
    reason: str
    log: Path


def failure_in(log: Path) -> str | None:
    """Return the reason for the failure of a log's task, in a line; None without a failure."""
    try:
        text = log.read_text("utf-8", "replace")
    except OSError:
        return None
    if _FAILED not in text and "Traceback (most recent call last)" not in text:
        return None
    lines = [line for line in text.splitlines() if line.strip()]
    if told := [line.strip() for line in lines if line.strip().startswith(_FAILED)]:
        return told[-1].removeprefix(_FAILED)
    begins = [i for i, line in enumerate(lines) if line.startswith("Traceback")]
    # A traceback ends with the exception. Further lines belong to its message.
    ends = (line for line in lines[begins[-1] + 1 :] if not line.startswith(" ")) if begins else ()
    return next(iter(ends), lines[-1].strip())


@dataclass
class Survey:
    """State of the tasks of a study."""

    plan: Plan
    #: The state of each task's file.
    states: dict[Task, State]
    failures: list[Failure] = field(default_factory=list)
    #: Tasks that the current run has begun.
    running: set[Task] = field(default_factory=set)
    #: True if a run holds the results folder.
    at_work: bool = False

    def standings(self) -> dict[Task, Standing]:
        """Return one standing for each task."""
        standings: dict[Task, Standing] = dict(self.states)
        standings |= {failure.task: "failed" for failure in self.failures}
        return standings | dict.fromkeys(self.running, "running")

    def to_recompute(self) -> list[str]:
        """Return the files that are missing, damaged or stale.

        Snakemake itself makes a missing file only if another file needs it. So it does
        not notice files that were deleted from a finished study.
        """
        return [task.path for task, state in self.states.items() if state != "done"]

    def damaged(self) -> list[str]:
        """Return the files that were truncated, edited or never written by altfs."""
        return [task.path for task, state in self.states.items() if state == "damaged"]

    @property
    def complete(self) -> bool:
        """True if every file of the plan is whole and up to date."""
        return not self.to_recompute()


def look_at_files(
    plan: Plan, ledger: Ledger, progress: Callable[[int, int], None] | None = None
) -> Survey:
    """Determine the state of every file of a study, and update the ledger.

    `progress` is called with the number of files read and of those to read.
    """
    listed = list(tasks(plan))
    unread = {task.path for task in listed if progress and not ledger.knows(task.path)}
    states: dict[Task, State] = {}
    read = 0
    for task in listed:
        if progress and task.path in unread:
            read += 1
            progress(read, len(unread))
        states[task] = ledger.state(task.path, task.expected)
    return Survey(plan, states)


def look_at_logs(survey: Survey) -> None:
    """Add failures and running tasks to a survey."""
    began = _began(survey.plan)
    survey.at_work = began is not None
    for task, state in survey.states.items():
        log = log_path(survey.plan, task.path)
        written = stamp_of(str(log)) if state != "done" else None
        if written is None:
            continue
        if (reason := failure_in(log)) is not None:
            survey.failures.append(Failure(task, reason, log))
        elif began is not None and written[1] >= began:
            # The task may have ended in the meantime.
            stamp = stamp_of(task.path)
            if stamp is not None and stamp[1] >= began:
                survey.states[task] = "done"
            else:
                survey.running.add(task)


def count(standings: Iterable[Standing]) -> dict[str, int]:
    """Count each standing, in a fixed order, including those that do not occur."""
    counted = Counter(standings)
    return {name: counted[name] for name in get_args(Standing)}


def _began(plan: Plan) -> int | None:
    """Return the time in nanoseconds at which the current run began; None without a run."""
    lock = Path(plan.results, ".lock")
    with suppress(OSError), lock.open(encoding="utf-8") as held:
        try:
            fcntl.flock(held, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return lock.stat().st_mtime_ns
    return None
