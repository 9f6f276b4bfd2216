"""``altfs completion``: scripts that let a shell complete ``altfs`` on the command line."""

from __future__ import annotations

import argparse
import re
import shlex
from collections.abc import Iterator
from typing import Any, NamedTuple

_SHELLS = ("bash", "zsh")

_DESCRIPTION = """\
Prints a script that completes commands, options and their values.

examples:
  altfs completion bash > ~/.local/share/bash-completion/completions/altfs
  altfs completion zsh > ~/.zfunc/_altfs    # a folder in $fpath, before compinit
  source <(altfs completion bash)           # for this shell only"""

_BASH = """\
# Completion of altfs in bash, made by: altfs completion bash
_altfs() {{
    local current=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}}
    local command=${{COMP_WORDS[1]}}
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        COMPREPLY=($(compgen -W {commands} -- "$current"))
        return
    fi
    case "$command $before" in
{values}
    esac
    if [[ $current == -* ]]; then
        case "$command" in
{options}
        esac
        return
    fi
    case "$command" in
{positionals}
    esac
}}
complete -o filenames -F _altfs altfs
"""

_ZSH = """\
#compdef altfs
# Completion of altfs in zsh, made by: altfs completion zsh
_altfs() {{
    local -a commands
    if ((CURRENT == 2)); then
        commands=(
{commands}
        )
        _describe command commands
        return
    fi
    local command=$words[2]
    shift words
    ((CURRENT--))
    case $command in
{cases}
    esac
}}
if [[ $funcstack[1] == _altfs ]]; then
    _altfs "$@"
else
    compdef _altfs altfs
fi
"""


class _Option(NamedTuple):
    """An option or, without names, a positional argument of a command."""

    names: tuple[str, ...]
    takes_value: bool
    values: tuple[str, ...]
    is_file: bool
    repeats: bool
    about: str


def add_completion(commands: Any) -> None:
    """Add the command to those of ``altfs``."""
    parser = commands.add_parser(
        "completion",
        help="print a script for completion in bash or zsh",
        description=_DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("shell", choices=_SHELLS, metavar="SHELL", help=", ".join(_SHELLS))


def completion(parser: argparse.ArgumentParser, shell: str) -> str:
    """The script for a shell.

    Parameters
    ----------
    parser : ArgumentParser
        With subcommands.
    shell : {"bash", "zsh"}

    Returns
    -------
    str
    """
    commands = dict(_commands(parser))
    return _bash(commands) if shell == "bash" else _zsh(commands)


def _commands(parser: argparse.ArgumentParser) -> Iterator[tuple[str, tuple[str, list[_Option]]]]:
    """Every subcommand with what it is for and its options."""
    from altfs.searches import searches
    from altfs.selectors import selectors

    # Values that are checked later, by the registries.
    names = {"selector": selectors.names(), "search": searches.names(),
             "dissimilarity": ["dice", "jaccard"], "aggregation": ["sum", "min"]}  # fmt: skip
    subparsers = next(a for a in parser._actions if isinstance(a, argparse._SubParsersAction))
    about = {action.dest: action.help or "" for action in subparsers._choices_actions}
    for command, inner in subparsers.choices.items():
        options = [
            _Option(
                tuple(action.option_strings),
                action.nargs != 0,
                tuple(map(str, action.choices or names.get(action.dest, ()))),
                getattr(action.type, "__name__", "") == "Path",
                isinstance(action, argparse._AppendAction),
                re.sub(r"\s+", " ", action.help or ""),
            )
            for action in inner._actions
        ]
        yield command, (about[command], options)


def _bash(commands: dict[str, tuple[str, list[_Option]]]) -> str:
    values, options, positionals = [], [], []
    for command, (_, listed) in commands.items():
        for option in listed:
            if option.names and option.takes_value:
                words = " | ".join(shlex.quote(f"{command} {name}") for name in option.names)
                values.append(f"        {words}) {_reply(option)}; return ;;")
        names = " ".join(name for option in listed for name in option.names)
        options.append(f"            {command}) {_words(names)} ;;")
        for option in listed:
            if not option.names:
                positionals.append(f"        {command}) {_reply(option)} ;;")
    return _BASH.format(
        commands=shlex.quote(" ".join([*commands, "--help", "--version"])),
        values="\n".join(values),
        options="\n".join(options),
        positionals="\n".join(positionals),
    )


def _reply(option: _Option) -> str:
    if option.values:
        return _words(" ".join(option.values))
    return 'COMPREPLY=($(compgen -f -- "$current"))' if option.is_file else ":"


def _words(words: str) -> str:
    return f'COMPREPLY=($(compgen -W {shlex.quote(words)} -- "$current"))'


def _zsh(commands: dict[str, tuple[str, list[_Option]]]) -> str:
    listed = [
        f"            {shlex.quote(f'{name}:{about}')}" for name, (about, _) in commands.items()
    ]
    cases = []
    for command, (_, options) in commands.items():
        specs = " ".join(shlex.quote(spec) for option in options for spec in _specs(option))
        cases.append(f"        {command}) _arguments {specs} ;;")
    return _ZSH.format(commands="\n".join(listed), cases="\n".join(cases))


def _specs(option: _Option) -> Iterator[str]:
    """What zsh's ``_arguments`` is told."""
    value = f"({' '.join(option.values)})" if option.values else "_files" if option.is_file else " "
    if not option.names:
        yield f":argument:{value}"
        return
    about = re.sub(r"([\[\]:])", r"\\\1", option.about)
    once = "*" if option.repeats else f"({' '.join(option.names)})"
    for name in option.names:
        yield f"{once}{name}[{about}]" + (f":value:{value}" if option.takes_value else "")
