"""Means, medians and their intervals of groups of feature sets, and of how many they are."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from altfs.evaluation.collect.bootstrap import Floats, Ints, draw_datasets, median_intervals
from altfs.evaluation.collect.results import StudyResults
from altfs.evaluation.collect.runs import NORMALISATIONS, normalised


class Summaries:
    """Summaries of values of feature sets or search runs, always made in the same way.

    Parameters
    ----------
    results : StudyResults
    """

    def __init__(self, results: StudyResults) -> None:
        self._datasets = list(results.datasets["dataset"]) if len(results.datasets) else []
        for name in results.feature_sets["dataset"].unique():
            if name not in self._datasets:
                self._datasets.append(str(name))
        self._draws = draw_datasets(len(self._datasets), results.seed)

    def of(
        self, rows: pd.DataFrame, by: Sequence[str], value: str, prefix: str = ""
    ) -> pd.DataFrame:
        """Summarise a column by groups.

        Parameters
        ----------
        rows : DataFrame
            With a column `dataset`.
        by : sequence of str
            What identifies a group, the index of the result.
        value : str
            The column; rows where it is missing do not count.
        prefix : str, default=""
            Put before the names of the statistics.

        Returns
        -------
        DataFrame
            ``n`` (values), ``n_datasets``, ``mean``, ``std`` (of the sample),
            ``q25``, ``median``, ``q75``, and the 95 % interval of the median
            over datasets, ``median_low`` to ``median_high``.
        """
        found = rows[rows[value].notna()]
        groups = found.groupby(list(by), observed=True, sort=True)
        values = groups[value]
        table = pd.DataFrame(
            {"n": groups.size(), "n_datasets": groups["dataset"].nunique().astype(int)}
        )
        table[f"{prefix}mean"], table[f"{prefix}std"] = values.mean(), values.std()
        number = np.asarray(groups.ngroup(), dtype=np.int64)
        ascending = found[value].to_numpy(float)
        order = np.lexsort((ascending, number))
        ascending, number = ascending[order], number[order]
        for name, q in (("q25", 0.25), ("median", 0.5), ("q75", 0.75)):
            table[f"{prefix}{name}"] = _quantile(ascending, number, q)
        code, names = pd.factorize(found["dataset"])
        owner = pd.Index(self._datasets).get_indexer(names.astype(str))[code]
        low, high = median_intervals(ascending, number, owner[order], self._draws)
        table[f"{prefix}median_low"], table[f"{prefix}median_high"] = low, high
        return table


def _quantile(values: Floats, groups: Ints, q: float) -> Floats:
    """Compute a quantile of each group of sorted values; between two values, in proportion."""
    sizes = np.bincount(groups)
    place = q * (sizes - 1)
    at = (np.cumsum(sizes) - sizes) + place.astype(np.int64)
    part = place % 1
    lower, upper = values[at], values[at + (part > 0)]
    found: Floats = np.where(part > 0, lower + (upper - lower) * part, lower)
    return found


def measures(results: StudyResults, *, train: bool = False) -> Iterator[tuple[str, str, Any]]:
    """Yield each measure of feature sets: name, model (empty for objectives), rows with ``value``.

    Parameters
    ----------
    results : StudyResults
    train : bool, default=False
        Also the scores of models on the training part.
    """
    for name in ("train_objective", "test_objective"):
        yield name, "", results.feature_sets.assign(value=results.feature_sets[name])
    scored = results.predictions
    for (model, metric), rows in scored.groupby(["model", "metric"], observed=True):
        for part in ("train", "test") if train else ("test",):
            yield f"{part}_{metric}", str(model), rows.assign(value=rows[f"{part}_score"])


def stacked(parts: list[pd.DataFrame]) -> pd.DataFrame:
    """Return tables of several measures below one another."""
    return pd.concat(parts, ignore_index=True)


def normalised_summaries(
    results: StudyResults, keys: Sequence[Sequence[str]], *, ranked: bool = False
) -> pd.DataFrame:
    """Summarise every measure in every normalisation, by each of several lists of columns.

    Parameters
    ----------
    results : StudyResults
    keys : sequence of sequence of str
    ranked : bool, default=False
        Only sets that have a rank in their run.
    """
    parts = []
    for measure, model, rows in measures(results):
        values = normalised(rows[rows["aggregation"] == "none"] if ranked else rows)
        for by in keys:
            for normalisation in NORMALISATIONS:
                labels = {"measure": measure, "model": model, "normalisation": normalisation}
                table = with_tau(summary(results, values, by, normalisation, **labels))
                parts.append(with_planned(results, table, by))
    return stacked(parts)


def summary(
    results: StudyResults, rows: pd.DataFrame, by: Sequence[str], value: str, **labels: str
) -> pd.DataFrame:
    """Summarise a column by groups, as plain rows behind columns that all rows share.

    Parameters
    ----------
    results, rows, by, value
        As :meth:`Summaries.of` takes them.
    **labels : str
        The first columns and their value.
    """
    return labelled(results.once(Summaries).of(rows, by, value), **labels)


def labelled(table: pd.DataFrame, **labels: str) -> pd.DataFrame:
    """Return a summary as plain rows behind columns that all rows share."""
    plain = table.reset_index()
    for position, (name, text) in enumerate(labels.items()):
        plain.insert(position, name, text)
    return plain


def with_planned(results: StudyResults, table: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """Insert before ``n`` how many there are in the complete study."""
    table.insert(list(table.columns).index("n"), "n_planned", results.planned(table, by))
    return table


def with_tau(table: pd.DataFrame) -> pd.DataFrame:
    """Insert an empty ``tau`` where a table is over all of them."""
    if "tau" not in table:
        table.insert(list(table.columns).index("set_index"), "tau", None)
    return table.astype({"tau": object})
