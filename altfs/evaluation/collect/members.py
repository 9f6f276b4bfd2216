"""The features of the sets, as a matrix for each dataset."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from altfs.evaluation.collect.results import StudyResults

#: Small whole numbers are exact in it, and products of matrices are fast.
Incidence = npt.NDArray[np.float32]


class Members(NamedTuple):
    """The feature sets of a dataset.

    Attributes
    ----------
    dataset : str
    rows : DataFrame
        Its rows of `StudyResults.feature_sets`, their index kept.
    chosen : ndarray of float32 of shape (n_rows, n_used)
        1 where a set has a feature; sets that do not exist have none.
    names : list of str
        Of the features that occur in any set, in the order of their columns.
    n_total : float
        How many features the dataset has; NaN if its file is missing.
    """

    dataset: str
    rows: pd.DataFrame
    chosen: Incidence
    names: list[str]
    n_total: float


def members(results: StudyResults) -> list[Members]:
    """Return the feature sets of each dataset of a study.

    Parameters
    ----------
    results : StudyResults
        With its `table`; without, there is nothing to tell.
    """
    if results.table is None:
        return []
    widths = _widths(results)
    found = []
    selected = results.table["selected"].combine_chunks()
    named = results.table["feature_names"].combine_chunks()
    offsets, features = np.asarray(selected.offsets), np.asarray(selected.values)
    codes, datasets = pd.factorize(results.feature_sets["dataset"])
    for code, dataset in enumerate(datasets):
        rows = results.feature_sets[codes == code]
        lengths = np.diff(offsets)[rows.index]
        first = offsets[rows.index]
        place = np.repeat(first - np.concatenate(([0], np.cumsum(lengths)[:-1])), lengths)
        place = place + np.arange(len(place))
        used, at, column = np.unique(features[place], return_index=True, return_inverse=True)
        chosen = np.zeros((len(rows), len(used)), dtype=np.float32)
        chosen[np.repeat(np.arange(len(rows)), lengths), column] = 1
        names = named.values.take(place[at]).to_pylist()
        n_total = widths.get(str(dataset), float("nan"))
        found.append(Members(str(dataset), rows, chosen, names, n_total))
    return found


def _widths(results: StudyResults) -> dict[str, float]:
    known = results.datasets.reindex(columns=["dataset", "features"])
    return {
        str(name): float(n) for name, n in zip(known["dataset"], known["features"], strict=True)
    }


def side_by_side(
    rows: pd.DataFrame, keys: Sequence[str], position: str, chosen: Incidence
) -> tuple[pd.DataFrame, Incidence]:
    """Arrange feature sets in groups: a layer per group, a row of it per set.

    Parameters
    ----------
    rows : DataFrame
        With `keys`, `position`, and ``row``: the row of `chosen`.
    keys : sequence of str
        Together they tell one group from another.
    position : str
        A number that tells the sets of a group apart; from 0, not too large.
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
    results: StudyResults, parts: list[pd.DataFrame], keys: list[str], values: list[str]
) -> pd.DataFrame:
    """Join tables of single datasets, with the columns that they would have if there were none.

    Text is the ordered categories that it is in the study, also where parts differed.
    """
    none = pd.DataFrame(columns=[*keys, *values]).astype(dict.fromkeys(values, float))
    table = pd.concat(parts, ignore_index=True) if parts else none
    sets = results.feature_sets
    shared = [c for c in table.columns if c in sets.columns]
    kinds = {c: sets[c].dtype for c in shared if isinstance(sets[c].dtype, pd.CategoricalDtype)}
    return table.astype(kinds)
