"""Opening a study: check everything, lock the results folder, store the plan."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

from altfs.errors import ConfigError
from altfs.study.config import StudyConfig, parse_config
from altfs.study.facts import gather_facts
from altfs.study.plan import Plan, load_plan
from altfs.study.store import write_atomically

# The lock lives as long as this file object, that is, as long as the process:
# a killed run leaves no lock behind.
_lock: IO[str] | None = None


def check_study(raw: Mapping[str, Any]) -> Plan:
    """Validate a configuration and its data; write nothing.

    Raises
    ------
    ConfigError, DataError
        One sentence about the first thing that is wrong.
    """
    config = parse_config(raw)
    _check_folder(config)
    return Plan(config, gather_facts(config))


def begin_study(plan: Plan) -> None:
    """Make the results folder of a checked study ready: lock it, store the plan.

    Raises
    ------
    ConfigError
        If another run works in the folder, or it cannot be written to.
    """
    folder = Path(plan.results)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _take_lock(folder)
        write_atomically(Path(plan.study_file), lambda path: _write_text(path, plan.dump()))
    except OSError as error:
        raise ConfigError(
            f"results: '{folder}' cannot be written to ({error.strerror}), "
            "name a folder in which you may create files."
        ) from None


def join_study(raw: Mapping[str, Any]) -> Plan:
    """The plan as the main process stored it, for its child processes."""
    return load_plan(Path(parse_config(raw).results) / "study.json")


def _write_text(path: Path, text: str) -> None:
    path.write_text(text, "utf-8")


def _check_folder(config: StudyConfig) -> None:
    folder = config.results
    if folder.exists() and not folder.is_dir():
        raise ConfigError(f"results: '{folder}' is a file, name a folder.")
    study_file = folder / "study.json"
    if study_file.is_file():
        try:
            holds = str(json.loads(study_file.read_text("utf-8"))["config"]["name"])
        except (ValueError, KeyError, TypeError):
            raise ConfigError(
                f"results: '{study_file}' is damaged, delete it or name another folder."
            ) from None
        if holds != config.name:
            raise ConfigError(
                f"results: '{folder}' holds the study '{holds}', not '{config.name}', "
                "name another folder, every study has its own."
            )
    elif folder.is_dir() and any(p.name != ".lock" for p in folder.iterdir()):
        raise ConfigError(
            f"results: '{folder}' is not empty and holds no study, name an empty or a new folder."
        )


def _take_lock(folder: Path) -> None:
    global _lock
    lock = (folder / ".lock").open("a+", encoding="utf-8")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.seek(0)
        owner = lock.read().strip() or "unknown"
        lock.close()
        raise ConfigError(
            f"results: another run (process {owner}) is working in '{folder}', "
            "wait for it, end it, or name another folder."
        ) from None
    except OSError:
        # Some network file systems have no locks; Snakemake's own lock remains.
        lock.close()
        return
    lock.truncate(0)
    lock.write(f"{os.getpid()}\n")
    lock.flush()
    if _lock is not None:
        _lock.close()
    _lock = lock
