"""``altfs info``: the versions, the machine and the configuration, for a report of a bug."""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path
from typing import Any

from altfs.commands.exit_codes import OK

HELP = "versions, machine and configuration, for a bug report"
DESCRIPTION = """\
Says which versions of altfs, Python and the libraries are installed (null: not
installed), which extras are complete, which other packages have components,
on which machine, and in which folder compiled kernels are kept (null: they are
compiled in every process). With a study, also its configuration. Prints YAML.
Changes nothing.

examples:
  altfs info
  altfs info config.yaml
  altfs info results/default --json"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("study", type=Path, nargs="?",
                        help="a configuration, or the results folder of a study")  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(chosen: argparse.Namespace) -> int:
    """Run the command and return the exit code."""
    import yaml

    data = _installation()
    if chosen.study is not None:
        data["study"] = _configuration(chosen.study)
    if chosen.json:
        print(json.dumps(data, indent=1, default=str))
    else:
        print(yaml.safe_dump(data, sort_keys=False, default_flow_style=None, width=100), end="")
    return OK


def _installation() -> dict[str, Any]:
    from altfs import __file__, __version__
    from altfs._compiled import copy_into
    from altfs._memory import memory, size_of
    from altfs.study.runs import this_run

    process = this_run()
    libraries, extras = _requirements()
    return {
        "altfs": __version__,
        "commit": process["commit"],
        "folder": str(Path(__file__).parent),
        "python": process["versions"]["python"],
        "machine": process["machine"],
        "memory": size_of(memory()),
        # One kernel stands for all: numba decides by the folder of the package.
        "kernels": copy_into.stats.cache_path,  # type: ignore[attr-defined]
        "extras": extras,
        "packages": _packages(),
        "libraries": libraries,
    }


def _packages() -> dict[str, dict[str, Any]]:
    """Return the version of each package with components, and their names; nothing is imported."""
    from altfs.registry import all_entry_points, package_of

    packages: dict[str, dict[str, Any]] = {}
    for point in all_entry_points():
        version = point.dist.version if point.dist else None
        package = packages.setdefault(package_of(point), {"version": version})
        package.setdefault(point.group.removeprefix("altfs."), []).append(point.name)
    return packages


def _requirements() -> tuple[dict[str, str | None], dict[str, bool]]:
    """Return the version of each library that altfs names, and whether extras are complete."""
    from importlib.metadata import PackageNotFoundError, requires, version

    libraries: dict[str, str | None] = {}
    extras: dict[str, bool] = {}
    for line in requires("altfs") or []:
        name, _, marker = line.partition(";")
        library = re.split(r"[^\w.-]", name)[0]
        try:
            libraries[library] = version(library)
        except PackageNotFoundError:
            libraries[library] = None
        for extra in re.findall(r"extra == ['\"]([^'\"]+)", marker):
            extras[extra] = extras.get(extra, True) and libraries[library] is not None
    return dict(sorted(libraries.items())), dict(sorted(extras.items()))


def _configuration(study: Path) -> Any:
    """Return the configuration of a study; one in a file as it is, even if it is not valid."""
    from altfs.study.session import open_study
    from altfs.study.settings import read_settings

    if study.is_dir():
        return open_study(study).config.model_dump(mode="json")
    return read_settings(study, "config")
