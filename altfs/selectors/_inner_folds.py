"""The score of a model on feature sets, by inner folds of a part."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from math import inf, isnan
from typing import Any

import numpy as np
import numpy.typing as npt

from altfs._numbers import check_at_most
from altfs.errors import AltfsError, DataError
from altfs.problem import FeatureIndices
from altfs.scores.base import Part
from altfs.scores.row_groups import Split, check_learnable, group_folds, time_folds

#: The share of the validation rows.
VALIDATION_SHARE = 0.2

Rows = npt.NDArray[np.int64]
#: A function of a fitted model, features of held-out rows, and their targets; larger is better.
Scorer = Callable[[Any, npt.NDArray[Any], npt.NDArray[Any]], float]
# The default number of folds.
_FOLDS = 5
# The name of scikit-learn, and the largest possible value.
_OF_CLASSES: Mapping[str, tuple[str, float]] = {
    "mcc": ("matthews_corrcoef", 1.0),
    "accuracy": ("accuracy", 1.0),
    "balanced_accuracy": ("balanced_accuracy", 1.0),
    "f1": ("f1_macro", 1.0),
    "auc": ("roc_auc_ovr", 1.0),
    "log_loss": ("neg_log_loss", 0.0),
}
_OF_NUMBERS: Mapping[str, tuple[str, float]] = {
    "r2": ("r2", 1.0),
    "rmse": ("neg_root_mean_squared_error", 0.0),
    "mae": ("neg_mean_absolute_error", 0.0),
}
# Scorers of scikit-learn that have no largest value.
_UNBOUNDED = ("positive_likelihood_ratio", "mutual_info_score")
# Metrics of the probabilities of all classes, by scikit-learn's names.
_OF_PROBABILITIES = {_OF_CLASSES[name][0]: name for name in ("auc", "log_loss")}
#: The names of metrics; errors and losses count negatively.
METRICS = ("auto", *_OF_CLASSES, *_OF_NUMBERS)


def metric_of(name: str | Scorer, target_type: str) -> tuple[str | Scorer, float]:
    """Return scikit-learn's name of a metric, and the largest value that it can take.

    Besides `METRICS` every scorer of scikit-learn has a name. A function is returned as it is. It
    is a DataError if the metric is for another kind of target.

    >>> metric_of("auto", "binary"), metric_of("neg_brier_score", "binary")
    (('matthews_corrcoef', 1.0), ('neg_brier_score', 0.0))
    """
    if not isinstance(name, str):
        return name, inf
    regression = target_type == "regression"
    fitting, others = (_OF_NUMBERS, _OF_CLASSES) if regression else (_OF_CLASSES, _OF_NUMBERS)
    known = name == "auto" or name in fitting
    if name in others or (not known and _is_of_numbers(name) != regression):
        task, other = ("classification", "regression")[:: -1 if regression else 1]
        raise DataError(
            "metric", f"'{name}' is for {other}", f"use one for {task}: {', '.join(fitting)}"
        )
    if not known:
        return name, 0.0 if name.startswith("neg_") else inf if name in _UNBOUNDED else 1.0
    return fitting[next(iter(fitting)) if name == "auto" else name]


def _is_of_numbers(scorer: str) -> bool:
    """Return True if a scorer of scikit-learn is for numbers."""
    from sklearn.metrics import get_scorer

    return str(get_scorer(scorer)._score_func.__module__).endswith("_regression")


def metric_name(metric: str | Scorer) -> str:
    """Return the name of a metric, or of a function.

    >>> metric_name("f1"), metric_name(len)
    ('f1', 'len')
    """
    return metric if isinstance(metric, str) else getattr(metric, "__name__", str(metric))


def check_metric(name: str | Scorer) -> str | Scorer:
    """Check that a metric is known, or takes a model; AltfsError if it does not."""
    if not isinstance(name, str):
        # Its arguments are targets, where scikit-learn asks for a model.
        if getattr(name, "__module__", "").startswith("sklearn.metrics._") and hasattr(
            name, "__name__"
        ):
            reason = f"the function '{metric_name(name)}' compares targets, and takes no model"
            raise AltfsError("", reason, "use sklearn.metrics.make_scorer of it")
    elif name not in METRICS:
        # Slow to import, and seldom needed.
        from sklearn.metrics import get_scorer_names

        if name not in get_scorer_names():
            advice = f"use one of {', '.join(METRICS)}, or a scorer of scikit-learn"
            raise AltfsError.of_name("", f"'{name}' is not a metric", name, METRICS, advice)
    return name


def inner_split(part: Part) -> Split:
    """Split row numbers into 80 % for training and 20 % for validation, by class if there are any.

    Of groups a fifth is held out, or one if there are fewer than five; of times the latest rows.
    It is a DataError if there are too few rows, or too few of a class.

    >>> import numpy as np
    >>> [len(rows) for rows in inner_split(Part(np.zeros((10, 1)), np.arange(10) % 2, "binary", 0))]
    [8, 2]
    """
    from sklearn.model_selection import train_test_split

    y, target_type = part.y, part.target_type
    if part.times is not None:
        split = _latest(part.times)
        check_learnable(y, target_type, [split])
        return split
    if part.groups is not None:
        return inner_folds(part)[0]
    try:
        fitting, validation = train_test_split(
            np.arange(len(y)),
            test_size=VALIDATION_SHARE,
            random_state=part.seed,
            stratify=None if target_type == "regression" else y,
        )
    except ValueError:
        raise DataError(
            "y",
            f"{len(y)} rows cannot be split 80:20{_cause(y, target_type)}",
            "use more rows, leave the rarest class out, or use a selector that holds no rows out",
        ) from None
    return fitting, validation


def _latest(times: npt.NDArray[Any]) -> Split:
    """Return the first four fifths of the rows in time, and the latest fifth."""
    order = np.argsort(times, kind="stable")
    n_held_out = -(-len(order) // 5)
    return order[:-n_held_out], order[-n_held_out:]


def _cause(y: npt.NDArray[Any], target_type: str) -> str:
    if target_type == "regression":
        return ""
    counts = np.unique(y, return_counts=True)[1]
    if counts.min() < 2:
        return " by class, as a class has only one of them"
    return f" by class, as there are {len(counts)} classes"


def inner_folds(part: Part, folds: int | None = None) -> list[Split]:
    """Split row numbers into folds, by class if there are any; one fold is a held-out fifth.

    By default there are five, or as many as the rarest class has rows, or as there are groups. Of
    times, each fold learns from the rows before those that it holds out. It is a DataError if
    there are too few rows, or too few of a class.

    >>> import numpy as np
    >>> of_three = Part(np.zeros((12, 1)), np.repeat([0, 1], [9, 3]), "binary", 0)
    >>> len(inner_folds(of_three))
    3
    >>> even = Part(np.zeros((10, 1)), np.arange(10) % 2, "binary", 0)
    >>> [len(validation) for _, validation in inner_folds(even, 5)]
    [2, 2, 2, 2, 2]
    """
    from sklearn.model_selection import KFold, StratifiedKFold

    y, target_type, seed = part.y, part.target_type, part.seed
    if folds == 1:
        return [inner_split(part)]
    splits: list[Split] = []
    if part.times is not None:
        splits = time_folds(part.times, folds or _FOLDS)
    elif part.groups is not None:
        default = min(_FOLDS, len(np.unique(part.groups)))
        splits = group_folds(y, target_type, part.groups, folds or default, seed)
    if splits:
        check_learnable(y, target_type, splits)
        return splits
    if target_type == "regression":
        least, of, which = len(y), "rows", "the target"
        kind: Any = KFold
    else:
        least, of = int(np.unique(y, return_counts=True)[1].min()), "rows of the rarest class"
        which, kind = "the rarest class", StratifiedKFold
    if least < 2:
        reason = f"{which} has {least} row, which inner folds cannot both learn from and hold out"
        advice = "leave it out, use more rows, or use a selector that holds no rows out"
        raise DataError("y", reason, advice)
    folds = min(_FOLDS, least) if folds is None else folds
    check_at_most("folds", folds, least, of)
    split = kind(folds, shuffle=True, random_state=seed).split(np.zeros(len(y)), y)
    return [(fitting, validation) for fitting, validation in split]


def check_held_out(metric: str | Scorer, y: npt.NDArray[Any], splits: Sequence[Split]) -> None:
    """Check that a metric, by scikit-learn's name, is defined on all rows that are held out.

    It is a DataError if it is not.

    >>> check_held_out("r2", np.arange(6.0), [(np.arange(5), np.array([5]))])
    Traceback (most recent call last):
    ...
    altfs.errors.DataError: metric: 'r2' needs two rows in every held-out fold, use fewer folds, ...
    """
    held_out = [y[validation] for _, validation in splits]
    if metric == "r2" and min(map(len, held_out)) < 2:
        advice = "use fewer folds, more rows, or another metric such as 'rmse'"
        raise DataError("metric", "'r2' needs two rows in every held-out fold", advice)
    if (
        isinstance(metric, str)
        and metric in _OF_PROBABILITIES
        and min(len(np.unique(labels)) for labels in held_out) < len(np.unique(y))
    ):
        raise DataError(
            "metric",
            f"'{_OF_PROBABILITIES[metric]}' needs rows of every class in every held-out fold",
            "use two folds or more, leave the rarest class out, or use another metric such as "
            "'mcc'",
        )


def check_scorer(
    metric: str | Scorer, y: npt.NDArray[Any], splits: Sequence[Split], target_type: str
) -> None:
    """Check that a scorer can judge predictions of held-out rows.

    It is a DataError if it cannot judge those that know the classes or numbers alone.

    >>> y = np.arange(9) % 3
    >>> check_scorer("average_precision", y, [(np.arange(6), np.arange(3))], "multiclass")
    >>> check_scorer("f1", y, [(np.arange(6), np.arange(3))], "multiclass")
    Traceback (most recent call last):
    ...
    altfs.errors.DataError: metric: 'f1' cannot judge the target (Target is multiclass but ...
    """
    from sklearn.dummy import DummyClassifier, DummyRegressor
    from sklearn.metrics import get_scorer

    model = DummyRegressor() if target_type == "regression" else DummyClassifier()
    advice = "use another metric, more rows or fewer folds"
    for fitting, validation in splits:
        model.fit(np.zeros((len(fitting), 1)), y[fitting])
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                value = get_scorer(metric)(model, np.zeros((len(validation), 1)), y[validation])
        except (ValueError, TypeError, AttributeError) as error:
            first = str(error).partition("\n")[0]
            reason = f"'{metric_name(metric)}' cannot judge the target ({first})"
            raise DataError("metric", reason, advice) from None
        if isnan(value):
            raise DataError(
                "metric", f"'{metric_name(metric)}' is not defined on all held-out rows", advice
            )


class InnerScore:
    """The mean score of clones of an estimator over inner folds, a function of feature sets.

    Parameters
    ----------
    part : Part
    splits : sequence of (ndarray, ndarray)
    estimator : estimator
        Unfitted.
    metric : str or callable
        scikit-learn's name, or a scorer.
    parameters : callable, optional
        Returns the arguments of `fit` for the rows that a model learns on.
    """

    def __init__(
        self,
        part: Part,
        splits: Sequence[Split],
        estimator: Any,
        metric: str | Scorer,
        parameters: Callable[[Rows], dict[str, Any]] | None = None,
    ) -> None:
        self._estimator, self._metric = estimator, metric
        self._parts = [
            (
                np.asfortranarray(part.X[fitting]),
                part.y[fitting],
                np.asfortranarray(part.X[validation]),
                part.y[validation],
                {} if parameters is None else parameters(fitting),
            )
            for fitting, validation in splits
        ]

    def __call__(self, indices: FeatureIndices) -> float:
        from sklearn.base import clone
        from sklearn.metrics import get_scorer

        columns, scorer = list(indices), get_scorer(self._metric)
        scores = []
        for X, y, held_out_X, held_out_y, parameters in self._parts:
            model = clone(self._estimator).fit(X[:, columns], y, **parameters)
            try:
                scores.append(float(scorer(model, held_out_X[:, columns], held_out_y)))
            except (ValueError, TypeError, AttributeError) as error:
                # Such as a deviance of predictions below 0, or a model without probabilities.
                first = str(error).partition("\n")[0]
                reason = f"'{metric_name(self._metric)}' cannot judge the model ({first})"
                raise DataError("metric", reason, "use another metric or model") from None
        return sum(scores) / len(scores)
