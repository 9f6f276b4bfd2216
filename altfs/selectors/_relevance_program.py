"""The quadratic program that divides the contrasts of subsets among their features."""

from __future__ import annotations

from typing import Any

import numpy as np

from altfs._numbers import FloatArray, IntArray
from altfs.errors import DataError

# The largest amount by which a bound may be missed.
_TOLERANCE = 1e-8


def relevances(sets: IntArray, contrasts: FloatArray, n_total: int) -> FloatArray:
    """Return the smallest and most even relevances that explain the contrasts of subsets.

    They minimise ``sum(r) + sum((r - mean(r))**2)``. In each subset they add up to at least
    its contrast, and none is larger than the largest contrast. A feature in no subset gets
    what the objective prefers, which may be more than 0.

    Source: Shekar et al. 2017, Equation 1. The upper bound is an addition.

    Parameters
    ----------
    sets : ndarray of int of shape (n_subsets, largest size)
        Features in ascending order, padded by -1.
    contrasts : ndarray of shape (n_subsets,)
        At least 0.
    n_total : int

    Returns
    -------
    ndarray of shape (n_total,)

    Raises
    ------
    DataError
        If the solver does not reach the optimum.
    """
    largest = float(contrasts.max(initial=0.0))
    if largest == 0:
        return np.zeros(n_total)
    lower = np.zeros(n_total)
    single = sets[:, 1:].max(axis=1, initial=-1) < 0
    np.maximum.at(lower, sets[single, 0], contrasts[single])
    rows, bounds = _needed(sets[~single], contrasts[~single], lower)
    solution = np.clip(_solve(rows, bounds, lower, largest), lower, largest)
    missed = bounds - np.append(solution, 0.0)[rows].sum(axis=1)
    if missed.max(initial=0.0) > _TOLERANCE:
        raise _no_optimum(f"a bound is missed by {missed.max():.1g}")
    return solution


def _needed(
    sets: IntArray, contrasts: FloatArray, lower: FloatArray
) -> tuple[IntArray, FloatArray]:
    """Return each subset once, with its largest contrast, if single bounds do not imply it."""
    distinct, which = np.unique(sets, axis=0, return_inverse=True)
    bounds = np.zeros(len(distinct))
    np.maximum.at(bounds, which.ravel(), contrasts)
    kept = bounds > np.append(lower, 0.0)[distinct].sum(axis=1)
    return distinct[kept], bounds[kept]


def _solve(sets: IntArray, bounds: FloatArray, lower: FloatArray, largest: float) -> FloatArray:
    """Solve the program in the relevances and one more variable, which becomes their mean."""
    import clarabel
    from scipy.sparse import bmat, csc_array, diags_array, eye_array

    n_total, places = len(lower), np.nonzero(sets >= 0)
    # With the mean as a variable the matrix is sparse: the best value for it is the mean.
    ones = csc_array(np.ones((n_total, 1)))
    quadratic = bmat([[2 * eye_array(n_total), -2 * ones], [None, 2 * n_total * eye_array(1)]])
    shape = (len(sets), n_total + 1)
    sums = csc_array((-np.ones(len(places[0])), (places[0], sets[places])), shape=shape)
    unit = diags_array(np.ones(n_total), shape=(n_total, n_total + 1))
    sides = bmat([[sums], [-unit], [unit]], format="csc")
    right = np.concatenate([-bounds, -lower, np.full(n_total, largest)])
    settings: Any = clarabel.DefaultSettings()
    settings.verbose = False
    # One thread and one method give the same digits everywhere.
    settings.direct_solve_method, settings.max_threads = "qdldl", 1
    settings.tol_gap_abs = settings.tol_gap_rel = 1e-12
    settings.tol_feas = 1e-11
    linear = np.append(np.ones(n_total), 0.0)
    cones = [clarabel.NonnegativeConeT(len(right))]
    solver = clarabel.DefaultSolver(quadratic.tocsc(), linear, sides, right, cones, settings)
    solution: Any = solver.solve()
    if str(solution.status) not in ("Solved", "AlmostSolved"):
        raise _no_optimum(str(solution.status))
    return np.array(solution.x)[:n_total]


def _no_optimum(why: str) -> DataError:
    return DataError(
        f"the quadratic program of the relevances has no optimum ({why}), use another number of "
        "subsets or another seed"
    )
