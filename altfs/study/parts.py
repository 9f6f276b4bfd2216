"""The parts of a study that a search is for: datasets, selectors and sizes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from altfs.errors import AltfsError, did_you_mean
from altfs.searches.request import UNLIMITED, sizes_of

#: The keys of a search that name a part of a study. Without a key it is for the whole.
PARTS = ("datasets", "selectors", "n_features")


def named_sizes(names: Sequence[Any] | None, sizes: Sequence[int | str]) -> list[int | str]:
    """Return the entries of a study's `n_features` that a search names, all of them for None.

    Examples
    --------
    >>> named_sizes([2, "3 - 5"], [1, 2, "3-5"])
    [2, '3-5']
    """
    if names is None:
        return [*sizes]
    canonical = [_as_size(size) for size in names]
    return [size for size in sizes if _as_size(size) in canonical]


def check_parts(searches: Iterable[Any], parts: Mapping[str, Sequence[Any]]) -> None:
    """Check that searches name parts of the study, and that no part is left without a search.

    Parameters
    ----------
    searches : iterable of SearchEntry
    known : mapping of str to sequence
        The names of datasets and selectors, and the sizes, by key.

    Raises
    ------
    ValueError
    """
    entries = list(searches)
    for key in PARTS:
        have = {str(_as_size(name)): name for name in parts[key]}
        left = dict(have)
        for i, search in enumerate(entries):
            names = getattr(search, key)
            if names == []:
                raise ValueError(
                    f"searches[{i}].{key}: give at least one of {_listed(have)}, or leave the key "
                    "out"
                )
            for name in names or ():
                if str(_as_size(name)) not in have:
                    near = did_you_mean(str(name), [*map(str, have.values())])
                    what = f"'{name}' is not one of the study's {key}"
                    raise ValueError(
                        f"searches[{i}].{key}: {what}{near or ','} allowed are: {_listed(have)}"
                    )
            for name in have if names is None else map(str, map(_as_size, names)):
                left.pop(name, None)
        for name in left.values():
            place = [*parts[key]].index(name)
            raise ValueError(
                f"{key}[{place}]: '{name}' is in no search, name it in one or leave it out"
            )


def _as_size(name: Any) -> Any:
    """Return what equal sizes have in common; names stay as they are."""
    try:
        return name if name == UNLIMITED else tuple(sizes_of(name))
    except AltfsError:
        return name


def _listed(have: Mapping[str, Any]) -> str:
    return ", ".join(map(str, have.values()))
