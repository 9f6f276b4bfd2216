"""Solvers that are asked by their name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from altfs._options import sentence
from altfs.errors import AltfsError
from altfs.registry import did_you_mean
from altfs.solvers.base import Solver, solvers

#: A name, a mapping with ``type`` and ``options``, or a solver; None leaves the choice open.
SolverAsked = str | Mapping[str, Any] | Solver | type[Solver] | None

_KEYS = ["type", "options"]


def named_solver(asked: SolverAsked, seed: int = 0, key: str = "solver") -> Solver | None:
    """Return the solver that is asked for.

    Parameters
    ----------
    asked : str, mapping, Solver or None
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
    if asked is None or isinstance(asked, Solver):
        return asked
    if isinstance(asked, type) and issubclass(asked, Solver):
        return asked(None, seed)
    content: Any = {"type": asked} if isinstance(asked, str) else asked
    if not isinstance(content, Mapping) or not isinstance(content.get("type"), str):
        raise AltfsError(
            f"{key}: {asked!r} is not allowed, use the name of a solver, or a mapping with type "
            "and options."
        )
    for name in content:
        if name not in _KEYS:
            near = did_you_mean(str(name), _KEYS)
            raise AltfsError(
                f"{key}.{name}: this key is unknown{near or ','} allowed are: type, options."
            )
    component = solvers.get(content["type"], key)
    try:
        options = component.Options.model_validate(dict(content.get("options") or {}))
    except ValidationError as error:
        raise AltfsError(sentence(error, component.Options, f"{key}.options.")) from None
    return component(options, seed)
