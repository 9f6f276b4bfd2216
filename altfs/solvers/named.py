"""Solvers that are asked by their name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from altfs._options import checked_options, type_and_options
from altfs.solvers.base import Solver, solvers

#: A name, a mapping with ``type`` and ``options``, or a solver; None leaves the choice open.
SolverChoice = str | Mapping[str, Any] | Solver | type[Solver] | None


def named_solver(choice: SolverChoice, seed: int = 0, key: str = "solver") -> Solver | None:
    """Return the solver that is asked for.

    Parameters
    ----------
    choice : str, mapping, Solver or None
        A name such as ``"forward"``, or ``{"type": ..., "options": {...}}``.
    seed : int, default=0
        The start of its random numbers. A solver object keeps its own.
    key : str, default="solver"
        The argument or configuration key, for messages.

    Returns
    -------
    Solver or None

    Raises
    ------
    AltfsError
        If there is no such solver, or an option is not allowed.

    Examples
    --------
    >>> named_solver("forward").name
    'forward'
    >>> named_solver({"type": "forward", "options": {"stepp": 2}})
    Traceback (most recent call last):
    ...
    altfs.errors.AltfsError: solver.options.stepp: this key is unknown, did you mean 'step'? ...
    """
    if choice is None or isinstance(choice, Solver):
        return choice
    if isinstance(choice, type) and issubclass(choice, Solver):
        return choice(None, seed)
    name, options = type_and_options(choice, key)
    component = solvers.get(name, key)
    return component(checked_options(component.Options, options, key), seed)
