"""The command line of altfs."""

from __future__ import annotations

import argparse
import os
import sys

from altfs import __version__
from altfs.commands import check, completion, find, plan, report, schema, status, verify
from altfs.commands.exit_codes import CLOSED_PIPE, INTERRUPTED, NO
from altfs.commands.parsers import Parser, add_command
from altfs.errors import AltfsError, NoFeatureSetError

# In the order of the help.
_COMMANDS = (find, check, plan, status, verify, report, schema, completion)


def main(arguments: list[str] | None = None) -> int:
    """Run one command and return the exit code."""
    chosen = make_parser().parse_args(arguments)
    try:
        code: int = chosen.run(chosen)
        # Buffered output is written here, where errors are still handled.
        sys.stdout.flush()
        return code
    except AltfsError as error:
        print(f"altfs: {error}", file=sys.stderr)
        # Without a feature set the answer is no; other errors leave no answer.
        return NO if isinstance(error, NoFeatureSetError) else int(chosen.error_code)
    except BrokenPipeError:
        # The reader of the output has ended, as `head` does.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return CLOSED_PIPE
    except KeyboardInterrupt:
        print("altfs: interrupted.", file=sys.stderr)
        return INTERRUPTED


def make_parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = Parser(
        prog="altfs",
        description="Alternative feature selection: in one table; in studies and their results.",
    )
    parser.add_argument("--version", action="version", version=f"altfs {__version__}")
    # For the command that describes the others to a shell.
    parser.set_defaults(parser=parser)
    commands = parser.add_subparsers(dest="command", required=True)
    for command in _COMMANDS:
        add_command(commands, command)
    return parser
