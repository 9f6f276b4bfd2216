"""The command line: ``altfs check``, ``verify`` and ``schema``; studies are run by snakemake."""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import NoReturn

from altfs import __version__
from altfs.errors import AltfsError, ConfigError

_SECONDS_BETWEEN_LINES = 5.0
_VERIFY = """\
Recomputes what the shards of a study say from its data and scores, checks every
file, and has claims of optimality and infeasibility judged by another solver
(OR-Tools CP-SAT). Writes nothing into the folder.

exit code: 0 all is well; 1 something is wrong or missing; 2 wrong arguments
example: altfs verify results/default --jobs 2"""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """Say what is wrong in one line, as everywhere else."""
        self.exit(2, f"altfs: {message}, see '{self.prog} --help'.\n")


def main(arguments: list[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    parser = _Parser(
        prog="altfs", description="Alternative feature selection: check studies and their results."
    )
    parser.add_argument("--version", action="version", version=f"altfs {__version__}")
    commands = parser.add_subparsers(dest="command", required=True)
    check = commands.add_parser(
        "check",
        help="validate a configuration and its datasets, write nothing",
        epilog="example: altfs check config.yaml",
    )
    check.add_argument("config", type=Path, nargs="?", default=Path("config.yaml"))
    _add_verify(
        commands.add_parser(
            "verify",
            help="audit the results of a study, write nothing",
            description=_VERIFY,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
    )
    commands.add_parser("schema", help="print the JSON schema of config.yaml")
    chosen = parser.parse_args(arguments)
    try:
        if chosen.command == "verify":
            return _verify(chosen)
        if chosen.command == "schema":
            from altfs.study.config import config_schema

            print(json.dumps(config_schema(), indent=2))
        else:
            _check(chosen.config)
    except AltfsError as error:
        print(f"altfs: {error}", file=sys.stderr)
        return 2 if chosen.command == "verify" else 1
    except KeyboardInterrupt:
        print("altfs: interrupted.", file=sys.stderr)
        return 130
    return 0


def _add_verify(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("results", type=Path, help="the results folder of a study")
    extent = parser.add_mutually_exclusive_group()
    extent.add_argument(
        "--sample", type=int, default=20, metavar="N",
        help="shards whose claims are judged, and scores computed anew (20)",
    )  # fmt: skip
    extent.add_argument(
        "--full", action="store_true", help="judge all, and make every score and shard anew"
    )
    parser.add_argument("--seed", type=int, default=0, help="which ones the sample holds (0)")
    parser.add_argument(
        "--work", type=float, help="work limit of the judging solver (the study's limits.work)"
    )
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="processes (1)")
    parser.add_argument(
        "--allow-missing", action="store_true", help="missing files alone do not fail the audit"
    )


def _verify(chosen: argparse.Namespace) -> int:
    from altfs.study.verify import verify_study

    said = time.monotonic()

    def progress(done: int, total: int) -> None:
        nonlocal said
        if time.monotonic() - said > _SECONDS_BETWEEN_LINES:
            said = time.monotonic()
            print(f"altfs: {done} shards done, {total - done} remaining", file=sys.stderr)

    report = verify_study(
        chosen.results,
        sample=chosen.sample,
        full=chosen.full,
        seed=chosen.seed,
        work=chosen.work,
        jobs=chosen.jobs,
        progress=progress,
    )
    for line in report.lines():
        print(line)
    if report.missing and not chosen.allow_missing:
        print("altfs: the study is incomplete, run it again or allow it with --allow-missing.",
              file=sys.stderr)  # fmt: skip
        return 1
    return 1 if report.problems else 0


def _check(path: Path) -> None:
    import yaml

    from altfs.study.session import check_study

    try:
        raw = yaml.safe_load(path.read_text("utf-8"))
    except OSError as error:
        raise ConfigError(f"config: '{path}' cannot be read ({error.strerror}).") from None
    except UnicodeDecodeError:
        raise ConfigError(f"config: '{path}' is no UTF-8 text.") from None
    except yaml.YAMLError as error:
        place = str(error).replace("\n", " ")
        raise ConfigError(f"config: '{path}' is no YAML file ({place}).") from None
    if not isinstance(raw, dict):
        raise ConfigError(f"config: '{path}' has no keys, see docs/configuration.md.")
    plan = check_study(raw)
    for name, facts in plan.facts.items():
        print(f"{name}: {facts.n_rows} rows, {facts.n_total} features, {facts.target_type}")
    print(f"{plan.config.name}: {sum(1 for _ in plan.shard_keys())} shards in {plan.results}")
