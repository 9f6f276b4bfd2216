"""The nearest requests that can be met, for one that cannot."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from altfs.errors import AltfsError
from altfs.library.answers.asked import Asked, Say
from altfs.library.answers.counts import bounds
from altfs.library.request import Request
from altfs.problem.constraints import Constraints
from altfs.searches.enumeration import Enumeration
from altfs.searches.sequential import Sequential
from altfs.searches.simultaneous import Simultaneous
from altfs.solvers import Limits

if TYPE_CHECKING:
    import pandas as pd

# The limits of each request that is tried.
_TRYING = Limits(work=2.0)
COLUMNS = ["change", "asked", "instead", "n_sets", "mean_objective", "words"]


def nearest(asked: Asked, say: Say) -> pd.DataFrame:
    """Find changes of one parameter each with which all sets are found.

    The search itself tries every change. A number gets the smallest change that helps.

    Returns
    -------
    DataFrame
        A row per change; empty if no sets are missing. The columns are change (the parameter
        or constraint), asked and instead (its values as text), n_sets, mean_objective (both
        of the sets that are found then), words.
    """
    import pandas as pd

    rows: list[list[object]] = []
    if len(asked.sets) < asked.request.n_sets:
        for changes in _changes(asked):
            for name, was, instead, words, request in changes:
                say(f"nearest request: trying {words}")
                met = _met(asked, request)
                if met is not None:
                    rows.append([name, was, instead, *met, words])
                    break
    return pd.DataFrame(rows, columns=COLUMNS)


_Change = tuple[str, str, str, str, Request]


def _met(asked: Asked, request: Request) -> tuple[int, float] | None:
    try:
        result = replace(request, limits=request.at_most(_TRYING)).run(asked.quality)
    except AltfsError:
        # Another search or size may not fit the quality or a constraint.
        return None
    if not all(result.sets):
        return None
    return len(result.sets), sum(result.objectives) / len(result.objectives)


def _changes(asked: Asked) -> Iterator[Iterator[_Change]]:
    """Yield the changes of each parameter, from small to large."""
    yield _taus(asked)
    yield _fewer(asked)
    yield _sizes(asked)
    if asked.request.search.name != "simultaneous":
        yield _together(asked)
    for one in _relaxed(asked):
        yield iter([one])


def _taus(asked: Asked) -> Iterator[_Change]:
    taus = asked.overlaps
    for overlap in range(asked.overlap + 1, asked.result.n_features + 1):
        request = asked.at(overlap)
        words = f"tau={taus[overlap]}"
        if not asked.request.is_range:
            words += f" (max_overlap={overlap})"
        yield "tau", taus[asked.overlap], taus[overlap], words, request


def _fewer(asked: Asked) -> Iterator[_Change]:
    was = int(asked.request.n_alternatives)
    for fewer in range(min(was, _most_sets(asked)) - 1, -1, -1):
        request = replace(asked.request, n_alternatives=fewer)
        yield "n_alternatives", str(was), str(fewer), f"n_alternatives={fewer}", request


def _most_sets(asked: Asked) -> int:
    """Return an upper bound of the number of sets that can be found."""
    if isinstance(asked.request.search, Sequential | Enumeration):
        # The first sets do not depend on the number of sets.
        return len(asked.sets)
    free = asked.request.is_range or asked.request.averages
    if free or asked.overlap >= asked.result.n_features:
        return asked.request.n_sets
    return bounds(asked.singles()[0])[1]


def _sizes(asked: Asked) -> Iterator[_Change]:
    was = asked.result.n_features
    if asked.request.is_range:
        least, most = asked.request.sizes[0], asked.request.sizes[-1]
        for size in range(least - 1, 0, -1):
            request = replace(asked.request, n_features=(size, most))
            words = f"n_features=({size}, {most})"
            yield "n_features", f"({least}, {most})", f"({size}, {most})", words, request
        return
    for size in range(was - 1, 0, -1):
        yield "n_features", str(was), str(size), f"n_features={size}", asked.request.of_size(size)


def _together(asked: Asked) -> Iterator[_Change]:
    request = replace(asked.request, search=Simultaneous())
    words = "search='simultaneous'"
    yield "search", asked.request.search.name, "simultaneous", words, request


def _relaxed(asked: Asked) -> Iterator[_Change]:
    """Yield the request without one of its constraints."""
    wanted = asked.request.constraints
    left: list[tuple[str, str, Constraints]] = []
    for name in ("include", "exclude"):
        features = getattr(wanted, name)
        for j in features:
            fewer: Any = {name: tuple(f for f in features if f != j)}
            left.append((name, asked.names[j], replace(wanted, **fewer)))
    for i, group in enumerate(wanted.groups):
        others = wanted.groups[:i] + wanted.groups[i + 1 :]
        named = ", ".join(asked.label(group.features))
        left.append((f"groups[{i}]", named, replace(wanted, groups=others)))
    if wanted.budget is not None:
        left.append(("budget", f"{wanted.budget:g}", replace(wanted, costs=None, budget=None)))
    for name in ("quality_floor", "relative_floor"):
        if (floor := getattr(wanted, name)) is not None:
            none: Any = {name: None}
            left.append((name, f"{floor:g}", replace(wanted, **none)))
    for name, what, constraints in left:
        words = f"{name} without {what}" if name in ("include", "exclude") else f"no {name}"
        yield name, what, "", words, replace(asked.request, constraints=constraints)
    for i, one in enumerate(asked.request.given):
        others_given = (*asked.request.given[:i], *asked.request.given[i + 1 :])
        request = replace(asked.request, given=others_given)
        named = ", ".join(asked.label(one))
        yield f"given[{i}]", named, "", f"given without set {i}", request
