"""Metrics of predictions: MCC for classes, R^2 for numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt


def metric_name(target_type: str) -> str:
    """Return ``"r2"`` for regression, ``"mcc"`` otherwise."""
    return "r2" if target_type == "regression" else "mcc"


def prediction_score(target_type: str, y_true: npt.NDArray[Any], y_pred: npt.NDArray[Any]) -> float:
    """Score predictions with the metric of the target's type: at most 1, larger is better."""
    if target_type == "regression":
        return r2(y_true, y_pred)
    return mcc(y_true, y_pred)


def mcc(y_true: npt.NDArray[Any], y_pred: npt.NDArray[Any]) -> float:
    """Compute Matthews' correlation coefficient, for two classes or more.

    It is the value of scikit-learn's ``matthews_corrcoef``, without its overhead.

    >>> mcc(np.array([0, 0, 1, 1]), np.array([0, 0, 1, 0])).__round__(4)
    0.5774
    """
    classes, codes = np.unique(np.concatenate([y_true, y_pred]), return_inverse=True)
    return mcc_of_codes(codes[: len(y_true)], codes[len(y_true) :], len(classes))


def mcc_of_codes(y_true: npt.NDArray[Any], y_pred: npt.NDArray[Any], n_classes: int) -> float:
    """Compute `mcc` of classes that are numbers from 0 to `n_classes` - 1.

    A wrapper selector calls this millions of times. Classes may have no rows.
    """
    n_rows = len(y_true)
    pairs = y_true * n_classes + y_pred
    confusion = np.bincount(pairs, minlength=n_classes**2).reshape(n_classes, n_classes)
    true, predicted = confusion.sum(axis=1), confusion.sum(axis=0)
    agreement = float(np.trace(confusion)) * n_rows - float(true @ predicted)
    spread = (float(n_rows) ** 2 - float(true @ true)) * (
        float(n_rows) ** 2 - float(predicted @ predicted)
    )
    return agreement / float(np.sqrt(spread)) if spread > 0 else 0.0


def r2(y_true: npt.NDArray[Any], y_pred: npt.NDArray[Any]) -> float:
    """Compute the coefficient of determination; 0 if the true target is constant."""
    residual = float(((y_true - y_pred) ** 2).sum())
    total = float(((y_true - y_true.mean()) ** 2).sum())
    return 1.0 - residual / total if total > 0 else 0.0
