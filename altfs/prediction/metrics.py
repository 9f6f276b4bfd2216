"""Metrics of predictions: by default MCC for classes, R^2 for numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from altfs._numbers import FloatArray, IntArray

Labels = npt.NDArray[Any]


def metric_name(target_type: str) -> str:
    """Return ``"r2"`` for regression, ``"mcc"`` otherwise."""
    return "r2" if target_type == "regression" else "mcc"


def metrics_for(target_type: str, names: Sequence[str] | None = None) -> list[str]:
    """Return those of some metrics that fit a target; the default one if none does.

    >>> metrics_for("binary", ["r2", "accuracy", "mcc"]), metrics_for("regression", ["accuracy"])
    (['accuracy', 'mcc'], ['r2'])
    """
    kind = _OF_NUMBERS if target_type == "regression" else _OF_CLASSES
    return [name for name in names or () if name in kind] or [metric_name(target_type)]


def score_by(metric: str, y_true: Labels, y_pred: Labels) -> float:
    """Score predictions by one of `METRICS`: at most 1, larger is better.

    >>> score_by("f1_macro", np.array([0, 0, 1, 1]), np.array([0, 0, 1, 0])).__round__(4)
    0.7333
    """
    if metric in _OF_NUMBERS:
        return _OF_NUMBERS[metric](y_true, y_pred)
    classes, codes = np.unique(np.concatenate([y_true, y_pred]), return_inverse=True)
    true, predicted = codes[: len(y_true)], codes[len(y_true) :]
    return score_of_counts(metric, count_pairs(true, predicted, len(classes)))


def count_pairs(y_true: Labels, y_pred: Labels, n_classes: int) -> IntArray:
    """Count the rows of each true class (rows) and predicted one (columns), as numbers from 0."""
    pairs = y_true * n_classes + y_pred
    return np.bincount(pairs, minlength=n_classes**2).reshape(n_classes, n_classes)


def score_of_counts(metric: str, counts: IntArray) -> float:
    """Score predictions of classes, of which only the numbers are known.

    Parameters
    ----------
    metric : str
        A metric of classes.
    counts : ndarray of int of shape (n_classes, n_classes)
        The rows of each true class and each predicted one. Classes may have no rows.

    Returns
    -------
    float

    Examples
    --------
    >>> score_of_counts("balanced_accuracy", np.array([[3, 0, 0], [1, 0, 0], [0, 0, 0]]))
    0.5
    """
    occurring = (counts.sum(axis=0) + counts.sum(axis=1)) > 0
    if not occurring.all():
        counts = counts[np.ix_(occurring, occurring)]
    return _OF_CLASSES[metric](counts)


def prediction_score(target_type: str, y_true: Labels, y_pred: Labels) -> float:
    """Score predictions with the default metric of the target's type."""
    return score_by(metric_name(target_type), y_true, y_pred)


def mcc(counts: IntArray) -> float:
    """Compute Matthews' correlation coefficient, for two classes or more.

    It is the value of scikit-learn's ``matthews_corrcoef``, without its overhead.
    A wrapper selector calls this millions of times.

    >>> mcc(np.array([[2, 0], [1, 1]])).__round__(4)
    0.5774
    """
    true, predicted = counts.sum(axis=1), counts.sum(axis=0)
    n_rows = float(true.sum())
    agreement = float(np.trace(counts)) * n_rows - float(true @ predicted)
    spread = (n_rows**2 - float(true @ true)) * (n_rows**2 - float(predicted @ predicted))
    return agreement / float(np.sqrt(spread)) if spread > 0 else 0.0


def r2(y_true: Labels, y_pred: Labels) -> float:
    """Compute the coefficient of determination; 0 if the true target is constant."""
    residual = float(((y_true - y_pred) ** 2).sum())
    total = float(((y_true - y_true.mean()) ** 2).sum())
    return 1.0 - residual / total if total > 0 else 0.0


def f1_macro(counts: IntArray) -> float:
    """Compute the mean F1 score of the classes; a class that is only predicted has 0."""
    return float(_f1(counts).mean())


def f1_weighted(counts: IntArray) -> float:
    """Compute the mean F1 score of the classes, weighted by their true rows.

    >>> f1_weighted(np.array([[3, 0], [1, 0]])).__round__(4)
    0.6429
    """
    return float(_f1(counts) @ counts.sum(axis=1) / counts.sum())


def accuracy(counts: IntArray) -> float:
    """Compute the share of the rows that are predicted right."""
    return float(np.trace(counts) / counts.sum())


def balanced_accuracy(counts: IntArray) -> float:
    """Compute the mean share, over the true classes, of the rows that are predicted right."""
    true = counts.sum(axis=1)
    return float((np.diag(counts)[true > 0] / true[true > 0]).mean())


def _f1(counts: IntArray) -> FloatArray:
    both = counts.sum(axis=0) + counts.sum(axis=1)
    values: FloatArray = 2 * np.diag(counts) / np.maximum(both, 1)
    return values


_OF_CLASSES: dict[str, Callable[[IntArray], float]] = {
    "mcc": mcc,
    "f1_macro": f1_macro,
    "f1_weighted": f1_weighted,
    "accuracy": accuracy,
    "balanced_accuracy": balanced_accuracy,
}
_OF_NUMBERS: dict[str, Callable[[Labels, Labels], float]] = {"r2": r2}
#: The names of metrics.
METRICS = (*_OF_CLASSES, *_OF_NUMBERS)
