"""Shards: the feature sets of one search at one tau with one quality."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from itertools import combinations
from math import isfinite, nan
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from altfs._clock import startup_seconds
from altfs.errors import AltfsError
from altfs.kinds.base import kinds
from altfs.problem import NO_CONSTRAINTS, FeatureIndices, Problem
from altfs.problem.priced import Priced, price_of
from altfs.problem.results import Step
from altfs.quality import Quality
from altfs.searches.base import Search, make_search, searches
from altfs.searches.request import UNLIMITED, Request, Sizes, stored_size
from altfs.selectors.base import Qualities
from altfs.solvers.base import Limits
from altfs.solvers.named import named_solver
from altfs.study.folds import information_about
from altfs.study.layout import data_path
from altfs.study.qualities import qualities_of
from altfs.study.store import SHARD_SCHEMA, Result, library_versions

if TYPE_CHECKING:
    from altfs.study.task import RunsTask
    from altfs.study.tasks import SearchTask

#: Arguments in messages, as keys of ``config.yaml``.
WORDS = {"work": "limits.work"}


def make_shard(task: SearchTask) -> Result:
    """Search with the qualities of a fold and selector."""
    qualities = qualities_of(task)
    objectives = search_of(task).objectives(qualities.train)
    return shard_table(task, qualities), {
        **({"objectives": objectives} if objectives else {}),
        "task": task.content,
        "versions": library_versions(),
        "notes": {"test_objective": qualities.note} if qualities.note else {},
    }


def problem_of(task: SearchTask, quality: Quality, run: tuple[int | str, int, str]) -> Problem:
    """Return the problem of a run: its sizes, its number of alternatives, its aggregation."""
    n_features: Sizes = run[0]
    if quality.one_pass:
        # The size of such a set is the largest one.
        n_features = (1, quality.n_total if n_features == UNLIMITED else stored_size(run[0]))
    request = request_of(task, task.data.feature_names, (n_features, *run[1:]))
    return search_of(task).prepared(request.problem(quality))


def request_of(task: RunsTask, names: Sequence[str], run: tuple[Sizes, int, str]) -> Request:
    """Return the request of a run: its sizes, its number of alternatives, its aggregation."""
    constraints = task.constraints or NO_CONSTRAINTS
    if constraints.sensitive is not None:
        fold = data_path(task.results, task.dataset), task.digest, task.fold, task.folds, task.seed
        bits = information_about(*fold, str(constraints.sensitive))
        constraints = constraints.informed(bits).model_copy(update={"sensitive": None})
    return Request(
        n_features=run[0],
        n_alternatives=run[1],
        tau=task.tau,
        overlap=task.entry.get("overlap", "pairwise"),
        dissimilarity=task.dissimilarity,
        aggregation=run[2],
        constraints=constraints.resolved(names),
    )


def search_of(task: RunsTask) -> Search:
    """Return the search of a task, with its seed, solver and options."""
    seed = draw_seed(task)
    solver = named_solver(task.entry.get("solver"), seed)
    return make_search(searches.get(task.entry["type"]), seed, solver, task.entry["options"])


def shard_schema(search: Search) -> pa.Schema:
    """Return the columns of the shards of a search."""
    return pa.schema([*SHARD_SCHEMA, *kinds.get(search.kind)().columns()])


def shard_table(task: SearchTask, qualities: Qualities) -> pa.Table:
    """Search with every (n_features, n_alternatives, aggregation); return a row per set."""
    search, names = search_of(task), task.data.feature_names
    train, test = qualities.train, qualities.test
    rows: list[dict[str, Any]] = []
    for run in task.runs():
        problem = problem_of(task, train, run)
        before = startup_seconds()
        try:
            result = search.search(problem, Limits(**task.limits))
        except AltfsError as error:
            raise error.in_words(WORDS) from None
        startup = startup_seconds() - before
        shared = {
            **task.place._asdict(),
            "n_features": stored_size(run[0]),
            "n_alternatives": result.n_alternatives,
            "aggregation": result.aggregation,
            "max_overlap": overlap_of(problem, result.sets),
            "floor": floor_of(problem, qualities, stored_size(run[0])),
            "run_objective": _number(result.run_objective),
            "run_bound": _number(result.run_bound),
        }
        for i, entry in enumerate(result):
            tested = nan
            if entry and test is not None:
                price = price_of(problem.quality, entry.indices, result.sets[:i])
                tested = test.evaluate(entry.indices) - price
            rows.append(
                {
                    **shared,
                    "set_index": i,
                    "selected": list(entry.indices),
                    "feature_names": [names[j] for j in entry.indices],
                    "train_objective": _number(entry.train_objective),
                    "test_objective": _number(tested),
                    "bound": _number(entry.bound),
                    "status": str(entry.status),
                    "solver": entry.solver,
                    "work": entry.work,
                    "seconds": entry.seconds,
                    "startup_seconds": 0.0 if i else startup,
                    **entry.counts,
                    **(_on_the_way(entry.steps) if entry.counts else {}),
                }
            )
        for row in result.front.rows(train, test, result.aggregation) if result.front else ():
            features = [names[j] for j in row["selected"]]
            rows.append({**shared, **row, "feature_names": features})
    return pa.Table.from_pylist(rows, schema=shard_schema(search))


def _on_the_way(steps: Sequence[Step]) -> dict[str, list[Any]]:
    """Return the columns of the way of a set while features arrive."""
    return {
        "trace_seen": [step.evaluations for step in steps],
        "trace_sizes": [len(step.sets[0]) for step in steps],
        "trace_objectives": [_number(step.objective) for step in steps],
    }


def floor_of(problem: Problem | None, qualities: Qualities, size: int) -> float | None:
    """Return the floor of a size; None for sets that pay, as sets of shuffled targets do not."""
    priced = problem is not None and isinstance(problem.quality, Priced)
    return None if priced else qualities.floors.get(str(size))


def overlap_of(problem: Problem, sets: Sequence[FeatureIndices]) -> int | None:
    """Return the largest allowed overlap of sets of one size; that of the sets of a stream."""
    if problem.quality.one_pass:
        pairs = combinations(map(set, sets), 2)
        return max((len(a & b) for a, b in pairs), default=0)
    return problem.max_overlap if len(problem.sizes) == 1 else None


def draw_seed(task: RunsTask) -> int:
    """Derive the seed of a shard's random search or solver from the study's.

    Datasets, folds and taus have different seeds. Selectors share a seed, so their qualities
    are compared with those of the same sets, as far as these are allowed.
    """
    text = json.dumps([task.seed, task.dataset, task.fold, task.tau])
    return int(hashlib.sha256(text.encode()).hexdigest()[:16], 16)


def _number(value: float) -> float | None:
    return value if isfinite(value) else None
