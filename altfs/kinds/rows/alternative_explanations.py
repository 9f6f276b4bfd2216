"""Alternative explanations of single rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Self

import numpy as np
import numpy.typing as npt
import pandas as pd
from sklearn.base import BaseEstimator, clone, is_classifier, is_regressor
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils.validation import check_is_fitted

from altfs._numbers import FloatArray, check_lengths, check_not_empty, check_whole, is_whole
from altfs.datasets.base import Task
from altfs.datasets.columns import have, listed
from altfs.datasets.table import make_target
from altfs.errors import AltfsError, DataError
from altfs.kinds.rows.batches import RowSets, search_rows
from altfs.kinds.rows.explanations import Explanations
from altfs.kinds.rows.section import row_wise_names
from altfs.kinds.rows.sufficiency import Answers
from altfs.library import inputs
from altfs.library.model_qualities import task_of
from altfs.library.row_encoding import RowEncoding, check_names
from altfs.library.searching import tau_or_default
from altfs.library.tables import read_table, read_target
from altfs.prediction.random_forest import RandomForest
from altfs.problem import Constraints, Tau
from altfs.problem.overlap import Dissimilarity
from altfs.problem.results import Status
from altfs.quality import Linear
from altfs.searches import Search
from altfs.searches.request import OverlapKind, Request, Sizes
from altfs.selectors import Part
from altfs.selectors.base import check_categories
from altfs.selectors.row_wise import (
    BACKGROUND_ROWS,
    ExplainsModel,
    RowWise,
    answers_of,
    drawn_rows,
)
from altfs.solvers import Limits
from altfs.solvers.named import SolverChoice, named_solver


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
        The model to explain: a classifier with ``predict_proba`` or a regressor. If it is fitted,
        it is explained as it is. By default a random forest, for which categories are numbers.
    n_features : int, str or (int, int), default=5
        The size of each explanation. Of a range such as "1-3", for classes, each row has the
        smallest size at which its best explanation alone gives the class of the whole row, or the
        largest one.
    n_alternatives : int, default=1
        The number of explanations beyond the first.
    tau : float, str or Fraction, optional
        Smallest dissimilarity of two explanations of a row, in [0, 1]. The default is 0.4, unless
        `max_overlap` is given.
    max_overlap : int, optional
        Largest number of features that two explanations share, in place of `tau`.
    overlap : {"pairwise", "average"}, default="pairwise"
        "average" limits the mean of all pairs, not each.
    dissimilarity : {"dice", "jaccard"}, default="dice"
        The measure of `tau`.
    search : str, mapping or Search, default="sequential"
        Sequential search with included and excluded features alone is done for all rows at once.
    solver : str, mapping or Solver, optional
        The solver that the search asks, in place of the preferred ones.
    aggregation : {"sum", "min"}, optional
        Of a search that finds all sets of a row together.
    constraints : Constraints or mapping, optional
        Features that have to be named, or must not be named, costs, and all else that
        :class:`altfs.Constraints` has.
    background : int or array-like of shape (n_background, n_features_in), default=100
        The rows whose values take the place of features that the model does not see, or the
        number of them to draw from the rows of the fit.
    categorical : sequence of str or int, default=()
        Columns of numbers that are categories. Columns of text always are.
    missing : {"refuse", "impute", "as_category"}, default="refuse"
        "impute" puts the median of the fit in the place of missing values, of categories the most
        frequent one; the model is then explained for such rows. "as_category" makes them a category
        of their own, and numbers ten groups, for the forest that `fit` trains.
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
        n_features: Sizes = 5,
        n_alternatives: int = 1,
        tau: Tau | None = None,
        max_overlap: int | None = None,
        overlap: OverlapKind = "pairwise",
        dissimilarity: Dissimilarity = "dice",
        search: str | Mapping[str, Any] | Search | type[Search] = "sequential",
        solver: SolverChoice = None,
        aggregation: str | None = None,
        constraints: Constraints | Mapping[str, Any] | None = None,
        background: Any = BACKGROUND_ROWS,
        categorical: Sequence[int | str] = (),
        missing: str = "refuse",
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
        self.overlap = overlap
        self.dissimilarity = dissimilarity
        self.search = search
        self.solver = solver
        self.aggregation = aggregation
        self.constraints = constraints
        self.background = background
        self.categorical = categorical
        self.missing = missing
        self.task = task
        self.random_state = random_state
        self.work = work

    def fit(self, X: Any, y: Any = None) -> Self:
        """Fit the model, unless it is fitted, and keep the background.

        Parameters
        ----------
        X : array-like of shape (n_rows, n_features_in)
            A table of numpy, pandas, polars or Arrow: finite numbers, true and false, text,
            categories and dates. A model reads text as it is, and dates as days since 1970.
        y : array-like of shape (n_rows,), optional
            Classes or numbers. A fitted model that is explained by its answers needs none.

        Returns
        -------
        self

        Raises
        ------
        AltfsError
            If a parameter is outside its range, or the model cannot be used.
        DataError
            If columns cannot be used; the message names all of them.
        """
        seed = inputs.seed_of(self.random_state)
        selector = self._row_wise()
        inputs.read_constraints(self.constraints)
        inputs.check_parameters((), self.task, self.missing, None, 0)
        if self.missing == "as_category" and self.estimator is not None:
            reason = "'as_category' makes groups of numbers, which a given model does not know"
            raise AltfsError("missing", reason, "use 'impute' or leave `estimator` out")
        table = read_table(X)
        encoding, matrix = RowEncoding.learn(table, self.categorical, self.missing)
        names = list(encoding.names)
        check_categories(selector, names, encoding.categorical)
        self._request(names).problem(Linear(np.zeros(len(names))))
        Limits(self.work)
        labels = None if y is None else read_target(y)
        if labels is not None:
            check_lengths("y", len(labels), len(matrix))
        model = self._fitted(encoding, matrix, labels, table.named, seed)
        is_numeric = is_regressor(model) and not is_classifier(model)
        _check_columns(model, encoding, table.named)
        kind = "regression" if is_numeric else ("binary", "multiclass")[len(model.classes_) > 2]
        reader = model
        if encoding.texts and self.estimator is not None:
            # It reads text, which is codes here.
            reader = Pipeline([("text", FunctionTransformer(encoding.frame)), ("model", model)])
        answers = answers_of(reader, kind)
        try:
            outputs = answers(matrix[:1]).shape[1]
        except (TypeError, ValueError) as error:
            raise _refusal(model, encoding, error) from error
        if is_numeric and len(self._request(names).sizes) > 1:
            reason = f"{self.n_features!r} is not allowed, as no number is told by a size"
            raise AltfsError("n_features", reason, "use a whole number from 1")
        if outputs != (1 if is_numeric else len(model.classes_)):
            reason = f"{type(model).__name__} predicts several targets"
            raise AltfsError("estimator", reason, "use a model of one")
        target = np.zeros(len(matrix))
        if not isinstance(selector, ExplainsModel):
            if labels is None:
                reason = f"the selector '{selector.name}' learns from it"
                raise AltfsError("y", reason, "give the target of all rows")
            target = labels.to_numpy() if is_numeric else _codes(labels, model.classes_)
        self.estimator_, self.target_type_ = model, kind
        if not is_numeric:
            self.classes_ = np.asarray(model.classes_)
        self._encoding, self._reader = encoding, reader
        self.background_ = self._background(matrix, seed)
        self.names_, self.n_features_in_ = names, len(names)
        self._train = Part(matrix, target, kind, seed, names=encoding.names,
                           categorical=encoding.categorical)  # fmt: skip
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
            If no feature is worth anything for a row.
        DataError
            If columns are absent or cannot be used; the message names all of them.
        """
        check_is_fitted(self, "estimator_")
        names, train = self.names_, self._train
        matrix = self._encoding.numbers(read_table(X), "X")
        request, selector = self._request(names), self._row_wise()
        values = np.zeros((0, len(names)))
        if len(matrix):
            values = selector.explained(self._reader, self.background_, train, matrix)
        nothing = np.flatnonzero(~(values.sum(axis=1) > 0))
        if len(nothing):
            raise AltfsError(
                "X",
                f"row {nothing[0]} has no attribution, as no feature changes what the model says "
                "to it",
                "leave the row out or use another model",
            )
        sets, said = self._explained(values, matrix, request)
        classes = None if self.target_type_ == "regression" else self.classes_
        return Explanations(values, tuple(names), sets, said, classes)

    def _explained(
        self, values: FloatArray, matrix: FloatArray, request: Request
    ) -> tuple[RowSets, Answers]:
        """Return the sets of each row, of the smallest size that tells its class, and answers."""
        assert request.search is not None
        answers, limits = answers_of(self._reader, self.target_type_), Limits(self.work)
        sizes, left = request.sizes, np.arange(len(matrix))
        if len(sizes) == 1:
            sets = search_rows(values, request, request.search, limits)
            return sets, Answers.of(answers, matrix, sets.sets, self.background_)
        problem = request.problem(Linear(np.zeros(len(self.names_))))
        every = RowSets.empty(problem, len(matrix), Status.UNKNOWN)
        result: Answers | None = None
        for size in sizes:
            sets = search_rows(values[left], request.of_size(size), request.search, limits)
            said = Answers.of(answers, matrix[left], sets.sets, self.background_)
            first = np.nan_to_num(said.alone[:, 0]).argmax(axis=1)
            told = (first == said.whole.argmax(axis=1)) & (sets.sets[:, 0] >= 0).any(axis=1)
            done = told | (size == sizes[-1])
            every.sets[left[done], :, :size] = sets.sets[done]
            every.status[left[done]] = sets.status[done]
            every.objective[left[done]] = sets.objective[done]
            if result is None:
                result = said
            result.alone[left[done]] = said.alone[done]
            left = left[~done]
        assert result is not None
        return every, result

    def _row_wise(self) -> Any:
        """Return the selector, which has to be a row-wise one."""
        chosen = inputs.chosen_selector(self.selector)
        if not isinstance(chosen, RowWise):
            reason = f"{self.selector!r} has no values for single rows"
            raise AltfsError("selector", reason, f"use {row_wise_names()}")
        return chosen

    def _request(self, names: list[str]) -> Request:
        seed = inputs.seed_of(self.random_state)
        search = inputs.chosen_search(self.search, seed, named_solver(self.solver, seed))
        return Request(
            search=search,
            n_features=self.n_features,
            n_alternatives=self.n_alternatives,
            tau=tau_or_default(self.tau, self.max_overlap),
            max_overlap=self.max_overlap,
            overlap=self.overlap,
            dissimilarity=self.dissimilarity,
            aggregation=inputs.chosen_aggregation(search, self.aggregation),
            constraints=inputs.read_constraints(self.constraints).resolved(names),
        )

    def _fitted(
        self,
        encoding: RowEncoding,
        matrix: FloatArray,
        y: pd.Series[Any] | None,
        named: bool,
        seed: int,
    ) -> Any:
        """Return the fitted model."""
        model, task = self.estimator, self.task
        if model is not None:
            task = task_of(model, self.task)
            with suppress(NotFittedError):
                check_is_fitted(model)
                return model
        if y is None:
            name = "a random forest" if model is None else type(model).__name__
            raise AltfsError("estimator", f"{name} is not fitted", "give y or a fitted model")
        kind = make_target(y, task, "target y").type
        rows: Any = pd.DataFrame(matrix, columns=list(encoding.names)) if named else matrix
        if model is None:
            return RandomForest().estimator(kind, seed).fit(rows, y.to_numpy())
        rows = encoding.frame(matrix) if encoding.texts else rows
        try:
            return clone(model).fit(rows, y.to_numpy())
        except (TypeError, ValueError) as error:
            raise _refusal(model, encoding, error) from error

    def _background(self, matrix: FloatArray, seed: int) -> FloatArray:
        """Return the background rows, drawn from those of the fit if a number is given."""
        if is_whole(self.background):
            check_whole("background", self.background, 1)
            return np.asarray(drawn_rows(matrix, int(self.background), seed))
        rows = self._encoding.numbers(read_table(self.background, "background"), "background")
        check_not_empty("background", len(rows))
        return rows


def _refusal(model: Any, encoding: RowEncoding, error: Exception) -> AltfsError:
    """Return the error of a model that does not take the rows, which names columns of text."""
    name = type(model).__name__
    if encoding.texts:
        return DataError(
            "X",
            f"{listed(encoding.texts)} {have(encoding.texts)} text, which {name} does not take",
            "leave out what has text or use a pipeline that encodes it",
        )
    reason = (str(error).splitlines() or [type(error).__name__])[0].rstrip(".")
    return AltfsError("estimator", f"{name} does not take the rows ({reason})", "use another model")


def _check_columns(model: Any, encoding: RowEncoding, named: bool) -> None:
    """Check that columns are those of a fitted model, as it is given them by place."""
    names = encoding.names
    expected = tuple(map(str, getattr(model, "feature_names_in_", ())))
    if named and expected:
        check_names(expected, names, "X", "these rows")
        check_names(names, expected, "X", "the estimator")
        if names != expected:
            reason = "the columns are not in the order of the estimator"
            raise DataError("X", reason, "use X[estimator.feature_names_in_]")
    elif getattr(model, "n_features_in_", len(names)) != len(names):
        reason = f"{len(names)} columns are not allowed"
        raise AltfsError("X", reason, f"use the {model.n_features_in_} that the estimator knows")


def _codes(y: pd.Series[Any], classes: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the places of the classes of rows among those of a model."""
    unknown = y[~y.isin(classes)]
    if len(unknown):
        raise AltfsError(
            "y", f"{unknown.iloc[0]!r} is not a class that the estimator knows", "use its classes"
        )
    return np.searchsorted(classes, y.to_numpy())
