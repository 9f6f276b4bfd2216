"""The parameters of `AlternativeFeatures`, checked and resolved before the search."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from inspect import getdoc
from typing import Any, cast, get_args

import numpy as np
import numpy.typing as npt
from pydantic import ValidationError

from altfs._numbers import check_whole, check_word, is_collection, is_whole
from altfs._options import checked_options, mistake, type_and_options
from altfs.datasets.base import Task
from altfs.datasets.columns import MISSING
from altfs.errors import AltfsError
from altfs.library.score_functions import ScoreFunction
from altfs.library.workers import check_n_jobs
from altfs.problem import NO_CONSTRAINTS, Constraints, check_constraints
from altfs.problem.constraints import as_indices
from altfs.quality import Linear, Quality
from altfs.searches import Search, searches
from altfs.searches.base import check_pair, make_search
from altfs.searches.named import named_search
from altfs.searches.request import UNLIMITED
from altfs.selectors import Selector, selectors
from altfs.selectors.mutual_information import MutualInformation
from altfs.solvers import Solver

Feature = int | str

_LARGEST_SEED = 2**32 - 1


def check_parameters(given: Any, task: Any, missing: Any, n_jobs: Any, verbose: Any) -> None:
    """Check parameters, also those that the fit does not need.

    >>> check_parameters((), "auto", "refuse", None, "loud")
    Traceback (most recent call last):
    ...
    altfs.errors.AltfsError: verbose: 'loud' is not allowed, use a whole number from 0.
    """
    if not _can_be_read_again(given):
        raise AltfsError.of_value("given", given, "use a list of sets of features")
    for features in given:
        if not _can_be_read_again(features):
            raise AltfsError(
                "given", f"{features!r} is not a set of features", "put them in a list"
            )
        if not list(features):
            raise AltfsError("given", "a set without features is not allowed", "leave it out")
    check_word("task", task, get_args(Task))
    check_word("missing", missing, MISSING)
    check_n_jobs(n_jobs)
    if verbose is not None and not isinstance(verbose, bool | np.bool_):
        check_whole("verbose", verbose, 0)


def _can_be_read_again(value: Any) -> bool:
    # A dict would lose its values, and a generator can be read only once.
    return is_collection(value) and not isinstance(value, dict) and iter(value) is not value


def seed_of(random_state: Any) -> int:
    """Return a whole number for a random state of scikit-learn.

    >>> seed_of(7)
    7
    """
    if is_whole(random_state) and 0 <= random_state <= _LARGEST_SEED:
        return int(random_state)
    if random_state is None or isinstance(random_state, np.random.RandomState):
        drawn = np.random.RandomState() if random_state is None else random_state
        return int(drawn.randint(np.iinfo(np.int32).max))
    advice = f"use a whole number from 0 to {_LARGEST_SEED}, a numpy RandomState or None"
    raise AltfsError.of_value("random_state", random_state, advice)


def chosen_selector(selector: Any) -> Selector | Quality:
    """Return the selector for a name, mapping, class or object, or the quality that is given.

    One value per feature is a linear quality.

    >>> chosen_selector({"type": "wrapper", "options": {"folds": 3}}).options.folds
    3
    """
    if isinstance(selector, str | Mapping):
        name, options = type_and_options(selector, "selector")
        component = selectors.get(name, "selector")
        return component(checked_options(component.Options, options, "selector"))
    if isinstance(selector, type) and issubclass(selector, Selector):
        return selector()
    if isinstance(selector, Selector):
        return copy(selector)
    if isinstance(selector, Quality):
        return selector
    # Ensembles of scikit-learn are iterable, and classes are callable.
    unfit = isinstance(selector, type) or hasattr(selector, "fit")
    if callable(selector) and not unfit:
        return ScoreFunction(selector)
    if unfit or not isinstance(selector, Iterable):
        raise AltfsError.of_value(
            "selector",
            selector,
            "use a name such as 'mutual_information', a mapping, a Selector, a quality, a score "
            "function, or one value per feature",
        )
    return Linear(cast(npt.ArrayLike, selector))


def meaning_of(selector: Any) -> str:
    """Return what the quality of a selector is: the first words of its class.

    >>> meaning_of("forest")
    'the area under the ROC curve, or R^2, of small boosted forests on held-out rows'
    """
    chosen = chosen_selector(selector)
    words = (getdoc(type(chosen)) or "").split(".")[0] if isinstance(chosen, Selector) else ""
    return words[:1].lower() + " ".join(words[1:].split())


def selector_of_stream(key: str, selector: Any, kind: type, hint: str) -> Any:
    """Return a selector of a kind for data that are judged in the order in which they are added."""
    chosen = chosen_selector(selector)
    if not (isinstance(chosen, Selector) and isinstance(chosen, kind)):
        raise AltfsError(key, f"{selector!r} {hint}")
    if chosen.options.arrival != "given":
        raise AltfsError(
            "arrival",
            f"{chosen.options.arrival!r} is not possible, as data are judged in the order in "
            "which they are added",
            "use 'given'",
        )
    return chosen


def search_for(selector: Selector | Quality, search: Any) -> Any:
    """Return the search to use, by default one that fits the selector, after a check of both.

    >>> search_for(chosen_selector("saola"), None), search_for(chosen_selector("mrmr"), None)
    ('streaming', 'sequential')
    """
    if search is None:
        return next(s.name for s in searches if s.one_pass) if selector.one_pass else "sequential"
    component = named_search(search)[0] if isinstance(search, str | Mapping) else search
    kind = component if isinstance(component, type) else type(component)
    if issubclass(kind, Search):
        check_pair(selector.one_pass, kind)
    return search


def size_or_unlimited(selector: Selector | Quality, n_features: Any) -> Any:
    """Return the size of sets; None if "unlimited" is possible.

    >>> size_or_unlimited(chosen_selector("ofs"), 3)
    3
    """
    if not isinstance(n_features, str) or n_features != UNLIMITED:
        return n_features
    if not selector.needs_size:
        return None
    name = getattr(selector, "name", "this one")
    raise AltfsError(
        "n_features",
        f"'unlimited' is for streaming selectors of features such as 'saola', '{name}' needs a "
        "number",
        "give one",
    )


def chosen_search(search: Any, seed: int, solver: Solver | None = None) -> Search:
    """Return the search for a name, mapping, class or object; see :func:`make_search`."""
    options: Mapping[str, Any] = {}
    if isinstance(search, str | Mapping):
        search, options = named_search(search)
    if isinstance(search, type) and issubclass(search, Search):
        return make_search(search, seed, solver, options)
    if isinstance(search, Search):
        if solver is not None:
            raise AltfsError("solver", "a search that is an object has its own", "leave it out")
        return search
    raise AltfsError.of_value(
        "search", search, f"use a name ({', '.join(searches.names())}) or a Search"
    )


def chosen_aggregation(search: Search, aggregation: str | None) -> str:
    """Return the aggregation of a search, "sum" by default."""
    if not isinstance(aggregation, str | None) or aggregation not in (None, *search.aggregations):
        allowed = " or ".join((*search.aggregations, "None"))
        reason = f"{aggregation!r} is not allowed with the search '{search.name}'"
        raise AltfsError("aggregation", reason, f"use {allowed}")
    return "sum" if aggregation in (None, "none") else aggregation


def needs_data(selector: Any) -> bool:
    """Return True if a selector learns from the data; given qualities and values do not."""
    return isinstance(selector, str | Mapping | Selector) or callable(selector)


def needs_target(selector: Any) -> bool:
    """Return True if a selector needs a target; one with options is made, if they are allowed."""
    if not needs_data(selector):
        return False
    try:
        made = chosen_selector(selector)
    except AltfsError:
        return True
    return bool(getattr(made, "needs_target", True))


def _registered(selector: Any) -> Any:
    """Return the class of a selector that is named; anything else as it is."""
    name = selector.get("type") if isinstance(selector, Mapping) else selector
    return selectors.get(name) if isinstance(name, str) and name in selectors.names() else selector


def takes_sparse(selector: Any) -> bool:
    """Return True if a selector takes every sparse table of numbers."""
    if not isinstance(selector, Mapping):
        selector = _registered(selector)
    if isinstance(selector, MutualInformation) or selector is MutualInformation:
        # It takes those of categories.
        return False
    return bool(getattr(selector, "takes_sparse", not isinstance(selector, str | type)))


def for_two_classes(selector: Any) -> bool:
    """Return True if a selector needs a target of two classes."""
    return bool(getattr(_registered(selector), "two_classes", False))


def read_constraints(constraints: Any) -> Constraints:
    """Return constraints from a mapping of them, or None.

    >>> read_constraints({"include": ["age"]}).include
    ('age',)
    """
    if constraints is None:
        return NO_CONSTRAINTS
    if not isinstance(constraints, Mapping):
        check_constraints(constraints)
        return cast(Constraints, constraints)
    try:
        return Constraints.model_validate(dict(constraints))
    except ValidationError as error:
        raise mistake(error, Constraints, "constraints.") from None


def with_given(
    constraints: Constraints, given: Any, names: Sequence[str], *, by_label: bool = False
) -> Constraints:
    """Return resolved constraints with further given sets; see :meth:`Constraints.resolved`."""
    resolved = constraints.resolved(names, by_label=by_label)
    sets = (as_indices("given", features, names, by_label=by_label) for features in given)
    return resolved.model_copy(update={"given": (*sets, *resolved.given)})
