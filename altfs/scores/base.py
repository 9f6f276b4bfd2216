"""Parts of a dataset (training or test), and the scores of a part."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar
from uuid import uuid4

import numpy as np
import numpy.typing as npt
from scipy.sparse import issparse

from altfs.datasets.missing import filled, substitutes, takes_missing
from altfs.registry import Registry
from altfs.scores._levels import Levels, columns_of, content_key

_PRIME = 1_000_003


@dataclass(frozen=True, order=True)
class ScoreKey:
    """The name of one score: its kind and, if there are several, its variant.

    Examples
    --------
    >>> str(ScoreKey("relevance")), str(ScoreKey("relevance", "classification"))
    ('relevance', 'relevance-classification')
    """

    kind: str
    variant: str = "auto"

    @property
    def score(self) -> Score:
        """The score itself."""
        return scores.get(self.kind)()

    @property
    def of_pairs(self) -> bool:
        """True for a matrix of feature pairs, whose columns are computed in parts."""
        return scores.get(self.kind).of_pairs

    @property
    def starts_from(self) -> tuple[ScoreKey, ...]:
        """The scores that have to be computed before it."""
        return tuple(ScoreKey(kind, self.variant) for kind in scores.get(self.kind).starts_from)

    def __str__(self) -> str:
        return self.kind if self.variant == "auto" else f"{self.kind}-{self.variant}"


@dataclass
class Part:
    """Rows of a dataset, with the scores of its features that have been computed.

    Parameters
    ----------
    X : ndarray of shape (n_rows, n_total)
        If values are missing (NaN), the median of the part's column takes their place, or
        the most frequent category. Selectors with `takes_sparse` may get a sparse CSC matrix
        without missing values.
    y : ndarray of shape (n_rows,)
    target_type : {"binary", "multiclass", "regression"}
    seed : int
        Random state of all computations on the part.
    scores : dict of ScoreKey to ndarray
        Computed scores; the others are computed on the first access.
    names : tuple of str
        Names of the features; empty if they are unknown.
    categorical : ndarray of bool of shape (n_total,)
        The features that are categories; none by default.
    groups : ndarray of int of shape (n_rows,), optional
        The group of each row. Rows of a group are learned from together or held out together.
    times : ndarray of shape (n_rows,), optional
        The time of each row, in place of groups. Held-out rows are later than those that are
        learned from.
    """

    X: npt.NDArray[np.float64]
    y: npt.NDArray[Any]
    target_type: str
    seed: int
    scores: dict[ScoreKey, npt.NDArray[Any]] = field(default_factory=dict)
    names: tuple[str, ...] = ()
    categorical: npt.NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, dtype=bool))
    groups: npt.NDArray[np.int64] | None = None
    times: npt.NDArray[Any] | None = None

    def __post_init__(self) -> None:
        if not self.categorical.size:
            self.categorical = np.zeros(self.X.shape[1], dtype=bool)
        #: The features with their missing values.
        self.incomplete = self.X
        if not issparse(self.X) and np.isnan(self.X.min(initial=0.0)):
            # The smallest value is NaN if any is.
            self.X = filled(self.X, self._substitutes)

    def __dask_tokenize__(self) -> str:
        """Return a new name whenever Dask asks for one.

        Dask names data by their content. If equal rows are sent twice, as in a grid search, the
        first ones may be released while the second ones arrive, and the jobs lose their data.
        """
        return uuid4().hex

    @cached_property
    def levels(self) -> list[Levels]:
        """The features as the places of their values."""
        pairs = zip(columns_of(self.X), self.categorical, strict=True)
        return [Levels.of(column, bool(is_category)) for column, is_category in pairs]

    @cached_property
    def _substitutes(self) -> npt.NDArray[np.float64]:
        return substitutes(self.incomplete, self.categorical)

    def rows_for(self, estimator: Any, *, as_in: Part | None = None) -> npt.NDArray[np.float64]:
        """Return the rows for an estimator: with missing values if it takes them.

        Parameters
        ----------
        estimator : scikit-learn estimator
        as_in : Part, optional
            The part whose values take the place of missing ones, in place of this one.

        Returns
        -------
        ndarray of shape (n_rows, n_total)
        """
        if self.incomplete is self.X:
            return self.X
        if takes_missing(estimator):
            return self.incomplete
        return self.X if as_in is None else filled(self.incomplete, as_in._substitutes)

    def canonical_rows(self) -> npt.NDArray[np.int64]:
        """Return the rows in an order that depends neither on their order nor on that of columns.

        It is the same for columns that rise or fall in the same way.
        """
        n = len(self.y)
        first, second = np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64)
        for levels in self.levels:
            distance = np.abs(levels.places - (n - 1))[levels.codes]
            first += distance
            second += distance * distance % _PRIME
        return np.lexsort((self.y, second, first))

    def canonical_columns(self, columns: Sequence[int]) -> list[int]:
        """Return columns in an order that depends on their values, and not on their places."""
        rows = self.canonical_rows()
        return sorted(columns, key=lambda j: content_key(self.levels[j].codes[rows]))

    def with_target(self, y: npt.NDArray[Any]) -> Part:
        """Return the same rows with another target, and the scores that do not depend on it."""
        part = replace(self, y=y)
        part.__dict__["levels"] = self.levels
        part.scores = {k: v for k, v in self.scores.items() if not k.score.of_target(k.variant)}
        return part

    def without_values(self, columns: Collection[int]) -> Part:
        """Return a part whose columns of these numbers are constant, without scores.

        It tells of the rows what a part without these columns would, such as their order.
        Sparse columns are kept.
        """
        if not columns or issparse(self.X):
            return self
        X, categorical, chosen = self.incomplete.copy(), self.categorical.copy(), list(columns)
        X[:, chosen], categorical[chosen] = 0.0, False
        return replace(self, X=X, categorical=categorical, scores={})

    def with_rows(self, rows: npt.NDArray[np.int64]) -> Part:
        """Return some of the rows, without scores."""
        groups = None if self.groups is None else self.groups[rows]
        times = None if self.times is None else self.times[rows]
        X, y = self.incomplete[rows], self.y[rows]
        return replace(self, X=X, y=y, scores={}, groups=groups, times=times)

    def with_columns(self, kept: Sequence[int]) -> Part:
        """Return a part with some columns, not sparse, and their scores of features."""
        chosen = list(kept)
        X = self.incomplete[:, chosen]
        names = tuple(self.names[j] for j in chosen) if self.names else ()
        return replace(
            self,
            X=dense(X),
            scores={k: v[chosen] for k, v in self.scores.items() if not k.of_pairs},
            names=names,
            categorical=self.categorical[chosen],
        )

    def score(self, key: ScoreKey) -> npt.NDArray[Any]:
        """Return a score of the part: one value per feature, or a matrix.

        Parameters
        ----------
        key : ScoreKey

        Returns
        -------
        ndarray of shape (n_total,) or (n_total, n_total)

        Raises
        ------
        DataError
            If the part has too few rows for it.
        """
        if key not in self.scores:
            values = self.compute(key, range(self.X.shape[1]))
            self.scores[key] = key.score.whole(values)
        return self.scores[key]

    def compute(self, key: ScoreKey, columns: range) -> npt.NDArray[Any]:
        """Compute a score, or some columns of a matrix for :meth:`Score.whole`."""
        return key.score.compute(self, columns, key.variant)


def dense(X: Any) -> npt.NDArray[np.float64]:
    """Return a matrix that may be sparse as an array."""
    array: npt.NDArray[np.float64] = X.toarray() if issparse(X) else X
    return array


class Score(ABC):
    """The base class of values of all features, or of all their pairs, that selectors share.

    A study computes every score once per fold and stores it.

    Attributes
    ----------
    name : str
        Set by the registry: small letters, digits and ``_``.
    of_pairs : bool, default=False
        True for a matrix with a column for each feature, such as that of all pairs. A study
        computes its columns in parts.
    sparse : bool, default=False
        True for a matrix in which nearly all values are equal. Its file is small.
    variants : tuple of str
        The allowed variants, of small letters; the first one is the default.
    any_variant : bool, default=False
        True if a variant can also be a text of small letters, digits and ``_``, which the
        score reads.
    starts_from : tuple of str
        Kinds of other scores that `compute` needs, in the same variant.
    bytes_per_pair : int, default=0
        The memory that a matrix of pairs needs at its peak, for each pair of features, with the
        quality that is learned from it.
    """

    name: ClassVar[str]
    of_pairs: ClassVar[bool] = False
    sparse: ClassVar[bool] = False
    variants: ClassVar[tuple[str, ...]] = ("auto",)
    any_variant: ClassVar[bool] = False
    starts_from: ClassVar[tuple[str, ...]] = ()
    bytes_per_pair: ClassVar[int] = 0

    @abstractmethod
    def compute(self, part: Part, columns: range, variant: str) -> npt.NDArray[Any]:
        """Compute the score on a part.

        Parameters
        ----------
        part : Part
        columns : range
            The features whose columns of a matrix are computed. The values must not depend on
            the other columns of the range. A score of single features ignores it.
        variant : str
            One of `variants`, or a text if `any_variant` is true.

        Returns
        -------
        ndarray of shape (n_total,) or, for a matrix, (n, len(columns))
            In a matrix of pairs n is n_total.

        Raises
        ------
        DataError
            If the part has too few rows.
        """

    def whole(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return the score from all its columns in order."""
        return values

    def of_target(self, variant: str) -> bool:
        """Return True if the score depends on the target, as nearly all do."""
        return True

    def other_code(self, variant: str) -> tuple[str, ...]:
        """Return the modules of other components that the values of a variant depend on."""
        return ()

    def toy(self, n_total: int, variant: str = "auto") -> npt.NDArray[Any]:
        """Return possible values of the score without computing it."""
        return np.ones((n_total,) * (2 if self.of_pairs else 1))

    def check_rows(self, n_rows: int) -> None:
        """Check that there are enough rows; the default is any number.

        Raises
        ------
        DataError
            If there are too few rows.
        """
        return None


scores: Registry[Score] = Registry("altfs.scores", "score")
