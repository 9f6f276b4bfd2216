"""Opening of a study: checks, the lock of the results folder, and the stored plan."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

from altfs._extras import is_installed, require
from altfs._files import read_json
from altfs.errors import AltfsError, ConfigError
from altfs.kinds.base import kinds
from altfs.selectors import selectors
from altfs.study.config import StudyConfig, parse_config
from altfs.study.facts import gather_facts
from altfs.study.plan import Plan, load_plan
from altfs.study.runs import installed_packages, stored_runs, this_run
from altfs.study.store import SCHEMA_VERSION, write_text
from altfs.study.supported import check_supported

# The lock ends with this file object: at the latest when the process ends or is killed.
_lock: IO[str] | None = None
# Files of a results folder that do not belong to a study.
_OTHERS = (".lock", "README.md")
# Seconds between attempts to take it.
_PAUSES = (0.05, 0.2, 0.5)


def check_study(raw: Mapping[str, Any]) -> Plan:
    """Validate a configuration and its data; write nothing."""
    config = parse_config(raw)
    _check_extras(config)
    _check_folder(config)
    plan = Plan(config, gather_facts(config))
    check_supported(config)
    return plan


def _check_extras(config: StudyConfig) -> None:
    """Check that all libraries are installed that only some components need."""
    needed = {"selectors": {selectors.get(entry.type).extra for entry in config.selectors} - {""}}
    needed.update({kind.section: kind.libraries(config) for kind in kinds.all() if kind.section})
    absent = {
        key: {extra for extra in extras if not is_installed(extra)}
        for key, extras in needed.items()
    }
    keys = ", ".join(key for key, extras in absent.items() if extras)
    libraries = sorted(set().union(*absent.values()))
    require(f"{keys}: the study", ",".join(libraries), *libraries)


def begin_study(plan: Plan) -> None:
    """Lock the results folder of a checked study, and store the plan and what repeats the run."""
    folder = Path(plan.results)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _take_lock(folder)
        runs = [*stored_runs(plan.study_file), this_run()]
        write_text(Path(plan.study_file), plan.dump(runs))
        write_text(folder / "config.yaml", plan.configuration())
        write_text(folder / "packages.txt", installed_packages())
    except OSError as error:
        reason = f"'{folder}' cannot be written to ({error.strerror})"
        advice = "name a folder in which you may create files"
        raise ConfigError("results", reason, advice) from None


def join_study(raw: Mapping[str, Any]) -> Plan:
    """Read the plan that the main process stored, in one of its child processes."""
    return load_plan(parse_config(raw).results)


def open_study(folder: str | Path) -> Plan:
    """Read the plan in a results folder, which may have been moved."""
    path = Path(folder)
    study_file = path / "study.json"
    if not study_file.is_file():
        raise ConfigError("results", f"'{folder}' holds no study", "name the results folder of one")
    plan = None
    if _stored_name(study_file) is not None:
        try:
            plan = load_plan(path)
        except AltfsError as error:
            raise error.at("") from None
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            pass
    if plan is None or not plan.facts.keys() >= set(plan.orders()["dataset"]):
        raise ConfigError("results", f"'{study_file}' is damaged", "run the study again")
    return Plan(plan.config.model_copy(update={"results": path}), plan.facts)


def _check_folder(config: StudyConfig) -> None:
    folder = config.results
    if folder.exists() and not folder.is_dir():
        raise ConfigError("results", f"'{folder}' is a file", "name a folder")
    study_file = folder / "study.json"
    if study_file.is_file():
        holds = _stored_name(study_file)
        # The run replaces a damaged file, and keeps every whole result.
        if holds not in (None, config.name):
            reason = f"'{folder}' holds the study '{holds}', not '{config.name}'"
            raise ConfigError("results", reason, "name another folder, every study has its own")
    elif folder.is_dir() and any(p.name not in _OTHERS for p in folder.iterdir()):
        reason = f"'{folder}' is not empty and holds no study"
        raise ConfigError("results", reason, "name an empty or a new folder")


def _stored_name(study_file: Path) -> str | None:
    """Return the name of a stored study of this schema version; None if the file is damaged."""
    try:
        content = read_json(study_file)
        stored, name = content["schema_version"], content["config"]["name"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    if stored != SCHEMA_VERSION:
        raise ConfigError(
            "results",
            f"'{study_file.parent}' holds results of schema version {stored}, this version of "
            f"altfs reads and writes {SCHEMA_VERSION} and cannot convert them",
            "name a new folder (or delete this one) to run the study again",
        )
    return str(name)


def _take_lock(folder: Path) -> None:
    global _lock
    lock = (folder / ".lock").open("a+", encoding="utf-8")
    # `altfs status` shares the lock for an instant, to see if a run holds it.
    for pause in (*_PAUSES, None):
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            break
        except BlockingIOError:
            if pause is not None:
                time.sleep(pause)
                continue
            lock.seek(0)
            owner = lock.read().strip() or "unknown"
            lock.close()
            reason = f"another run (process {owner}) is working in '{folder}'"
            advice = "wait for it, end it, or name another folder"
            raise ConfigError("results", reason, advice) from None
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
