"""The parts of a study that a search or a selector is for: datasets, selectors and sizes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from altfs.errors import AltfsError
from altfs.searches.request import UNLIMITED, sizes_of

#: The keys of a search that name a part of a study. Without a key it is for the whole.
PARTS = ("datasets", "selectors", "n_features")


def canonical_size(size: int | str) -> int | str:
    """Return an entry of `n_features` in the form that all equal ones have.

    Examples
    --------
    >>> canonical_size("3 - 5"), canonical_size("2-2"), canonical_size("two")
    ('3-5', 2, 'two')
    """
    try:
        sizes = [] if size == UNLIMITED else sizes_of(size)
    except AltfsError:
        sizes = []
    if not sizes:
        return size
    return sizes[0] if len(sizes) == 1 else f"{sizes[0]}-{sizes[-1]}"


def check_name(place: str, name: object, allowed: Sequence[object], what: str) -> None:
    """Check that a name is an allowed one."""
    if name not in allowed:
        raise AltfsError.of_name(place, f"'{name}' is not {what}", name, allowed)


def check_parts(
    place: str, entries: Sequence[Any], what: str, parts: Mapping[str, Sequence[object]]
) -> None:
    """Check that the entries of a list name parts of the study, and leave none of them out.

    `place` is the key of the list, `what` a word for an entry. `parts` has the names or sizes
    of the study by the key that an entry has for them.
    """
    for key in parts:
        canonical: Callable[[Any], object] = canonical_size if key == "n_features" else str
        named = [getattr(entry, key) for entry in entries]
        for i, names in enumerate(named):
            if names == []:
                raise AltfsError(
                    f"{place}[{i}].{key}",
                    f"give at least one of {', '.join(map(str, parts[key]))}, or leave the key out",
                )
            for name in names or ():
                if canonical(name) not in parts[key]:
                    whole = f"one of the study's {key}"
                    check_name(f"{place}[{i}].{key}", name, parts[key], whole)
        for i, name in enumerate(parts[key]):
            if not any(names is None or name in map(canonical, names) for names in named):
                raise AltfsError(
                    f"{key}[{i}]", f"'{name}' is in no {what}", "name it in one or leave it out"
                )
