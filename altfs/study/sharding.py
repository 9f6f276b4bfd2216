"""Shards: the feature sets of one search at one tau with one quality."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from itertools import product
from math import isnan, nan
from typing import Any

import pyarrow as pa

from altfs.errors import AltfsError
from altfs.problem import Problem
from altfs.quality import Quality
from altfs.searches.base import SeededSearch, searches
from altfs.searches.request import Request
from altfs.selectors.base import Qualities
from altfs.solvers.base import Limits
from altfs.study.constraining import constraints_of, given_sets
from altfs.study.folds import load_planned_dataset
from altfs.study.qualities import qualities_of
from altfs.study.store import SHARD_SCHEMA, Result, library_versions


def make_shard(arguments: Mapping[str, Any]) -> Result:
    """Search with the qualities of a fold and selector."""
    qualities = qualities_of(arguments)
    return shard_table(arguments, qualities), {
        "task": {name: value for name, value in arguments.items() if name != "files"},
        "versions": library_versions(),
        "notes": {"test_objective": qualities.note} if qualities.note else {},
    }


def problem_of(
    arguments: Mapping[str, Any],
    names: Sequence[str],
    quality: Quality,
    run: tuple[int | str, int, str],
) -> Problem:
    """Return the problem of a run: its sizes, its number of alternatives, its aggregation."""
    n_features, n_alternatives, aggregation = run
    wanted = arguments["constraints"] or {}
    asked = Request(
        n_features=n_features,
        n_alternatives=n_alternatives,
        tau=arguments["tau"],
        dissimilarity=arguments["dissimilarity"],
        aggregation=aggregation,
        given=given_sets(wanted, names),
        constraints=constraints_of(wanted, names),
    )
    return asked.problem(quality)


def shard_table(arguments: Mapping[str, Any], qualities: Qualities) -> pa.Table:
    """Search with every (n_features, n_alternatives, aggregation); return a row per set."""
    entry = arguments["search"]
    component = searches.get(entry["type"])
    search = component()
    if issubclass(component, SeededSearch):
        search = component(draw_seed(arguments))
    names = load_planned_dataset(arguments).feature_names
    rows: list[dict[str, Any]] = []
    for run in product(
        arguments["n_features"], entry["n_alternatives"], entry["aggregation"] or ["sum"]
    ):
        problem = problem_of(arguments, names, qualities.train, run)
        try:
            result = search.search(problem, Limits(**arguments["limits"]))
        except AltfsError as error:
            raise AltfsError(_in_words_of_config(str(error))) from None
        shared = {
            **{name: arguments[name] for name in ("dataset", "fold", "tau")},
            "selector": arguments["selector"]["name"],
            "search": entry["name"],
            "n_features": result.n_features,
            "n_alternatives": result.n_alternatives,
            "aggregation": result.aggregation,
            "max_overlap": problem.max_overlap if len(problem.sizes) == 1 else None,
            "run_objective": _number(result.run_objective),
            "run_bound": _number(result.run_bound),
        }
        test = qualities.test
        for i, chosen in enumerate(result.sets):
            tested = test.evaluate(chosen) if chosen and test is not None else nan
            rows.append(
                {
                    **shared,
                    "set_index": i,
                    "selected": list(chosen),
                    "feature_names": [names[j] for j in chosen],
                    "train_objective": _number(result.objectives[i]),
                    "test_objective": _number(tested),
                    "bound": _number(result.bound[i]),
                    "status": str(result.status[i]),
                    "solver": result.solvers[i],
                    "work": result.work[i],
                    "seconds": result.seconds[i],
                }
            )
    return pa.Table.from_pylist(rows, schema=SHARD_SCHEMA)


def draw_seed(arguments: Mapping[str, Any]) -> int:
    """Derive the seed of a shard's random search from the study's.

    Datasets, folds and taus have different seeds. Selectors share a seed, so their qualities
    are compared with those of the same sets, as far as these are allowed.
    """
    names = ("seed", "dataset", "fold", "tau")
    text = json.dumps([arguments[name] for name in names])
    return int(hashlib.sha256(text.encode()).hexdigest()[:16], 16)


def _in_words_of_config(text: str) -> str:
    """Replace arguments by keys of ``config.yaml`` in a message."""
    for argument, key in (
        ("relative_floor:", "quality_floor.relative:"),
        ("raise it or", "raise limits.work or"),
        ("number as quality_floor", "number as floor"),
    ):
        text = text.replace(argument, key)
    return text


def _number(value: float) -> float | None:
    return None if isnan(value) else value
