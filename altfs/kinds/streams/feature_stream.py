"""Several feature sets while columns arrive in batches."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.sparse import issparse

from altfs._numbers import check_matrix, check_whole
from altfs.datasets.base import Task
from altfs.datasets.columns import ColumnOptions, Missing, encode, encode_numbers
from altfs.datasets.missing import filled, substitutes
from altfs.datasets.table import make_target
from altfs.errors import AltfsError, DataError, DataWarning, placed
from altfs.kinds.streams.cascade import Cascade
from altfs.kinds.streams.streamed_sets import StreamedSets
from altfs.kinds.streams.streaming_selector import StreamingSelector
from altfs.library import inputs
from altfs.library.feature_sets import feature_set
from altfs.library.tables import plain_array, read_table, read_target
from altfs.problem.results import NAN, FeatureSet, Status
from altfs.searches.request import UNLIMITED
from altfs.selectors.base import check_categories

# A sum of this size needs a closer look at the numbers.
_SMALL = 1e30


@dataclass(eq=False, repr=False)
class FeatureStream(StreamedSets):
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
    n_alternatives, tau, max_overlap, dissimilarity
        As in :class:`AlternativeFeatures`. The sets share as many features of set 0 as these allow.
    n_features : int or "unlimited", optional
        Largest size of a set. If a set is larger, its feature with the least dependence on the
        target goes on to the next set. By default there is no limit.
    missing : {"refuse", "impute"}, default="refuse"
        What to do with missing values. "impute" puts the median of the column in their place.
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
    >>> for features in stream.finish().feature_sets_:
    ...     print(*features.names, sep=", ")
    worst texture, worst concave points
    mean texture, worst perimeter, worst concavity
    """

    selector: Any = "saola"
    _: KW_ONLY
    n_features: int | Literal["unlimited"] | None = None
    missing: Missing = "refuse"
    task: Task = "auto"

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
        inputs.check_parameters((), self.task, self.missing, None, 0)
        if self.missing == "as_category":
            reason = "'as_category' is not possible, as streams take no categories"
            raise AltfsError("missing", reason, "use 'impute' or 'refuse'")
        selector, overlap, seed = self._checked(
            "selector", StreamingSelector,
            "does not read columns one by one, use one such as 'saola', or AlternativeFeatures for "
            "this one",
        )  # fmt: skip
        largest = None
        if self.n_features is not None and self.n_features != UNLIMITED:
            check_whole("n_features", self.n_features, 1)
            largest = int(self.n_features)
        target = make_target(read_target(y), self.task, "target y")
        reader = selector.begin(target.y, target.type, seed)
        self._cascade = Cascade(reader, self.n_alternatives + 1, overlap, largest)
        self._n_rows = len(target.y)
        self._finished = False
        # A dict without values, which finds names and keeps their order.
        self._names: dict[str, None] = {}
        return self

    def add(self, columns: Any, names: Sequence[str] | None = None) -> Self:
        """Judge columns, one after the other.

        Parameters
        ----------
        columns : array-like of shape (n_rows, n_columns) or (n_rows,)
            Numbers, true and false, or dates (days since 1970), in numpy, pandas, polars or
            Arrow. They are not written to.
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
        data, labels = _table_of(columns, len(self._names))
        if len(data) != self._n_rows:
            raise AltfsError(
                "columns",
                f"{len(data)} rows are not allowed, every column needs {self._n_rows}, as many as "
                "the target",
            )
        labels = labels if names is None else list(names)
        new = self._new_names(labels, data.shape[1])
        X = data if _is_plain(data) else self._numbers(data, labels)
        self._cascade.add(X, names=labels)
        self._names |= new
        return self

    def _new_names(self, names: list[str], n_columns: int) -> dict[str, None]:
        """Return the names of new columns, or raise an AltfsError."""
        if len(names) != n_columns:
            raise AltfsError("names", f"{len(names)} for {n_columns} columns", "give one for each")
        new: dict[str, None] = {}
        for name in names:
            if not isinstance(name, str):
                raise AltfsError.of_value("names", name, "use text")
            if name in new or name in self._names:
                raise AltfsError(
                    "names", f"'{name}' is the name of two columns, every column needs its own"
                )
            new[name] = None
        return new

    def _numbers(self, data: Any, names: list[str]) -> npt.NDArray[np.float64]:
        """Return columns as numbers without gaps; a DataError if that is not possible."""
        with placed("columns"):
            if isinstance(data, np.ndarray):
                columns = encode_numbers(data, names, self.missing)
            else:
                frame = data.set_axis(names, axis="columns")
                columns = encode(frame, ColumnOptions(missing=self.missing))
        check_categories(self._cascade.reader, names, columns.categorical)
        X = columns.X
        return filled(X, substitutes(X, columns.categorical)) if np.isnan(X).any() else X

    def finish(self) -> Self:
        """Decide on all columns that wait, such as the pool of "ossfs_dd".

        Returns
        -------
        self
        """
        self._check_open()
        expected = self._cascade.reader.expected
        if missing := expected - self._names.keys():
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
        return list(self._names)

    def trace(self) -> pd.DataFrame:
        """Return all decisions so far.

        Returns
        -------
        DataFrame
            A row per decision: seen (the number of columns so far), feature, set_index (the set
            that decided), and event: "kept", "passed on" to the next set, or "dropped" for
            good. Columns that are independent of the target are dropped by set 0.
        """
        self._check_started()
        # Columns that wait have no decision yet, and are not dropped.
        others = {event.column for event in self._cascade.events} | self._cascade.waiting
        dropped = [(j + 1, j, 0, "dropped") for j in range(len(self._names)) if j not in others]
        # A stable sort keeps the order of the decisions on one column.
        events = sorted([*self._cascade.events, *dropped], key=lambda event: event[0])
        frame = pd.DataFrame(events, columns=["seen", "feature", "set_index", "event"])
        names = self.names_
        frame["feature"] = [names[j] for j in frame["feature"]]
        return frame

    def _sets(self) -> dict[int, FeatureSet]:
        names, reader = self.names_, self._cascade.reader
        return {
            i: feature_set(
                sorted(column.number for column in columns),
                names,
                reader.quality_of(columns),
                NAN,
                Status.FEASIBLE,
            )
            for i, columns in enumerate(self._cascade.sets)
            if columns
        }

    def _check_started(self) -> None:
        if not hasattr(self, "_cascade"):
            raise AltfsError("y", "the stream has no target yet", "call start(y) first")

    def _check_open(self) -> None:
        self._check_started()
        if self._finished:
            raise AltfsError("columns", "the stream is finished", "call start(y) for a new one")


def _is_plain(data: Any) -> bool:
    """Tell whether a table is an array without missing, infinite or huge numbers, by one sum."""
    if not isinstance(data, np.ndarray) or data.dtype != np.float64:
        return False
    with np.errstate(over="ignore", invalid="ignore"):
        # False for NaN.
        return bool(abs(data.sum()) < _SMALL)


def _table_of(columns: Any, start: int) -> tuple[Any, list[str]]:
    """Return columns as an array of floats or a frame, and their names.

    The labels 0, 1, ..., and those that are the places in the stream, are not names.
    """
    if hasattr(columns, "to_frame") and hasattr(columns, "name"):
        # A Series is one column.
        named = isinstance(columns.name, str) and columns.name != ""
        columns = columns.to_frame() if named else columns.to_numpy()
    if issparse(columns):
        raise DataError("columns", "sparse ones are not taken", "use columns.toarray()")
    table = read_table(columns, "columns")
    data = table.data if table.is_frame else plain_array(table.data, "columns")
    if not isinstance(data, pd.DataFrame):
        array = np.asarray(data)
        array = array[:, None] if array.ndim == 1 else array
        check_matrix("columns", array.shape)
        if array.dtype.kind in "biuf":
            return array.astype(np.float64, copy=False), _default_names(start, array.shape[1])
        data = pd.DataFrame(array)
    names, width = list(map(str, data.columns)), data.shape[1]
    places = [[str(first + j) for j in range(width)] for first in (0, start)]
    return data, _default_names(start, width) if names in places else names


def _default_names(start: int, number: int) -> list[str]:
    return [f"x{j}" for j in range(start, start + number)]
