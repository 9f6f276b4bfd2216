"""State of a study: what is done, running, failed, damaged, stale or missing.

A file is done if it is whole, and made by exactly the task of the plan. Reading 24,000 shards takes
half a minute, so a ledger in the results folder has the sizes and times of change of whole files;
only files with other sizes or times are read again. The last task of the evaluation notes the
hashes of tables, figures and the page, so an edit of them is noticed, too.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

from altfs._files import read_bytes, read_json
from altfs.errors import StaleResultError
from altfs.study.plan import Plan
from altfs.study.store import SCHEMA_VERSION, Stamp, identity_of, read_whole, stamp_of, write_text
from altfs.study.task import Task, hash_of

#: The state of a file.
State = Literal["done", "stale", "damaged", "missing"]
#: The state of a task.
Standing = Literal["done", "running", "failed", "damaged", "stale", "missing"]

_LEDGER = ".whole.json"
# Text of the executors in the log of a failed job without a traceback.
_FAILED = "Job failed: "


class Ledger:
    """The files of one results folder that are known to be whole.

    An edit that keeps the size and both times of a file is not noticed here.
    ``altfs verify`` reads everything.
    """

    def __init__(self, folder: str | Path) -> None:
        self._path = Path(folder) / _LEDGER
        self._prefix = f"{folder}/"
        # The stamp and the identity of each file.
        self._files: dict[str, list[Any]] = {}
        self._learned: dict[str, list[Any]] = {}
        # Without a ledger all files are read again, which only takes time.
        with suppress(OSError, ValueError, KeyError, TypeError):
            content = read_json(self._path)
            if content["schema_version"] == SCHEMA_VERSION:
                files = dict(content["files"])
                if all(len(entry) == 4 for entry in files.values()):
                    self._files = files

    def state(self, path: str, expected: str) -> State:
        """Return the state of a file, given the task hash (of a dataset, the identity) it needs.

        A stale file is whole, but was made with other settings, data or code.
        """
        stamp = stamp_of(path)
        if stamp is None:
            return "missing"
        if self.stamp(path) != stamp:
            try:
                self.remember(path, stamp, identity_of(*read_whole(Path(path))))
            except StaleResultError:
                return "damaged"
        return "done" if self.identity(path) == expected else "stale"

    def knows(self, path: str) -> bool:
        """Return True if the file's state is known without reading it."""
        return stamp_of(path) in (None, self.stamp(path))

    def stamp(self, path: str) -> Stamp | None:
        """Return the stamp of a file when it was found whole; None if it never was."""
        size, changed, status_changed, _ = self._files.get(self._key(path), [None] * 4)
        return None if size is None else (size, changed, status_changed)

    def identity(self, path: str) -> str:
        """Return the task hash of a known file; of a dataset its identity."""
        return str(self._files[self._key(path)][-1])

    def remember(self, path: str, stamp: Stamp, identity: str) -> None:
        """Note a file that was found whole; `stamp` is from before it was read."""
        self._files[self._key(path)] = self._learned[self._key(path)] = [*stamp, identity]

    def take_learned(self) -> dict[str, list[Any]]:
        """Return the files that were noted since the ledger was read, saved or asked, for JSON."""
        learned, self._learned = self._learned, {}
        return learned

    def learn(self, files: dict[str, list[Any]]) -> None:
        """Note the files that the ledger of another task learned."""
        self._files |= files
        self._learned |= files

    def save(self) -> None:
        """Store the ledger if it has changed, unless the folder cannot be written to."""
        content = {"schema_version": SCHEMA_VERSION, "files": self._files}
        with suppress(OSError):
            if self._learned:
                write_text(self._path, json.dumps(content))
                self._learned = {}

    def _key(self, path: str) -> str:
        # A results folder may be moved, and has several names.
        return path.removeprefix(self._prefix)


class Failure(NamedTuple):
    """A task that failed and has not been run again."""

    kind: str
    dataset: str
    #: -1 for a task that is not of a fold.
    fold: int
    detail: str
    path: str
    reason: str
    log: str


def failure_in(log: Path) -> str | None:
    """Return the reason for the failure of a log's task, in a line; None if none is there.

    A task that Ctrl-C stopped has not failed.
    """
    try:
        text = read_bytes(log).decode("utf-8", "replace")
    except OSError:
        return None
    if _FAILED not in text and "Traceback (most recent call last)" not in text:
        return None
    lines = [line for line in text.splitlines() if line.strip()]
    if messages := [line.strip() for line in lines if line.strip().startswith(_FAILED)]:
        return messages[-1].removeprefix(_FAILED)
    begins = [i for i, line in enumerate(lines) if line.startswith("Traceback")]
    # A traceback ends with the exception. Further lines belong to its message.
    ends = (line for line in lines[begins[-1] + 1 :] if not line.startswith(" ")) if begins else ()
    reason = next(iter(ends), lines[-1].strip())
    # Ctrl-C reached a process before it imported what ends it silently, or a task while Python
    # frees memory.
    stopped = ("KeyboardInterrupt", "snakemake_executor_plugin_dask.call.TaskCancelled")
    return None if reason.startswith(stopped) else reason


@dataclass
class StudyState:
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
        failed = {failure.path for failure in self.failures}
        standings |= {task: "failed" for task in self.states if task.path in failed}
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
) -> StudyState:
    """Determine the state of every file of a study, and update the ledger.

    `progress` is called with the number of files read and of those to read.
    """
    listed = list(plan.tasks.values())
    unread = {task.path for task in listed if progress and not ledger.knows(task.path)}
    states: dict[Task, State] = {}
    read = 0
    for task in listed:
        if progress and task.path in unread:
            read += 1
            progress(read, len(unread))
        states[task] = task.state(plan, ledger)
    return StudyState(plan, states)


def look_at_logs(state: StudyState) -> None:
    """Add failures and running tasks to a state."""
    began = _began(state.plan)
    state.at_work = began is not None
    for task, file in state.states.items():
        written = stamp_of(task.log) if file != "done" else None
        if written is None:
            continue
        if (reason := failure_in(Path(task.log))) is not None:
            place = task.rule, task.dataset, task.fold_number, task.detail, task.path
            state.failures.append(Failure(*place, reason, task.log))
        elif began is not None and written[1] >= began:
            # The task may have ended in the meantime.
            stamp = stamp_of(task.path)
            if stamp is not None and stamp[1] >= began:
                state.states[task] = "done"
            else:
                state.running.add(task)


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


@dataclass
class ReportState:
    """State of tables, figures and the page."""

    page: str
    #: The files of the results that everything is made from.
    collected: list[str]
    #: Stale: made from other results, settings or code. Missing: the page does not exist.
    state: State
    #: The files that were truncated, edited or deleted after they were made.
    damaged: list[str] = field(default_factory=list)
    #: Failures of the last tasks, unless the state is "done".
    failures: list[Failure] = field(default_factory=list)

    def to_recompute(self) -> list[str]:
        """Return the first files to recompute, which Snakemake regards as up to date."""
        first = {"stale": self.collected, "damaged": [*self.damaged, self.page]}
        return list(dict.fromkeys(first.get(self.state, [])))


def look_at_report(state: StudyState) -> ReportState:
    """Determine the state of tables, figures and the page, given that of the results."""
    plan = state.plan
    collected = [plan.collected_portion(name)[0] for name in plan.facts]
    report = ReportState(plan.report_path(), collected, "missing")
    page = stamp_of(report.page)
    if page is not None:
        evaluation_hash, files = noted_evaluation(plan)
        paths = {f"{plan.results}/{path}": digest for path, digest in files.items()}
        report.damaged = [path for path, digest in paths.items() if _digest(path) != digest]
        stamps = (stamp_of(task.path) for task in state.states)
        current = (
            state.complete
            and all(stamp is None or stamp[1] <= page[1] for stamp in stamps)
            and set(evaluated_files(plan)) <= paths.keys()
            and evaluation_hash == hash_of(plan.evaluation)
        )
        report.state = "damaged" if report.damaged else "done" if current else "stale"
    if report.state != "done":
        for rule, name, path, log in evaluation_jobs(plan):
            if (reason := failure_in(Path(log))) is not None:
                report.failures.append(Failure(rule, "", -1, name, path, reason, log))
    return report


def outdated_files(state: StudyState, report: ReportState) -> dict[str, Stamp]:
    """Return the files that exist and are to be made again, with their stamps."""
    paths = state.to_recompute() + report.to_recompute()
    if report.state == "stale":
        paths += [path for _, _, path, _ in evaluation_jobs(state.plan)]
    stamps = {path: stamp_of(path) for path in paths}
    return {path: stamp for path, stamp in stamps.items() if stamp is not None}


def evaluation_jobs(plan: Plan) -> Iterator[tuple[str, str, str, str]]:
    """Yield rule, name, first file and log of each job of the evaluation."""
    jobs = [
        *(("collect", name, plan.collected_portion(name)[0]) for name in plan.facts),
        ("combine", "", plan.collected_path()),
        *(("tables", name, plan.table_paths(name)[0]) for name in plan.tables),
        *(("figures", name, plan.figure_paths(name)[0]) for name in plan.figures),
        ("report", "", plan.report_path()),
    ]
    for rule, name, path in jobs:
        # The names of datasets may have dots.
        yield rule, name, path, f"{plan.results}/logs/{f'{rule}/{name}' if name else rule}.log"


def bring_to_present(plan: Plan) -> None:
    """Give the files of a study that are dated in the future the present time.

    After the clock of a machine was set back, Snakemake would fail each job that reads such a file,
    because what the job makes would be older.
    """
    collected = (path for name in plan.facts for path in plan.collected_portion(name))
    paths = [task.path for task in plan.tasks.values()]
    for path in [*paths, *collected, plan.collected_path(), *evaluated_files(plan)]:
        stamp = stamp_of(path)
        if stamp is not None and stamp[1] > time.time_ns():
            # Without the right to do so, the run ends with the reason.
            with suppress(OSError):
                os.utime(path)


def forget_evaluation(plan: Plan) -> None:
    """Delete the note before files are recomputed, as these would look damaged."""
    Path(plan.evaluated_path()).unlink(missing_ok=True)


def note_evaluation(plan: Plan, study: str = "") -> None:
    """Note the files of the evaluation, after all of them were made.

    `study` is the hash of everything on which they depend, if the caller has it: its computation
    reads the code of the package, which takes a second.
    """
    files = {plan.inside(path): _digest(path) for path in evaluated_files(plan) if stamp_of(path)}
    noted = {"task_hash": study or hash_of(plan.evaluation), "files": files}
    write_text(Path(plan.evaluated_path()), json.dumps(noted, indent=1, sort_keys=True) + "\n")


def evaluated_files(plan: Plan) -> list[str]:
    """Return the files that are made from the results, the page first, without their note."""
    note = plan.evaluated_path()
    return [plan.report_path(), *(path for path in plan.evaluation_paths() if path != note)]


def noted_evaluation(plan: Plan) -> tuple[str | None, dict[str, str]]:
    """Return the task hash and the files of the evaluation's note; None if it is damaged."""
    try:
        content = read_json(plan.evaluated_path())
        files = {str(path): str(digest) for path, digest in content["files"].items()}
        # Nothing outside of the folder is read.
        inside = all(not Path(p).is_absolute() and ".." not in Path(p).parts for p in files)
        return (content["task_hash"], files) if inside else (None, {})
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None, {}


def _digest(path: str) -> str:
    try:
        return hashlib.sha256(read_bytes(path)).hexdigest()
    except OSError:
        return ""
