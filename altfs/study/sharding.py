"""Shards: the feature sets of one search at one tau with one quality."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from math import isnan
from typing import Any

import pyarrow as pa

from altfs.errors import AltfsError
from altfs.problem import Problem
from altfs.problem.results import SearchResult
from altfs.quality import Quality
from altfs.searches.base import Search, SeededSearch, searches
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


def _in_words_of_config(text: str) -> str:
    """Name the keys of ``config.yaml`` in a message about arguments."""
    for argument, key in (
        ("relative_floor:", "quality_floor.relative:"),
        ("raise it or", "raise limits.work or"),
        ("number as quality_floor", "number as floor"),
    ):
        text = text.replace(argument, key)
    return text


def shard_table(arguments: Mapping[str, Any], qualities: Qualities) -> pa.Table:
    """Search with every (n_features, n_alternatives, aggregation); return a row per set."""
    search = _search(arguments)
    entry = arguments["search"]
    limits = Limits(**arguments["limits"])
    names = load_planned_dataset(arguments).feature_names
    rows: list[dict[str, Any]] = []
    for k in arguments["n_features"]:
        for n_alternatives in entry["n_alternatives"]:
            for aggregation in entry["aggregation"] or ["sum"]:
                run = (k, n_alternatives, aggregation)
                problem = problem_of(arguments, names, qualities.train, run)
                try:
                    result = search.search(problem, limits)
                except AltfsError as error:
                    raise AltfsError(_in_words_of_config(str(error))) from None
                overlap = problem.max_overlap if len(problem.sizes) == 1 else None
                rows += _rows(arguments, names, qualities, result, overlap)
    return pa.Table.from_pylist(rows, schema=SHARD_SCHEMA)


def draw_seed(arguments: Mapping[str, Any]) -> int:
    """Derive the seed of a shard's random search from the study's.

    Datasets, folds and taus have seeds of their own. Selectors share a seed, so their
    qualities are compared with those of the same sets wherever these are allowed.
    """
    names = ("seed", "dataset", "fold", "tau")
    text = json.dumps([arguments[name] for name in names])
    return int(hashlib.sha256(text.encode()).hexdigest()[:16], 16)


def _search(arguments: Mapping[str, Any]) -> Search:
    component = searches.get(arguments["search"]["type"])
    if issubclass(component, SeededSearch):
        return component(draw_seed(arguments))
    return component()


def _rows(
    arguments: Mapping[str, Any],
    names: Sequence[str],
    qualities: Qualities,
    result: SearchResult,
    overlap: int | None,
) -> list[dict[str, Any]]:
    rows = []
    for i, chosen in enumerate(result.sets):
        rows.append(
            {
                "dataset": arguments["dataset"],
                "fold": arguments["fold"],
                "selector": arguments["selector"]["name"],
                "tau": arguments["tau"],
                "search": arguments["search"]["name"],
                "n_features": result.n_features,
                "n_alternatives": result.n_alternatives,
                "aggregation": result.aggregation,
                "set_index": i,
                "max_overlap": overlap,
                "selected": list(chosen),
                "feature_names": [names[j] for j in chosen],
                "train_objective": _number(result.objectives[i]),
                "test_objective": _test_objective(qualities, chosen),
                "bound": _number(result.bound[i]),
                "run_objective": _number(result.run_objective),
                "run_bound": _number(result.run_bound),
                "status": str(result.status[i]),
                "solver": result.solvers[i],
                "work": result.work[i],
                "seconds": result.seconds[i],
            }
        )
    return rows


def _test_objective(qualities: Qualities, chosen: tuple[int, ...]) -> float | None:
    if not chosen or qualities.test is None:
        return None
    return _number(qualities.test.evaluate(chosen))


def _number(value: float) -> float | None:
    return None if isnan(value) else value
