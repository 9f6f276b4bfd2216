"""``altfs status``: the state of every task of a study."""

from __future__ import annotations

import argparse

from altfs.commands.exit_codes import NO, OK
from altfs.commands.studies import add_study, show

HELP = "how far a study is, and what failed"
DESCRIPTION = """\
Says of every task of a study whether it is done, running, failed, damaged, stale
(made with other settings, data or code) or missing, and shows the failures.

exit code: 0 the study is complete; 1 it is not; 2 wrong arguments
example: altfs status config.yaml"""

add_arguments = add_study


def run(chosen: argparse.Namespace) -> int:
    """Run the command and return the exit code."""
    from altfs.study import status

    return OK if show(chosen, status)["complete"] else NO
