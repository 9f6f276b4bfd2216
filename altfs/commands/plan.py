"""``altfs plan``: tasks of the next run, and what they cost."""

from __future__ import annotations

import argparse

from altfs.commands.exit_codes import OK
from altfs.commands.studies import add_study, show

HELP = "what the next run would do, and what it costs"
DESCRIPTION = """\
Says what a study consists of, what the next run would do, and about how many
CPU hours and how much disk that takes. Changes no result.

example: altfs plan config.yaml"""

add_arguments = add_study


def run(chosen: argparse.Namespace) -> int:
    """Run the command and return the exit code."""
    from altfs.study import forecast

    show(chosen, forecast)
    return OK
