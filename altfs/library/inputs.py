"""The parameters of `AlternativeFeatures`, resolved before the search."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from altfs._numbers import is_collection, is_whole
from altfs.datasets import RawTable, make_dataset
from altfs.datasets.base import Task
from altfs.errors import AltfsError
from altfs.library.workers import workers
from altfs.problem.constraints import NO_CONSTRAINTS, Constraints, Group, check_named
from altfs.quality import Linear, Quality
from altfs.registry import did_you_mean
from altfs.searches import Search, searches
from altfs.searches.base import SeededSearch
from altfs.selectors import Part, Selector, selectors

Feature = int | str

# Every part of a matrix of scores prepares all columns anew: few and large parts.
_COLUMNS_AT_ONCE, _MOST_PARTS = 16, 8


class KnownQuality(Selector):
    """A quality that the user has already; it looks at no data."""

    def __init__(self, quality: Quality) -> None:
        super().__init__()
        self.known = quality

    def quality(self, part: Part) -> Quality:
        return self.known


class ScoreFunction(Selector):
    """The values that a function gives to features, such as scikit-learn's `f_classif`."""

    needs_rows = True

    def __init__(self, function: Callable[[Any, Any], Any]) -> None:
        super().__init__()
        self.function = function

    def quality(self, part: Part) -> Quality:
        found = self.function(part.X, part.y)
        # scikit-learn's score functions return p-values as well.
        values = found[0] if isinstance(found, tuple) else found
        quality = Linear(values)
        if quality.n_total != part.X.shape[1]:
            raise AltfsError(
                f"selector: the function returned values for {quality.n_total} features, "
                f"X has {part.X.shape[1]} columns, one value for each is needed."
            )
        return quality


def chosen_selector(selector: Any) -> Selector:
    """Return the selector for a name, class, object, quality, or one value per feature.

    Raises
    ------
    AltfsError
        If it is none of these.
    """
    if isinstance(selector, str):
        return selectors.get(selector, "selector")()
    if isinstance(selector, type) and issubclass(selector, Selector):
        return selector()
    if isinstance(selector, Selector):
        return copy(selector)
    if isinstance(selector, Quality):
        return KnownQuality(selector)
    # Ensembles of scikit-learn can be iterated over, classes can be called.
    unfit = isinstance(selector, type) or hasattr(selector, "fit")
    if callable(selector) and not unfit:
        return ScoreFunction(selector)
    if unfit or not isinstance(selector, Iterable):
        raise AltfsError(
            f"selector: {selector!r} is not allowed, use a name ({', '.join(selectors.names())}), "
            "a Selector, a quality, a score function, or one value per feature."
        )
    return KnownQuality(Linear(cast(npt.ArrayLike, selector)))


def chosen_search(search: Any, seed: int) -> Search:
    """Return the search for a name, class or object; random ones get the seed.

    Raises
    ------
    AltfsError
        If it is none of these.
    """
    if isinstance(search, str):
        search = searches.get(search, "search")
    if isinstance(search, type) and issubclass(search, SeededSearch):
        return search(seed)
    if isinstance(search, type) and issubclass(search, Search):
        return search()
    if isinstance(search, Search):
        return search
    raise AltfsError(
        f"search: {search!r} is not allowed, use a name ({', '.join(searches.names())}) "
        "or a Search."
    )


def chosen_aggregation(search: Search, aggregation: str | None) -> str:
    """Return how a search combines the qualities of its sets: "sum" where nothing is chosen.

    Raises
    ------
    AltfsError
        If the search does not take this aggregation.
    """
    if not isinstance(aggregation, str | None) or aggregation not in (None, *search.aggregations):
        allowed = " or ".join((*search.aggregations, "None"))
        raise AltfsError(
            f"aggregation: {aggregation!r} is not allowed with the search '{search.name}', "
            f"use {allowed}."
        )
    return "sum" if aggregation in (None, "none") else aggregation


def needs_data(selector: Any) -> bool:
    """Return True if a selector has to see the data; given qualities and values do not."""
    return isinstance(selector, str | Selector) or callable(selector)


def encoded_target(y: npt.NDArray[Any], task: Task) -> tuple[npt.NDArray[Any], str]:
    """Return the target as numbers, and its type, determined as in a study.

    Raises
    ------
    DataError
        If there is nothing to predict.
    """
    import pandas as pd

    frame = pd.DataFrame({"x": np.zeros(len(y)), "y": y})
    made = make_dataset("X, y", RawTable(frame, "y", task, "memory", ""), "fit")
    return made.y, made.target_type


def as_indices(argument: str, features: Iterable[Feature], names: Sequence[str]) -> tuple[int, ...]:
    """Return the ascending column numbers of features given by number or name.

    Raises
    ------
    AltfsError
        If there is no such feature, or a duplicate.

    Examples
    --------
    >>> as_indices("include", ["b", 0], ["a", "b"])
    (0, 1)
    """
    if isinstance(features, str):
        raise AltfsError(f"{argument}: {features!r} is one name, put it in a list.")
    if not is_collection(features):
        raise AltfsError(f"{argument}: {features!r} is not allowed, put it in a list.")
    found = []
    for feature in features:
        if isinstance(feature, str):
            if feature not in names:
                near = did_you_mean(feature, [str(name) for name in names])
                raise AltfsError(f"{argument}: there is no feature '{feature}'{near or '.'}")
            found.append(list(names).index(feature))
        elif is_whole(feature):
            found.append(int(feature))
        else:
            raise AltfsError(
                f"{argument}: {feature!r} is not a feature, use the name or the number of a column."
            )
    if repeated := [j for j in found if found.count(j) > 1]:
        raise AltfsError(
            f"{argument}: feature '{names[repeated[0]]}' is a duplicate, use every feature once."
        )
    return tuple(sorted(found))


def resolved(constraints: Constraints | None, names: Sequence[str]) -> Constraints:
    """Return constraints in which features are column numbers.

    Raises
    ------
    AltfsError
        If they name an unknown feature, or contradict themselves.
    """
    if constraints is None:
        return NO_CONSTRAINTS
    for group in constraints.groups:
        if not isinstance(group, Group):
            raise AltfsError(f"groups: {group!r} is not allowed, use altfs.Group.")
    costs: Any = constraints.costs
    if hasattr(costs, "to_dict"):
        # A Series says by its index which feature it means.
        costs = costs.to_dict()
    if isinstance(costs, Mapping):
        as_indices("costs", costs, names)
        by_column = {as_indices("costs", [key], names)[0]: costs[key] for key in costs}
        # As in a study: what is not named costs nothing.
        costs = tuple(by_column.get(j, 0.0) for j in range(len(names)))
    found = replace(
        constraints,
        include=as_indices("include", constraints.include, names),
        exclude=as_indices("exclude", constraints.exclude, names),
        groups=tuple(
            replace(group, features=as_indices(group.argument, group.features, names))
            for group in constraints.groups
        ),
        costs=costs,
    )
    check_named(found, names)
    return found


def compute_pair_scores(
    selector: Selector, part: Part, n_jobs: Any, say: Callable[[int, int], None]
) -> None:
    """Compute the scores of feature pairs that a selector will ask for, in parts.

    The values are the same as in one go, whatever `n_jobs` (see
    :func:`altfs.library.workers.workers`); of this machine's cores threads are enough,
    as the compiled code does not hold Python's lock.
    """
    from sklearn.utils.parallel import Parallel, delayed

    n_total = part.X.shape[1]
    step = max(_COLUMNS_AT_ONCE, -(-n_total // _MOST_PARTS))
    ranges = [range(a, min(a + step, n_total)) for a in range(0, n_total, step)]
    for key in selector.train_scores:
        # The scores that a score of pairs starts from are there before threads ask for them.
        for known in key.starts_from if key.of_pairs else (key,):
            part.score(known)
    keys = [key for key in selector.train_scores if key.of_pairs]
    for i, key in enumerate(keys):
        blocks = []
        jobs = (delayed(Part.compute)(part, key, columns) for columns in ranges)
        with workers(n_jobs, part):
            for block in Parallel(prefer="threads", return_as="generator")(jobs):
                blocks.append(block)
                say(i * len(ranges) + len(blocks), len(keys) * len(ranges))
        part.known[key] = key.score.whole(np.hstack(blocks))
