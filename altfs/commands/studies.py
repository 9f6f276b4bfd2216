"""Studies as arguments of commands: a configuration, or a results folder."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from altfs.commands.output import console
from altfs.errors import ConfigError
from altfs.progress import line_every

if TYPE_CHECKING:
    from altfs.study.plan import Plan
    from altfs.study.state import StudyState


def add_study(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of a command that shows a study."""
    parser.add_argument(
        "study", type=Path, nargs="?", default=Path("config.yaml"),
        help="a configuration, or the results folder of a study (config.yaml)",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print JSON")


def add_results(parser: argparse.ArgumentParser) -> None:
    """Add the argument of a command that reads results."""
    parser.add_argument("results", type=Path, help="the results folder of a study")


def show(chosen: argparse.Namespace, view: Any) -> dict[str, Any]:
    """Print a view of a study as text or JSON, and return it as data.

    A view is a module with functions `as_data` and `as_text`.
    """
    data: dict[str, Any] = view.as_data(_state(chosen.study))
    if chosen.json:
        print(json.dumps(data, indent=1))
    else:
        view.as_text(data, console())
    return data


def open_config(path: Path) -> Plan:
    """Return the plan of a configuration, after a check of its keys and data."""
    from altfs.study.session import check_study
    from altfs.study.settings import read_settings

    raw = read_settings(path, "config")
    if not isinstance(raw, dict):
        raise ConfigError("config", f"'{path}' has no keys, see docs/configuration.md")
    return check_study(raw)


def _state(study: Path) -> StudyState:
    from altfs.study.session import open_study
    from altfs.study.state import Ledger, look_at_files, look_at_logs

    plan = open_study(study) if study.is_dir() else open_config(study)
    ledger = Ledger(plan.results)
    state = look_at_files(plan, ledger, line_every("results read", sys.stderr))
    # The next command does not read whole files again.
    ledger.save()
    look_at_logs(state)
    return state
