"""Whether what shards claim to be proven is so, by a solver that did not make them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import combinations
from math import comb, inf

import numpy as np
import numpy.typing as npt

from altfs.problem import FeatureIndices, Problem
from altfs.quality import BlackBox, Linear, Quality
from altfs.results import Status
from altfs.solvers import Limits, Solution, solvers, solvers_for
from altfs.study.verify.rows import Row, Run

#: Feature sets, or families of them, that are listed where no other solver can judge.
_MOST_LISTED = 200_000
_CLOSE = 1e-9


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
    """Judge the claims of a run: a row's in sequential search, else the run's.

    An ``optimal`` or ``infeasible`` status is a claim; so is the bound of a
    ``feasible`` or ``unknown`` one, except of a black box, whose bound is its
    largest value.
    """
    verdicts = Verdicts()
    if run.search == "sequential":
        _check_steps(run, quality, limits, verdicts)
    elif run.search == "simultaneous":
        first = run.rows[0]
        claim = _claim(run.problem(quality), run.rows, first["run_bound"])
        _count(verdicts, f"{run}", claim, _judge(claim, limits))
    elif run.search == "random":
        _check_existence(run, quality, limits, verdicts)
    else:
        verdicts.unchecked += 1
    return verdicts


def _check_steps(run: Run, quality: Quality, limits: Limits, verdicts: Verdicts) -> None:
    given: list[FeatureIndices] = []
    ended = ""
    for row in run.rows:
        single = Problem(
            quality, run.n_features, run.max_overlap, given=tuple(given),
            constraints=run.constraints,
        )  # fmt: skip
        claim = _claim(single, [row], row["bound"])
        # After an infeasible step the question stays the same, and so does the answer.
        verdict = ended or _judge(claim, limits)
        if row["status"] == Status.INFEASIBLE:
            ended = verdict
        _count(verdicts, f"{run}, set_index {row['set_index']}", claim, verdict)
        given += claim.sets


def _check_existence(run: Run, quality: Quality, limits: Limits, verdicts: Verdicts) -> None:
    """Random search claims of a set that it is infeasible where so many do not exist."""
    for row in run.rows:
        if row["status"] != Status.INFEASIBLE:
            continue
        n_sets = row["set_index"] + 1
        problem = Problem(
            quality, run.n_features, run.max_overlap, n_sets, constraints=run.constraints
        )
        claim = _claim(problem, [row], None)
        conflicts = isinstance(quality, Linear) and quality.conflicts is not None
        floor = run.constraints.quality_floor is not None
        verdict = "unchecked" if conflicts or floor else _judge_infeasible(claim, limits)
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
    if claim.status == Status.INFEASIBLE and type(quality).allows is Quality.allows:
        return _judge_infeasible(claim, limits)
    if isinstance(quality, BlackBox):
        return "unchecked" if claim.status in (Status.OPTIMAL, Status.INFEASIBLE) else "none"
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
    """Whether sets of these sizes and overlaps exist does not depend on their quality."""
    zeros = Linear(np.zeros(claim.problem.quality.n_total))
    problem = replace(claim.problem, quality=zeros, aggregation="sum")
    # Black boxes are searched with CP-SAT's help, so the other solvers are asked.
    others = [s for s in solvers_for(problem) if s.name != "cp_sat" and s.proves]
    answer: Solution | None = others[0].solve(problem, limits) if others else None
    if answer is None or answer.status is Status.UNKNOWN:
        return "unchecked"
    if answer.status is Status.INFEASIBLE:
        return "proven"
    return f"there is {_shown(answer.sets)}"


def _judge_by_listing(claim: _Claim) -> str:
    problem = claim.problem
    n_single = comb(problem.quality.n_total, problem.n_features)
    if comb(n_single + problem.n_sets - 1, problem.n_sets) > _MOST_LISTED:
        return "unchecked"
    best, sets = _best_single(problem) if problem.n_sets == 1 else _best_family(problem)
    if sets is None:
        return "no such sets exist" if claim.sets else "proven"
    if claim.status == Status.INFEASIBLE:
        return f"there is {_shown(sets)}"
    tiny = _CLOSE * max(abs(best), 1e-300)
    if claim.bound < best - tiny:
        return f"its bound {claim.bound!r} lies below the {best!r} of {_shown(sets)}"
    if claim.status == Status.OPTIMAL and problem.objective(claim.sets) < best - tiny:
        return f"{_shown(sets)} is better"
    return "proven"


_Best = tuple[float, tuple[FeatureIndices, ...] | None]


@lru_cache(maxsize=4)
def _listed(
    quality: Quality, n_features: int
) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.float64]]:
    """All feature sets of a size, and what they are worth; all steps of a search ask for them."""
    every = combinations(range(quality.n_total), n_features)
    chosen = [s for s in every if quality.allows(s)]
    member = np.zeros((len(chosen), quality.n_total), dtype=np.bool_)
    for row, s in zip(member, chosen, strict=True):
        row[list(s)] = True
    return member, np.array([quality.evaluate(s) for s in chosen])


def _best_single(problem: Problem) -> _Best:
    member, values = _listed(problem.quality, problem.n_features)
    valid = np.ones(len(values), dtype=np.bool_)
    for given in problem.given:
        valid &= member[:, list(given)].sum(axis=1) <= problem.max_overlap
    if problem.constraints.kinds():
        sets = (tuple(np.flatnonzero(row).tolist()) for row in member)
        broken = (problem.constraints.violation(s, problem.quality) for s in sets)
        valid &= np.array([why is None for why in broken], dtype=np.bool_)
    if not valid.any():
        return -inf, None
    place = int(np.where(valid, values, -inf).argmax())
    return float(values[place]), (tuple(np.flatnonzero(member[place]).tolist()),)


def _best_family(problem: Problem) -> _Best:
    best: _Best = -inf, None
    for family in _families(problem):
        value = problem.objective(family)
        if best[1] is None or value > best[0]:
            best = value, family
    return best


def _families(problem: Problem) -> Iterator[tuple[FeatureIndices, ...]]:
    """All answers to a problem, one by one."""
    single = replace(problem, n_sets=1)
    every = combinations(range(problem.quality.n_total), problem.n_features)
    candidates = [s for s in every if single.violation((s,)) is None]
    again = problem.max_overlap >= problem.n_features

    def extend(
        start: int, chosen: tuple[FeatureIndices, ...]
    ) -> Iterator[tuple[FeatureIndices, ...]]:
        if len(chosen) == problem.n_sets:
            yield chosen
            return
        for i in range(start, len(candidates)):
            mine = set(candidates[i])
            if all(len(mine & set(s)) <= problem.max_overlap for s in chosen):
                yield from extend(i if again else i + 1, (*chosen, candidates[i]))

    return extend(0, ())


def _scaled(problem: Problem, quality: Linear, sets: tuple[FeatureIndices, ...]) -> int:
    totals = [sum(quality.scaled[j] for j in s) for s in sets]
    return sum(totals) if problem.aggregation == "sum" else min(totals)


def _shown(sets: tuple[FeatureIndices, ...]) -> str:
    return " ".join(str(list(s)) for s in sets)
