"""Shards: the feature sets of one search at one tau with one quality."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product
from math import isfinite, nan
from typing import Any

import pyarrow as pa

from altfs._clock import startup_seconds
from altfs.errors import AltfsError
from altfs.problem import FeatureIndices, Problem, Status
from altfs.problem.family_front import FamilyFront
from altfs.problem.front import Front
from altfs.problem.results import Step
from altfs.quality import Curve, Quality, Stream
from altfs.searches.base import Search, make_search, searches
from altfs.searches.request import UNLIMITED, Request, Sizes, stored_size
from altfs.selectors.base import Qualities
from altfs.solvers.base import Limits
from altfs.solvers.named import named_solver
from altfs.study.constraining import constraints_of, given_sets
from altfs.study.folds import load_planned_dataset
from altfs.study.qualities import qualities_of
from altfs.study.store import FRONT_SCHEMA, SHARD_SCHEMA, Result, library_versions


def make_shard(arguments: Mapping[str, Any]) -> Result:
    """Search with the qualities of a fold and selector."""
    qualities = qualities_of(arguments)
    table = shard_table(arguments, qualities)
    named = {}
    if "point" in table.column_names:
        named["objectives"] = objectives_of(search_of(arguments), qualities.train)
    return table, named | {
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
    n_features: Sizes = run[0]
    if isinstance(quality, Stream):
        # The size of a set of a stream is the largest one.
        n_features = (1, quality.n_total if n_features == UNLIMITED else stored_size(run[0]))
    asked = request_of(arguments, names, (n_features, *run[1:]))
    return search_of(arguments).prepared(asked.problem(quality))


def request_of(
    arguments: Mapping[str, Any], names: Sequence[str], run: tuple[Sizes, int, str]
) -> Request:
    """Return the request of a run: its sizes, its number of alternatives, its aggregation."""
    wanted = arguments["constraints"] or {}
    return Request(
        n_features=run[0],
        n_alternatives=run[1],
        tau=arguments["tau"],
        overlap=arguments["search"].get("overlap", "pairwise"),
        dissimilarity=arguments["dissimilarity"],
        aggregation=run[2],
        given=given_sets(wanted, names),
        constraints=constraints_of(wanted, names),
    )


def search_of(arguments: Mapping[str, Any]) -> Search:
    """Return the search of a shard, with its seed, solver and options."""
    entry, seed = arguments["search"], draw_seed(arguments)
    solver = named_solver(entry.get("solver"), seed)
    return make_search(searches.get(entry["type"]), seed, solver, entry["options"])


def objectives_of(search: Search, quality: Quality) -> list[str] | None:
    """Return the names of what the points of a front are compared by; None without a front."""
    if search.front_objectives:
        return [*search.front_objectives]
    return quality.objectives if isinstance(quality, Curve) else None


def shard_table(arguments: Mapping[str, Any], qualities: Qualities) -> pa.Table:
    """Search with every (n_features, n_alternatives, aggregation); return a row per set."""
    entry, search = arguments["search"], search_of(arguments)
    names = load_planned_dataset(arguments).feature_names
    rows: list[dict[str, Any]] = []
    schema = SHARD_SCHEMA
    for run in product(
        arguments["n_features"], entry["n_alternatives"], entry["aggregation"] or ["sum"]
    ):
        problem = problem_of(arguments, names, qualities.train, run)
        before = startup_seconds()
        try:
            result = search.search(problem, Limits(**arguments["limits"]))
        except AltfsError as error:
            raise AltfsError(in_words_of_config(str(error))) from None
        startup = startup_seconds() - before
        shared = {
            **{name: arguments[name] for name in ("dataset", "fold", "tau")},
            "selector": arguments["selector"]["name"],
            "search": entry["name"],
            "n_features": stored_size(run[0]),
            "n_alternatives": result.n_alternatives,
            "aggregation": result.aggregation,
            "max_overlap": overlap_of(problem, result.sets),
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
                    "startup_seconds": 0.0 if i else startup,
                    **{name: numbers[i] for name, numbers in result.counts.items()},
                    **(_on_the_way(result.traces[i]) if result.counts else {}),
                }
            )
        if result.front is not None:
            schema = FRONT_SCHEMA
            if isinstance(result.front, FamilyFront):
                rows += _families(result.front, qualities, names, shared)
            else:
                rows += _points(result.front, qualities, names, shared)
    return pa.Table.from_pylist(rows, schema=schema)


def _points(
    front: Front, qualities: Qualities, names: Sequence[str], shared: Mapping[str, Any]
) -> Iterator[dict[str, Any]]:
    """Yield a row for each set of a front."""
    train, test = qualities.train, qualities.test
    assert isinstance(train, Curve)
    for point, (chosen, levels) in enumerate(zip(front.sets, front.levels, strict=True)):
        tested = test.curve(chosen).tolist() if isinstance(test, Curve) else None
        yield {
            **shared,
            "point": point,
            "selected": list(chosen),
            "feature_names": [names[j] for j in chosen],
            "train_objective": train.area(levels),
            "test_objective": None if test is None else test.evaluate(chosen),
            "status": str(Status.OPTIMAL if front.proven else Status.FEASIBLE),
            "objectives": (levels / train.top).tolist(),
            "test_objectives": tested,
        }


def _families(
    front: FamilyFront, qualities: Qualities, names: Sequence[str], shared: Mapping[str, Any]
) -> Iterator[dict[str, Any]]:
    """Yield a row for each set of each family of a front."""
    train, test = qualities.train, qualities.test
    combined = min if shared["aggregation"] == "min" else sum
    for point, family in enumerate(front.families):
        tested = None if test is None else [test.evaluate(chosen) for chosen in family]
        most = max((len({*a} & {*b}) for a, b in combinations(family, 2)), default=0)
        for i, chosen in enumerate(family):
            yield {
                **{n: v for n, v in shared.items() if n not in ("run_objective", "run_bound")},
                "max_overlap": most,
                "point": point,
                "set_index": i,
                "selected": list(chosen),
                "feature_names": [names[j] for j in chosen],
                "train_objective": train.evaluate(chosen),
                "test_objective": None if tested is None else tested[i],
                "status": str(Status.OPTIMAL if front.proven else Status.FEASIBLE),
                "solver": front.solvers[point],
                "objectives": list(front.objectives[point]),
                "test_objectives": tested and [combined(tested), front.objectives[point][1]],
            }


def _on_the_way(steps: Sequence[Step]) -> dict[str, list[Any]]:
    """Return the columns of the way of a set while features arrive."""
    return {
        "trace_seen": [step.evaluations for step in steps],
        "trace_sizes": [len(step.sets[0]) for step in steps],
        "trace_objectives": [_number(step.objective) for step in steps],
    }


def overlap_of(problem: Problem, sets: Sequence[FeatureIndices]) -> int | None:
    """Return the largest allowed overlap of sets of one size; that of the sets of a stream."""
    if isinstance(problem.quality, Stream):
        pairs = combinations(map(set, sets), 2)
        return max((len(a & b) for a, b in pairs), default=0)
    return problem.max_overlap if len(problem.sizes) == 1 else None


def draw_seed(arguments: Mapping[str, Any]) -> int:
    """Derive the seed of a shard's random search or solver from the study's.

    Datasets, folds and taus have different seeds. Selectors share a seed, so their qualities
    are compared with those of the same sets, as far as these are allowed.
    """
    names = ("seed", "dataset", "fold", "tau")
    text = json.dumps([arguments[name] for name in names])
    return int(hashlib.sha256(text.encode()).hexdigest()[:16], 16)


def in_words_of_config(text: str) -> str:
    """Replace arguments by keys of ``config.yaml`` in a message."""
    for argument, key in (
        ("relative_floor:", "quality_floor.relative:"),
        ("raise it or", "raise limits.work or"),
        ("number as quality_floor", "number as floor"),
    ):
        text = text.replace(argument, key)
    return text


def _number(value: float) -> float | None:
    return value if isfinite(value) else None
