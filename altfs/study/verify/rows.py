"""Rows of a shard, compared with the plan, the data and the scores."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import inf, isfinite
from typing import Any

from altfs.problem import Family, Overlap, Problem, overlap_violation
from altfs.problem.priced import price_of
from altfs.problem.results import Status
from altfs.searches.request import sizes_of, stored_size
from altfs.selectors import Qualities
from altfs.study.plan import Plan
from altfs.study.sharding import floor_of
from altfs.study.store import TIME_COLUMNS
from altfs.study.task import Place

Row = dict[str, Any]

#: The statuses of a row with a set.
WITH_SET = (Status.OPTIMAL, Status.FEASIBLE)
# By rounding, a bound may lie below its objective.
_TINY = 1e-12


class StoredRun:
    """The rows of one (n_features, n_alternatives, aggregation) of a shard.

    Its problem, the names of all features and the qualities are None as long as data and scores
    are unknown. Objectives are not checked without qualities.
    """

    problem: Problem | None = None
    names: tuple[str, ...] | None = None
    qualities: Qualities | None = None

    def __init__(self, plan: Plan, place: Place, rows: list[Row]) -> None:
        first = rows[0]
        self.shard, self.rows = place, rows
        #: True if only the mean overlap is limited.
        self.averages = plan.search_entries[place.search].overlap == "average"
        self.n_features = int(first["n_features"])
        self.n_alternatives = int(first["n_alternatives"])
        self.aggregation = str(first["aggregation"])
        planned = plan.sizes(*place[2:])
        #: The entry of ``n_features`` in the study's configuration, or a range up to it.
        self.sizes: int | str = next(
            (k for k in planned if stored_size(k) == self.n_features), self.n_features
        )
        #: The search, with the seed 0.
        self.search = plan.search_entries[place.search].make()
        if self.search.takes_smaller and isinstance(self.sizes, int):
            self.sizes = f"1-{self.sizes}"
        #: True for sets of a stream, which may be of any size up to `sizes`.
        self.streams = plan.search_entries[place.search].streams
        self.overlap = Overlap(place.tau, None, plan.config.dissimilarity)

    def single(self, given: Family = ()) -> Problem:
        """Return the problem of one set of the run that differs from given sets."""
        assert self.problem is not None
        return self.problem.after(given)

    @property
    def max_overlap(self) -> int | None:
        """Largest allowed overlap of two sets; None if it depends on their sizes.

        For a stream, it is the number of features that two of its sets share.
        """
        if self.streams:
            pairs = combinations((set(row["selected"] or ()) for row in self.rows), 2)
            return max((len(a & b) for a, b in pairs), default=0)
        k = self.n_features
        return self.overlap(k, k) if len(sizes_of(self.sizes)) == 1 else None

    def allows_size(self, size: int) -> bool:
        """Return True if a set of the run may have so many features."""
        if self.streams:
            return size <= self.n_features or self.n_features == 0
        return size in sizes_of(self.sizes)

    def place(self, row: Row) -> str:
        """Return the place of a row for messages."""
        return f"{self}, set_index {row['set_index']}"

    def __str__(self) -> str:
        text = f"n_features {self.n_features}, n_alternatives {self.n_alternatives}"
        return text if self.aggregation == "none" else f"{text}, aggregation {self.aggregation}"


def runs_of(plan: Plan, place: Place, rows: list[Row]) -> tuple[list[StoredRun], str]:
    """Return the runs of a shard in the order of the plan, or an error in its keys."""
    search = plan.search_entries[place.search]
    aggregations: list[str] = [*search.aggregation] or ["none"]
    planned = [
        (k, n, aggregation, i)
        for k in map(stored_size, plan.sizes(*place[2:]))
        for n in search.n_alternatives
        for aggregation in aggregations
        for i in range(n + 1)
    ]
    names = ("n_features", "n_alternatives", "aggregation", "set_index")
    stored = [tuple(row[name] for name in names) for row in rows]
    if stored != planned:
        for said, keys in (
            ("lacks the row", [p for p in planned if p not in stored]),
            ("has a row that is not planned", [f for f in stored if f not in planned]),
            ("has a row twice", [f for f in stored if stored.count(f) > 1]),
        ):
            if keys:
                what = ", ".join(f"{n} {v}" for n, v in zip(names, keys[0], strict=True))
                return [], f"{said}: {what}"
        return [], "has its rows in another order than the plan"
    starts = [i for i, row in enumerate(rows) if row["set_index"] == 0]
    ends = [*starts[1:], len(rows)]
    return [StoredRun(plan, place, rows[i:j]) for i, j in zip(starts, ends, strict=True)], ""


def check_rows(run: StoredRun) -> Iterator[str]:
    """Yield the errors in the rows of a run."""
    for row in run.rows:
        for wrong in _check_row(run, row):
            yield f"{run.place(row)}: {wrong}"
    sets = [(row["set_index"], set(row["selected"] or ())) for row in run.rows]
    if run.averages:
        yield from _check_means(run, [s for _, s in sets if s])
    for (i, a), (j, b) in combinations(sets, 2):
        if not run.averages and len(a & b) > (most := run.overlap(len(a), len(b))):
            yield (
                f"{run}: sets {i} and {j} have {len(a & b)} features in common, {most} are allowed"
            )
    check = _check_sequence if run.aggregation == "none" else _check_family
    yield from (f"{run}: {wrong}" for wrong in check(run))


def _check_means(run: StoredRun, sets: list[set[int]]) -> Iterator[str]:
    """Yield errors in the mean overlap: of each set with those before, or of all pairs."""
    pairs = [[(a, b) for b in sets[:i]] for i, a in enumerate(sets)]
    groups = pairs if run.aggregation == "none" else [[pair for row in pairs for pair in row]]
    for group in groups:
        if (wrong := overlap_violation(group, run.overlap, True)) is not None:
            yield f"{run}: {wrong}"


def _check_row(run: StoredRun, row: Row) -> Iterator[str]:
    for column, value in run.shard._asdict().items():
        if row[column] != value:
            yield f"{column} is {row[column]!r}, the file's place says {value!r}"
    if run.qualities is not None:
        floor = floor_of(run.problem, run.qualities, run.n_features)
        if row["floor"] != floor:
            yield f"floor is {row['floor']!r}, the file of the quality says {floor!r}"
    if row["max_overlap"] != run.max_overlap:
        yield f"max_overlap is {row['max_overlap']}, tau {run.shard.tau} gives {run.max_overlap}"
    if row["work"] is None or row["work"] < 0:
        yield f"work is {row['work']}"
    for column in TIME_COLUMNS:
        if row[column] is None or not (isfinite(row[column]) and row[column] >= 0):
            yield f"{column} is {row[column]}"
    chosen, status = row["selected"], row["status"]
    if status not in list(Status):
        yield f"status '{status}' is unknown"
    elif chosen is None or row["feature_names"] is None:
        yield "selected or feature_names is null"
    elif not chosen:
        if status in WITH_SET:
            yield f"status is {status}, but there is no set"
        if row["feature_names"]:
            yield f"feature_names is {row['feature_names']}, but there is no set"
        for column in ("train_objective", "test_objective", "run_objective"):
            if row[column] is not None:
                yield f"{column} is {row[column]}, but there is no set"
    elif status not in WITH_SET:
        yield f"status is {status}, but there is a set"
    else:
        yield from _check_set(run, row)


def _check_set(run: StoredRun, row: Row) -> Iterator[str]:
    chosen, names, qualities = row["selected"], run.names, run.qualities
    if None in chosen or sorted(set(chosen)) != chosen:
        yield f"selected {chosen} is not sorted or repeats a feature"
        return
    if not run.allows_size(len(chosen)):
        yield f"selected {chosen} does not have {run.sizes} features"
    if names is None:
        return
    if chosen[0] < 0 or chosen[-1] >= len(names):
        yield f"selected {chosen} has an index that is not a feature"
        return
    if row["feature_names"] != [names[j] for j in chosen]:
        yield f"feature_names are not those of the features {chosen}"
    if qualities is None:
        return
    if not qualities.train.allows(chosen):
        yield f"selected {chosen} holds features that exclude each other"
    elif run.problem and (broken := run.single().violation((tuple(chosen),))) is not None:
        yield broken
    price = 0.0
    if run.problem is not None:
        earlier = [other["selected"] for other in run.rows[: row["set_index"]]]
        price = price_of(run.problem.quality, chosen, [s for s in earlier if s])
    expected = {
        "train_objective": qualities.train,
        "test_objective": qualities.test,
    }
    for column, quality in expected.items():
        value = None if quality is None else quality.evaluate(chosen) - price
        if row[column] != value:
            yield f"{column} is {row[column]!r}, data and scores give {value!r}"


def _check_sequence(run: StoredRun) -> Iterator[str]:
    if run.streams:
        yield from _check_cost(run)
    for row in run.rows:
        wrong = [*_check_bound(run, row["status"], row["train_objective"], row["bound"], "bound")]
        if run.streams:
            # Sets of a stream are not compared with others, so nothing bounds them.
            wrong = [] if row["bound"] is None else [f"bound is {row['bound']}, a stream has none"]
        for column in ("run_objective", "run_bound"):
            if row[column] is not None:
                wrong.append(f"{column} is {row[column]}, but sets are not aggregated")
        yield from (f"set {row['set_index']}: {text}" for text in wrong)


def _check_cost(run: StoredRun) -> Iterator[str]:
    for column in ("work", "seconds"):
        if any(row[column] for row in run.rows[1:]):
            yield f"{column} is not 0 after the first row, which has that of the run"


def _check_family(run: StoredRun) -> Iterator[str]:
    first = run.rows[0]
    for column in ("status", "run_objective", "run_bound"):
        if any(row[column] != first[column] for row in run.rows):
            yield f"{column} is not the same in all rows"
            return
    yield from _check_cost(run)
    if any(row["bound"] is not None for row in run.rows):
        yield "bound is given for single sets, only run_bound can be"
    status, objective = first["status"], first["run_objective"]
    yield from _check_bound(run, status, objective, first["run_bound"], "run_bound")
    sets = [tuple(row["selected"] or ()) for row in run.rows]
    if sets != sorted(sets):
        yield "the sets are not in lexicographic order"
    values = [row["train_objective"] for row in run.rows]
    if status in WITH_SET and None not in values and run.problem is not None:
        expected = run.problem.aggregate(values)
        if objective != expected:
            yield f"run_objective is {objective!r}, the sets give {expected!r}"


def _check_bound(
    run: StoredRun, status: str, objective: float | None, bound: float | None, name: str
) -> Iterator[str]:
    # Only a proof gives a bound of a quality without a largest value.
    unbounded = run.qualities and run.qualities.train.bound(run.n_features) == inf
    if status == Status.INFEASIBLE:
        if bound is not None:
            yield f"{name} is {bound}, but the status is infeasible"
    elif bound is None and unbounded and status != Status.OPTIMAL:
        return
    elif bound is None or bound != bound:
        yield f"{name} is missing, but the status is {status}"
    elif status in WITH_SET and objective is None:
        yield f"the objective is missing, but the status is {status}"
    elif status in WITH_SET and objective is not None:
        tiny = _TINY * max(1.0, abs(objective))
        if not bound >= objective - tiny:
            yield f"{name} {bound!r} lies below the objective {objective!r}"
        elif status == Status.OPTIMAL and not bound <= objective + tiny:
            yield f"{name} {bound!r} is not the objective {objective!r}, but the status is optimal"
