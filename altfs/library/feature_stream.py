"""Several feature sets while columns arrive in batches."""

from __future__ import annotations

import warnings
from bisect import bisect_right
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
import numpy.typing as npt

from altfs._numbers import check_whole
from altfs.datasets.base import Task
from altfs.datasets.table import make_target
from altfs.errors import AltfsError, DataWarning
from altfs.library import inputs
from altfs.library.feature_sets import FeatureSet, frame_of_stream
from altfs.library.request import overlap_asked
from altfs.library.tables import numbers_in
from altfs.problem.overlap import Dissimilarity, Tau
from altfs.problem.results import NAN, Status
from altfs.searches.request import UNLIMITED
from altfs.selectors.streaming import StreamingSelector
from altfs.streams import Cascade, Column

if TYPE_CHECKING:
    import pandas as pd


class FeatureStream:
    """Several feature sets that are kept up to date while columns arrive.

    Set 0 is that of the selector alone, after every column. What a set refuses or drops is
    offered to the next one. So there are alternatives at every moment, in one pass, and only the
    columns of the sets are kept in memory. A pickled stream goes on where it was.

    Parameters
    ----------
    selector : str, mapping, StreamingSelector or type
        "saola", "group_saola", "osfs", "fast_osfs", "alpha_investing", "grafting", "ossfs_dd",
        "ofs_a3m" or "ofs_density", ``{"type": ..., "options": {...}}``, or such a class or
        object. Columns are judged in the order in which they are added.
    n_alternatives : int, default=1
        Number of sets beyond the original one, at least 0.
    tau : float, str or Fraction, optional
        Smallest dissimilarity of any two sets, in [0, 1]. The default is 0.4, unless
        `max_overlap` is given. The sets share as many features of set 0 as this allows.
    max_overlap : int, optional
        Largest number of features that two sets share, in place of `tau`.
    n_features : int or "unlimited", optional
        Largest size of a set. If a set is larger, its own feature with the least dependence on
        the target goes on to the next set. By default there is no limit.
    dissimilarity : {"dice", "jaccard"}, default="dice"
        The measure of `tau`.
    task : {"auto", "classification", "regression"}, default="auto"
        The type of y, as in :class:`AlternativeFeatures`.
    random_state : int, RandomState instance or None, default=0
        The seed of samples of rows and of random orders.

    Attributes
    ----------
    feature_sets_ : list of FeatureSet
        The sets as they are now, the original one first; empty ones are left out. Their bound
        is NaN, because they are not compared with other sets.
    names_ : list of str
        The names of the columns so far.

    See Also
    --------
    AlternativeFeatures : The same for a table: ``AlternativeFeatures("saola").fit(X, y)``.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from altfs import FeatureStream
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> stream = FeatureStream("saola", tau=1).start(y)
    >>> for first in range(0, 30, 10):
    ...     _ = stream.add(X.iloc[:, first : first + 10])
    >>> for found in stream.finish().feature_sets_:
    ...     print(*found.names, sep=", ")
    worst texture, worst concave points
    mean texture, worst perimeter, worst concavity
    """

    def __init__(
        self,
        selector: Any = "saola",
        *,
        n_alternatives: int = 1,
        tau: Tau | None = None,
        max_overlap: int | None = None,
        n_features: int | Literal["unlimited"] | None = None,
        dissimilarity: Dissimilarity = "dice",
        task: Task = "auto",
        random_state: Any = 0,
    ) -> None:
        self.selector = selector
        self.n_alternatives = n_alternatives
        self.tau = tau
        self.max_overlap = max_overlap
        self.n_features = n_features
        self.dissimilarity = dissimilarity
        self.task = task
        self.random_state = random_state

    def start(self, y: Any) -> Self:
        """Begin a stream, and forget an earlier one.

        Parameters
        ----------
        y : array-like of shape (n_rows,)
            Classes (numbers or text) or numbers.

        Returns
        -------
        self

        Raises
        ------
        AltfsError
            If a parameter is outside its range, or the selector cannot handle the target.
        """
        inputs.check_parameters((), None, self.task, "refuse", None, 0)
        seed = inputs.seed_of(self.random_state)
        selector = inputs.as_they_come(
            "selector", self.selector, StreamingSelector,
            "does not read columns one by one, use one such as 'saola', or AlternativeFeatures for "
            "this one",
        )  # fmt: skip
        overlap = overlap_asked(self.n_alternatives, self.tau, self.max_overlap, self.dissimilarity)
        largest = None
        if self.n_features is not None and self.n_features != UNLIMITED:
            check_whole("n_features", self.n_features, 1)
            largest = int(self.n_features)
        found = make_target(_target(y), self.task, "target y")
        target = found.y
        method = selector.method(target, found.type, seed)
        self._cascade = Cascade(method, self.n_alternatives + 1, overlap, largest)
        self._n_rows = len(target)
        self._finished = False
        self._names = _Names()
        return self

    def add(self, columns: Any, names: Sequence[str] | None = None) -> Self:
        """Judge columns, one after the other.

        Parameters
        ----------
        columns : array-like of shape (n_rows, n_columns) or (n_rows,)
            Finite numbers; numpy, pandas or polars. They are not written to.
        names : sequence of str, optional
            Names of the columns, by default those of a frame, or "x0", "x1", ... by their
            place in the stream.

        Returns
        -------
        self

        Raises
        ------
        AltfsError
            If the columns cannot be used. Then none of them is judged.
        """
        self._check_open()
        given = _names_of(columns) if names is None else list(names)
        X = _numbers_of(columns)
        if X.shape[0] != self._n_rows:
            raise AltfsError(
                f"columns: {X.shape[0]} rows are not allowed, every column needs {self._n_rows}, "
                "as many as the target."
            )
        known = self._names.followed_by(given, X.shape[1])
        _check_finite(X, known, len(self._names))
        wanted = self._cascade.method.expected
        self._cascade.add(X, names=known[len(self._names) :] if wanted else ())
        self._names = known
        return self

    def finish(self) -> Self:
        """Decide on all columns that wait, such as the pool of "ossfs_dd".

        Returns
        -------
        self
        """
        self._check_open()
        if missing := self._cascade.method.expected - set(self._names[:]):
            warnings.warn(
                f"groups: '{min(missing)}' is not the name of a column of the stream, its group is "
                "judged without it.",
                DataWarning,
                stacklevel=2,
            )
        self._cascade.finish()
        self._finished = True
        return self

    @property
    def names_(self) -> list[str]:
        """The names of the columns so far."""
        self._check_started()
        return self._names[:]

    @property
    def feature_sets_(self) -> list[FeatureSet]:
        """The sets as they are now."""
        self._check_started()
        return [self._as_set(one) for one in self._cascade.sets if one]

    def to_frame(self) -> pd.DataFrame:
        """Return the sets as a table.

        Returns
        -------
        DataFrame
            A row per set that is not empty: set_index, feature_names, selected (places in the
            stream), train_objective, status, and dissimilarity to the original set.
        """
        self._check_started()
        first = [column.number for column in self._cascade.states[0].columns]
        sets = {i: self._as_set(one) for i, one in enumerate(self._cascade.sets) if one}
        return frame_of_stream(sets, first, self.dissimilarity)

    def trace(self) -> pd.DataFrame:
        """Return all decisions so far.

        Returns
        -------
        DataFrame
            A row per decision: seen (the number of columns so far), feature, set_index (the set
            that decided), and event: "kept", "passed on" to the next set, or "dropped" for
            good. Columns that are independent of the target are dropped by set 0.
        """
        import pandas as pd

        self._check_started()
        # Columns that wait have no decision yet, and are not dropped.
        known = {event.column for event in self._cascade.events} | self._cascade.waiting
        dropped = [(j + 1, j, 0, "dropped") for j in range(len(self._names)) if j not in known]
        # A stable sort keeps the order of the decisions on one column.
        events = sorted([*self._cascade.events, *dropped], key=lambda event: event[0])
        frame = pd.DataFrame(events, columns=["seen", "feature", "set_index", "event"])
        names = self.names_
        frame["feature"] = [names[j] for j in frame["feature"]]
        return frame

    def _as_set(self, columns: list[Column]) -> FeatureSet:
        chosen = tuple(sorted(column.number for column in columns))
        mask = np.zeros(len(self._names), dtype=bool)
        mask[list(chosen)] = True
        quality = self._cascade.method.quality(columns)
        names = tuple(self._names.of(j) for j in chosen)
        return FeatureSet(names, chosen, mask, quality, NAN, Status.FEASIBLE)

    def _check_started(self) -> None:
        if not hasattr(self, "_cascade"):
            raise AltfsError("y: the stream has no target yet, call start(y) first.")

    def _check_open(self) -> None:
        self._check_started()
        if self._finished:
            raise AltfsError("columns: the stream is finished, call start(y) for a new one.")


class _Names:
    """The names of columns in batches, of which those without a name need no memory."""

    def __init__(self) -> None:
        # The first column of each batch, and its names; None for "x0", "x1", ...
        self.batches: list[tuple[int, list[str] | None]] = []
        self.taken: set[str] = set()
        self.length = 0

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, places: slice) -> list[str]:
        return [self.of(j) for j in range(self.length)[places]]

    def of(self, column: int) -> str:
        """Return the name of a column."""
        batch = bisect_right(self.batches, column, key=lambda one: one[0]) - 1
        start, names = self.batches[batch]
        return f"x{column}" if names is None else names[column - start]

    def followed_by(self, names: list[str] | None, width: int) -> _Names:
        """Return the names with those of one more batch, after a check."""
        both = _Names()
        both.batches = [*self.batches, (self.length, names)]
        both.taken = self.taken
        both.length = self.length + width
        if names is None:
            own = (name for name in self.taken if name[:1] == "x" and name[1:].isdecimal())
            clash = [name for name in own if self.length <= int(name[1:]) < both.length]
            if clash:
                raise _duplicate(clash[0])
            return both
        if len(names) != width:
            raise AltfsError(f"names: {len(names)} for {width} columns, give one for each.")
        both.taken = set(self.taken)
        for name in names:
            if not isinstance(name, str):
                raise AltfsError(f"names: {name!r} is not allowed, use text.")
            if name in both.taken or self._is_default(name):
                raise _duplicate(name)
            both.taken.add(name)
        return both

    def _is_default(self, name: str) -> bool:
        """Tell whether a column without a name has this one."""
        if name[:1] != "x" or not name[1:].isdecimal():
            return False
        return int(name[1:]) < self.length and self.of(int(name[1:])) == name


def _duplicate(name: str) -> AltfsError:
    return AltfsError(f"names: '{name}' is the name of two columns, every column needs its own.")


def _target(y: Any) -> pd.Series[Any]:
    import pandas as pd
    from sklearn.utils import column_or_1d

    return pd.Series(column_or_1d(y))


def _names_of(columns: Any) -> list[str] | None:
    """Return the names of a frame's columns or of a series; None for an array."""
    found = getattr(columns, "columns", [getattr(columns, "name", None)])
    # Numbers are pandas' places of columns without names.
    return list(map(str, found)) if any(isinstance(name, str) for name in found) else None


def _numbers_of(columns: Any) -> npt.NDArray[Any]:
    X = numbers_in(columns, "columns")
    X = X[:, None] if X.ndim == 1 else X
    if X.ndim != 2:
        raise AltfsError(f"columns: shape {X.shape} is not allowed, use (n_rows, n_columns).")
    return X


def _check_finite(X: npt.NDArray[Any], names: _Names, start: int) -> None:
    if X.dtype.kind != "f":
        return
    with np.errstate(over="ignore", invalid="ignore"):
        # A sum is fast, and finite if all numbers are and none is huge.
        if np.isfinite(X.sum(dtype=np.float64)):
            return
    bad = ~np.isfinite(X).all(axis=0)
    if bad.any():
        raise AltfsError(
            f"columns: '{names.of(start + int(bad.argmax()))}' has missing or infinite values, "
            "fill them or leave the column out."
        )
