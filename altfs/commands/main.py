"""The command line of altfs.

Each command is a module with its name. `HELP` is a line for the list of commands, and `DESCRIPTION`
(optional) the text of its own help. `add_arguments` (optional) takes the parser. `run` takes the
parsed arguments and returns the exit code. Slow imports are inside `run`, so ``altfs --help`` and
completion are fast.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from types import ModuleType
from typing import Any, NoReturn

from altfs import __version__
from altfs.commands import (
    check,
    compare,
    completion,
    export,
    find,
    info,
    plan,
    report,
    schema,
    status,
    verify,
)
from altfs.commands.exit_codes import CLOSED_PIPE, INTERRUPTED, NO, REFUSED
from altfs.commands.tables import table_name
from altfs.errors import AltfsError, ConfigError, NoFeatureSetError, did_you_mean
from altfs.registry import modules_in, rooms_of_kinds


def _commands() -> list[ModuleType]:
    """Return the commands in the order of the help; those of kinds of answers follow the first."""
    rooms = [f"{kind}.commands" for kind in rooms_of_kinds()]
    of_kinds = [importlib.import_module(name) for room in rooms for name in modules_in(room)]
    more = [check, plan, status, verify, report, compare, export, info, schema, completion]
    return [find, *of_kinds, *more]


class _Parser(argparse.ArgumentParser):
    """A parser that reports a wrong argument in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(REFUSED, f"altfs: {message}, see '{self.prog} --help'.\n")

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Refuse unknown arguments here, where the options of the command are known."""
        chosen, unknown = super().parse_known_args(args, namespace)
        if unknown:
            name = unknown[0].partition("=")[0]
            said = f"'{name}' is not an argument of '{self.prog}'"
            if near := did_you_mean(name, [*self._option_string_actions]):
                self.exit(REFUSED, f"altfs: {said}{near}\n")
            self.error(said)
        return chosen, unknown


def main(arguments: list[str] | None = None) -> int:
    """Run one command and return the exit code."""
    chosen = make_parser().parse_args(arguments)
    try:
        code: int = chosen.run(chosen)
        # Buffered output is written here, where errors are still handled.
        sys.stdout.flush()
        return code
    except AltfsError as error:
        print(f"altfs: {_in_options(error, chosen)}", file=sys.stderr)
        # "There is no feature set" is an answer; other errors leave no answer.
        return NO if isinstance(error, NoFeatureSetError) else REFUSED
    except BrokenPipeError:
        # The reader of the output has ended, as `head` does.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return CLOSED_PIPE
    except KeyboardInterrupt:
        print("altfs: interrupted.", file=sys.stderr)
        return INTERRUPTED
    except OSError as error:
        # Such as a name that is too long, or a disk that is full.
        place = "a file" if error.filename is None else f"'{error.filename}'"
        reason = f"{place} cannot be used ({error.strerror or error})"
        print(f"altfs: {AltfsError('', reason, 'name another path')}", file=sys.stderr)
        return REFUSED
    except MemoryError:
        print("altfs: there is not enough memory, use fewer columns or rows.", file=sys.stderr)
        return REFUSED


def make_parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = _Parser(
        prog="altfs",
        description="Alternative feature selection: in one table; in studies and their results.",
    )
    parser.add_argument("--version", action="version", version=f"altfs {__version__}")
    # For the command that describes the others to a shell.
    parser.set_defaults(parser=parser)
    commands = parser.add_subparsers(dest="command", required=True)
    for command in _commands():
        subparser = commands.add_parser(
            command.__name__.rpartition(".")[2],
            help=command.HELP,
            description=getattr(command, "DESCRIPTION", None),
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        getattr(command, "add_arguments", lambda parser: None)(subparser)
        # The destination of an option is the key of its value in messages.
        options = {a.dest: a.option_strings[-1] for a in subparser._actions if a.option_strings}
        options |= {
            key.replace("_option", ".options"): word
            for key, word in options.items()
            if key.endswith("_option")
        }
        subparser.set_defaults(run=command.run, options=options)
    return parser


def _in_options(error: AltfsError, chosen: argparse.Namespace) -> AltfsError:
    """Return an error in which keys, and names in backticks, are the command's arguments.

    Errors about a file of settings keep the keys of that file.
    """
    if isinstance(error, ConfigError):
        return error
    table = {"X": table_name(chosen.data)} if hasattr(chosen, "data") else {}
    return error.in_words({**chosen.options, **table})
