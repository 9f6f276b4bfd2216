"""The parts of a study that a search is for: datasets, selectors and sizes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from altfs.errors import AltfsError, did_you_mean
from altfs.searches.request import UNLIMITED, sizes_of

#: The keys of a search that name a part of a study. Without a key it is for the whole.
PARTS = ("datasets", "selectors", "n_features")


def named_sizes(asked: Sequence[Any] | None, known: Sequence[int | str]) -> list[int | str]:
    """Return the entries of a study's `n_features` that a search names, all of them for None.

    Examples
    --------
    >>> named_sizes([2, "3 - 5"], [1, 2, "3-5"])
    [2, '3-5']
    """
    if asked is None:
        return [*known]
    wanted = [_as_size(one) for one in asked]
    return [one for one in known if _as_size(one) in wanted]


def check_parts(searches: Iterable[Any], known: Mapping[str, Sequence[Any]]) -> None:
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
        have = {str(_as_size(one)): one for one in known[key]}
        left = dict(have)
        for i, search in enumerate(entries):
            asked = getattr(search, key)
            if asked == []:
                raise ValueError(
                    f"searches[{i}].{key}: give at least one of {_listed(have)}, or leave the key "
                    "out"
                )
            for one in asked or ():
                if str(_as_size(one)) not in have:
                    near = did_you_mean(str(one), [*map(str, have.values())])
                    what = f"'{one}' is not one of the study's {key}"
                    raise ValueError(
                        f"searches[{i}].{key}: {what}{near or ','} allowed are: {_listed(have)}"
                    )
            for one in have if asked is None else map(str, map(_as_size, asked)):
                left.pop(one, None)
        for one in left.values():
            place = [*known[key]].index(one)
            raise ValueError(
                f"{key}[{place}]: '{one}' is in no search, name it in one or leave it out"
            )


def _as_size(one: Any) -> Any:
    """Return what equal sizes have in common; names stay as they are."""
    try:
        return one if one == UNLIMITED else tuple(sizes_of(one))
    except AltfsError:
        return one


def _listed(have: Mapping[str, Any]) -> str:
    return ", ".join(map(str, have.values()))
