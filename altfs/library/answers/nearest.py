"""The nearest requests that can be met, for one that cannot."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pandas as pd

from altfs.errors import AltfsError
from altfs.library.answers.counts import bounds
from altfs.library.answers.fitted import FittedRequest, Say
from altfs.library.searching import smaller
from altfs.searches.enumeration import Enumeration
from altfs.searches.request import Request
from altfs.searches.sequential import Sequential
from altfs.searches.simultaneous import Simultaneous
from altfs.solvers import Limits

# The limits of each request that is tried.
_TRYING = Limits(work=2.0)

# A parameter, its old and its new value as text, the change in words, and the request.
_Change = tuple[str, str, str, str, Request]


def nearest(fitted: FittedRequest, say: Say) -> pd.DataFrame:
    """Find changes of one parameter each with which all sets are found.

    The search itself tries every change. A number gets the smallest change that helps.

    Returns
    -------
    DataFrame
        A row per change; empty if no sets are missing. The columns are change (the parameter
        or constraint), asked and instead (its values as text), n_sets, mean_objective (both
        of the sets that are found then), words.
    """
    rows: list[list[object]] = []
    if len(fitted.sets) < fitted.request.n_sets:
        for changes in _changes(fitted):
            for name, was, instead, words, request in changes:
                say(f"nearest request: trying {words}")
                objectives = _objectives(fitted, request)
                if objectives:
                    mean = sum(objectives) / len(objectives)
                    rows.append([name, was, instead, len(objectives), mean, words])
                    break
    columns = ["change", "asked", "instead", "n_sets", "mean_objective", "words"]
    return pd.DataFrame(rows, columns=columns)


def _objectives(fitted: FittedRequest, request: Request) -> list[float]:
    """Return the qualities of all sets; none if some are missing."""
    limits = smaller(request.limits, _TRYING)
    try:
        result = replace(request, limits=limits).run(fitted.quality)
    except AltfsError:
        # Another search or size may not fit the quality or a constraint.
        return []
    return result.objectives if all(result.sets) else []


def _changes(fitted: FittedRequest) -> Iterator[Iterator[_Change]]:
    """Yield the changes of each parameter, from small to large."""
    yield _smaller_taus(fitted)
    yield _fewer_sets(fitted)
    yield _smaller_sizes(fitted)
    if fitted.search.name != "simultaneous":
        request = replace(fitted.request, search=Simultaneous())
        words = "search='simultaneous'"
        yield iter([("search", fitted.search.name, "simultaneous", words, request)])
    for change in _fewer_constraints(fitted):
        yield iter([change])


def _smaller_taus(fitted: FittedRequest) -> Iterator[_Change]:
    taus = fitted.overlaps
    # With all features in common, the sets would be one set.
    for overlap in range(fitted.overlap + 1, fitted.result.n_features):
        request = fitted.at(overlap)
        words = f"tau={taus[overlap]}"
        if not fitted.request.is_range:
            words += f" (max_overlap={overlap})"
        yield "tau", taus[fitted.overlap], taus[overlap], words, request


def _fewer_sets(fitted: FittedRequest) -> Iterator[_Change]:
    was = int(fitted.request.n_alternatives)
    for fewer in range(min(was, _most_sets(fitted)) - 1, -1, -1):
        request = replace(fitted.request, n_alternatives=fewer)
        yield "n_alternatives", str(was), str(fewer), f"n_alternatives={fewer}", request


def _most_sets(fitted: FittedRequest) -> int:
    """Return an upper bound of the number of sets that can be found."""
    if isinstance(fitted.search, Sequential | Enumeration):
        # The first sets do not depend on the number of sets.
        return len(fitted.sets)
    free = fitted.request.is_range or fitted.request.averages
    if free or fitted.overlap >= fitted.result.n_features:
        return fitted.request.n_sets
    return bounds(fitted.singles()[0])[1]


def _smaller_sizes(fitted: FittedRequest) -> Iterator[_Change]:
    was = fitted.result.n_features
    if fitted.request.is_range:
        least, most = fitted.request.sizes[0], fitted.request.sizes[-1]
        for size in range(least - 1, 0, -1):
            request = replace(fitted.request, n_features=(size, most))
            words = f"n_features=({size}, {most})"
            yield "n_features", f"({least}, {most})", f"({size}, {most})", words, request
        return
    for size in range(was - 1, 0, -1):
        yield "n_features", str(was), str(size), f"n_features={size}", fitted.request.of_size(size)


def _fewer_constraints(fitted: FittedRequest) -> Iterator[_Change]:
    """Yield the request without one of its constraints."""
    request = fitted.request

    def change(name: str, what: str, words: str, **without: Any) -> _Change:
        constraints = request.constraints.model_copy(update=without)
        return name, what, "", words, replace(request, constraints=constraints)

    for name in ("include", "exclude"):
        features = getattr(request.constraints, name)
        for j in features:
            feature, left = fitted.names[j], tuple(f for f in features if f != j)
            yield change(name, feature, f"{name} without {feature}", **{name: left})
    groups = request.constraints.groups
    for i, group in enumerate(groups):
        names, others = ", ".join(fitted.label(group.features)), groups[:i] + groups[i + 1 :]
        yield change(f"groups[{i}]", names, f"no groups[{i}]", groups=others)
    for name in ("implications", "sums"):
        listed = getattr(request.constraints, name)
        for i in range(len(listed)):
            key = f"{name}[{i}]"
            yield change(key, key, f"no {key}", **{name: listed[:i] + listed[i + 1 :]})
    if (budget := request.constraints.budget) is not None:
        yield change("budget", f"{budget:g}", "no budget", costs=None, budget=None)
    if (most := request.constraints.most_information) is not None:
        name = "most_information"
        yield change(name, f"{most:g}", f"no {name}", **{name: None})
    for name in ("quality_floor", "relative_floor"):
        if (floor := getattr(request.constraints, name)) is not None:
            yield change(name, f"{floor:g}", f"no {name}", **{name: None})
    given = request.constraints.given
    for i, features in enumerate(given):
        names, left = ", ".join(fitted.label(features)), given[:i] + given[i + 1 :]
        yield change(f"given[{i}]", names, f"given without set {i}", given=left)
