"""The names of parameters in Python and at the command line, for sentences of advice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from shlex import quote
from typing import NamedTuple


class ParameterNames(NamedTuple):
    """The names of the parameters where the advice is read, with ``{}`` for a value.

    `quote` writes the name of a column there, and `without` the parameter that excludes columns.
    """

    quote: Callable[[str], str]
    selector: str
    size: str
    groups: str
    times: str
    scores: str
    without: Callable[[Sequence[str]], str]
    missing: str


#: In Python, and at the command line.
IN_PYTHON = ParameterNames(
    repr,
    "selector='{}'",
    "n_features",
    "groups=X[{}]",
    "times=X[{}]",
    "evaluate()",
    "constraints={{'exclude': {!r}}}".format,
    "without(NAME)",
)
IN_COMMANDS = ParameterNames(
    quote,
    "--selector {}",
    "-k",
    "--groups {}",
    "--times {}",
    "--evaluate",
    lambda columns: " ".join(f"--exclude {quote(name)}" for name in columns),
    "--without NAME",
)
