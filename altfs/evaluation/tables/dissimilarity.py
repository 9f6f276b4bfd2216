"""Dissimilarity of the sets of a run, for each demanded τ."""

import numpy as np
import numpy.typing as npt
import pandas as pd

from altfs.catalogue import tables
from altfs.evaluation.results import RUN_KEY, Results
from altfs.evaluation.stats.members import Incidence, SetMatrix, joined, members, side_by_side
from altfs.evaluation.stats.roles import CASE, originals
from altfs.evaluation.stats.summaries import summary, with_planned
from altfs.evaluation.tables.stability import RUNS
from altfs.problem.overlap import Dissimilarity


@tables.add(place=160)
def dissimilarity(results: Results) -> pd.DataFrame:
    """Summarise the dissimilarity reached within search runs, for each tau that was demanded."""
    parts = [
        run_dissimilarities(matrix, results.design.dissimilarity)
        for matrix in results.once(members)
    ]
    statistics = ["min", "mean", "max"]
    runs = joined(results, parts, [*RUN_KEY, "n_sets"], statistics)
    first = results.settings[results.settings["set_index"] == 0]
    shown = []
    for statistic in statistics:
        table = summary(results, runs, RUNS, statistic, within_run=statistic)
        shown.append(with_planned(results, table, RUNS, first))
    return pd.concat(shown, ignore_index=True)


def run_dissimilarities(matrix: SetMatrix, measure: Dissimilarity) -> pd.DataFrame:
    """Summarise the dissimilarities of all pairs of sets of each run of a dataset.

    A row per run of two sets or more has its key, ``n_sets``, and the ``min``, ``mean`` and
    ``max`` over its pairs.
    """
    parts = []
    for _, part in matrix.rows.groupby("n_alternatives"):
        table, layers = side_by_side(part, RUN_KEY, "set_index", matrix.chosen)
        values = pair_dissimilarities(layers, measure)
        several = np.flatnonzero(~np.isnan(values).all(axis=1))
        values = values[several]
        exist = ~np.isnan(values)
        parts.append(
            table.iloc[several].assign(
                n_sets=layers.any(axis=2).sum(axis=1)[several],
                min=np.where(exist, values, np.inf).min(axis=1, initial=np.inf),
                mean=np.where(exist, values, 0).sum(axis=1) / exist.sum(axis=1),
                max=np.where(exist, values, -np.inf).max(axis=1, initial=-np.inf),
            )
        )
    return pd.concat(parts, ignore_index=True)


def from_original(results: Results) -> pd.Series:
    """Compute the dissimilarity of each feature set from the original set of its case.

    Returns
    -------
    Series of float
        By the index of `sets`; NaN if one of the two does not exist.
    """
    best = results.once(originals).index
    values = pd.Series(np.nan, index=results.sets.index)
    for matrix in results.once(members):
        rows = matrix.rows[[*CASE, "row"]]
        first = rows[rows.index.isin(best)].set_index(CASE)["row"]
        pairs = rows.join(first.rename("original"), on=CASE).dropna(subset="original")
        both = np.stack([pairs["original"].astype(int), pairs["row"]], axis=1)
        values[pairs.index] = pair_dissimilarities(
            matrix.chosen[both], results.design.dissimilarity
        )[:, 0]
    return values


def pair_dissimilarities(layers: Incidence, measure: Dissimilarity) -> npt.NDArray[np.float64]:
    """Compute the dissimilarity of each pair of sets of each run; shape (n_runs, n_pairs).

    `layers` has the shape (n_runs, n_sets, n_used). A pair of which a set does not exist has NaN.
    """
    size = layers.sum(axis=2)
    first, second = np.triu_indices(layers.shape[1], 1)
    shared = (layers @ layers.transpose(0, 2, 1))[:, first, second]
    exist = (size[:, first] > 0) & (size[:, second] > 0)
    # Double precision, so that the result can be compared with tau.
    together = np.where(exist, size[:, first] + size[:, second], np.nan).astype(float)
    shared = shared.astype(float)
    if measure == "jaccard":
        return np.asarray(1 - shared / (together - shared))
    return np.asarray(1 - 2 * shared / together)
