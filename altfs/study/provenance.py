"""The origin of results: the runs of a study, and the time that its tasks took."""

from __future__ import annotations

import contextlib
import json
import os
import platform
import re
import shlex
import subprocess
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from altfs.study.store import library_versions, write_text

_CPU_TIME = re.compile(rb"^CPU time: ([0-9.]+) s\s*\Z", re.MULTILINE)


class TaskTimes(NamedTuple):
    """The number of logs of tasks, when the first began and the last ended, and their seconds.

    CPU time is that of the `n_cpu` logs that have it.
    """

    n: int
    began: datetime
    ended: datetime
    seconds: float
    cpu_seconds: float
    n_cpu: int


def this_run() -> dict[str, Any]:
    """Return when and how this process was started, and with which code, versions and machine."""
    return {
        "started": f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S} UTC",
        "command": shlex.join([Path(sys.argv[0]).name, *sys.argv[1:]]),
        "commit": _commit(),
        "versions": {"python": platform.python_version(), **library_versions()},
        "machine": f"{platform.system()} {platform.release()}, {platform.machine()}, "
        f"{os.cpu_count()} processors",
    }


def stored_runs(study_file: str | Path) -> list[dict[str, Any]]:
    """Return the runs that ``study.json`` names, the first one first; none if it is damaged."""
    try:
        runs = json.loads(Path(study_file).read_text("utf-8")).get("runs", [])
        return [run for run in runs if isinstance(run, dict)]
    except (OSError, ValueError, AttributeError, TypeError):
        return []


def task_times(results: str | Path) -> TaskTimes | None:
    """Read the times of the tasks from their logs; None if no log has any.

    Logs that were copied have lost their times.

    A log is modified when its task begins, and accessed when it ends. Other files of the folder
    do not count.
    """
    paths = list(Path(results, "logs").rglob("*.log"))
    # The times come first, as reading a file may change them.
    logs = [path.stat() for path in paths]
    known = [_CPU_TIME.search(_ending(path)) for path in paths]
    cpu = [float(found[1]) for found in known if found]
    spans = [(found.st_mtime, max(found.st_atime, found.st_mtime)) for found in logs]
    seconds = sum(end - begin for begin, end in spans)
    if not seconds:
        return None
    began, ended = min(span[0] for span in spans), max(span[1] for span in spans)
    return TaskTimes(
        len(spans), datetime.fromtimestamp(began, UTC), datetime.fromtimestamp(ended, UTC), seconds,
        sum(cpu), len(cpu),
    )  # fmt: skip


def note_outcome(study_file: str | Path, outcome: Mapping[str, Any]) -> None:
    """Add what a run came to, to the last run that ``study.json`` names."""
    content = json.loads(Path(study_file).read_text("utf-8"))
    if content.get("runs"):
        content["runs"][-1] |= outcome
        write_text(Path(study_file), json.dumps(content, indent=1, sort_keys=True) + "\n")


def _ending(path: Path) -> bytes:
    """Return the end of a file, without a change of the time of its last access."""
    before = path.stat()
    with path.open("rb") as file:
        file.seek(max(before.st_size - 100, 0))
        text = file.read()
    # The access time says when the task ended. Files of somebody else keep what they have.
    with contextlib.suppress(PermissionError):
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    return text


def _commit() -> str:
    """Return the commit of the code, or ``unknown`` if it is not in a repository of its own."""
    folder = Path(__file__).parents[2]
    if not (folder / ".git").exists():
        return "unknown"
    command = ["git", "-C", str(folder), "describe", "--always", "--dirty", "--abbrev=12"]
    try:
        found = subprocess.run(command, capture_output=True, text=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError):
        return "unknown"
    return found.stdout.strip()
