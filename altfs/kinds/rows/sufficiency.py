"""Answers of a model that sees only some features of a row."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from altfs._numbers import FloatArray, IntArray

# Values that are held in memory at a time.
_AT_ONCE = 5_000_000


def said_alone(
    answers: Callable[[FloatArray], FloatArray],
    X: FloatArray,
    sets: IntArray,
    background: FloatArray,
) -> FloatArray:
    """Return the mean answer of a model to a row of which it sees one set of features.

    The other features have the values of the background rows, one after the other.

    Parameters
    ----------
    answers : callable
        What the model says to rows, as an array of shape (n_rows, n_outputs).
    X : ndarray of shape (n_rows, n_total)
    sets : ndarray of int64 of shape (n_rows, n_sets, n_features)
        Columns; -1 is not one.
    background : ndarray of shape (n_background, n_total)

    Returns
    -------
    ndarray of shape (n_rows, n_sets, n_outputs)
        NaN where a set is empty.

    Examples
    --------
    >>> X, background = np.array([[1.0, 2.0]]), np.array([[0.0, 0.0], [0.0, 4.0]])
    >>> said_alone(lambda X: X.sum(axis=1)[:, None], X, np.array([[[0], [1]]]), background)
    array([[[3.],
            [2.]]])
    """
    n_outputs = answers(background[:1]).shape[1]
    said = np.full((*sets.shape[:2], n_outputs), np.nan)
    rows, which = np.nonzero((sets >= 0).any(axis=2))
    step = max(1, _AT_ONCE // background.size)
    for start in range(0, len(rows), step):
        row, rank = rows[start : start + step], which[start : start + step]
        seen = np.zeros((len(row), X.shape[1] + 1), dtype=bool)
        # The number -1 marks the last place, which is no column.
        seen[np.arange(len(row))[:, None], sets[row, rank]] = True
        mixed = np.where(seen[:, None, :-1], X[row][:, None], background[None])
        of_mixed = answers(mixed.reshape(-1, X.shape[1]))
        said[row, rank] = of_mixed.reshape(len(row), len(background), n_outputs).mean(axis=1)
    return said


def same_class(answers: FloatArray, alone: FloatArray) -> npt.NDArray[np.bool_]:
    """Return where a set alone gives the class that the model predicts for the whole row.

    Parameters
    ----------
    answers : ndarray of shape (n_rows, n_classes)
        Probabilities of the classes of rows.
    alone : ndarray of shape (n_rows, n_sets, n_classes)
        The result of :func:`said_alone`.

    Returns
    -------
    ndarray of bool of shape (n_rows, n_sets)
        False where a set is empty.
    """
    same = np.nan_to_num(alone).argmax(axis=2) == answers.argmax(axis=1)[:, None]
    return np.asarray(same & ~np.isnan(alone[:, :, 0]))


def of_predicted(answers: FloatArray, alone: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the probabilities of the predicted class, or the numbers.

    Parameters
    ----------
    answers : ndarray of shape (n_rows, n_outputs)
    alone : ndarray of shape (n_rows, n_sets, n_outputs)

    Returns
    -------
    ndarray of shape (n_rows,)
        Of the whole rows.
    ndarray of shape (n_rows, n_sets)
        Of each set alone.
    """
    rows, predicted = np.arange(len(answers)), answers.argmax(axis=1)
    return answers[rows, predicted], alone[rows, :, predicted]


def r2(answers: FloatArray, alone: FloatArray) -> float:
    """Return the R² of what sets alone say of the answers of a model; NaN if these are equal.

    >>> r2(np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 2.0]))
    0.5
    """
    spread = float(((answers - answers.mean()) ** 2).sum()) if len(answers) else 0.0
    return 1 - float(((answers - alone) ** 2).sum()) / spread if spread > 0 else float("nan")
