"""Searches that are asked by their name, with options."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from altfs._options import sentence
from altfs.errors import AltfsError
from altfs.registry import did_you_mean
from altfs.searches.base import Search, searches

_KEYS = ["type", "options"]


def named_search(asked: str | Mapping[str, Any]) -> tuple[type[Search], dict[str, Any]]:
    """Return the class and the checked options of a search.

    Parameters
    ----------
    asked : str or mapping
        A name, or ``{"type": ..., "options": {...}}``.

    Raises
    ------
    AltfsError
        If there is no such search, or an option is not allowed.

    Examples
    --------
    >>> named_search({"type": "many_objective", "options": {"sizes": "exact"}})[1]
    {'sizes': 'exact'}
    """
    content: Any = {"type": asked} if isinstance(asked, str) else asked
    if not isinstance(content.get("type"), str):
        raise AltfsError(
            f"search: {asked!r} is not allowed, use a name, or a mapping with type and options."
        )
    for name in content:
        if name not in _KEYS:
            near = did_you_mean(str(name), _KEYS)
            raise AltfsError(
                f"search.{name}: this key is unknown{near or ','} allowed are: type, options."
            )
    component = searches.get(content["type"], "search")
    options = dict(content.get("options") or {})
    if component.Options is None and options:
        raise AltfsError(f"search.options: '{component.name}' has none, leave them out.")
    if component.Options is not None:
        try:
            component.Options.model_validate(options)
        except ValidationError as error:
            raise AltfsError(sentence(error, component.Options, "search.options.")) from None
    return component, options
