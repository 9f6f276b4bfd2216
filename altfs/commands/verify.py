"""``altfs verify``: an audit of the results of a study."""

from __future__ import annotations

import argparse
import sys

from altfs.commands.exit_codes import NO, OK
from altfs.commands.studies import add_results
from altfs.progress import line_every

HELP = "audit the results of a study, write nothing"
DESCRIPTION = """\
Recomputes what the shards of a study say from its data and scores, checks every
file, and has claims of optimality and infeasibility judged by another solver
(OR-Tools CP-SAT). Makes tables, figures and the page again and compares them.
Writes nothing into the folder.

exit code: 0 all is well; 1 something is wrong or missing; 2 wrong arguments
example: altfs verify results/default --jobs 2"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add_results(parser)
    extent = parser.add_mutually_exclusive_group()
    extent.add_argument(
        "--sample", type=int, default=20, metavar="N",
        help="shards whose claims are judged, and scores recomputed (20)",
    )  # fmt: skip
    extent.add_argument(
        "--full", action="store_true", help="judge all claims, and recompute every score and shard"
    )
    parser.add_argument("--seed", type=int, default=0, help="which ones the sample holds (0)")
    parser.add_argument(
        "--work", type=float, help="work limit of the judging solver (the study's limits.work)"
    )
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="processes (1)")
    parser.add_argument(
        "--allow-missing", action="store_true", help="missing files alone do not fail the audit"
    )


def run(chosen: argparse.Namespace) -> int:
    """Run the command and return the exit code."""
    from altfs.commands.evaluated import check_installed, compare_evaluation
    from altfs.study.verify import verify_study

    check_installed(chosen.results)
    report = verify_study(
        chosen.results,
        sample=chosen.sample,
        full=chosen.full,
        seed=chosen.seed,
        work=chosen.work,
        jobs=chosen.jobs,
        progress=line_every("shards done", sys.stderr),
    )
    compare_evaluation(chosen.results, report)
    for line in report.lines():
        print(line)
    if report.missing and not chosen.allow_missing:
        print("altfs: the study is incomplete, run it again or allow it with --allow-missing.",
              file=sys.stderr)  # fmt: skip
        return NO
    return NO if report.problems else OK
