"""Exact solver for linear qualities with any constraint: OR-Tools CP-SAT."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise, product

import numpy as np
from ortools.sat.python import cp_model

from altfs.problem import FeatureIndices, Problem, in_order
from altfs.problem.constraints import KINDS
from altfs.problem.results import NAN, Status
from altfs.quality import Linear
from altfs.solvers.base import (
    Limits,
    Solution,
    Solver,
    answer,
    bound_in_truth,
    scaled_objective,
    solvers,
)
from altfs.solvers.cp_sat._model import (
    SetModel,
    add_constraints,
    build,
    is_too_large,
    limit_mean,
    order_equals,
)
from altfs.solvers.cp_sat.first_of_many import canonical_sets, new_solver
from altfs.solvers.mean_overlap.multiplicities import MultiplicitySolver


@solvers.register("cp_sat")
class CpSat(Solver):
    """Linear qualities, with or without conflicts, sum and min, exactly.

    It finds and proves the optimum of the scaled problem (gap 0), then the canonical
    answer among all optima. It uses one thread and a limit of deterministic work, so
    every run gives the same answer. If there are so many sets that the model would be
    too large (78 sets with 100 features), the status is ``unknown``. Of mean overlaps it
    solves those for which there is no table.
    """

    proves = True
    averages = True
    carries = frozenset(KINDS)
    qualities = (Linear,)

    def handles(self, problem: Problem) -> bool:
        # The table of a mean overlap has the canonical answer of its own order.
        return not (problem.average and MultiplicitySolver().supports(problem))

    def solve(self, problem: Problem, limits: Limits) -> Solution:
        solution, _ = best_by_cp_sat(problem, limits)
        if solution.status is not Status.OPTIMAL:
            return solution
        first, more = canonical_optimum(problem, list(solution.sets), limits)
        sets = tuple(first) if _keeps_mean(problem, first) else solution.sets
        return Solution(Status.OPTIMAL, sets, problem.objective(sets), solution.work + more)


def best_by_cp_sat(
    problem: Problem,
    limits: Limits,
    least: int | None = None,
    set_sizes: tuple[int, ...] | None = None,
) -> tuple[Solution, float]:
    """Return one of the best families, and the units of work that this took.

    The sets have the sizes `set_sizes`, ascending, in a problem of several sizes. The problem
    counts as infeasible if no family reaches the scaled objective `least`.
    """
    quality = problem.quality_as(Linear)
    exchangeable = _exchangeable(problem, quality)
    set_sizes = set_sizes or problem.sizes * problem.n_sets
    everything = list(range(quality.n_total))
    reduced = _useful_features(problem, sum(set_sizes)) if exchangeable else everything
    if is_too_large(len(reduced), problem.n_sets):
        return answer(problem, None, False, _relaxed_bound(problem, quality, set_sizes), 0), 0.0
    built = _constraints(problem, quality, reduced, set_sizes)
    if exchangeable and problem.aggregation == "sum":
        for group in _classes(problem, reduced):
            by_value = sorted(group, key=lambda p: -quality.scaled[reduced[p]])
            for better, worse in pairwise(by_value):
                _imply(built, better, worse)
    target = _objective(built, problem, quality)
    if least is not None:
        built.model.add(target >= least)
    built.model.maximize(target)
    solver = new_solver(limits.work)
    status = solver.solve(built.model)
    work, units = int(solver.num_branches), float(solver.response_proto.deterministic_time)
    if status == cp_model.MODEL_INVALID:
        raise RuntimeError(f"CP-SAT refused the model: {built.model.validate()}")
    sets, bound = None, NAN
    if status == cp_model.UNKNOWN:
        bound = _relaxed_bound(problem, quality, set_sizes)
    elif status != cp_model.INFEASIBLE:
        sets = in_order(built.decode(solver))
        scaled = int(np.floor(solver.best_objective_bound + 0.5))
        bound = bound_in_truth(problem, quality, scaled)
    complete = status in (cp_model.OPTIMAL, cp_model.INFEASIBLE)
    if sets is not None and not _keeps_mean(problem, sets):
        sets, complete = None, False
    return answer(problem, sets, complete, bound, work), units


def _keeps_mean(problem: Problem, sets: Sequence[FeatureIndices]) -> bool:
    """Return False if sets exceed a limit of the mean by what the model rounds."""
    return not problem.average or problem.violation(tuple(sets)) is None


def _imply(built: SetModel, better: int, worse: int) -> None:
    """Let a better feature be in at least as many sets as a worse one, by their columns."""
    for high, low in zip(built.at_least[better], built.at_least[worse], strict=True):
        built.model.add_implication(low, high)


def _relaxed_bound(problem: Problem, quality: Linear, set_sizes: tuple[int, ...]) -> float:
    held = set(range(quality.n_total)) - set(problem.constraints.exclude)
    best = sorted((quality.scaled[j] for j in held), reverse=True)
    alone = [sum(best[:k]) for k in set_sizes]
    total = sum(alone) if problem.aggregation == "sum" else min(alone)
    return bound_in_truth(problem, quality, total)


def canonical_optimum(
    problem: Problem, sets: list[FeatureIndices], limits: Limits
) -> tuple[list[FeatureIndices], int]:
    """Return the first of all families as good as the optimal `sets`, and the work done."""
    set_sizes = tuple(map(len, sets))
    quality = problem.quality_as(Linear)
    value = scaled_objective(problem, quality, tuple(sets))
    # A worse feature can be in an optimum of the minimum, but not of the sum.
    features = list(range(quality.n_total))
    if _exchangeable(problem, quality) and problem.aggregation == "sum":
        features = _useful_features(problem, sum(set_sizes))
    built = _constraints(problem, quality, features, set_sizes)
    for row in built.member:
        total = sum(quality.scaled[j] * x for j, x in zip(features, row, strict=True))
        if problem.aggregation == "min":
            built.model.add(total >= value)
    if problem.aggregation == "sum":
        built.model.add(_objective(built, problem, quality) >= value)
    if _exchangeable(problem, quality):
        _order_multiplicities(built, problem, quality)
    first, work = canonical_sets(built, sets, limits.work)
    # At the limit the sets need not ascend.
    return list(in_order(first)), work


def _constraints(
    problem: Problem, quality: Linear, features: list[int], set_sizes: tuple[int, ...]
) -> SetModel:
    if problem.average:
        built = build(features, set_sizes, lambda *sizes: min(sizes), (), quality.conflicts)
        limit_mean(built, problem)
    else:
        built = build(features, set_sizes, problem.overlap, problem.given, quality.conflicts)
    add_constraints(built, problem.constraints)
    floor = problem.constraints.quality_floor
    if floor is not None:
        for row, size in zip(built.member, set_sizes, strict=True):
            least = quality.scaled_floor(floor, size)
            total = sum(quality.scaled[j] * x for j, x in zip(features, row, strict=True))
            built.model.add(total >= least)
    return built


def _objective(built: SetModel, problem: Problem, quality: Linear) -> cp_model.LinearExprT:
    weights = [quality.scaled[j] for j in built.features]
    if problem.aggregation == "sum" or problem.n_sets == 1:
        return sum(
            w * level for w, levels in zip(weights, built.at_least, strict=True) for level in levels
        )
    limit = sum(abs(w) for w in weights) + 1
    smallest = built.model.new_int_var(-limit, limit, "")
    for row in built.member:
        built.model.add(sum(w * x for w, x in zip(weights, row, strict=True)) >= smallest)
    return smallest


def _exchangeable(problem: Problem, quality: Linear) -> bool:
    """Return True if features that lie in the same given sets differ in value only."""
    return quality.conflicts is None and set(problem.kinds) <= {"given", "include", "exclude"}


def _classes(problem: Problem, features: list[int]) -> list[list[int]]:
    """Return the column positions of features that lie in the same given sets."""
    classes: dict[tuple[bool, ...], list[int]] = defaultdict(list)
    named = (problem.constraints.include, problem.constraints.exclude)
    for p, j in enumerate(features):
        classes[tuple(j in g for g in (*problem.given, *named))].append(p)
    return list(classes.values())


def _useful_features(problem: Problem, most: int) -> list[int]:
    """Return features that optima of the sum can hold, or that one optimum of the minimum holds.

    At most T k features (`most`) of a class that lies in the same given sets are used.
    A better feature that is not used would replace a worse one that is.
    """
    quality = problem.quality_as(Linear)
    useful = []
    for group in _classes(problem, list(range(quality.n_total))):
        values = sorted((quality.scaled[j] for j in group), reverse=True)
        threshold = values[min(most, len(values)) - 1]
        useful += [j for j in group if quality.scaled[j] >= threshold]
    # The problem may include more features than a set can hold.
    return sorted({*useful, *problem.constraints.include})


def _order_multiplicities(built: SetModel, problem: Problem, quality: Linear) -> None:
    """Add conditions that the canonical optimum meets in each class of equal membership."""
    for group in _classes(problem, built.features):
        equal: dict[int, list[int]] = defaultdict(list)
        for p in group:
            equal[quality.scaled[built.features[p]]].append(p)
        order_equals(built, list(equal.values()))
        if problem.aggregation == "sum":
            ranked = [equal[value] for value in sorted(equal, reverse=True)]
            for better, worse in pairwise(ranked):
                for p, r in product(better, worse):
                    _imply(built, p, r)
