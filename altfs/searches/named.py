"""Searches that are asked by their name, with options."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from altfs._options import checked_options, type_and_options
from altfs.errors import AltfsError
from altfs.searches.base import Search, searches


def named_search(choice: str | Mapping[str, Any]) -> tuple[type[Search], dict[str, Any]]:
    """Return the class and the checked options of a search.

    Parameters
    ----------
    choice : str or mapping
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
    name, options = type_and_options(choice, "search")
    component = searches.get(name, "search")
    if component.Options is not None:
        checked_options(component.Options, options, "search")
    elif options:
        raise AltfsError("search.options", f"'{component.name}' has none", "leave them out")
    return component, options
