"""``altfs report``: tables, figures and report of a study, without Snakemake."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from altfs._extras import require
from altfs._processes import Runner, collect_less_often, processes, serially
from altfs.commands.exit_codes import NO, OK
from altfs.commands.studies import add_results
from altfs.progress import line_every

if TYPE_CHECKING:
    from altfs.study.plan import Plan
    from altfs.study.verify import Report

HELP = "make tables, figures and report from the results of a study"
DESCRIPTION = """\
Makes tables, figures and the report of a study again from its shards and predictions.
For an incomplete study, it shows the results so far and says what is missing.

exit code: 0 the report was made; 1 an audit found problems; 2 wrong arguments, or
a file cannot be used
example: altfs report results/default --audit"""
# A further process pays if it has so many shards. More than four are seldom faster.
_SHARDS, _MOST_JOBS = 1000, 4


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add_results(parser)
    parser.add_argument(
        "--audit", action="store_true",
        help="audit the results first, as altfs verify does, and say so in the report",
    )  # fmt: skip
    parser.add_argument(
        "--jobs", type=int, metavar="N",
        help=f"processes, each with the results in its memory (one, and one more per {_SHARDS:,} "
        f"shards, at most {_MOST_JOBS} and the cores)",
    )  # fmt: skip


class Outcome(NamedTuple):
    """The files and the gaps of a report."""

    #: The page.
    path: Path
    #: A sentence about what is missing; empty if the study is complete.
    missing: str
    #: Files among the results that belong to no task and were not read.
    foreign: list[str]


def run(chosen: argparse.Namespace) -> int:
    """Run the command and return the exit code."""
    # A missing package is reported before files of an older report are deleted.
    require("report", "study", "jinja2", "vl_convert")
    from joblib import cpu_count

    from altfs.study.session import open_study

    plan = open_study(chosen.results)
    from altfs.study.verify import verify_study

    most = 1 + sum(1 for _ in plan.places()) // _SHARDS
    jobs = min(cpu_count(), _MOST_JOBS, most) if chosen.jobs is None else chosen.jobs
    audit = None
    if chosen.audit:
        audit = verify_study(
            chosen.results, jobs=jobs, progress=line_every("shards done", sys.stderr)
        )
        for line in audit.lines():
            print(line)
    progress = line_every("shards read", sys.stderr)
    outcome = report(chosen.results, progress, audit, jobs)
    for path in outcome.foreign:
        print(f"altfs: '{path}' belongs to no task of the study and was not read", file=sys.stderr)
    if outcome.missing:
        print(f"altfs: {outcome.missing}", file=sys.stderr)
    print(outcome.path)
    return NO if audit is not None and audit.problems else OK


def report(
    results: str | Path,
    progress: Callable[[int, int], None] | None = None,
    audit: Report | None = None,
    jobs: int = 1,
) -> Outcome:
    """Make tables, figures and the page from the existing results of a study.

    `progress` is called with the number of shards read and of all shards. The page has the totals
    of an audit. `jobs` processes read the shards and make tables and figures.
    """
    from altfs.evaluation import task
    from altfs.evaluation.results import read_results
    from altfs.study.collect import collect_all
    from altfs.study.session import open_study

    collect_less_often()
    plan = open_study(results)
    with processes(jobs) as run:
        collect_all(plan, run, progress=progress)
        # Figures are made of tables.
        for make, names in ((task.table, plan.tables), (task.figure, plan.figures)):
            for _ in run((make, plan.results, name) for name in names):
                pass
        foreign = _make_page(plan, audit, run=run)
    return Outcome(Path(plan.report_path()), read_results(plan.results).gap(), foreign)


def page(results: str, study: str = "") -> None:
    """Make the page from tables and figures; a rule of the workflow calls it.

    `study` is the hash that :func:`altfs.study.state.note_evaluation` takes.
    """
    from altfs.study.plan import load_plan

    _make_page(load_plan(results), study=study)


def _make_page(
    plan: Plan, audit: Report | None = None, study: str = "", run: Runner = serially
) -> list[str]:
    """Make the page, and note the files of the evaluation; return those of no task."""
    from altfs.evaluation import task
    from altfs.evaluation.report.page import start_bundle
    from altfs.study.origin import origin_of
    from altfs.study.state import note_evaluation

    start_bundle()
    origin = origin_of(plan)
    if audit is not None:
        origin = origin._replace(audit=audit.totals, n_problems=len(audit.problems))
    task.page(plan.results, origin, run)
    note_evaluation(plan, study)
    return origin.foreign
