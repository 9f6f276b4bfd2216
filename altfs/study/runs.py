"""Runs of a study: when and how they were started, and the time that tasks took."""

from __future__ import annotations

import json
import os
import platform
import re
import shlex
import subprocess
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import partial
from importlib.metadata import distributions
from pathlib import Path
from typing import Any, NamedTuple

from altfs._files import read_json
from altfs.study.store import library_versions, write_text

# The line with which the log of a task ends that succeeded.
_TIMES = re.compile(rb"^Ran from ([0-9.]+) to ([0-9.]+), CPU time: ([0-9.]+) s\s*\Z", re.MULTILINE)

# What runs, of all that is in a repository; a study and a profile are settings.
_CODE = (
    "Snakefile",
    "altfs",
    "workflow",
    ":(exclude)workflow/studies",
    ":(exclude)workflow/profiles",
)


class Forecast(NamedTuple):
    """The kind of a job, from the general to the special, and its expected CPU seconds.

    If nothing is known of its kind, the seconds only compare it with others of the kind.
    """

    kind: tuple[str, ...]
    seconds: float
    measured: bool = True


class TaskTimes(NamedTuple):
    """The number of tasks that succeeded, when the first began and the last ended, and seconds."""

    n: int
    began: datetime
    ended: datetime
    seconds: float
    cpu_seconds: float


def this_run() -> dict[str, Any]:
    """Return when and how this process was started, and with which code, versions and machine."""
    return {
        "started": f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S} UTC",
        "command": shlex.join([Path(sys.argv[0]).name, *sys.argv[1:]]),
        "commit": commit_of(Path(__file__).parents[2]),
        "versions": {"python": platform.python_version(), **library_versions()},
        "machine": f"{platform.system()} {platform.release()}, {platform.machine()}, "
        f"{os.cpu_count()} processors",
    }


def stored_runs(study_file: str | Path) -> list[dict[str, Any]]:
    """Return the runs that ``study.json`` names, the first one first; none if it is damaged."""
    try:
        runs = read_json(study_file).get("runs", [])
        return [run for run in runs if isinstance(run, dict)]
    except (OSError, ValueError, AttributeError, TypeError):
        return []


def task_times(results: str | Path) -> TaskTimes | None:
    """Read the times of the tasks from the last lines of their logs; None if no log has any.

    The page says them, so its own log, which ends later, does not count.
    """
    own = Path(results, "logs", "report.log")
    logs = own.parent.rglob("*.log")
    times = [line for log in logs if log != own and (line := log_times(log))]
    if not times:
        return None
    began, ended, cpu = zip(*times, strict=True)
    return TaskTimes(
        len(times),
        datetime.fromtimestamp(min(began), UTC),
        datetime.fromtimestamp(max(ended), UTC),
        sum(ended) - sum(began),
        sum(cpu),
    )


def log_times(path: str | Path) -> tuple[float, float, float] | None:
    """Return when the task of a log began and ended, and its CPU seconds; None unless it did."""
    try:
        with open(path, "rb") as file:
            file.seek(max(file.seek(0, os.SEEK_END) - 200, 0))
            times = _TIMES.search(file.read())
    except OSError:
        return None
    return (float(times[1]), float(times[2]), float(times[3])) if times else None


def note_outcome(study_file: str | Path, outcome: Mapping[str, Any]) -> None:
    """Add what a run came to, to the last run that ``study.json`` names."""
    content = read_json(study_file)
    if content.get("runs"):
        content["runs"][-1] |= outcome
        write_text(Path(study_file), json.dumps(content, indent=1, sort_keys=True) + "\n")


def installed_packages() -> str:
    """Return the versions of all installed packages, as pip reads them.

    A package that was installed from a folder, such as a clone of altfs, has no version to install.
    """
    pins = {
        f"{package.name}=={package.version}"
        for package in distributions()
        if package.read_text("direct_url.json") is None and package.name != "altfs"
    }
    return "".join(f"{pin}\n" for pin in sorted(pins, key=str.lower))


def commit_of(folder: Path) -> str:
    """Return the commit of the code in a folder, or ``unknown`` if it is not a repository.

    It ends in ``-dirty`` if code was changed or added since.
    """
    if not (folder / ".git").exists():
        return "unknown"
    git = partial(
        subprocess.run, capture_output=True, text=True, timeout=10, check=True, cwd=folder
    )
    try:
        commit = git(["git", "describe", "--always", "--abbrev=12"]).stdout.strip()
        changed = git(["git", "status", "--porcelain", "--", *_CODE]).stdout
    except (OSError, subprocess.SubprocessError):
        return "unknown"
    return f"{commit}-dirty" if changed else commit
