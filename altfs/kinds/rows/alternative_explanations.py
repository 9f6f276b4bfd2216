"""Alternative explanations of single rows."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, clone, is_classifier, is_regressor
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted, column_or_1d

from altfs._numbers import FloatArray, check_whole, is_whole
from altfs.datasets.base import Task
from altfs.datasets.table import make_target
from altfs.errors import AltfsError
from altfs.kinds.rows.batches import search_rows
from altfs.kinds.rows.explanations import Explanations
from altfs.kinds.rows.sufficiency import Answers
from altfs.library import inputs
from altfs.library.model_qualities import task_of
from altfs.library.searching import tau_or_default
from altfs.library.tables import numbers_in, read_table
from altfs.prediction.random_forest import RandomForest
from altfs.problem import Constraints, Problem, Tau
from altfs.problem.overlap import Dissimilarity
from altfs.quality import Linear
from altfs.searches import Search
from altfs.searches.request import Request
from altfs.selectors import Part
from altfs.selectors.row_wise import (
    BACKGROUND_ROWS,
    ExplainsModel,
    RowWise,
    answers_of,
    drawn_rows,
)
from altfs.solvers import Limits


class AlternativeExplanations(BaseEstimator):  # type: ignore[misc]
    """Several explanations of what a model says to single rows, provably different.

    A row-wise selector says what each feature is worth for a row. The explanation of the row is
    the set of `n_features` features that has most of this attribution. Its alternatives are the
    best sets that differ enough from it and from one another.

    Parameters
    ----------
    selector : str or Selector, default="shap"
        A row-wise selector.
    estimator : estimator, optional
        The model to explain: finite numbers as columns, a classifier with ``predict_proba`` or a
        regressor. If it is fitted, it is explained as it is. By default a random forest.
    n_features : int, default=5
        The size of each explanation.
    n_alternatives : int, default=1
        The number of explanations beyond the first.
    tau : float, str or Fraction, optional
        Smallest dissimilarity of two explanations of a row, in [0, 1]. The default is 0.4, unless
        `max_overlap` is given.
    max_overlap : int, optional
        Largest number of features that two explanations share, in place of `tau`.
    dissimilarity : {"dice", "jaccard"}, default="dice"
        The measure of `tau`.
    search : str, mapping or Search, default="sequential"
        Sequential search with included and excluded features alone is done for all rows at once.
    aggregation : {"sum", "min"}, optional
        Of a search that finds all sets of a row together.
    constraints : Constraints or mapping, optional
        Features that have to be named, or must not be named, costs, and all else that
        :class:`altfs.Constraints` has.
    background : int or array-like of shape (n_background, n_features_in), default=100
        The rows whose values take the place of features that the model does not see, or the
        number of them to draw from the rows of the fit.
    task : {"auto", "classification", "regression"}, default="auto"
        The type of y, if there is no estimator.
    random_state : int, RandomState instance or None, default=0
        The seed of the model, the background and the selector.
    work : float, default=20.0
        The limit of work for each row that is searched alone, in counts.

    Attributes
    ----------
    estimator_ : estimator
        The fitted model.
    background_ : ndarray of shape (n_background, n_features_in_)
    classes_ : ndarray of shape (n_classes,)
        Of classifiers.
    target_type_ : {"binary", "multiclass", "regression"}
    names_ : list of str
        The names of the columns, or x0, x1, ...
    n_features_in_ : int

    See Also
    --------
    AlternativeFeatures : Sets for all rows together.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.linear_model import LogisticRegression
    >>> from altfs import AlternativeExplanations
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> model = LogisticRegression(max_iter=1000).fit(X, y)
    >>> explained = AlternativeExplanations(estimator=model, n_features=1, tau=1).fit(X)
    >>> [reason.names for reason in explained.explain(X[100:101]).sets(0)]
    [('petal length (cm)',), ('petal width (cm)',)]
    """

    def __init__(
        self,
        selector: Any = "shap",
        *,
        estimator: Any = None,
        n_features: int = 5,
        n_alternatives: int = 1,
        tau: Tau | None = None,
        max_overlap: int | None = None,
        dissimilarity: Dissimilarity = "dice",
        search: str | Mapping[str, Any] | Search | type[Search] = "sequential",
        aggregation: str | None = None,
        constraints: Constraints | Mapping[str, Any] | None = None,
        background: Any = BACKGROUND_ROWS,
        task: Task = "auto",
        random_state: Any = 0,
        work: float = 20.0,
    ) -> None:
        self.selector = selector
        self.estimator = estimator
        self.n_features = n_features
        self.n_alternatives = n_alternatives
        self.tau = tau
        self.max_overlap = max_overlap
        self.dissimilarity = dissimilarity
        self.search = search
        self.aggregation = aggregation
        self.constraints = constraints
        self.background = background
        self.task = task
        self.random_state = random_state
        self.work = work

    def fit(self, X: Any, y: Any = None) -> Self:
        """Fit the model, unless it is fitted, and keep the background.

        Parameters
        ----------
        X : array-like of shape (n_rows, n_features_in)
            Finite numbers; numpy, pandas, polars or Arrow.
        y : array-like of shape (n_rows,), optional
            Classes or numbers. A fitted model that is explained by its answers needs none.

        Returns
        -------
        self

        Raises
        ------
        AltfsError
            If a parameter is outside its range, or the model or the table cannot be used.
        """
        seed = inputs.seed_of(self.random_state)
        selector = self._row_wise()
        constraints, _ = inputs.read_constraints(self.constraints)
        inputs.check_parameters((), constraints, self.task, "refuse", None, 0)
        matrix, names = _matrix(X, "X")
        if not len(matrix):
            raise AltfsError("X: there are no rows, give at least one.")
        self._problem(names)
        labels = None if y is None else column_or_1d(y, warn=True)
        if labels is not None and len(labels) != len(matrix):
            raise AltfsError(f"y: {len(labels)} values for {len(matrix)} rows, give one for each.")
        model = self._fitted(X, matrix, labels, seed)
        is_numeric = is_regressor(model) and not is_classifier(model)
        self._check_columns(model, names, read_table(X).named)
        kind = "regression" if is_numeric else ("binary", "multiclass")[len(model.classes_) > 2]
        outputs = answers_of(model, kind)(matrix[:1]).shape[1]
        if outputs != (1 if is_numeric else len(model.classes_)):
            raise AltfsError(
                f"estimator: {type(model).__name__} predicts several targets, use a model of one."
            )
        if labels is None and not isinstance(selector, ExplainsModel):
            raise AltfsError(
                f"y: the selector '{selector.name}' learns from it, give the target of all rows."
            )
        self.estimator_, self.target_type_ = model, kind
        if not is_numeric:
            self.classes_ = np.asarray(model.classes_)
            labels = labels if labels is None else self._codes(labels)
        self.background_ = self._background(matrix, names, seed)
        self.names_, self.n_features_in_ = names, len(names)
        target = np.zeros(len(matrix)) if labels is None else labels
        self._train = Part(matrix, target, kind, seed, names=tuple(names))
        return self

    def explain(self, X: Any) -> Explanations:
        """Explain what the model says to rows.

        Parameters
        ----------
        X : array-like of shape (n_rows, n_features_in)
            The columns of the fit; named ones in any order.

        Returns
        -------
        Explanations

        Raises
        ------
        AltfsError
            If columns are missing, a value is not finite, or no feature is worth anything for a
            row.
        """
        check_is_fitted(self, "estimator_")
        names, train = self.names_, self._train
        matrix = _columns_of_fit(X, "X", names)
        problem, selector = self._problem(names), self._row_wise()
        answers = answers_of(self.estimator_, self.target_type_)
        values = np.zeros((0, len(names)))
        if len(matrix) and isinstance(selector, ExplainsModel):
            values = selector.model_values(
                self.estimator_, self.background_, matrix, train.target_type, train.seed
            )
        elif len(matrix):
            values = selector.row_values(train, matrix)
        nothing = np.flatnonzero(~(values.sum(axis=1) > 0))
        if len(nothing):
            raise AltfsError(
                f"X: row {nothing[0]} has no attribution, as no feature changes what the model "
                "says to it, leave the row out or use another model."
            )
        sets = search_rows(values, self._request(names), self._search(), Limits(self.work))
        said = Answers.of(answers, matrix, sets.sets, self.background_)
        classes = None if self.target_type_ == "regression" else self.classes_
        return Explanations(values, tuple(names), sets, said, classes, problem.max_overlap)

    def _row_wise(self) -> Any:
        """Return the selector, which has to be a row-wise one."""
        from altfs.selectors import selectors

        chosen = inputs.chosen_selector(self.selector)
        if not isinstance(chosen, RowWise):
            able = [repr(kind.name) for kind in selectors if issubclass(kind, RowWise)]
            raise AltfsError(
                f"selector: {self.selector!r} has no values for single rows, use "
                f"{' or '.join(able)}."
            )
        return chosen

    def _search(self) -> Search:
        return inputs.chosen_search(self.search, inputs.seed_of(self.random_state))

    def _request(self, names: list[str]) -> Request:
        check_whole("n_features", self.n_features, 1)
        constraints, given = inputs.read_constraints(self.constraints)
        search = self._search()
        return Request(
            n_features=int(self.n_features),
            n_alternatives=self.n_alternatives,
            tau=tau_or_default(self.tau, self.max_overlap),
            max_overlap=self.max_overlap,
            dissimilarity=self.dissimilarity,
            aggregation=inputs.chosen_aggregation(search, self.aggregation),
            given=tuple(inputs.as_indices("given", features, names) for features in given),
            constraints=inputs.resolved(constraints, names),
        )

    def _problem(self, names: list[str]) -> Problem:
        """Return the problem of a row without its values, after a check of the request."""
        problem = self._request(names).problem(Linear(np.zeros(len(names))))
        Limits(self.work)
        return problem

    def _fitted(self, X: Any, matrix: FloatArray, y: npt.NDArray[Any] | None, seed: int) -> Any:
        """Return the fitted model."""
        model, task = self.estimator, self.task
        if model is not None:
            task = task_of(model, self.task)
            with suppress(NotFittedError):
                check_is_fitted(model)
                return model
        if y is None:
            name = "a random forest" if model is None else type(model).__name__
            raise AltfsError(f"estimator: {name} is not fitted, give y or a fitted model.")
        import pandas as pd

        kind = make_target(pd.Series(y), task, "target y").type
        model = RandomForest().estimator(kind, seed) if model is None else clone(model)
        table = read_table(X)
        model.fit(table.data if table.is_frame and table.named else matrix, y)
        return model

    def _check_columns(self, model: Any, names: list[str], named: bool) -> None:
        """Check that columns are those that a model knows, as it is given them by place."""
        n_columns = getattr(model, "n_features_in_", len(names))
        if n_columns != len(names):
            raise AltfsError(
                f"X: {len(names)} columns are not allowed, use the {n_columns} that the estimator "
                "knows."
            )
        for name, expected in zip(names, getattr(model, "feature_names_in_", names), strict=True):
            if named and name != expected:
                raise AltfsError(
                    f"X: column '{name}' is in the place of '{expected}', use the columns that "
                    "the estimator knows, in its order."
                )

    def _background(self, matrix: FloatArray, names: list[str], seed: int) -> FloatArray:
        """Return the background rows, drawn from those of the fit if a number is given."""
        if is_whole(self.background):
            check_whole("background", self.background, 1)
            return np.asarray(drawn_rows(matrix, int(self.background), seed))
        rows = _columns_of_fit(self.background, "background", names)
        if not len(rows):
            raise AltfsError("background: there are no rows, give at least one.")
        return rows

    def _codes(self, y: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return the numbers of the classes of rows."""
        unknown = y[~np.isin(y, self.classes_)]
        if len(unknown):
            raise AltfsError(
                f"y: {unknown[0]!r} is not a class that the estimator knows, use its classes."
            )
        return np.searchsorted(self.classes_, y)


def _matrix(X: Any, key: str) -> tuple[FloatArray, list[str]]:
    """Return finite numbers, and the names of the columns."""
    table = read_table(X, key)
    matrix = np.asarray(numbers_in(table.data, key), dtype=np.float64)
    if matrix.ndim != 2 or not matrix.shape[1]:
        raise AltfsError(f"{key}: shape {matrix.shape} is not allowed, use (n_rows, n_columns).")
    names = [f"x{j}" for j in range(matrix.shape[1])]
    if table.is_frame and (table.named or table.numbered):
        names = list(map(str, table.data.columns))
    bad = ~np.isfinite(matrix)
    if bad.any():
        row, j = map(int, np.argwhere(bad)[0])
        raise AltfsError(
            f"{key}: row {row} of column '{names[j]}' is {matrix[row, j]}, fill missing values or "
            "leave the row out."
        )
    return np.ascontiguousarray(matrix), names


def _columns_of_fit(X: Any, key: str, expected: list[str]) -> FloatArray:
    """Return rows with the columns in the order of the fit."""
    matrix, names = _matrix(X, key)
    named = read_table(X, key).named
    if named and {*names} >= {*expected}:
        return np.ascontiguousarray(matrix[:, [names.index(name) for name in expected]])
    if named or len(names) != len(expected):
        missing = [name for name in expected if name not in names]
        which = f" ('{missing[0]}' is missing)" if named else ""
        raise AltfsError(
            f"{key}: {len(names)} columns are not allowed{which}, use the {len(expected)} of the "
            "fit."
        )
    return matrix
