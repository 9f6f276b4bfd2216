"""The rows that an estimator was fitted on, in folds, and what is searched and scored on them."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import find, issparse

from altfs._numbers import IntArray, is_whole
from altfs.datasets import Dataset
from altfs.datasets.columns import ColumnOptions, encode, encode_sparse
from altfs.datasets.table import Target
from altfs.errors import AltfsError, DataError, NoFeatureSetError
from altfs.library.metadata import of_rows
from altfs.scores._levels import content_key
from altfs.scores.base import Part
from altfs.scores.row_groups import time_folds


@dataclass(frozen=True, eq=False)
class FittedOn:
    """The table that an estimator was fitted on, by reference, as a model needs it."""

    X: Any
    #: Shape (n_rows,). Classes as the user wrote them, or numbers.
    y: Any
    #: The further arguments of `fit`.
    fit_params: Mapping[str, Any]
    names: tuple[str, ...]
    options: ColumnOptions
    #: The target as numbers.
    target: Target
    #: The group of each row, if rows belong together.
    groups: IntArray | None = None
    #: The time of each row, if they follow each other.
    times: npt.NDArray[Any] | None = None

    #: As those of parts.
    __dask_tokenize__ = Part.__dask_tokenize__

    def labels(self, rows: Any) -> dict[str, Any]:
        """Return the groups or the times of some rows, as arguments of `fit`."""
        named = {"groups": self.groups, "times": self.times}
        return {name: values[rows] for name, values in named.items() if values is not None}

    def column(self, place: int) -> Any:
        """Return the values of a column, as the user wrote them."""
        from sklearn.utils import _safe_indexing

        return _safe_indexing(self.X, place, axis=1)

    def ranks(self, cv: Any, rows: IntArray) -> Sequence[int]:
        """Return the place of each column among those of a set.

        Models draw columns by their places. With a number of folds, rows and columns are in an
        order that depends on their values alone; `rows` are so. With a splitter, both are in
        the order of the table.
        """
        places = range(len(self.names))
        if issparse(self.X) or not is_whole(cv):
            return places
        keys = [content_key(np.asarray(self.column(place))[rows]) for place in places]
        place = {j: rank for rank, j in enumerate(sorted(places, key=keys.__getitem__))}
        return [place[j] for j in places]

    @property
    def digest(self) -> str:
        """SHA-256 of names, values, categories and target, see :attr:`Dataset.digest`.

        The values of a sparse table are those that are not 0, each with its row and column.
        """
        if issparse(self.X):
            columns = encode_sparse(self.X, self.names, self.options.categorical)
            row, column, value = find(columns.X)
            order = np.lexsort((column, row))
            columns = replace(columns, X=np.column_stack([row, column, value])[order])
        else:
            columns = encode(self.X.set_axis(list(self.names), axis="columns"), self.options)
        named = [n for n, kind in zip(self.names, columns.kinds, strict=True) if kind == "category"]
        target, info = self.target, {"categorical": named}
        return Dataset("", columns.X, target.y, self.names, "", target.type, info).digest


def sampled(data: FittedOn, order: IntArray, n_rows: int) -> FittedOn:
    """Return a sample of the rows in a drawn order."""
    from sklearn.utils import _safe_indexing

    n_total = len(order)
    kept = order[np.random.default_rng(0).choice(n_total, n_rows, replace=False)]
    X = data.X[kept] if issparse(data.X) else _safe_indexing(data.X, kept)
    fit_params = of_rows(data.fit_params, kept, n_total)
    return replace(data, X=X, y=data.y[kept], fit_params=fit_params, **data.labels(kept))


def splits_of(cv: Any, data: FittedOn, target_type: str, order: IntArray) -> list[tuple[Any, Any]]:
    """Return the row numbers of each fold; a number of folds divides `order`, or times."""
    from sklearn.model_selection import (
        GroupKFold,
        KFold,
        StratifiedGroupKFold,
        StratifiedKFold,
        check_cv,
    )

    classes, y, groups = target_type != "regression", data.y, data.groups
    kinds = (StratifiedGroupKFold, GroupKFold) if groups is not None else (StratifiedKFold, KFold)
    try:
        if not is_whole(cv):
            return list(check_cv(cv, y, classifier=classes).split(data.X, y, groups))
        if data.times is not None:
            folds = time_folds(data.times[order], int(cv), of_half=True)
            return [(order[a], order[b]) for a, b in folds]
        folds = kinds[0 if classes else 1](int(cv), shuffle=True, random_state=0)
        labels = None if groups is None else groups[order]
        return [(order[a], order[b]) for a, b in folds.split(order, y[order], labels)]
    except (TypeError, ValueError) as error:
        advice = "use a number of folds from 2 or a splitter of scikit-learn"
        raise AltfsError("cv", f"{cv!r} does not split {len(y)} rows ({error})", advice) from None


def search_on(
    fitted: Any, data: FittedOn, rows: Any, where: str, most: int, **parameters: Any
) -> Any:
    """Return a clone with some other parameters that searched on some rows alone.

    Of a quality that is known by evaluating sets in batches, it evaluates at most so many.
    """
    from sklearn.base import clone
    from sklearn.utils import _safe_indexing

    task = "regression" if fitted.target_type_ == "regression" else "classification"
    again = clone(fitted).set_params(task=task, verbose=0, n_shuffles=0, **parameters)
    again._most_evaluations = most
    with warnings.catch_warnings():
        # The table tells in how many folds each set was found.
        warnings.simplefilter("ignore")
        try:
            fit_params = of_rows(data.fit_params, rows, len(data.y))
            X, y = _safe_indexing(data.X, rows), data.y[rows]
            again.fit(X, y, **data.labels(rows), **fit_params)
        except NoFeatureSetError:
            pass
        except DataError as error:
            raise DataError(*error.at(where).args) from None
    return again


def cross_validated(
    pipeline: Any, X: Any, y: Any, split: tuple[Any, Any], scorers: Mapping[str, Any], label: str
) -> dict[str, Any]:
    """Return scikit-learn's scores of one split."""
    from sklearn.model_selection import cross_validate

    try:
        scores: dict[str, Any] = cross_validate(
            pipeline, X, y, cv=[split], scoring=dict(scorers), error_score="raise"
        )
    except (TypeError, ValueError) as error:
        name = type(getattr(pipeline, "steps", [("", pipeline)])[-1][1]).__name__
        reason = str(error).strip().splitlines()[0]
        raise AltfsError(
            "model",
            f"{name} cannot be scored on the columns of '{label}' ({reason})",
            "use another model or `scoring`",
        ) from error
    return scores
