"""Metrics of predictions: by default MCC for classes, R^2 for numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

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
    """Score predictions by one of `METRICS`: at most 1, larger is better."""
    return {**_OF_CLASSES, **_OF_NUMBERS}[metric](y_true, y_pred)


def prediction_score(target_type: str, y_true: Labels, y_pred: Labels) -> float:
    """Score predictions with the default metric of the target's type."""
    return score_by(metric_name(target_type), y_true, y_pred)


def mcc(y_true: Labels, y_pred: Labels) -> float:
    """Compute Matthews' correlation coefficient, for two classes or more.

    It is the value of scikit-learn's ``matthews_corrcoef``, without its overhead.

    >>> mcc(np.array([0, 0, 1, 1]), np.array([0, 0, 1, 0])).__round__(4)
    0.5774
    """
    return mcc_of_codes(*_codes(y_true, y_pred))


def mcc_of_codes(y_true: Labels, y_pred: Labels, n_classes: int) -> float:
    """Compute `mcc` of classes that are numbers from 0 to `n_classes` - 1.

    A wrapper selector calls this millions of times. Classes may have no rows.
    """
    n_rows = len(y_true)
    confusion = _confusion(y_true, y_pred, n_classes)
    true, predicted = confusion.sum(axis=1), confusion.sum(axis=0)
    agreement = float(np.trace(confusion)) * n_rows - float(true @ predicted)
    spread = (float(n_rows) ** 2 - float(true @ true)) * (
        float(n_rows) ** 2 - float(predicted @ predicted)
    )
    return agreement / float(np.sqrt(spread)) if spread > 0 else 0.0


def r2(y_true: Labels, y_pred: Labels) -> float:
    """Compute the coefficient of determination; 0 if the true target is constant."""
    residual = float(((y_true - y_pred) ** 2).sum())
    total = float(((y_true - y_true.mean()) ** 2).sum())
    return 1.0 - residual / total if total > 0 else 0.0


def f1_macro(y_true: Labels, y_pred: Labels) -> float:
    """Compute the mean F1 score of the classes; a class that is only predicted has 0.

    >>> f1_macro(np.array([0, 0, 1, 1]), np.array([0, 0, 1, 0])).__round__(4)
    0.7333
    """
    return float(_f1(_confusion(*_codes(y_true, y_pred))).mean())


def f1_weighted(y_true: Labels, y_pred: Labels) -> float:
    """Compute the mean F1 score of the classes, weighted by their true rows.

    >>> f1_weighted(np.array([0, 0, 0, 1]), np.array([0, 0, 0, 0])).__round__(4)
    0.6429
    """
    confusion = _confusion(*_codes(y_true, y_pred))
    return float(_f1(confusion) @ confusion.sum(axis=1) / len(y_true))


def accuracy(y_true: Labels, y_pred: Labels) -> float:
    """Compute the share of the rows that are predicted right.

    >>> accuracy(np.array([0, 0, 1, 1]), np.array([0, 0, 1, 0]))
    0.75
    """
    return float((y_true == y_pred).mean())


def balanced_accuracy(y_true: Labels, y_pred: Labels) -> float:
    """Compute the mean share, over the true classes, of the rows that are predicted right.

    >>> balanced_accuracy(np.array([0, 0, 0, 1]), np.array([0, 0, 0, 0]))
    0.5
    """
    confusion = _confusion(*_codes(y_true, y_pred))
    true = confusion.sum(axis=1)
    return float((np.diag(confusion)[true > 0] / true[true > 0]).mean())


def _codes(y_true: Labels, y_pred: Labels) -> tuple[Labels, Labels, int]:
    """Return the classes as numbers from 0, and how many there are."""
    classes, codes = np.unique(np.concatenate([y_true, y_pred]), return_inverse=True)
    return codes[: len(y_true)], codes[len(y_true) :], len(classes)


def _confusion(y_true: Labels, y_pred: Labels, n_classes: int) -> npt.NDArray[np.int64]:
    """Count the rows of each true class (rows) and predicted one (columns)."""
    pairs = y_true * n_classes + y_pred
    return np.bincount(pairs, minlength=n_classes**2).reshape(n_classes, n_classes)


def _f1(confusion: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    both = confusion.sum(axis=0) + confusion.sum(axis=1)
    values: npt.NDArray[np.float64] = 2 * np.diag(confusion) / np.maximum(both, 1)
    return values


Metric = Callable[[Labels, Labels], float]
_OF_CLASSES: dict[str, Metric] = {
    "mcc": mcc,
    "f1_macro": f1_macro,
    "f1_weighted": f1_weighted,
    "accuracy": accuracy,
    "balanced_accuracy": balanced_accuracy,
}
_OF_NUMBERS: dict[str, Metric] = {"r2": r2}
#: The names of metrics.
METRICS = (*_OF_CLASSES, *_OF_NUMBERS)
