"""Answers of a model that sees all of a row, some of its features, or none."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Self

import numpy as np

from altfs._numbers import FloatArray, IntArray

# Values that are held in memory at a time.
_AT_ONCE = 5_000_000


class Answers(NamedTuple):
    """The answers of a model to rows: probabilities of the classes, or a number.

    Features that the model does not see have the values of the background rows, one row after the
    other, and the answer is the mean. Without any feature it is the mean answer to the background.
    """

    #: Shape (n_rows, n_outputs). To the whole rows.
    whole: FloatArray
    #: Shape (n_rows, n_sets, n_outputs). To each set alone; NaN if there is none.
    alone: FloatArray
    #: Shape (n_outputs,). Without any feature.
    without: FloatArray

    @classmethod
    def of(
        cls,
        model: Callable[[FloatArray], FloatArray],
        X: FloatArray,
        sets: IntArray,
        background: FloatArray,
    ) -> Self:
        """Return the answers of a function to rows and to sets of their features, by number.

        Sets have the shape (n_rows, n_sets, n_features), with -1 in free places.

        >>> X, background = np.array([[1.0, 2.0]]), np.array([[0.0, 0.0], [0.0, 4.0]])
        >>> sets = np.array([[[0], [1]]])
        >>> said = Answers.of(lambda X: X.sum(axis=1)[:, None], X, sets, background)
        >>> said.whole.tolist(), said.alone.tolist(), said.without.tolist()
        ([[3.0]], [[[3.0], [2.0]]], [2.0])
        """
        of_background = model(background)
        n_outputs = of_background.shape[1]
        alone = np.full((*sets.shape[:2], n_outputs), np.nan)
        rows, which = np.nonzero((sets >= 0).any(axis=2))
        step = max(1, _AT_ONCE // background.size)
        for start in range(0, len(rows), step):
            row, rank = rows[start : start + step], which[start : start + step]
            seen = np.zeros((len(row), X.shape[1] + 1), dtype=bool)
            # The number -1 marks the last place, which is no column.
            seen[np.arange(len(row))[:, None], sets[row, rank]] = True
            mixed = np.where(seen[:, None, :-1], X[row][:, None], background[None])
            of_mixed = model(mixed.reshape(-1, X.shape[1]))
            alone[row, rank] = of_mixed.reshape(len(row), len(background), n_outputs).mean(axis=1)
        whole = model(X) if len(X) else np.zeros((0, n_outputs))
        return cls(whole, alone, of_background.mean(axis=0))


def r2(answers: FloatArray, alone: FloatArray) -> float:
    """Return the R² of the answers to sets alone; NaN if all answers to whole rows are equal.

    >>> r2(np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 2.0]))
    0.5
    """
    spread = float(((answers - answers.mean()) ** 2).sum()) if len(answers) else 0.0
    return 1 - float(((answers - alone) ** 2).sum()) / spread if spread > 0 else float("nan")
