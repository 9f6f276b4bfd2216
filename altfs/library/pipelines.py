"""Models on the feature sets of a fitted estimator: pipelines, and their scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from altfs._numbers import check_value, check_whole
from altfs.datasets.base import Task
from altfs.errors import AltfsError
from altfs.library.answers.equivalents import EquivalentSets, equivalents
from altfs.library.answers.evaluation import Evaluation, evaluate
from altfs.library.answers.folds import FittedOn
from altfs.library.answers.mixin import AnswersMixin
from altfs.library.answers.sensitive import Sensitivity, sensitivity
from altfs.library.answers.stability import Stability, stability
from altfs.library.feature_sets import FeatureSetsMixin
from altfs.library.model_qualities import task_of
from altfs.library.preparation import Preparation, pipeline_of, preparations
from altfs.library.tables import EncodedTable, Table
from altfs.prediction import models
from altfs.problem.results import FeatureSet
from altfs.scores.base import Part

# Of the tables in benchmarks/measurements.md, leaves of five rows predict better than of one.
_DEFAULT_MODEL, _DEFAULT_OPTIONS = "random_forest", {"leaf": 5}
# Attributes that hold the data.
_OF_ROWS = ("_fitted_on", "_part_fitted_on", "_explanation")


@dataclass(frozen=True)
class Seen:
    """The columns and the target that an estimator was fitted on.

    `labels` are the names of the columns, or their numbers if they had no names. `converts`
    tells that scikit-learn does not read such a table.
    """

    preparations: tuple[Preparation, ...]
    labels: Sequence[Any]
    target_type: str
    n_rows: int
    seed: int
    converts: bool = False


class PipelinesMixin(AnswersMixin, FeatureSetsMixin):
    """The methods `pipeline` and `evaluate`."""

    _seen: Seen | None
    _has_target: bool = True
    _fitted_on: FittedOn | None
    _part_fitted_on: Part | None
    _evaluation: Evaluation | None

    def pipeline(self, alternative: int | FeatureSet | None = None, model: Any = None) -> Any:
        """Return a pipeline of scikit-learn with a model on the columns of one set.

        It takes the user's columns. Categories become a column of 0 and 1 each (the rarest of
        more than 100 together), dates become days, and the median takes the place of missing
        numbers, unless the model takes them. Columns of numbers are passed on as they are.

        Parameters
        ----------
        alternative : int or FeatureSet, optional
            Number of the set, or a set, such as that of :meth:`without`. The default is that of
            the constructor.
        model : estimator or str, optional
            A classifier or regressor, or the name of a model in studies, such as
            "logistic_regression". The default is a random forest of 100
            trees whose leaves have five rows or more.

        Returns
        -------
        sklearn.pipeline.Pipeline
            Not fitted.

        Raises
        ------
        AltfsError
            If the set is not there, or `fit` had no target.

        Examples
        --------
        >>> from sklearn.datasets import load_wine
        >>> from altfs import AlternativeFeatures
        >>> X, y = load_wine(return_X_y=True, as_frame=True)
        >>> afs = AlternativeFeatures("mutual_information", n_features=3, tau=1).fit(X, y)
        >>> forest = afs.pipeline(alternative=1).fit(X, y)
        >>> list(forest[:-1].get_feature_names_out())
        ['alcohol', 'hue', 'od280/od315_of_diluted_wines']
        """
        if not isinstance(alternative, FeatureSet):
            columns = self.get_support(True, alternative=alternative).tolist()
        else:
            columns = list(alternative.indices)
        return self._pipeline(columns, self._model(model))

    def evaluate(
        self,
        model: Any = None,
        cv: Any = 5,
        scoring: Any = None,
        *,
        nested: bool = True,
        groups: Any = None,
        max_rows: int | None = None,
    ) -> Evaluation:
        """Cross-validate a model on every set, on all features, and on none.

        Parameters
        ----------
        model : estimator or str, optional
            See :meth:`pipeline`.
        cv : int or splitter, default=5
            As in scikit-learn, but a number of folds shuffles rows and columns, the same in any
            order of them. If `fit` had times, they are those of TimeSeriesSplit.
        scoring : str or callable, optional
            A score of scikit-learn. The default is R^2 for numbers. For classes, it is the area
            under the ROC curve (of one class against the others), or Matthews' correlation
            coefficient if the model has no probabilities or a fold lacks a class.
        nested : bool, default=True
            True searches for the sets inside every fold, so that the search does not see the
            test rows. The scores are those of the whole procedure, whose sets can differ from
            fold to fold. False uses the sets of this fit, whose search saw the test rows. This
            is faster and optimistic.
        groups : array-like of shape (n_rows,), optional
            Rows of one group, such as a patient, are in one fold. With a number of folds these
            are scikit-learn's folds of groups.
        max_rows : int, optional
            A sample of so many rows takes the place of more.

        Returns
        -------
        Evaluation
            ``print`` shows it. Its ``table`` has scores, differences to the original set, both
            with intervals, and times. ``plot()`` draws it.

        Raises
        ------
        AltfsError
            If an argument is outside its range, or the data are not there, as after unpickling.

        Examples
        --------
        >>> from sklearn.datasets import load_wine
        >>> from altfs import AlternativeFeatures
        >>> X, y = load_wine(return_X_y=True, as_frame=True)
        >>> afs = AlternativeFeatures("mutual_information", n_features=3, tau=1).fit(X, y)
        >>> evaluation = afs.evaluate("decision_tree", scoring="accuracy")
        >>> evaluation.table[["set", "n_features", "score"]].round(2)
                     set  n_features  score
        0       original           3   0.93
        1  alternative 1           3   0.89
        2   all features          13   0.92
        3      empty set           0   0.40
        """
        self._check_sets()
        self._checked_fit()
        if max_rows is not None:
            check_whole("max_rows", max_rows, 2)
        check_value(isinstance(nested, bool | np.bool_), "nested", nested, "use True or False")
        with self._bar():
            self._evaluation = evaluate(self, model, cv, scoring, nested, groups, max_rows)
        return self._evaluation

    def sensitive(
        self, values: Any = None, model: Any = None, *, cv: Any = 5, name: str | None = None
    ) -> Sensitivity:
        """Say what each set tells about a sensitive attribute, which is no feature.

        Parameters
        ----------
        values : array-like of shape (n_rows,), optional
            The attribute of each row of `fit`, such as sex: 2 to 20 groups. Missing values are a
            group of their own. By default it is the column `sensitive` of the constraints.
        model : estimator or str, optional
            The model whose predictions are compared between groups; see :meth:`pipeline`.
        cv : int or splitter, default=5
            The folds of these predictions, as those of :meth:`evaluate`.
        name : str, optional
            The attribute in words; by default the name of a Series.

        Returns
        -------
        Sensitivity
            ``print`` shows it. Its ``table`` has a row per set, ``information`` what each feature
            tells, and ``front`` the sets of which no other one is as good and tells less.

        Raises
        ------
        AltfsError
            If there are too few or too many groups, not a value for each row, or no rows, as
            after unpickling. Or if it is the target or a feature.

        Examples
        --------
        >>> from sklearn.datasets import load_wine
        >>> from altfs import AlternativeFeatures
        >>> X, y = load_wine(return_X_y=True, as_frame=True)
        >>> strong = X.pop("alcohol") > 13
        >>> afs = AlternativeFeatures("mutual_information", n_features=2, tau=1).fit(X, y)
        >>> afs.sensitive(strong, "decision_tree").table[["set", "tells"]].round(2).head(2)
                     set  tells
        0       original   0.84
        1  alternative 1   0.86
        """
        self._check_sets()
        self._checked_fit("sensitive")
        with self._bar():
            return sensitivity(self, values, self._model(model), cv, name)

    def equivalents(
        self, alpha: float = 0.05, *, max_conditioning: int = 3, limit: int = 1000
    ) -> EquivalentSets:
        """Compare the sets with those that tests of independence cannot tell apart.

        These are the statistically equivalent sets of SES, the first of which is that of MMPC
        (Lagani, Athineou, Farcomeni, Tsagris, Tsamardinos, *Feature Selection with the R Package
        MXM*, Journal of Statistical Software 80, 2017, Algorithm 1). The test is Fisher's z of
        partial correlations for columns of numbers and a target that is a number or has two
        classes, else G² of columns as a few levels.

        Parameters
        ----------
        alpha : float, default=0.05
            The level of the tests, between 0 and 1.
        max_conditioning : int, default=3
            The largest number of features that a test is given, from 0.
        limit : int, default=1000
            The largest number of sets that are listed.

        Returns
        -------
        EquivalentSets
            ``print`` shows it. ``classes`` are the features that can take each other's place,
            ``sets`` says which equivalent sets are alternatives, and ``table`` which sets of the
            fit are equivalent.

        Raises
        ------
        AltfsError
            If an argument is outside its range, there are no rows, as after unpickling, or more
            than 300,000 tests are needed.

        Examples
        --------
        >>> import numpy as np
        >>> from altfs import AlternativeFeatures
        >>> X = np.random.default_rng(0).normal(size=(200, 4))
        >>> X[:, 2] = X[:, 0]
        >>> afs = AlternativeFeatures("mutual_information", n_features=2, n_shuffles=0)
        >>> afs.fit(X, X[:, 0] + X[:, 1]).equivalents().classes
        [('x0', 'x2'), ('x1',)]
        """
        self._check_sets()
        self._checked_fit("equivalents")
        with self._bar():
            return equivalents(self, alpha, max_conditioning, limit)

    def stability(self, n_halves: int = 50, *, random_state: int = 0) -> Stability:
        """Search on halves of the rows, and count which features and sets come back.

        Parameters
        ----------
        n_halves : int, default=50
            The number of halves, from 2. Each is drawn without replacement.
        random_state : int, default=0
            The seed of the halves, from 0.

        Returns
        -------
        Stability
            ``print`` shows it. It has ``features``, ``sets``, ``value`` with ``low`` and ``high``,
            ``unordered`` and ``within_error``.

        Raises
        ------
        AltfsError
            If an argument is outside its range, or the data are not there, as after unpickling.

        Examples
        --------
        >>> from sklearn.datasets import load_wine
        >>> from altfs import AlternativeFeatures
        >>> X, y = load_wine(return_X_y=True, as_frame=True)
        >>> afs = AlternativeFeatures("mutual_information", n_features=3, tau=1).fit(X, y)
        >>> stability = afs.stability(10)
        >>> stability.features[["feature", "share"]].head(3)
                                feature  share
        0                    flavanoids    1.0
        1  od280/od315_of_diluted_wines    0.9
        2               color_intensity    0.6
        """
        self._check_sets()
        self._checked_fit("stability")
        check_whole("n_halves", n_halves, 2)
        check_whole("random_state", random_state, 0)
        with self._bar():
            return stability(self, int(n_halves), int(random_state))

    def _keep(
        self,
        X: Any,
        table: Table,
        rows: EncodedTable,
        seed: int,
        labels: Mapping[str, npt.NDArray[Any]],
        fit_params: Mapping[str, Any],
    ) -> None:
        """Keep the table for `evaluate`, and what `pipeline` needs to know about it."""
        target = rows.target
        frame: Any = rows.columns.X if rows.frame is None else rows.frame
        y = np.array(target.texts)[target.y] if target.texts else target.y
        if table.is_frame:
            # Labels that are numbers stay numbers, as constraints may use them.
            frame = X if table.numbered else table.data
        columns = rows.names if table.named else range(len(rows.names))
        self._seen = Seen(preparations(rows), columns, target.type, len(y), seed, _converts(X))
        self._fitted_on = FittedOn(frame, y, fit_params, rows.names, rows.options, target, **labels)

    def _model(self, model: Any) -> Any:
        """Return the model that an argument means."""
        seen = self._seen_columns()
        if model is None or isinstance(model, str):
            if model and model not in models.names():
                advice = f"use an estimator of scikit-learn, or {', '.join(models.names())}"
                reason = f"'{model}' is not a known model"
                raise AltfsError.of_name("model", reason, model, models.names(), advice)
            options = {} if model else _DEFAULT_OPTIONS
            chosen = models.make(model or _DEFAULT_MODEL, options)
            chosen.check_part(seen.target_type, seen.n_rows)
            return chosen.estimator(seen.target_type, seen.seed)
        is_for: Task = "regression" if seen.target_type == "regression" else "classification"
        task_of(model, is_for, "model")
        return model

    def _seen_columns(self) -> Seen:
        self._check_sets()
        if self._seen is None:
            raise AltfsError(
                "selector",
                "values or a quality that are given do not read the columns and the target, so "
                "there is no pipeline",
                "use another selector",
            )
        return self._seen

    def _pipeline(self, columns: Sequence[int], model: Any) -> Any:
        from sklearn.base import clone

        seen = self._seen_columns()
        return pipeline_of(columns, seen.preparations, seen.labels, clone(model), seen.converts)

    def __getstate__(self) -> Any:
        # Copies and pickles do not hold the data.
        state: Any = super().__getstate__()
        return {name: value for name, value in state.items() if name not in _OF_ROWS}


def _converts(X: Any) -> bool:
    """Tell whether scikit-learn does not read a table: Arrow's batches, labels of several types."""
    if not hasattr(X, "columns") or type(X).__module__.startswith("pyarrow"):
        return hasattr(X, "__arrow_c_stream__") or hasattr(X, "__arrow_c_array__")
    return len({type(label) for label in X.columns}) > 1
