"""``altfs completion``: scripts that let a shell complete ``altfs`` on the command line."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from altfs.commands.exit_codes import OK

_SHELLS = ("bash", "zsh")

HELP = "print a script for completion in bash or zsh"
DESCRIPTION = """\
Prints a script that completes commands, options and their values.

examples:
  altfs completion bash > ~/.local/share/bash-completion/completions/altfs
  altfs completion zsh > ~/.zfunc/_altfs    # a folder in $fpath, before compinit
  source <(altfs completion bash)           # for this shell only"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("shell", choices=_SHELLS, metavar="SHELL", help=", ".join(_SHELLS))


def run(chosen: argparse.Namespace) -> int:
    """Run the command and return the exit code."""
    print(completion(chosen.parser, chosen.shell))
    return OK


def completion(parser: argparse.ArgumentParser, shell: str) -> str:
    """Return the script for a shell; the parser's arguments get attributes that shtab reads."""
    import shtab

    from altfs.searches import searches
    from altfs.selectors import selectors
    from altfs.solvers import solvers

    # Registries check these values later, so they are not choices of the parser.
    names = {"selector": selectors.names(), "search": searches.names(),
             "solver": solvers.names(),
             "overlap": ["pairwise", "average"],
             "dissimilarity": ["dice", "jaccard"], "aggregation": ["sum", "min"]}  # fmt: skip
    for action in _actions(parser):
        if getattr(action.type, "__name__", "") == "Path":
            action.complete = shtab.FILE  # type: ignore[attr-defined]
        elif action.dest in names:
            action.choices = names[action.dest]
    return str(shtab.complete(parser, shell))


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    for action in parser._actions:
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield from _actions(command)
