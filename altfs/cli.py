"""The command line: ``altfs find``, and what goes with the studies that snakemake runs."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from altfs import __version__
from altfs._terminal import console
from altfs.checking import add_check, check_arguments, is_about_table, run_check
from altfs.completion import add_completion, completion
from altfs.errors import AltfsError, ConfigError, NoFeatureSetError
from altfs.finding import add_find, run_find
from altfs.progress import line_every

if TYPE_CHECKING:
    from altfs.study.plan import Plan
    from altfs.study.survey import Survey

_VERIFY = """\
Recomputes what the shards of a study say from its data and scores, checks every
file, and has claims of optimality and infeasibility judged by another solver
(OR-Tools CP-SAT). Writes nothing into the folder.

exit code: 0 all is well; 1 something is wrong or missing; 2 wrong arguments
example: altfs verify results/default --jobs 2"""

_STATUS = """\
Says of every task of a study whether it is done, running, failed, damaged, stale
(made with other settings, data or code) or missing, and shows the failures.

exit code: 0 the study is complete; 1 it is not; 2 wrong arguments
example: altfs status config.yaml"""
_PLAN = """\
Says what a study consists of, what the next run would do, and about how many
CPU hours and how much disk that takes. Changes no result.

example: altfs plan config.yaml"""


_REPORT = """\
Makes tables, figures and report of a study anew from its shards and predictions.
Of an incomplete study it shows what there is, and says what is missing.

exit code: 0 the report was made; 2 wrong arguments, or a file cannot be used
example: altfs report results/default"""

# Of these commands 1 is an answer; what cannot be answered is 2.
_EXIT_2 = ("find", "verify", "status", "report")
# 128 + SIGPIPE, as a shell says it of programs that do not catch the signal.
_CLOSED_PIPE = 141


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """Say what is wrong in one line, as everywhere else."""
        self.exit(2, f"altfs: {message}, see '{self.prog} --help'.\n")


def main(arguments: list[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    chosen = make_parser().parse_args(arguments)
    try:
        code = _run(chosen)
        # What is left to be written is written where errors are still looked at.
        sys.stdout.flush()
        return code
    except AltfsError as error:
        print(f"altfs: {error}", file=sys.stderr)
        answers = chosen.command in _EXIT_2 or is_about_table(chosen)
        if isinstance(error, NoFeatureSetError) or not answers:
            return 1
        return 2
    except BrokenPipeError:
        # Who reads the output has seen enough of it, as `head` has.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _CLOSED_PIPE
    except KeyboardInterrupt:
        print("altfs: interrupted.", file=sys.stderr)
        return 130


def _run(chosen: argparse.Namespace) -> int:
    if chosen.command == "find":
        return run_find(chosen)
    if chosen.command == "verify":
        return _verify(chosen)
    if chosen.command in ("status", "plan"):
        return _status(chosen) if chosen.command == "status" else _plan(chosen)
    if chosen.command == "report":
        return _report(chosen.results)
    if chosen.command == "completion":
        print(completion(make_parser(), chosen.shell), end="")
    elif chosen.command == "schema":
        from altfs.study.config import config_schema

        print(json.dumps(config_schema(), indent=2))
    else:
        check_arguments(chosen)
        if chosen.target is not None:
            return run_check(chosen)
        _check(chosen.config)
    return 0


def make_parser() -> argparse.ArgumentParser:
    """The parser of the command line."""
    parser = _Parser(
        prog="altfs",
        description="Alternative feature selection: in one table; in studies and their results.",
    )
    parser.add_argument("--version", action="version", version=f"altfs {__version__}")
    commands = parser.add_subparsers(dest="command", required=True)
    add_find(commands)
    add_check(commands)
    _add_study(commands, "plan", "what the next run would do, and what it costs", _PLAN)
    _add_study(commands, "status", "how far a study is, and what failed", _STATUS)
    _add_verify(
        commands.add_parser(
            "verify",
            help="audit the results of a study, write nothing",
            description=_VERIFY,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
    )
    report = commands.add_parser(
        "report",
        help="make tables, figures and report from the results of a study",
        description=_REPORT,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    report.add_argument("results", type=Path, help="the results folder of a study")
    commands.add_parser("schema", help="print the JSON schema of config.yaml")
    add_completion(commands)
    return parser


def _add_study(commands: Any, name: str, help_text: str, description: str) -> None:
    parser = commands.add_parser(
        name,
        help=help_text,
        description=description,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "study", type=Path, nargs="?", default=Path("config.yaml"),
        help="a configuration, or the results folder of a study (config.yaml)",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print JSON")


def _survey(study: Path) -> Survey:
    from altfs.study.ledger import Ledger
    from altfs.study.survey import look_at_files, look_at_logs

    plan = _open_plan(study)
    ledger = Ledger(plan.results)
    survey = look_at_files(plan, ledger, line_every("results read", sys.stderr))
    # What was found whole need not be read again; a folder of somebody else stays as it is.
    ledger.save_if_allowed()
    look_at_logs(survey)
    return survey


def _status(chosen: argparse.Namespace) -> int:
    from altfs.study import status

    data = _show(chosen, status)
    return 0 if data["complete"] else 1


def _plan(chosen: argparse.Namespace) -> int:
    from altfs.study import forecast

    _show(chosen, forecast)
    return 0


def _show(chosen: argparse.Namespace, view: Any) -> dict[str, Any]:
    """Print what a view says of a study, as JSON or for people; returns it as data."""
    survey = _survey(chosen.study)
    data: dict[str, Any] = view.as_data(survey)
    if chosen.json:
        print(json.dumps(data, indent=1))
    else:
        view.as_text(survey, data, console())
    return data


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

    report = verify_study(
        chosen.results,
        sample=chosen.sample,
        full=chosen.full,
        seed=chosen.seed,
        work=chosen.work,
        jobs=chosen.jobs,
        progress=line_every("shards done", sys.stderr),
    )
    for line in report.lines():
        print(line)
    if report.missing and not chosen.allow_missing:
        print("altfs: the study is incomplete, run it again or allow it with --allow-missing.",
              file=sys.stderr)  # fmt: skip
        return 1
    return 1 if report.problems else 0


def _report(results: Path) -> int:
    from altfs.evaluation.task import report

    outcome = report(results, line_every("shards read", sys.stderr))
    for path in outcome.foreign:
        print(f"altfs: '{path}' belongs to no task of the study and was not read", file=sys.stderr)
    if outcome.missing:
        print(f"altfs: {outcome.missing}", file=sys.stderr)
    print(outcome.path)
    return 0


def _check(path: Path) -> None:
    plan = _open_config(path)
    for name, facts in plan.facts.items():
        print(f"{name}: {facts.n_rows} rows, {facts.n_total} features, {facts.target_type}")
    print(f"{plan.config.name}: {sum(1 for _ in plan.shard_keys())} shards in {plan.results}")


def _open_plan(study: Path) -> Plan:
    """The plan of a configuration, or the one that a results folder was made by."""
    if study.is_dir():
        from altfs.study.session import open_study

        return open_study(study)
    return _open_config(study)


def _open_config(path: Path) -> Plan:
    from altfs.study.session import check_study
    from altfs.study.yaml_file import read_settings

    raw = read_settings(path, "config")
    if not isinstance(raw, dict):
        raise ConfigError(f"config: '{path}' has no keys, see docs/configuration.md.")
    return check_study(raw)
