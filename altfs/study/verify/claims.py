"""Claims of optimality and infeasibility in shards, judged by another solver."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf

import numpy as np

from altfs.problem import Family, Problem
from altfs.problem.results import Status
from altfs.quality import Linear, Quality
from altfs.solvers import Limits, solvers, solvers_for
from altfs.study.verify.listing import best_listed, families, few_enough
from altfs.study.verify.rows import Row, StoredRun

_CLOSE = 1e-9
#: Verdicts on claims that are not wrong. "tie": the other solver knows an equally good answer that
#: comes before the stored one. "none": nothing is claimed.
VERDICTS = ("proven", "tie", "unchecked", "none")


@dataclass(frozen=True)
class Claim:
    """A claim of some rows about the problem that was solved.

    The name of the solver is empty for a search that does not store it.
    """

    problem: Problem
    status: str
    sets: Family
    bound: float
    solver: str


#: The place of a claim, the claim, and one of :data:`VERDICTS` or why it is wrong.
Judged = tuple[str, Claim, str]


def check_claims(run: StoredRun, limits: Limits) -> Iterator[Judged]:
    """Judge the claims of a run by another solver, or by listing.

    An ``optimal`` or ``infeasible`` status is a claim. The bound of a ``feasible`` or
    ``unknown`` one is a claim, too, except for a black box, whose bound is its largest value.

    - Sequential search and enumeration claim something in each row, given the sets before it.
    - Simultaneous, Pareto and local search claim something of the run.
    - Streaming search claims nothing.
    - Random search and the greedy ones claim a bound that holds for any set. Random search
      also claims that there are no more sets.
    """
    if run.streams:
        return
    claims = run.search.claims
    if claims == "steps":
        yield from _steps(run, limits)
    elif claims == "bound" and run.aggregation == "none":
        yield from _bounds(run, limits)
        yield from _existence(run, limits)
    else:
        assert run.problem is not None
        claim = _claim(run.problem, run.rows, run.rows[0]["run_bound"])
        if not claims:
            verdict = "unchecked"
        elif claims == "bound" and claim.status == Status.INFEASIBLE:
            # Another solver has proven it to the heuristic, which does not store its name.
            verdict = _judge_infeasible(claim, limits)
        else:
            verdict = judge(claim, limits)
        yield f"{run}", claim, verdict


def _steps(run: StoredRun, limits: Limits) -> Iterator[Judged]:
    given: Family = ()
    ended = ""
    for row in run.rows:
        claim = _claim(run.single(given), [row], row["bound"])
        # After an infeasible step the problem stays the same, and so does the answer.
        verdict = ended or judge(claim, limits)
        if row["status"] == Status.INFEASIBLE:
            ended = verdict
        yield run.place(row), claim, verdict
        given += claim.sets


def _bounds(run: StoredRun, limits: Limits) -> Iterator[Judged]:
    """Judge each different bound of sets that were not searched for by quality."""
    judged = set()
    for row in run.rows:
        bounded = _claim(run.single(), [row], row["bound"])
        if row["status"] != Status.INFEASIBLE and bounded.bound not in judged:
            judged.add(bounded.bound)
            # The claim is the bound, not that the set is the best one.
            claim = replace(bounded, status=str(Status.FEASIBLE), sets=())
            yield run.place(row), bounded, judge(claim, limits)


def _existence(run: StoredRun, limits: Limits) -> Iterator[Judged]:
    """Judge the first claim of a random search that there are no more sets."""
    row = next((row for row in run.rows if row["status"] == Status.INFEASIBLE), None)
    if row is not None:
        claim = _claim(replace(run.single(), n_sets=row["set_index"] + 1), [row], None)
        yield run.place(row), claim, _judge_infeasible(claim, limits)


def _claim(problem: Problem, rows: Sequence[Row], bound: float | None) -> Claim:
    sets = tuple(tuple(row["selected"]) for row in rows if row["selected"])
    bound = inf if bound is None else bound
    return Claim(problem, rows[0]["status"], sets, bound, rows[0]["solver"])


def judge(claim: Claim, limits: Limits) -> str:
    """Return one of :data:`VERDICTS`, or why the claim is wrong."""
    quality = claim.problem.quality
    if claim.problem.average:
        # No other solver knows a mean overlap.
        return _judge_by_listing(claim)
    if quality.additive and len(claim.problem.sizes) == 1:
        return _judge_additive(claim, limits)
    if claim.status == Status.INFEASIBLE:
        return _judge_infeasible(claim, limits)
    if quality.max_evaluations is not None and claim.status != Status.OPTIMAL:
        return "none"
    return _judge_by_listing(claim)


def _judge_additive(claim: Claim, limits: Limits) -> str:
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
    value = _exact(problem, answer.sets)
    stored = _exact(problem, claim.sets) if claim.sets else None
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


def _judge_infeasible(claim: Claim, limits: Limits) -> str:
    """Judge that no sets of these sizes and overlaps exist; only a floor needs their quality."""
    problem, quality = claim.problem, claim.problem.quality
    plain = quality.additive or type(quality).allows is Quality.allows
    if problem.constraints.quality_floor is None and plain:
        zeros = Linear(np.zeros(quality.n_total), quality.conflicts)
        problem = replace(problem, quality=zeros, aggregation="sum")
    if problem.quality.additive:
        able = [solver for solver in solvers_for(problem) if solver.proves]
        # CP-SAT proves it for hill climbing, the first able solver for heuristics.
        maker = {"hill_climbing": "cp_sat", "": able[0].name}.get(claim.solver, claim.solver)
        if maker in solvers.names() and solvers.get(maker).by_name_only:
            maker = able[0].name
        for solver in able:
            answer = solver.solve(problem, limits) if solver.name != maker else None
            if answer is not None and answer.status is not Status.UNKNOWN:
                return f"there is {_shown(answer.sets)}" if answer.sets else "proven"
    if not few_enough(problem):
        return "unchecked"
    exists = next(families(problem), None)
    return f"there is {_shown(exists)}" if exists else "proven"


def _judge_by_listing(claim: Claim) -> str:
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


def _exact(problem: Problem, sets: Family) -> Fraction:
    """Return the objective of sets in the numbers in which solvers compare sets."""
    values = problem.quality.exact_values(sets)
    return sum(values, Fraction()) if problem.aggregation == "sum" else min(values)


def _shown(sets: Family) -> str:
    return " ".join(str(list(s)) for s in sets)
