"""The feature sets of a fitted estimator, with the methods of scikit-learn's selectors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from itertools import groupby
from operator import attrgetter
from typing import Any, Self

import numpy as np
import numpy.typing as npt
import pandas as pd
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import get_tags
from sklearn.utils._set_output import _get_output_config
from sklearn.utils.validation import check_is_fitted, validate_data

from altfs._numbers import check_place
from altfs.errors import AltfsError, NoFeatureSetError
from altfs.library.tables import as_it_is, check_finite, read_table
from altfs.problem.overlap import Dissimilarity, dissimilarity_of
from altfs.problem.results import FeatureSet, SearchResult, Status

#: The names of all features that may be selected, and of no feature, beside those of sets.
ALL, EMPTY = "all features", "empty set"


def feature_sets(result: SearchResult, names: Sequence[str]) -> list[FeatureSet]:
    """Return the sets of a result with the names of their features, the original one first.

    They are in the order of :func:`in_order_of_quality`.
    """
    return [named(result[i], names) for i in in_order_of_quality(result) if result[i]]


def named(features: FeatureSet, names: Sequence[str]) -> FeatureSet:
    """Return a set with the names of its features, given those of all columns."""
    indices = tuple(map(int, features.indices))
    return replace(
        features,
        indices=indices,
        names=tuple(str(names[j]) for j in indices),
        n_total=len(names),
        train_objective=float(features.train_objective),
        bound=float(features.bound),
    )


def feature_set(
    indices: Sequence[int], names: Sequence[str], objective: float, bound: float, status: Status
) -> FeatureSet:
    """Return a set of column numbers with the names of its features."""
    return named(FeatureSet(tuple(indices), objective, status, bound), names)


def set_name(number: int) -> str:
    """Return the name of a set by its number."""
    return f"alternative {number}" if number else "original"


def sets_named(names: Sequence[str], last: str = "and") -> str:
    """Return the names of several sets as words.

    Examples
    --------
    >>> sets_named(["alternative 2"]), sets_named(["alternative 1", "alternative 3"], "or")
    ('alternative 2', 'alternatives 1 or 3')
    """
    *numbers, end = [name.split()[-1] for name in names]
    return f"alternatives {', '.join(numbers)} {last} {end}" if numbers else names[0]


def as_frame(sets: Mapping[int, FeatureSet], dissimilarity: Sequence[float]) -> pd.DataFrame:
    """Return sets by their numbers as a table, with the dissimilarity of each to the original."""
    rows = [
        (i, list(s.names), list(s.indices), s.train_objective, s.bound, str(s.status), d)
        for (i, s), d in zip(sets.items(), dissimilarity, strict=True)
    ]
    columns = [
        "set_index", "feature_names", "selected", "train_objective", "bound", "status",
        "dissimilarity",
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=columns)


def frame_of_stream(
    sets: Mapping[int, FeatureSet], original: Sequence[int], dissimilarity: Dissimilarity
) -> pd.DataFrame:
    """Return the sets of a stream, which have no bound, as a table."""
    measured = [float(dissimilarity_of(original, s.indices, dissimilarity)) for s in sets.values()]
    return as_frame(sets, measured).drop(columns="bound")


def with_first_copies(
    result: SearchResult, groups: Iterable[Sequence[str]], names: Sequence[str]
) -> SearchResult:
    """Return the same sets with those of equal columns whose names come first.

    A search takes the first ones of the table, so that sets would depend on its order. The
    columns of a `group` have equal qualities, alone and with others.
    """
    place = {name: j for j, name in enumerate(names)}
    instead = {
        place[old]: place[new]
        for group in groups
        for old, new in zip(sorted(group, key=place.__getitem__), sorted(group), strict=True)
    }

    def renamed(features: FeatureSet) -> FeatureSet:
        indices = tuple(sorted(instead.get(j, j) for j in features.indices))
        return replace(features, indices=indices)

    return replace(result, feature_sets=tuple(map(renamed, result)))


def ties_by_name(result: SearchResult, names: Sequence[str]) -> SearchResult:
    """Return a result with sets of the same quality in the order of their features' names.

    These are sets that a sequential search has put in the order of their quality, as none is
    proven. Their order depended on that of the columns.
    """
    in_order = result.aggregation == "none"
    if not in_order or any(one and one.status is not Status.FEASIBLE for one in result):
        return result

    def names_of(features: FeatureSet) -> list[str]:
        return sorted(names[j] for j in features.indices)

    sets: list[FeatureSet] = []
    for _, same in groupby(result, key=attrgetter("train_objective")):
        sets += sorted(same, key=names_of)
    return replace(result, feature_sets=tuple(sets))


def by_use(sets: Sequence[FeatureSet]) -> list[str]:
    """Return the features of some sets, those of many sets first, then in order of columns.

    Examples
    --------
    >>> by_use([feature_set(s, "abc", 1.0, 1.0, Status.OPTIMAL) for s in ((0, 1), (1, 2))])
    ['b', 'a', 'c']
    """
    place = {name: j for s in sets for name, j in zip(s.names, s.indices, strict=True)}
    return sorted(place, key=lambda name: (-sum(name in s for s in sets), place[name]))


def in_order_of_quality(result: SearchResult) -> list[int]:
    """Return the places of the sets in a result, in the order in which users see them.

    Sequential search keeps its order. The sets of a simultaneous search have none, so the
    best one comes first, and the smaller indices among equals.
    """
    places = range(len(result))
    if result.aggregation == "none":
        return list(places)
    rank = {i: (-result[i].train_objective, result[i].indices) for i in places if result[i]}
    return sorted(rank, key=rank.__getitem__) + [i for i in places if i not in rank]


def dissimilarities(sets: Sequence[FeatureSet], dissimilarity: Dissimilarity) -> npt.NDArray[Any]:
    """Compute the dissimilarity of every two sets as a matrix."""
    return np.array(
        [[float(dissimilarity_of(a.indices, b.indices, dissimilarity)) for b in sets] for a in sets]
    )


class FeatureSetsMixin:
    """The methods of scikit-learn's selectors, for any of the sets.

    ``SelectorMixin`` knows one set. Every method here calls it on a shallow copy of the
    estimator that shows the requested set, so that names and ``set_output`` fit this set.
    This is not a subclass of ``SelectorMixin``, which would name the columns a second time.
    """

    alternative: int | FeatureSet
    fit: Callable[..., Self]
    feature_sets_: list[FeatureSet]
    dissimilarities_: npt.NDArray[np.float64]
    shortfall_: str

    def get_support(
        self, indices: bool = False, *, alternative: int | FeatureSet | None = None
    ) -> npt.NDArray[np.bool_] | npt.NDArray[np.int64]:
        """Return the selected features.

        Parameters
        ----------
        indices : bool, default=False
            Return column numbers in place of a mask.
        alternative : int or FeatureSet, optional
            Number of the set, or a set, such as one of `front_set`. The default is that of the
            constructor.

        Returns
        -------
        ndarray of bool of shape (n_features_in,), or of int of shape (n_features,)
        """
        chosen = self._showing(alternative)
        return SelectorMixin.get_support(chosen, indices=indices)  # type: ignore[no-any-return]

    def transform(self, X: Any, *, alternative: int | FeatureSet | None = None) -> Any:
        """Keep the columns of one set.

        Parameters
        ----------
        X : array-like of shape (n_rows, n_features_in)
        alternative : int or FeatureSet, optional
            Number of the set, or a set, such as one of `front_set`. The default is that of the
            constructor.

        Returns
        -------
        array of shape (n_rows, n_features)
            Or a frame, as `set_output` says.
        """
        chosen, table = self._showing(alternative), read_table(X)
        library = _get_output_config("transform", self)["dense"]
        if library != "default" and type(X).__module__.startswith(library):
            # The columns keep their types.
            validate_data(self, table.data, reset=False, skip_check_array=True)
            kept = [X.columns[j] for j in chosen.get_support(indices=True)]
            return X[kept]
        try:
            return SelectorMixin.transform(chosen, as_it_is(table))
        except ValueError:
            if not get_tags(self).input_tags.allow_nan:
                check_finite(table)
            raise

    def fit_transform(
        self,
        X: Any,
        y: Any = None,
        *,
        alternative: int | FeatureSet | None = None,
        **fit_params: Any,
    ) -> Any:
        """Find the sets, and keep the columns of one of them.

        Parameters
        ----------
        X : array-like of shape (n_rows, n_features_in)
        y : array-like of shape (n_rows,)
        alternative : int or FeatureSet, optional
            Number of the set, or a set, such as one of `front_set`. The default is that of the
            constructor.
        **fit_params : dict
            See `fit`.

        Returns
        -------
        array of shape (n_rows, n_features)
            Or a frame, as `set_output` says.
        """
        return self.fit(X, y, **fit_params).transform(X, alternative=alternative)

    def inverse_transform(self, X: Any, *, alternative: int | FeatureSet | None = None) -> Any:
        """Put the columns of one set back in their places, with zeros elsewhere.

        Parameters
        ----------
        X : array-like of shape (n_rows, n_features)
        alternative : int or FeatureSet, optional

        Returns
        -------
        array of shape (n_rows, n_features_in)
        """
        return SelectorMixin.inverse_transform(self._showing(alternative), X)

    def get_feature_names_out(
        self, input_features: Any = None, *, alternative: int | FeatureSet | None = None
    ) -> npt.NDArray[np.object_]:
        """Return the names of the columns that `transform` returns.

        Parameters
        ----------
        input_features : array-like of str, optional
            As in scikit-learn's selectors.
        alternative : int or FeatureSet, optional
            Number of the set, or a set, such as one of `front_set`. The default is that of the
            constructor.

        Returns
        -------
        ndarray of object of shape (n_features,)
        """
        chosen = self._showing(alternative)
        return SelectorMixin.get_feature_names_out(chosen, input_features)  # type: ignore[no-any-return]

    def to_frame(self) -> pd.DataFrame:
        """Return the sets as a table.

        Returns
        -------
        DataFrame
            A row per set, in the order of ``feature_sets_``: set_index,
            feature_names, selected (indices), train_objective, bound, status,
            and dissimilarity to the original set.
        """
        self._check_sets()
        return as_frame(dict(enumerate(self.feature_sets_)), list(self.dissimilarities_[0]))

    def _get_support_mask(self) -> npt.NDArray[np.bool_]:
        shown = self._showing(None).alternative
        return (shown if isinstance(shown, FeatureSet) else self.feature_sets_[shown]).mask

    def _check_sets(self) -> None:
        """Check that there are sets."""
        check_is_fitted(self)
        if not hasattr(self, "feature_sets_"):
            raise NoFeatureSetError(self.shortfall_)

    def _showing(self, alternative: int | FeatureSet | None) -> Self:
        """Return an estimator whose methods mean one set by default."""
        self._check_sets()
        alternative = self.alternative if alternative is None else alternative
        if isinstance(alternative, FeatureSet):
            if len(alternative.mask) != len(self.feature_sets_[0].mask):
                raise AltfsError(
                    "alternative",
                    f"the set is one of {len(alternative.mask)} columns, not of "
                    f"{len(self.feature_sets_[0].mask)}",
                    "use a set of this estimator",
                )
        else:
            why = f": {self.shortfall_}" if self.shortfall_ else ""
            check_place("alternative", alternative, len(self.feature_sets_), why)
            alternative = int(alternative)
        if alternative is self.alternative:
            return self
        chosen = copy(self)
        chosen.alternative = alternative
        return chosen
