"""Parsers of the commands."""

from __future__ import annotations

import argparse
from typing import Any, NoReturn

from altfs.commands.exit_codes import REFUSED


class Parser(argparse.ArgumentParser):
    """A parser that reports a wrong argument in one line."""

    def error(self, message: str) -> NoReturn:
        """Report what is wrong and exit."""
        self.exit(REFUSED, f"altfs: {message}, see '{self.prog} --help'.\n")


def add_command(commands: Any, command: Any) -> None:
    """Add a command to those of ``altfs``.

    Parameters
    ----------
    commands : argparse._SubParsersAction
    command : module
        Its name is that of the command. `HELP` is a line for the list of commands, and
        `DESCRIPTION` (optional) the text of the command's own help. `add_arguments` (optional)
        takes the parser. `run` takes the parsed arguments and returns the exit code; its heavy
        imports are inside it, so that ``altfs --help`` and completion stay fast. `ERROR_CODE`
        (2 by default) is the exit code after an :class:`altfs.errors.AltfsError`.
    """
    parser = commands.add_parser(
        command.__name__.rpartition(".")[2],
        help=command.HELP,
        description=getattr(command, "DESCRIPTION", None),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    getattr(command, "add_arguments", lambda parser: None)(parser)
    parser.set_defaults(run=command.run, error_code=getattr(command, "ERROR_CODE", REFUSED))
