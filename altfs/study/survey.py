"""Survey of a study: tasks that are done, stale, damaged, running, failed or missing."""

from __future__ import annotations

import fcntl
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, NamedTuple

from altfs.study.inventory import Task, log_path, tasks
from altfs.study.ledger import Ledger, State, stamp_of
from altfs.study.plan import Plan

Standing = Literal["done", "stale", "damaged", "missing", "running", "failed"]

# Texts of the executors in the log of a failed job.
_FAILURES = ("Traceback (most recent call last)", "Job failed: ")


class Failure(NamedTuple):
    """A task that failed and has not been run again."""

    task: Task
    reason: str
    log: Path


def failure_in(log: Path) -> str | None:
    """Return why the task of a log failed, in a line; None if it did not fail."""
    try:
        text = log.read_text("utf-8", "replace")
    except OSError:
        return None
    return _reason(text) if any(sign in text for sign in _FAILURES) else None


@dataclass
class Survey:
    """State of the tasks of a study.

    Attributes
    ----------
    plan : Plan
    states : dict of Task to State
        The state of each task's file.
    failures : list of Failure
    running : set of Task
        Tasks that the current run has begun.
    at_work : bool
        True if a run holds the results folder.
    """

    plan: Plan
    states: dict[Task, State]
    failures: list[Failure] = field(default_factory=list)
    running: set[Task] = field(default_factory=set)
    at_work: bool = False

    def standings(self) -> dict[Task, Standing]:
        """Return one standing for each task."""
        failed = {failure.task for failure in self.failures}

        def standing(task: Task, state: State) -> Standing:
            if state == "done":
                return "done"
            if task in self.running:
                return "running"
            return "failed" if task in failed else state

        return {task: standing(task, state) for task, state in self.states.items()}

    def to_recompute(self) -> list[str]:
        """Return the files that are missing, or not what the study needs.

        Snakemake itself makes a missing file only if another file needs it, so it does
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
    states: dict[Task, State] = dict.fromkeys(tasks(plan), "missing")
    unread = {task for task in states if not ledger.knows(task.path)} if progress else set()
    read = 0
    for task in states:
        if progress and task in unread:
            read += 1
            progress(read, len(unread))
        states[task] = ledger.state(task.path, task.expected)
    return Survey(plan, states)


def look_at_logs(survey: Survey) -> None:
    """Add failures and running tasks to a survey."""
    began = _began(survey.plan)
    survey.at_work = began is not None
    for task, state in survey.states.items():
        if state == "done":
            continue
        log = log_path(survey.plan, task.path)
        try:
            written = log.stat().st_mtime
        except OSError:
            continue
        reason = failure_in(log)
        if reason is not None:
            survey.failures.append(Failure(task, reason, log))
        elif began is not None and written >= began:
            survey.running.add(task)
    for task in list(survey.running):
        # Some have been finished in the meantime.
        stamp = stamp_of(task.path)
        if began is not None and stamp is not None and stamp[1] >= began * 1e9:
            survey.running.remove(task)
            survey.states[task] = "done"


def count(standings: Iterable[Standing]) -> dict[str, int]:
    """Count each standing, in a fixed order, including those that do not occur."""
    counted = Counter(standings)
    names: tuple[Standing, ...] = ("done", "running", "failed", "damaged", "stale", "missing")
    return {name: counted[name] for name in names}


def _reason(text: str) -> str:
    """Return the reason for a failure in the text of a log, in a line."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    # A traceback ends with the exception. Further lines belong to its message.
    errors = [line for line in lines if line.startswith("Job failed: ")]
    if errors:
        return errors[-1].removeprefix("Job failed: ")
    begins = [i for i, line in enumerate(text.splitlines()) if line.startswith("Traceback")]
    for line in text.splitlines()[begins[-1] + 1 :] if begins else ():
        if line and not line.startswith(" "):
            return line
    return lines[-1] if lines else ""


def _began(plan: Plan) -> float | None:
    """Return when the current run began; None without a run."""
    lock = Path(plan.results, ".lock")
    with suppress(OSError), lock.open(encoding="utf-8") as held:
        try:
            fcntl.flock(held, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return lock.stat().st_mtime
    return None
