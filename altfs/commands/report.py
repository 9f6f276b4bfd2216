"""``altfs report``: tables, figures and report of a study, without Snakemake."""

from __future__ import annotations

import argparse
import sys

from altfs._extras import require
from altfs.commands.exit_codes import OK
from altfs.commands.studies import add_results
from altfs.progress import line_every

HELP = "make tables, figures and report from the results of a study"
DESCRIPTION = """\
Makes tables, figures and the report of a study again from its shards and predictions.
For an incomplete study, it shows the results so far and says what is missing.

exit code: 0 the report was made; 2 wrong arguments, or a file cannot be used
example: altfs report results/default"""

add_arguments = add_results


def run(chosen: argparse.Namespace) -> int:
    """Run the command and return the exit code."""
    # A missing package is reported before files of an older report are deleted.
    require("report", "study", "jinja2", "vl_convert")
    from altfs.evaluation.task import report

    outcome = report(chosen.results, line_every("shards read", sys.stderr))
    for path in outcome.foreign:
        print(f"altfs: '{path}' belongs to no task of the study and was not read", file=sys.stderr)
    if outcome.missing:
        print(f"altfs: {outcome.missing}", file=sys.stderr)
    print(outcome.path)
    return OK
