"""The fewest listed sets that cover everything that can be covered."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from ortools.sat.python import cp_model

from altfs._numbers import BoolArray, scale
from altfs.problem import FeatureIndices
from altfs.solvers.base import Limits
from altfs.solvers.cp_sat._model import SetModel
from altfs.solvers.cp_sat.first_of_many import canonical_sets, new_solver


def smallest_cover(
    covers: BoolArray, worth: Sequence[float], limits: Limits
) -> tuple[FeatureIndices, bool]:
    """Return the fewest rows that are true together wherever any row is true.

    Of several such choices, it is the one of the largest sum of `worth`, which is compared as
    integers of 38 bits, then the lexicographically first one.

    Parameters
    ----------
    covers : ndarray of bool of shape (n_rows, n_columns)
    worth : sequence of float
        A value of each row.
    limits : Limits

    Returns
    -------
    rows : tuple of int
    proven : bool
        False if a smaller choice may exist.

    Examples
    --------
    >>> covers = np.array([[1, 0, 0], [0, 1, 0], [1, 0, 0], [0, 1, 1]], dtype=bool)
    >>> smallest_cover(covers, [5.0, 9.0, 5.0, 1.0], Limits())
    ((0, 3), True)
    """
    model, rows = cp_model.CpModel(), list(range(len(covers)))
    chosen = [model.new_bool_var("") for _ in rows]
    built = SetModel(model, rows, [chosen])
    for column in covers.T:
        if column.any():
            model.add_bool_or([chosen[i] for i in np.flatnonzero(column)])
    # All rows together cover everything.
    sets: list[FeatureIndices] = [tuple(rows)]
    solver = new_solver(limits.work)
    model.minimize(sum(chosen))
    proven = False
    if (status := solver.solve(model)) in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        sets, proven = built.decode(solver), status == cp_model.OPTIMAL
    model.add(sum(chosen) == len(sets[0]))
    values = np.asarray(worth, dtype=np.float64)
    whole = scale(values, float(np.abs(values).max(initial=0.0))).tolist()
    total = sum(w * x for w, x in zip(whole, chosen, strict=True))
    model.maximize(total)
    built.hint(sets)
    solver = new_solver(limits.work)
    if (status := solver.solve(model)) in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        sets = built.decode(solver)
    if status == cp_model.OPTIMAL:
        model.add(total == sum(whole[i] for i in sets[0]))
        sets, _ = canonical_sets(built, sets, limits.work)
    return sets[0], proven
