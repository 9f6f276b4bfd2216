"""Logistic regression on few columns, compiled."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from altfs._compiled import compiled, copy_into
from altfs._numbers import FloatArray

# The penalty of half the squared coefficients.
_RIDGE = 1e-6
# Newton's steps, and the promised gain below which the last one is made.
_STEPS, _ENOUGH = 100, 1e-18


@compiled(error_model="numpy")
def held_out_scores(
    X: FloatArray, positive: FloatArray, folds: npt.NDArray[np.int64], n_folds: int
) -> FloatArray:
    """Return the log-odds of each row, by a model that learned from the other folds.

    Parameters
    ----------
    X : ndarray of shape (n_rows, n_columns)
        The first column is that of the intercept, and has no penalty.
    positive : ndarray of shape (n_rows,)
        Ones and zeros.
    folds : ndarray of shape (n_rows,)
    n_folds : int
    """
    n_rows, n_columns = X.shape
    scores = np.empty(n_rows)
    hessian = np.empty((n_columns, n_columns))
    gradient = np.empty(n_columns)
    weights, step, tried = np.empty(n_columns), np.empty(n_columns), np.empty(n_columns)
    shifted = np.ones((n_rows, n_columns))
    for fold in range(n_folds):
        # Columns that are constant on the rows to learn from become exactly 0, as the penalty
        # alone would hold their coefficients.
        first = np.argmax(folds != fold)
        for r in range(n_rows):
            for a in range(1, n_columns):
                shifted[r, a] = X[r, a] - X[first, a]
        weights[:] = 0.0
        step[:] = 0.0
        tried[:] = 0.0
        least = np.inf
        for _ in range(_STEPS):
            loss = _derive(shifted, positive, folds, fold, tried, gradient, hessian)
            if loss > least + 1e-12 * abs(least):
                # Newton's step was too long.
                for a in range(n_columns):
                    step[a] *= 0.5
                    tried[a] = weights[a] + step[a]
                continue
            least = loss
            copy_into(weights, tried)
            _divide(hessian, gradient, step)
            gain = 0.0
            for a in range(n_columns):
                gain += gradient[a] * step[a]
                tried[a] = weights[a] + step[a]
            if gain < _ENOUGH:
                break
        for r in range(n_rows):
            if folds[r] == fold:
                odds = 0.0
                for a in range(n_columns):
                    odds += shifted[r, a] * tried[a]
                scores[r] = odds
    return scores


@compiled(error_model="numpy")
def _derive(
    X: FloatArray,
    positive: FloatArray,
    folds: npt.NDArray[np.int64],
    fold: int,
    weights: FloatArray,
    gradient: FloatArray,
    hessian: FloatArray,
) -> float:
    """Return the penalised loss of the other folds; write its descent and second derivatives."""
    n_rows, n_columns = X.shape
    loss = 0.0
    gradient[:] = 0.0
    hessian[:] = 0.0
    for a in range(1, n_columns):
        loss += _RIDGE / 2 * weights[a] * weights[a]
        gradient[a] = -_RIDGE * weights[a]
        hessian[a, a] = _RIDGE
    for r in range(n_rows):
        if folds[r] == fold:
            continue
        odds = 0.0
        for a in range(n_columns):
            odds += X[r, a] * weights[a]
        small = np.exp(-abs(odds))
        share = 1.0 / (1.0 + small) if odds >= 0 else small / (1.0 + small)
        loss += np.log1p(small) + max(odds, 0.0) - positive[r] * odds
        slope = share * (1.0 - share)
        for a in range(n_columns):
            gradient[a] += (positive[r] - share) * X[r, a]
            weighted = slope * X[r, a]
            for b in range(a + 1):
                hessian[a, b] += weighted * X[r, b]
    return loss


@compiled(error_model="numpy")
def _divide(matrix: FloatArray, vector: FloatArray, result: FloatArray) -> None:
    """Solve a system by Cholesky's decomposition, which takes the lower half's place."""
    n = len(vector)
    for a in range(n):
        for b in range(a + 1):
            rest = matrix[a, b]
            for c in range(b):
                rest -= matrix[a, c] * matrix[b, c]
            if a == b:
                # Duplicate columns differ by the penalty alone, which rounding may take.
                matrix[a, a] = np.sqrt(max(rest, _RIDGE / 2))
            else:
                matrix[a, b] = rest / matrix[b, b]
    for a in range(n):
        rest = vector[a]
        for c in range(a):
            rest -= matrix[a, c] * result[c]
        result[a] = rest / matrix[a, a]
    for a in range(n - 1, -1, -1):
        rest = result[a]
        for c in range(a + 1, n):
            rest -= matrix[c, a] * result[c]
        result[a] = rest / matrix[a, a]
