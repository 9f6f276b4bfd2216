"""The canonical answer of a CP-SAT model: the lexicographically smallest valid family.

The features of each set are decided in blocks. The bits of a number say which features of
a block the set holds, and the highest bit stands for the smallest index. The solver is
asked for the largest such number, which is then fixed. Questions cost CP-SAT much more
than other solvers, which decide one index after the other (`first_optimum`).
"""

from __future__ import annotations

from ortools.sat.python import cp_model

from altfs.problem import FeatureIndices
from altfs.solvers.cp_sat._model import SetModel

# Larger blocks need fewer calls. Weights beyond 2**20 slow the linear relaxation down.
_BLOCK = 20


def new_solver(work: float) -> cp_model.CpSolver:
    """Return a CP-SAT solver that is exact and deterministic."""
    solver = cp_model.CpSolver()
    # With coefficients of 38 bits this presolve step of OR-Tools 9.15 loses optima, in
    # about one of a thousand small problems. The tests hold one of them.
    solver.parameters.presolve_inclusion_work_limit = 0
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = 0
    solver.parameters.relative_gap_limit = 0.0
    solver.parameters.absolute_gap_limit = 0.0
    solver.parameters.max_deterministic_time = work
    return solver


def canonical_sets(
    built: SetModel, sets: list[FeatureIndices], work: float
) -> tuple[list[FeatureIndices], int]:
    """Return the lexicographically smallest solution of the model, and branches taken.

    All solutions of the model are equally good, and `sets` is one of them. The model is
    changed. If the work is used up, the best family so far is returned. The sets are in the
    model's order.
    """
    model, features = built.model, built.features
    branches = 0
    for i, row in enumerate(built.member):
        n_features, fixed = len(sets[i]), 0
        for start in range(0, len(features), _BLOCK):
            block = features[start : start + _BLOCK]
            smallest = set(block[: n_features - fixed])
            if not smallest <= set(sets[i]):
                if work <= 0:
                    return sets, branches
                model.maximize(
                    sum((1 << (len(block) - 1 - p)) * row[start + p] for p in range(len(block)))
                )
                built.hint(sets)
                solver = new_solver(work)
                status = solver.solve(model)
                branches += int(solver.num_branches)
                work -= float(solver.response_proto.deterministic_time)
                if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
                    sets = built.decode(solver)
                if status != cp_model.OPTIMAL:
                    return sets, branches
            held = set(sets[i])
            for p, j in enumerate(block):
                model.add(row[start + p] == int(j in held))
            fixed += len(held & set(block))
            if fixed == n_features:
                for x in row[start + len(block) :]:
                    model.add(x == 0)
                break
    return sets, branches
