"""Qualities as tables.

A table has a row per feature. The metadata of its schema has the key ``altfs.quality`` with a
JSON object: the kind of quality and its scalars. Values are float64, bit for bit.

========  ========  ===============================================================
kind      scalars   columns
========  ========  ===============================================================
linear              value; with conflicts: conflicts (list of column numbers)
pairwise  diagonal  relevance, redundancy (list of a value per feature: a matrix row)
ratio               relevance, redundancy
========  ========  ===============================================================

The integers of exact solvers follow from the values and are not stored.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from altfs.errors import AltfsError
from altfs.quality.base import TABLE_KEY, Quality
from altfs.quality.linear import Linear
from altfs.quality.pairs import Pairwise, Ratio

if TYPE_CHECKING:
    import pyarrow as pa


def from_table(table: pa.Table) -> Quality:
    """Restore a quality from its table.

    Parameters
    ----------
    table : pyarrow.Table
        Made by :meth:`altfs.quality.Quality.to_table`.

    Returns
    -------
    Quality

    Raises
    ------
    AltfsError
        If the table is not one of a quality.

    Examples
    --------
    >>> quality = Pairwise([1, 2, 4], [[0, 1, 3], [1, 0, 2], [3, 2, 0]])
    >>> from_table(quality.to_table()).evaluate([0, 2]) == quality.evaluate([0, 2])
    True
    """
    try:
        scalars = json.loads((table.schema.metadata or {})[TABLE_KEY])
        kind = scalars.pop("kind")
        columns = {name: table[name].combine_chunks() for name in table.column_names}
        if kind == "linear":
            conflicts = columns.get("conflicts")
            matrix = None if conflicts is None else _truths(conflicts)
            return Linear(columns["value"].to_numpy(), matrix)
        relevance = columns["relevance"].to_numpy()
        redundancy = columns["redundancy"].values.to_numpy().reshape(len(table), len(table))
        kinds: dict[str, type[Pairwise | Ratio]] = {"pairwise": Pairwise, "ratio": Ratio}
        return kinds[kind](relevance, redundancy, **scalars)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError):
        reason = "this is not the table of a quality"
        raise AltfsError("table", reason, "use one that Quality.to_table() returned") from None


def _truths(places: pa.Array) -> npt.NDArray[np.bool_]:
    matrix = np.zeros((len(places), len(places)), dtype=bool)
    for i, row in enumerate(places.to_pylist()):
        matrix[i, row] = True
    return matrix
