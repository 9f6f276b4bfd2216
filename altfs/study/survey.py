"""How far a study is: done, stale, damaged, running, failed or missing, task by task."""

from __future__ import annotations

import fcntl
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, NamedTuple

from altfs.study.inventory import Task, log_path, tasks
from altfs.study.ledger import Ledger, State
from altfs.study.plan import Plan

Standing = Literal["done", "stale", "damaged", "missing", "running", "failed"]

# What the executors leave in the log of a job that failed.
_FAILURES = ("Traceback (most recent call last)", "Job failed: ")


class Failure(NamedTuple):
    """A task that failed and has not been run again."""

    task: Task
    reason: str
    log: Path


def failure_in(log: Path) -> str | None:
    """Why the task of a log failed, in a line; None if the log tells of no failure."""
    try:
        text = log.read_text("utf-8", "replace")
    except OSError:
        return None
    return _reason(text) if any(sign in text for sign in _FAILURES) else None


@dataclass
class Survey:
    """What is there of a study.

    Attributes
    ----------
    plan : Plan
    states : dict of Task to State
        By what the files are: done, stale, damaged or missing.
    failures : list of Failure
    running : set of Task
        Begun by the run that is at work.
    at_work : bool
        Whether a run holds the results folder.
    """

    plan: Plan
    states: dict[Task, State]
    failures: list[Failure] = field(default_factory=list)
    running: set[Task] = field(default_factory=set)
    at_work: bool = False

    def standings(self) -> dict[Task, Standing]:
        """The one thing to say of each task; nothing is counted twice."""
        failed = {failure.task for failure in self.failures}

        def standing(task: Task, state: State) -> Standing:
            if state == "done":
                return "done"
            if task in self.running:
                return "running"
            return "failed" if task in failed else state

        return {task: standing(task, state) for task, state in self.states.items()}

    def to_make_again(self) -> list[str]:
        """The files that are not there, or not what the study needs.

        Snakemake makes a missing file only where something is to be made from it: what
        was deleted from a finished study it would not miss.
        """
        return [t.path for t, state in self.states.items() if state != "done"]

    def damaged(self) -> list[str]:
        """The files that were truncated, edited or never written by altfs."""
        return [t.path for t, state in self.states.items() if state == "damaged"]

    @property
    def complete(self) -> bool:
        """Whether every file of the plan is there, whole and up to date."""
        return all(state == "done" for state in self.states.values())


def look_at_files(
    plan: Plan, ledger: Ledger, progress: Callable[[int, int], None] | None = None
) -> Survey:
    """Find out what every file of a study is.

    Parameters
    ----------
    plan : Plan
    ledger : Ledger
        Learns what it did not know; saving it is up to the caller.
    progress : callable, optional
        Called with the number of files read and of those to read.
    """
    listed = list(tasks(plan))
    unread = sum(not ledger.knows(task.path) for task in listed) if progress else 0
    states: dict[Task, State] = {}
    read = 0
    for task in listed:
        if progress and unread and not ledger.knows(task.path):
            read += 1
            progress(read, unread)
        states[task] = ledger.state(task.path, task.expected)
    return Survey(plan, states)


def look_at_logs(survey: Survey) -> None:
    """Add what failed and what is running."""
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
    if began is not None:
        # What was finished while the others were looked at runs no more.
        for task in [task for task in survey.running if _made_since(task.path, began)]:
            survey.running.remove(task)
            survey.states[task] = "done"


def _made_since(path: str, began: float) -> bool:
    try:
        return Path(path).stat().st_mtime >= began
    except OSError:
        return False


def count(standings: Iterable[Standing]) -> dict[str, int]:
    """How many of each, in a fixed order, none left out."""
    counted = Counter(standings)
    names: tuple[Standing, ...] = ("done", "running", "failed", "damaged", "stale", "missing")
    return {name: counted[name] for name in names}


def _reason(text: str) -> str:
    """What a log says about why its task failed, in a line."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    # A traceback ends with the exception; its further lines belong to the message.
    errors = [line for line in lines if line.startswith("Job failed: ")]
    if errors:
        return errors[-1].removeprefix("Job failed: ")
    begins = [i for i, line in enumerate(text.splitlines()) if line.startswith("Traceback")]
    for line in text.splitlines()[begins[-1] + 1 :] if begins else ():
        if line and not line.startswith(" "):
            return line
    return lines[-1] if lines else ""


def _began(plan: Plan) -> float | None:
    """When the run that is at work began; None if none is."""
    lock = Path(plan.results, ".lock")
    with suppress(OSError), lock.open(encoding="utf-8") as held:
        try:
            fcntl.flock(held, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return lock.stat().st_mtime
    return None
