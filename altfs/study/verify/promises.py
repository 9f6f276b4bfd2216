"""Statuses of a run, compared with what its search can know and with one another."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from math import inf

from altfs.problem.results import Status
from altfs.searches.base import SolverSearch
from altfs.solvers import solvers
from altfs.study.verify.rows import WITH_SET, Row, StoredRun

# A quality that is not compared in integers may differ in its last digits.
_CLOSE = 1e-12


def check_promises(run: StoredRun) -> Iterator[str]:
    """Yield the errors in the statuses of a run; some are found by means of the qualities."""
    for wrong in chain(_unknowable(run), _disordered(run), _contradicted(run)):
        yield f"{run}, {wrong}"


def _unknowable(run: StoredRun) -> Iterator[str]:
    """Yield statuses that the search or its solver cannot know."""
    statuses, stored = run.search.statuses, isinstance(run.search, SolverSearch)
    names = solvers.names()
    black_box = run.qualities and run.qualities.train.max_evaluations is not None
    for row in run.rows:
        i, status, name = row["set_index"], row["status"], row["solver"]
        if status not in statuses:
            listed, search = ", ".join(sorted(statuses)), run.search.name
            yield f"set_index {i}: status is {status}, but '{search}' can only know {listed}"
        if not run.search.asks_solvers or status not in WITH_SET:
            continue
        solver = solvers.get(name) if name in names else None
        if solver is None and stored:
            yield f"set_index {i}: solver '{name}' is unknown"
        elif status == Status.OPTIMAL:
            if solver is None or not solver.proves:
                yield f"set_index {i}: status is optimal, but solver '{name}' proves nothing"
            elif black_box and not isinstance(run.single().quality, solver.qualities):
                yield f"set_index {i}: solver '{name}' cannot have solved a black box"


def _disordered(run: StoredRun) -> Iterator[str]:
    """Yield sets after one that does not exist, or that a heuristic did not find."""
    if run.aggregation != "none" or run.streams:
        return
    infeasible = missing = False
    for row in run.rows:
        i, status = row["set_index"], row["status"]
        if infeasible and status != Status.INFEASIBLE:
            yield f"set_index {i}: status is {status} after an infeasible one"
        elif missing and not isinstance(run.search, SolverSearch) and status in WITH_SET:
            yield f"set_index {i}: status is {status} after a set that is missing"
        infeasible = infeasible or status == Status.INFEASIBLE
        missing = missing or status not in WITH_SET


def _contradicted(run: StoredRun) -> Iterator[str]:
    """Yield sets that are better than an earlier one with status optimal."""
    # With a mean overlap, a later set may be better; those of a front are best at some sensitivity.
    if run.aggregation != "none" or run.qualities is None or run.averages or not run.search.falling:
        return
    # The largest difference of two sets that are equal in the integers of solvers.
    tiny = 2.0 * run.n_features**2 * float(getattr(run.qualities.train, "unit", 0.0))
    best: Row | None = None
    for row in run.rows:
        value = row["train_objective"]
        if value is None:
            continue
        least = inf if best is None else best["train_objective"]
        if best is not None and value > least + tiny + _CLOSE * abs(least):
            yield (
                f"set_index {row['set_index']}: is better than set_index {best['set_index']}, "
                "which is said to be optimal"
            )
        if row["status"] == Status.OPTIMAL and value < least:
            best = row
