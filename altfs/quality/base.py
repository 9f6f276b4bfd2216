"""The base of all qualities."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from altfs.errors import AltfsError, DataError

if TYPE_CHECKING:
    import pyarrow as pa

#: Key of a stored quality's kind and scalars in the metadata of its table's schema.
TABLE_KEY = b"altfs.quality"


@dataclass(frozen=True)
class Measure:
    """The worth of a quality of 1 in a unit of its own.

    Attributes
    ----------
    unit : str
        Such as "bits".
    size : float
        The number of units.
    """

    unit: str
    size: float

    def words(self, value: float) -> str:
        """Return a quality in the unit, with three significant digits.

        >>> Measure("bits", 0.5).words(0.25)
        '0.125 bits'
        """
        return f"{value * self.size:.3g} {self.unit}"


class Quality(ABC):
    """The quality of feature sets; larger is better.

    Attributes
    ----------
    additive : bool
        True if the quality of a set is the sum of a value of each feature. Exact solvers
        then honour a quality floor.
    conflicts : ndarray of bool of shape (n_total, n_total), or None
        Pairs of features that must not be selected together; symmetric. None if there are
        none, or if the quality excludes sets by another rule (:meth:`allows`).
    exact : bool, default=False
        True if exact solvers find its best set: it is made of numbers of features and pairs.
    one_pass : bool, default=False
        True if its sets are found in one pass over the data, and not compared with all others.
    needs_size : bool, default=True
        False if its sets may have any number of features.
    measure : Measure or None, default=None
        The unit of what the quality is a share of, if a selector knows it. It is not stored.
    """

    measure: Measure | None = None
    additive: ClassVar[bool] = False
    exact: ClassVar[bool] = False
    one_pass: ClassVar[bool] = False
    needs_size: ClassVar[bool] = True
    conflicts: npt.NDArray[np.bool_] | None = None

    @property
    def feature_relevance(self) -> npt.NDArray[np.float64] | None:
        """The relevance of single features, of shape (n_total,); None if there is none."""
        return None

    @property
    @abstractmethod
    def n_total(self) -> int:
        """Number of features to choose from (the paper's n)."""

    @property
    def max_evaluations(self) -> int | None:
        """The largest number of sets that a search may evaluate; None if there is no limit.

        Examples
        --------
        >>> from altfs.quality import BlackBox, Linear
        >>> Linear([1, 2]).max_evaluations, BlackBox(len, 2, max_iterations=50).max_evaluations
        (None, 50)
        """
        return None

    @abstractmethod
    def evaluate(self, indices: Sequence[int]) -> float:
        """Return the quality of one feature set, given by its feature indices."""

    def allows(self, indices: Sequence[int]) -> bool:
        """Return True if the quality itself permits this feature set."""
        return True

    def under(self, include: Sequence[int] = (), exclude: Sequence[int] = ()) -> Quality:
        """Return the same quality for sets that satisfy the constraints.

        No value differs; the integers in which exact solvers compare sets may.
        """
        return self

    def beside(self, sets: Sequence[Sequence[int]]) -> Quality:
        """Return the quality of a set after some others, which make no difference by default."""
        return self

    @classmethod
    def mean(cls, qualities: Sequence[Self]) -> Self:
        """Return the quality whose numbers are the means of those of several ones of this class.

        Raises
        ------
        DataError
            If a quality is not made of numbers of features and pairs.
        """
        raise DataError(
            "selector",
            "a mean needs qualities that are made of numbers of features or pairs",
            "use selectors such as mutual_information or mrmr",
        )

    def reaches(self, indices: Sequence[int], floor: float) -> bool:
        """Return True if a feature set is at least as good as `floor`."""
        return self.evaluate(indices) >= floor

    def exact_values(self, sets: Sequence[Sequence[int]]) -> list[Fraction]:
        """Return the values of sets of one size in the numbers in which solvers compare sets.

        Solvers of sets of several sizes compare these numbers between sizes, too.

        Examples
        --------
        >>> from altfs.quality import Pairwise
        >>> Pairwise([1, 1], [[0, 1], [1, 0]]).exact_values([(0, 1)])
        [Fraction(0, 1)]
        """
        return [Fraction(self.evaluate(chosen)) for chosen in sets]

    def bound(self, n_features: int) -> float:
        """Return an upper bound of the quality of all feature sets of a size.

        It is fast to compute and not tight. It is infinity for an unknown quality.

        Parameters
        ----------
        n_features : int
            From 1 to the number of features.

        Returns
        -------
        float

        Examples
        --------
        >>> from altfs.quality import Linear
        >>> Linear([0.5, 0.25, 1.0]).bound(2)
        1.5
        """
        return inf

    def bounds_of(self, sets: Sequence[Sequence[int]]) -> list[float]:
        """Return upper bounds of the qualities of feature sets, which cost less than these.

        They are infinity if none is known.
        """
        return [inf] * len(sets)

    def to_table(self) -> pa.Table:
        """Return the quality as a table, from which :func:`altfs.quality.from_table` restores it.

        Returns
        -------
        pyarrow.Table
            A row per feature; see :mod:`altfs.quality.stored` for the columns.

        Raises
        ------
        AltfsError
            If the quality is more than numbers of features and pairs, such as a black box.

        Examples
        --------
        >>> from altfs.quality import Linear, from_table
        >>> table = Linear([0.5, 0.25]).to_table()
        >>> table.column_names, from_table(table).evaluate([0, 1])
        (['value'], 0.75)
        """
        reason = f"a {type(self).__name__} cannot be stored as a table"
        raise AltfsError("quality", reason, "store one of Linear, Pairwise and Ratio")


def as_table(kind: str, scalars: dict[str, Any], **columns: npt.NDArray[Any]) -> pa.Table:
    """Return the table of a quality; a boolean matrix is stored as lists of column numbers."""
    import pyarrow as pa

    # Parquet's own name of the field, so that rewritten files have the same bytes.
    numbers = pa.list_(pa.field("element", pa.float64()))
    places = pa.list_(pa.field("element", pa.int32()))
    arrays = {}
    for name, values in columns.items():
        if values.dtype == np.bool_:
            arrays[name] = pa.array([np.flatnonzero(row) for row in values], places)
        elif values.ndim == 2:
            arrays[name] = pa.array(list(np.ascontiguousarray(values)), numbers)
        else:
            arrays[name] = pa.array(values, pa.float64())
    text = json.dumps({"kind": kind, **scalars}, sort_keys=True)
    return pa.table(arrays).replace_schema_metadata({TABLE_KEY: text.encode()})
