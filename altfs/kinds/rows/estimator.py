"""Alternative explanations of single rows."""

from __future__ import annotations

from collections.abc import Mapping
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
from altfs.kinds.rows.sufficiency import said_alone
from altfs.library import inputs
from altfs.library.model_qualities import task_of
from altfs.library.request import tau_asked
from altfs.library.tables import numbers_in, read_table
from altfs.prediction.random_forest import RandomForest
from altfs.problem import Constraints, Tau
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
    >>> [one.names for one in explained.explain(X[100:101]).sets(0)]
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
        constraints, _ = inputs.asked_constraints(self.constraints)
        inputs.check_parameters((), constraints, self.task, "refuse", None, 0)
        matrix, names = _matrix(X, "X")
        if not len(matrix):
            raise AltfsError("X: there are no rows, give at least one.")
        self._check_request(self._request(names), len(names))
        labels = None if y is None else column_or_1d(y, warn=True)
        if labels is not None and len(labels) != len(matrix):
            raise AltfsError(f"y: {len(labels)} values for {len(matrix)} rows, give one for each.")
        model, kind = self._fitted(X, matrix, labels, seed)
        known = getattr(model, "n_features_in_", len(names))
        if known != len(names):
            raise AltfsError(
                f"X: {len(names)} columns are not allowed, use the {known} that the estimator "
                "knows."
            )
        if read_table(X).named:
            _check_order(names, model)
        said = answers_of(model, kind)(matrix[:1]).shape[1]
        if said != (1 if kind == "regression" else len(model.classes_)):
            raise AltfsError(
                f"estimator: {type(model).__name__} predicts several targets, use a model of one."
            )
        if labels is None and not isinstance(selector, ExplainsModel):
            raise AltfsError(
                f"y: the selector '{selector.name}' learns from it, give the target of all rows."
            )
        self.estimator_, self.target_type_ = model, kind
        if kind != "regression":
            self.classes_ = np.asarray(model.classes_)
        self.background_ = self._background(matrix, names, seed)
        self.names_, self.n_features_in_ = names, len(names)
        coded = labels if kind == "regression" or labels is None else self._codes(labels)
        target = np.zeros(len(matrix)) if coded is None else coded
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
        matrix = _known_columns(X, "X", self.names_)
        request = self._request(self.names_)
        self._check_request(request, len(self.names_))
        selector, train = self._row_wise(), self._train
        answers = answers_of(self.estimator_, self.target_type_)
        shape = (0, len(self.names_))
        values = np.zeros(shape)
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
        found = search_rows(values, request, self._search(), Limits(self.work))
        said = answers(matrix) if len(matrix) else np.zeros((0, 1))
        alone = said_alone(answers, matrix, found.sets, self.background_)
        problem = request.problem(Linear(np.zeros(len(self.names_))))
        classes = getattr(self, "classes_", None) if self.target_type_ != "regression" else None
        return Explanations(
            values, tuple(self.names_), found, said, alone, classes, problem.max_overlap
        )

    def _row_wise(self) -> Any:
        """Return the selector, which has to be a row-wise one."""
        from altfs.selectors import selectors

        chosen = inputs.chosen_selector(self.selector)
        if not isinstance(chosen, RowWise):
            able = [one.name for one in selectors if issubclass(one, RowWise)]
            raise AltfsError(
                f"selector: {self.selector!r} has no values for single rows, use "
                f"{' or '.join(map(repr, able))}."
            )
        return chosen

    def _search(self) -> Search:
        return inputs.chosen_search(self.search, inputs.seed_of(self.random_state))

    def _request(self, names: list[str]) -> Request:
        check_whole("n_features", self.n_features, 1)
        constraints, given = inputs.asked_constraints(self.constraints)
        search = self._search()
        return Request(
            n_features=int(self.n_features),
            n_alternatives=self.n_alternatives,
            tau=tau_asked(self.tau, self.max_overlap),
            max_overlap=self.max_overlap,
            dissimilarity=self.dissimilarity,
            aggregation=inputs.chosen_aggregation(search, self.aggregation),
            given=tuple(inputs.as_indices("given", one, names) for one in given),
            constraints=inputs.resolved(constraints, names),
        )

    def _check_request(self, request: Request, n_total: int) -> None:
        """Check that explanations can be asked for, before anything is learned."""
        request.problem(Linear(np.zeros(n_total)))
        Limits(self.work)

    def _fitted(
        self, X: Any, matrix: FloatArray, y: npt.NDArray[Any] | None, seed: int
    ) -> tuple[Any, str]:
        """Return the fitted model and the type of its target."""
        model = self.estimator
        if model is not None:
            task_of(model, self.task)
            if _is_fitted(model):
                return model, _type_of(model)
        if y is None:
            name = "a random forest" if model is None else type(model).__name__
            raise AltfsError(f"estimator: {name} is not fitted, give y or a fitted model.")
        import pandas as pd

        task = self.task if model is None else task_of(model, self.task)
        kind = make_target(pd.Series(y), task, "target y").type
        own = RandomForest().estimator(kind, seed) if model is None else clone(model)
        table = read_table(X)
        own.fit(table.data if table.is_frame and table.named else matrix, y)
        return own, _type_of(own)

    def _background(self, matrix: FloatArray, names: list[str], seed: int) -> FloatArray:
        """Return the background rows, drawn from those of the fit if a number is given."""
        if is_whole(self.background):
            check_whole("background", self.background, 1)
            return np.asarray(drawn_rows(matrix, int(self.background), seed))
        rows = _known_columns(self.background, "background", names)
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


def _is_fitted(model: Any) -> bool:
    try:
        check_is_fitted(model)
    except NotFittedError:
        return False
    return True


def _type_of(model: Any) -> str:
    """Return the type of target that a fitted model predicts."""
    if is_regressor(model) and not is_classifier(model):
        return "regression"
    return "binary" if len(model.classes_) < 3 else "multiclass"


def _matrix(X: Any, key: str) -> tuple[FloatArray, list[str]]:
    """Return finite numbers, and the names of the columns."""
    table = read_table(X, key)
    found = np.asarray(numbers_in(table.data, key), dtype=np.float64)
    if found.ndim != 2 or not found.shape[1]:
        raise AltfsError(f"{key}: shape {found.shape} is not allowed, use (n_rows, n_columns).")
    names = [f"x{j}" for j in range(found.shape[1])]
    if table.is_frame and (table.named or table.numbered):
        names = list(map(str, table.data.columns))
    bad = ~np.isfinite(found)
    if bad.any():
        row, j = map(int, np.argwhere(bad)[0])
        raise AltfsError(
            f"{key}: row {row} of column '{names[j]}' is {found[row, j]}, fill missing values or "
            "leave the row out."
        )
    return np.ascontiguousarray(found), names


def _known_columns(X: Any, key: str, known: list[str]) -> FloatArray:
    """Return rows with the columns in the order of the fit."""
    matrix, names = _matrix(X, key)
    named = read_table(X, key).named
    if named and set(names) >= set(known):
        return np.ascontiguousarray(matrix[:, [names.index(name) for name in known]])
    if len(names) != len(known) or (named and names != known):
        missing = [name for name in known if name not in names]
        which = f" ('{missing[0]}' is missing)" if named and missing else ""
        raise AltfsError(
            f"{key}: {len(names)} columns are not allowed{which}, use the {len(known)} of the fit."
        )
    return matrix


def _check_order(names: list[str], model: Any) -> None:
    """Check that named columns are those that a model knows, as it is given them by place."""
    for j, known in enumerate(getattr(model, "feature_names_in_", names)):
        if names[j] != known:
            raise AltfsError(
                f"X: column '{names[j]}' is in the place of '{known}', use the columns that the "
                "estimator knows, in its order."
            )
