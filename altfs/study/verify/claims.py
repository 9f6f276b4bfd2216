"""Whether what shards claim to be proven is so, by a solver that did not make them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from math import inf

import numpy as np

from altfs.problem import FeatureIndices, Problem
from altfs.quality import BlackBox, Linear, Quality
from altfs.results import Status
from altfs.solvers import Limits, solvers, solvers_for
from altfs.study.verify.listing import any_listed, best_listed, few_enough
from altfs.study.verify.rows import Row, Run

_CLOSE = 1e-9

#: Searches of which a solver's every answer is stored, so that another solver can judge it.
JUDGED = ("sequential", "simultaneous")
#: Searches whose rows claim something one after the other, given those before.
_STEPWISE = ("sequential", "enumeration")
#: Searches that prove nothing of single sets but a bound that holds for any.
_HEURISTIC = ("random", "local_search", "greedy_replacement", "greedy_balancing")
#: What qualities allow for which a linear one of zeros can stand.
_PLAIN = (Quality.allows, Linear.allows)


@dataclass
class Verdicts:
    """What became of the claims of some rows.

    Attributes
    ----------
    proven, unchecked : int
        Claims that were proven independently, and that could not be.
    ties : int
        Proven ones for which the other solver knows an equally good answer
        that comes before the stored one.
    wrong : list of str
        Claims that are false.
    """

    proven: int = 0
    unchecked: int = 0
    ties: int = 0
    wrong: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class _Claim:
    problem: Problem
    status: str
    sets: tuple[FeatureIndices, ...]
    bound: float
    solver: str


def check_claims(run: Run, quality: Quality, limits: Limits) -> Verdicts:
    """Judge the claims of a run.

    An ``optimal`` or ``infeasible`` status is a claim; so is the bound of a
    ``feasible`` or ``unknown`` one, except of a black box, whose bound is its
    largest value. Sequential search and enumeration claim something in each row,
    given the sets before it; simultaneous and local search something of the run.
    Random search and the greedy ones claim a bound that holds for any set, and
    random search that so many sets do not exist, whichever come first.
    """
    verdicts = Verdicts()
    if run.search in _STEPWISE:
        _check_steps(run, quality, limits, verdicts)
    elif run.search in _HEURISTIC and run.aggregation == "none":
        _check_bounds(run, quality, limits, verdicts)
        _check_existence(run, quality, limits, verdicts)
    elif run.search == "simultaneous" or run.search in _HEURISTIC:
        claim = _claim(run.problem(quality), run.rows, run.rows[0]["run_bound"])
        # A heuristic has a solver prove that there is nothing, and does not say which.
        asked = run.search in _HEURISTIC and claim.status == Status.INFEASIBLE
        verdict = _judge_infeasible(claim, limits) if asked else _judge(claim, limits)
        _count(verdicts, f"{run}", claim, verdict)
    else:
        verdicts.unchecked += 1
    return verdicts


def _check_steps(run: Run, quality: Quality, limits: Limits, verdicts: Verdicts) -> None:
    given: list[FeatureIndices] = []
    ended = ""
    for row in run.rows:
        claim = _claim(run.single(quality, tuple(given)), [row], row["bound"])
        # After an infeasible step the question stays the same, and so does the answer.
        verdict = ended or _judge(claim, limits)
        if row["status"] == Status.INFEASIBLE:
            ended = verdict
        _count(verdicts, f"{run}, set_index {row['set_index']}", claim, verdict)
        given += claim.sets


def _check_bounds(run: Run, quality: Quality, limits: Limits, verdicts: Verdicts) -> None:
    """Bounds of sets that were not looked for by their quality; mostly there is one for all."""
    judged: dict[float, str] = {}
    for row in run.rows:
        if row["status"] == Status.INFEASIBLE:
            continue
        found = _claim(run.single(quality), [row], row["bound"])
        # Not that the set is as good as any: that its bound is.
        claim = replace(found, status=str(Status.FEASIBLE), sets=())
        if claim.bound not in judged:
            verdict = judged[claim.bound] = _judge(claim, limits)
            _count(verdicts, f"{run}, set_index {row['set_index']}", found, verdict)


def _check_existence(run: Run, quality: Quality, limits: Limits, verdicts: Verdicts) -> None:
    """Random search claims of a set that it is infeasible where so many do not exist."""
    for row in run.rows:
        if row["status"] != Status.INFEASIBLE:
            continue
        problem = replace(run.single(quality), n_sets=row["set_index"] + 1)
        claim = _claim(problem, [row], None)
        verdict = _judge_infeasible(claim, limits)
        _count(verdicts, f"{run}, set_index {row['set_index']}", claim, verdict)
        # Where so many do not exist, more do not either.
        return


def _claim(problem: Problem, rows: Sequence[Row], bound: float | None) -> _Claim:
    sets = tuple(tuple(row["selected"]) for row in rows if row["selected"])
    return _Claim(
        problem, rows[0]["status"], sets, inf if bound is None else bound, rows[0]["solver"]
    )


def _count(verdicts: Verdicts, place: str, claim: _Claim, verdict: str) -> None:
    if verdict in ("proven", "tie"):
        verdicts.proven += 1
        verdicts.ties += verdict == "tie"
    elif verdict == "unchecked":
        verdicts.unchecked += 1
    elif verdict != "none":
        verdicts.wrong.append(f"{place}: status is {claim.status}, but {verdict}")


def _judge(claim: _Claim, limits: Limits) -> str:
    """One of proven, tie, unchecked, none (nothing is claimed), or why it is wrong."""
    quality = claim.problem.quality
    if isinstance(quality, Linear):
        return _judge_linear(claim, quality, limits)
    if claim.status == Status.INFEASIBLE:
        return _judge_infeasible(claim, limits)
    if isinstance(quality, BlackBox) and claim.status != Status.OPTIMAL:
        return "none"
    return _judge_by_listing(claim)


def _judge_linear(claim: _Claim, quality: Linear, limits: Limits) -> str:
    problem = claim.problem
    answer = solvers.get("cp_sat")().solve(problem, limits)
    if answer.status is Status.UNKNOWN:
        return "unchecked"
    if answer.status is Status.INFEASIBLE:
        if claim.sets:
            return "no such sets exist"
        # A solver does not prove its own claims.
        return "unchecked" if claim.solver == "cp_sat" else "proven"
    if claim.status == Status.INFEASIBLE:
        return f"there is {_shown(answer.sets)}"
    value = _scaled(problem, quality, answer.sets)
    stored = _scaled(problem, quality, claim.sets) if claim.sets else None
    if claim.status == Status.OPTIMAL and stored is not None and stored < value:
        return f"{_shown(answer.sets)} is better"
    truth = problem.objective(answer.sets)
    if claim.bound < truth - _CLOSE * abs(truth):
        return f"its bound {claim.bound!r} lies below the {truth!r} of {_shown(answer.sets)}"
    if answer.status is not Status.OPTIMAL:
        return "unchecked"
    if stored is not None and stored > value:
        return f"the independent solver takes {_shown(answer.sets)}, which is worse, for the best"
    if claim.solver == "cp_sat":
        return "unchecked"
    first = claim.status == Status.OPTIMAL and answer.sets < claim.sets
    return "tie" if first else "proven"


def _judge_infeasible(claim: _Claim, limits: Limits) -> str:
    """Whether sets of these sizes and overlaps exist; only a floor asks for their quality."""
    problem, quality = claim.problem, claim.problem.quality
    if problem.constraints.quality_floor is None and type(quality).allows in _PLAIN:
        conflicts = quality.conflicts if isinstance(quality, Linear) else None
        zeros = Linear(np.zeros(quality.n_total), conflicts)
        problem = replace(problem, quality=zeros, aggregation="sum")
    if isinstance(problem.quality, Linear):
        able = [solver for solver in solvers_for(problem) if solver.proves]
        # A hill climber has CP-SAT prove it, heuristics whoever is asked first.
        maker = {"hill_climbing": "cp_sat", "": able[0].name}.get(claim.solver, claim.solver)
        for solver in able:
            answer = solver.solve(problem, limits) if solver.name != maker else None
            if answer is not None and answer.status is not Status.UNKNOWN:
                return f"there is {_shown(answer.sets)}" if answer.sets else "proven"
    if not few_enough(problem):
        return "unchecked"
    exists = any_listed(problem)
    return f"there is {_shown(exists)}" if exists else "proven"


def _judge_by_listing(claim: _Claim) -> str:
    problem = claim.problem
    if not few_enough(problem):
        return "unchecked"
    best, sets = best_listed(problem)
    if sets is None:
        return "no such sets exist" if claim.sets else "proven"
    tiny = _CLOSE * max(abs(best), 1e-300)
    if claim.status == Status.OPTIMAL and problem.objective(claim.sets) < best - tiny:
        return f"{_shown(sets)} is better"
    if claim.bound < best - tiny:
        return f"its bound {claim.bound!r} lies below the {best!r} of {_shown(sets)}"
    return "proven"


def _scaled(problem: Problem, quality: Linear, sets: Iterable[FeatureIndices]) -> int:
    totals = [sum(quality.scaled[j] for j in s) for s in sets]
    return sum(totals) if problem.aggregation == "sum" else min(totals)


def _shown(sets: tuple[FeatureIndices, ...]) -> str:
    return " ".join(str(list(s)) for s in sets)
