"""Statuses of a run, compared with what its search can know and with one another."""

from __future__ import annotations

from collections.abc import Iterator

from altfs.problem.results import Status
from altfs.quality import BlackBox, Quality
from altfs.searches import searches
from altfs.selectors import Qualities
from altfs.solvers import Solver, solvers
from altfs.study.verify.claims import JUDGED
from altfs.study.verify.rows import Row, Run

# A quality that is not compared in integers may differ in its last digits.
_CLOSE = 1e-12
_FOUND = (Status.OPTIMAL, Status.FEASIBLE)


def check_promises(run: Run, qualities: Qualities | None) -> Iterator[str]:
    """Yield what is wrong with the statuses of a run; some need the selector's qualities."""
    for wrong in (*_unknowable(run, qualities), *_disordered(run), *_contradicted(run, qualities)):
        yield f"{run}, {wrong}"


def _unknowable(run: Run, qualities: Qualities | None) -> Iterator[str]:
    """Yield statuses that the search or its solver cannot know."""
    statuses = searches.get(run.search).statuses
    known = solvers.names()
    for row in run.rows:
        i, status, name = row["set_index"], row["status"], row["solver"]
        if status not in statuses:
            listed = ", ".join(sorted(statuses))
            yield f"set_index {i}: status is {status}, but '{run.search}' can only know {listed}"
        if run.search not in JUDGED or status not in _FOUND:
            continue
        if name not in known:
            yield f"set_index {i}: solver '{name}' is unknown"
        elif status == Status.OPTIMAL:
            solver = solvers.get(name)
            if not solver.proves:
                yield f"set_index {i}: status is optimal, but solver '{name}' proves nothing"
            elif not (qualities is None or _fits(solver(), run, qualities.train)):
                yield f"set_index {i}: solver '{name}' cannot have solved a black box"


def _fits(solver: Solver, run: Run, quality: Quality) -> bool:
    """Return False if a solver cannot solve the black box of a run."""
    return not isinstance(quality, BlackBox) or solver.handles(run.single())


def _disordered(run: Run) -> Iterator[str]:
    """Yield sets after one that does not exist, or that a heuristic did not find."""
    if run.aggregation != "none":
        return
    infeasible = missing = False
    for row in run.rows:
        i, status = row["set_index"], row["status"]
        if infeasible and status != Status.INFEASIBLE:
            yield f"set_index {i}: status is {status} after an infeasible one"
        elif missing and run.search not in JUDGED and status in _FOUND:
            yield f"set_index {i}: status is {status} after a set that is missing"
        infeasible = infeasible or status == Status.INFEASIBLE
        missing = missing or status not in _FOUND


def _contradicted(run: Run, qualities: Qualities | None) -> Iterator[str]:
    """Yield sets that are better than an earlier one with status optimal."""
    if run.aggregation != "none" or qualities is None:
        return
    tiny = _rounding(qualities.train, run.n_features)
    best: Row | None = None
    for row in run.rows:
        value = row["train_objective"]
        if value is None:
            continue
        if best is not None:
            least = best["train_objective"]
            if value > least + tiny + _CLOSE * abs(least):
                yield (
                    f"set_index {row['set_index']}: is better than set_index "
                    f"{best['set_index']}, which is said to be optimal"
                )
        if row["status"] == Status.OPTIMAL and (best is None or value < best["train_objective"]):
            best = row


def _rounding(quality: Quality, n_features: int) -> float:
    """Return the largest difference of two sets that are equal in the integers of solvers."""
    return 2.0 * n_features**2 * float(getattr(quality, "unit", 0.0))
