"""Hill climbing for black-box qualities that evaluates valid sets only."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

import numpy as np
from ortools.sat.python import cp_model

from altfs._numbers import BoolArray
from altfs.problem import FeatureIndices, Problem
from altfs.problem.constraints import KINDS
from altfs.problem.results import NAN, Status, Step
from altfs.quality import BlackBox
from altfs.solvers.base import Limits, Solution, Solver, solvers
from altfs.solvers.black_box._exchange import Exchanger, to_bits, to_indices
from altfs.solvers.cp_sat._model import SetModel, add_constraints, build, is_too_large, order_equals
from altfs.solvers.cp_sat.first_of_many import canonical_sets, new_solver

if TYPE_CHECKING:
    from altfs.solvers.black_box._nearest_families import Exchange

# Nodes of a walk before the exact solver is asked how near valid sets are, and afterwards. The
# solver takes as long for the canonical answer as many nodes.
_FEW_NODES, _MANY_NODES = 100_000, 2_000_000


@solvers.register("hill_climbing")
class HillClimbing(Solver):
    """Constraint-aware greedy wrapper search (Algorithm 1 of the paper).

    The search starts with the canonical valid sets. It flips one feature after another
    (in all sets at once) and moves to the nearest valid sets. It starts again with the
    first feature whenever the objective improves. The nearest sets keep as many selected
    features as possible. Ties go to the lexicographically smallest sets, so the path
    does not depend on a solver. Each question for valid sets is one iteration. All sets
    that are evaluated satisfy the constraints on features. A quality floor is not
    supported, because only an evaluation shows which sets reach it.

    The status is at best ``feasible``. The bound is the upper bound of the quality.
    """

    proves = False
    carries = frozenset(KINDS) - {"quality_floor"}
    qualities = (BlackBox,)

    def solve(self, problem: Problem, limits: Limits) -> Solution:
        quality = problem.quality_as(BlackBox)
        bound = problem.n_counted * quality.upper_bound
        neighbours = _ValidSets(problem, limits)
        sets, status = neighbours.first()
        if sets is None:
            return Solution(status, (), NAN if status is Status.INFEASIBLE else bound, 1)
        objective = problem.objective(tuple(sets))
        iterations, j = 1, 0
        trace = [Step(iterations, objective, tuple(sets))]
        while iterations < quality.max_iterations and j < quality.n_total:
            candidate = neighbours.nearest(sets, j)
            iterations += 1
            if candidate is not None and (value := problem.objective(tuple(candidate))) > objective:
                sets, objective, j = candidate, value, 0
                trace.append(Step(iterations, objective, tuple(sets)))
            else:
                j += 1
        family = tuple(sorted(sets))
        return Solution(Status.FEASIBLE, family, bound, iterations, trace=tuple(trace))


class _ValidSets:
    """The valid sets of any quality: Solve(Cons) of Algorithm 1."""

    def __init__(self, problem: Problem, limits: Limits) -> None:
        self.problem = problem
        self.limits = limits
        self.n_total = problem.quality.n_total
        self.constraints = problem.constraints
        self.constrained = bool(self.constraints.kinds())
        self.admitted: dict[int, bool] = {}
        self.exchanger = Exchanger(problem, problem.given, self._admits_bits)

    def _admits_bits(self, bits: int) -> bool:
        if not self.constrained:
            return True
        if bits not in self.admitted:
            self.admitted[bits] = self._admits([to_indices(bits, self.n_total)])
        return self.admitted[bits]

    def _admits(self, sets: list[FeatureIndices]) -> bool:
        """Return True if sets that satisfy the overlap limit satisfy the constraints, too.

        The first or nearest sets are searched without the constraints. If they satisfy
        these, they are also the first or nearest of the allowed sets.
        """
        if not self.constrained:
            return True
        quality = self.problem.quality
        return all(self.constraints.violation(s, quality) is None for s in sets)

    def first(self) -> tuple[list[FeatureIndices] | None, Status]:
        """Return the canonical valid sets, and the status."""
        # The smallest valid sets, one after the other, are the canonical ones if there are enough.
        sets: list[FeatureIndices] = []
        while len(sets) < self.problem.n_sets:
            bits = Exchanger(self.problem, (*self.problem.given, *sets)).first()
            if bits is None:
                return self._first_exact()
            sets.append(to_indices(bits, self.n_total))
        return (sets, Status.FEASIBLE) if self._admits(sets) else self._first_exact()

    def _first_exact(self) -> tuple[list[FeatureIndices] | None, Status]:
        if is_too_large(self.n_total, self.problem.n_sets):
            return None, Status.UNKNOWN
        built = self._model()
        solver = new_solver(self.limits.work)
        status = solver.solve(built.model)
        if status == cp_model.INFEASIBLE:
            return None, Status.INFEASIBLE
        if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            return None, Status.UNKNOWN
        sets = sorted(built.decode(solver))
        built = self._model()
        groups: dict[tuple[int, ...], list[int]] = {}
        for j in range(self.n_total):
            groups.setdefault(self._role(j), []).append(j)
        order_equals(built, list(groups.values()))
        return canonical_sets(built, sets, self.limits.work)[0], Status.FEASIBLE

    def _role(self, j: int) -> tuple[int, ...]:
        """Return the role of a feature; features of the same role are interchangeable."""
        rules = self.constraints
        named: list[Collection[int]] = [*self.problem.given, rules.include, rules.exclude]
        limits = [*rules.inequalities()]
        named += [features for limit in limits for features, _ in limit.shared]
        return (*(j in features for features in named), *(w.weights.get(j, 0) for w in limits))

    def nearest(self, sets: list[FeatureIndices], j: int) -> list[FeatureIndices] | None:
        """Return the nearest valid sets with feature j flipped in every set."""
        if any(
            j in (self.constraints.include if j in s else self.constraints.exclude) for s in sets
        ):
            return None
        flipped = to_bits((j,), self.n_total)
        current = [to_bits(s, self.n_total) for s in sets]
        family: list[int] | None = None
        if len(sets) == 1:
            single = self.exchanger.nearest(current[0], flipped)
            family = None if single is None else [single]
        elif self.constrained:
            # A walk does not know all constraints.
            family = self.exchanger.nearest_family(current, flipped)
        if family is not None:
            exchanged = [to_indices(bits, self.n_total) for bits in family]
            if self._admits(exchanged):
                return exchanged
        return self._nearest_exact(sets, j)

    def _nearest_exact(self, sets: list[FeatureIndices], j: int) -> list[FeatureIndices] | None:
        if self._impossible(sets, j):
            return None
        question = self._question(sets, j)
        walked = self._walk(question, 0, _FEW_NODES)
        if walked is not None:
            return walked or None
        if is_too_large(self.n_total, len(sets)):
            return None
        built, kept = self._flipped(sets, j)
        built.model.maximize(kept)
        solver = new_solver(self.limits.work)
        if solver.solve(built.model) != cp_model.OPTIMAL:
            return None
        decoded = built.decode(solver)
        most = sum(len(set(a) & set(b)) for a, b in zip(sets, decoded, strict=True))
        if walked := self._walk(question, int(question.current.sum()) - most, _MANY_NODES):
            return walked
        built, kept = self._flipped(sets, j)
        built.model.add(kept >= most)
        return canonical_sets(built, decoded, self.limits.work)[0]

    def _question(self, sets: list[FeatureIndices], j: int) -> Exchange:
        """Return the question for the nearest sets; of the constraints it has only two kinds."""
        # This import takes long, and searches for single sets seldom need it.
        from altfs.solvers.black_box._nearest_families import Exchange

        problem, limits = self.problem, self.constraints
        room = [problem.overlap(problem.n_features, len(g)) for g in problem.given]
        stays, excluded = self._members([limits.include, limits.exclude])
        return Exchange(
            self._members(sets), j, problem.max_overlap, self._members(problem.given),
            np.array(room, dtype=np.int64), stays, ~excluded,
        )  # fmt: skip

    def _walk(
        self, question: Exchange, fewest: int, node_limit: int
    ) -> list[FeatureIndices] | None:
        """Return the nearest sets, or no sets if there are none; None if that is not known."""
        from altfs.solvers.black_box._nearest_families import nearest_families

        complete, family = nearest_families(question, fewest, node_limit)
        nearest: list[FeatureIndices] = [tuple(row) for row in family.tolist()]
        return nearest if complete and self._admits(nearest) else None

    def _members(self, sets: Sequence[Collection[int]]) -> BoolArray:
        members = np.zeros((len(sets), self.n_total), dtype=np.bool_)
        for row, features in zip(members, sets, strict=True):
            row[list(features)] = True
        return members

    def _impossible(self, sets: list[FeatureIndices], j: int) -> bool:
        """Return True if a cheap proof shows that feature j cannot be flipped."""
        adding = sum(1 for s in sets if j not in s)
        if adding == 0:
            return False
        if any(most == 0 and j in g for g, most in self.problem.given_limits):
            return True
        return adding > 1 and self.problem.max_overlap == 0

    def _model(self) -> SetModel:
        problem = self.problem
        sizes = problem.sizes * problem.n_sets
        built = build(range(self.n_total), sizes, problem.overlap, problem.given)
        add_constraints(built, self.constraints)
        return built

    def _flipped(self, sets: list[FeatureIndices], j: int) -> tuple[SetModel, cp_model.LinearExprT]:
        built = self._model()
        for row, s in zip(built.member, sets, strict=True):
            built.model.add(row[j] == int(j not in s))
        kept = sum(row[f] for row, s in zip(built.member, sets, strict=True) for f in s)
        return built, kept
