"""The features of the sets as a matrix for each dataset."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from altfs._numbers import IntArray
from altfs.evaluation.results import Results

#: This type holds small integers exactly, and its products of matrices are fast.
Incidence = npt.NDArray[np.float32]


class SetMatrix(NamedTuple):
    """The feature sets of a dataset."""

    dataset: str
    #: Its rows of `Results.sets` with their index, and ``row``, the row of `chosen`.
    rows: pd.DataFrame
    #: Shape (n_rows, n_used). 1 if a set has a feature; sets that do not exist have none.
    chosen: Incidence
    names: list[str]  # The features that occur in any set, in the order of their columns.
    n_total: float  # The number of features of the dataset.


def members(results: Results) -> list[SetMatrix]:
    """Return the feature sets of each dataset of a study."""
    widths = results.design.widths
    matrices = []
    for dataset, rows in results.sets.groupby("dataset", observed=True, sort=False):
        sizes, features, named = features_in(results.table, rows.index.to_numpy())
        used, at, column = np.unique(features, return_index=True, return_inverse=True)
        chosen = np.zeros((len(rows), len(used)), dtype=np.float32)
        chosen[np.repeat(np.arange(len(rows)), sizes), column] = 1
        rows = rows.assign(row=np.arange(len(rows)))
        names = named.take(at).to_pylist()
        matrices.append(SetMatrix(str(dataset), rows, chosen, names, widths[str(dataset)]))
    return matrices


def features_in(table: Any, rows: Any) -> tuple[IntArray, IntArray, Any]:
    """Return the sizes of some feature sets, and numbers and names of the features of them all."""
    part = table.select(["selected", "feature_names"]).take(rows)
    selected, names = (part[c].combine_chunks() for c in part.column_names)
    return np.diff(selected.offsets), np.asarray(selected.flatten()), names.flatten()


def side_by_side(
    rows: pd.DataFrame, keys: Sequence[str], position: str, chosen: Incidence
) -> tuple[pd.DataFrame, Incidence]:
    """Arrange feature sets in groups: a layer per group, a row of it per set.

    Parameters
    ----------
    rows : DataFrame
        With `keys`, `position`, and ``row``: the row of `chosen`.
    keys : sequence of str
        The columns that identify a group.
    position : str
        The column of a small number that identifies a set of the group, from 0.
    chosen : ndarray of shape (n_rows, n_used)

    Returns
    -------
    DataFrame
        The keys of each group, sorted.
    ndarray of shape (n_groups, n_positions, n_used)
        Positions without a set have no feature.
    """
    groups = rows.groupby(list(keys), observed=True)
    number = np.asarray(groups.ngroup())
    table = groups.size().reset_index()[list(keys)]
    depth = int(rows[position].max()) + 1 if len(rows) else 0
    layers = np.zeros((len(table), depth, chosen.shape[1]), dtype=np.float32)
    layers[number, rows[position].to_numpy()] = chosen[rows["row"].to_numpy()]
    return table, layers


def joined(
    results: Results, parts: list[pd.DataFrame], keys: list[str], values: list[str]
) -> pd.DataFrame:
    """Join tables of single datasets; an empty table with the same columns if there are none.

    Text has the categories of the study, even if those of the parts differ.
    """
    none = pd.DataFrame(columns=[*keys, *values]).astype(dict.fromkeys(values, float))
    table = pd.concat(parts, ignore_index=True) if parts else none
    kinds = results.sets.select_dtypes("category").dtypes
    return table.astype({c: kind for c, kind in kinds.items() if c in table})
