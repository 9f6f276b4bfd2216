"""Row-wise selectors: what each feature is worth for a single row."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np

from altfs._numbers import FloatArray, IntArray
from altfs.errors import AltfsError
from altfs.scores.base import Part

#: The number of rows that stand for all others, if a user does not say another one.
BACKGROUND_ROWS = 100


class RowWise(ABC):
    """Mixin of a selector that gives the features of each row values of its own."""

    @abstractmethod
    def row_values(self, train: Part, X: FloatArray) -> FloatArray:
        """Return the values of the features for single rows.

        Parameters
        ----------
        train : Part
            The rows to learn from.
        X : ndarray of shape (n_rows, n_total)
            The rows to explain.

        Returns
        -------
        ndarray of shape (n_rows, n_total)
            At least 0. The values of a row do not depend on the other rows of `X`.
        """

    def explained(
        self, model: Any, background: FloatArray, train: Part, X: FloatArray
    ) -> FloatArray:
        """Return the values of the features for rows to which a fitted model says something."""
        return self.row_values(train, X)


class ExplainsModel(RowWise):
    """Mixin of a row-wise selector that explains what a fitted model says."""

    @abstractmethod
    def model(self, part: Part, rows: Any) -> Any:
        """Fit the model on some rows of a part."""

    @abstractmethod
    def model_values(
        self, model: Any, background: FloatArray, X: FloatArray, target_type: str, seed: int
    ) -> FloatArray:
        """Return the values of the features for what a fitted model says of single rows.

        Parameters
        ----------
        model : scikit-learn estimator
            It is fitted, and used as it is.
        background : ndarray of shape (n_background, n_total)
            Rows whose values take the place of unknown ones.
        X : ndarray of shape (n_rows, n_total)
            The rows to explain.
        target_type : {"binary", "multiclass", "regression"}
        seed : int

        Returns
        -------
        ndarray of shape (n_rows, n_total)
            At least 0; of classes, for the predicted one.
        """

    def row_values(self, train: Part, X: FloatArray) -> FloatArray:
        fitted = self.model(train, np.arange(len(train.y)))
        background = drawn_rows(train.X, BACKGROUND_ROWS, train.seed)
        return self.explained(fitted, background, train, X)

    def explained(
        self, model: Any, background: FloatArray, train: Part, X: FloatArray
    ) -> FloatArray:
        return self.model_values(model, background, X, train.target_type, train.seed)


def drawn_rows(X: FloatArray, number: int, seed: int) -> FloatArray:
    """Draw at most so many rows, in their order.

    >>> drawn_rows(np.arange(8.0).reshape(4, 2), 2, 0).tolist()
    [[4.0, 5.0], [6.0, 7.0]]
    """
    return X[drawn_places(len(X), number, seed)]


def drawn_places(n_rows: int, number: int, seed: int) -> IntArray:
    """Return the places of the rows that :func:`drawn_rows` draws."""
    if n_rows <= number:
        return np.arange(n_rows)
    return np.sort(np.random.RandomState(seed).permutation(n_rows)[:number])


def answers_of(model: Any, target_type: str) -> Callable[[FloatArray], FloatArray]:
    """Return the function of what a model says: probabilities of the classes, or a number.

    Its result has the shape (n_rows, n_classes), or (n_rows, 1) for numbers.

    Raises
    ------
    AltfsError
        If a classifier has no probabilities.
    """
    classes = target_type != "regression"
    if classes and not hasattr(model, "predict_proba"):
        name = type(model).__name__
        advice = f"use a model with predict_proba, or CalibratedClassifierCV({name}())"
        raise AltfsError("estimator", f"{name} has no probabilities", advice)
    names = getattr(model, "feature_names_in_", None)

    def answers(X: FloatArray) -> FloatArray:
        rows: Any = X
        if names is not None:
            import pandas as pd

            rows = pd.DataFrame(X, columns=names)
        said = model.predict_proba(rows) if classes else model.predict(rows)
        return np.asarray(said, dtype=np.float64).reshape(len(X), -1)

    return answers
