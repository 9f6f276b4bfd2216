"""Relevant features among the selected ones, where they are known."""

import numpy as np
import pandas as pd

from altfs.evaluation.collect.members import members
from altfs.evaluation.collect.results import SETTING, StudyResults
from altfs.study.catalogue import knows_truth, tables

_COLUMNS = ["dataset", *SETTING, "n_relevant", "n", "hits", "gain", "recall"]


@tables.add(
    "How many of the relevant features are found, in data whose truth is known.",
    place=195,
    applies=knows_truth,
)
def truth(results: StudyResults) -> pd.DataFrame:
    """Compare feature sets with the relevant features of their dataset.

    Returns
    -------
    DataFrame
        A row per dataset with known relevant features and setting: means over the ``n`` folds
        in which the set exists. ``hits`` relevant features are in it. ``gain`` is their
        cumulative gain, hits over the smaller one of the size of the set and ``n_relevant``,
        and ``recall`` is hits over ``n_relevant``.
    """
    parts = []
    for of_dataset in results.once(members):
        relevant = results.relevant.get(of_dataset.dataset, ())
        if not relevant:
            continue
        chosen = of_dataset.chosen
        hits = chosen[:, np.isin(of_dataset.names, relevant)].sum(axis=1).astype(np.float64)
        size = chosen.sum(axis=1)
        most = np.minimum(np.maximum(size, 1), len(relevant))
        rows = of_dataset.rows.assign(
            hits=hits, gain=hits / most, recall=hits / len(relevant), n=1, n_relevant=len(relevant)
        )
        means = {"n_relevant": "first", "n": "sum", **dict.fromkeys(_COLUMNS[-3:], "mean")}
        groups = rows[size > 0].groupby(SETTING, observed=True).agg(means).reset_index()
        parts.append(groups.assign(dataset=of_dataset.dataset)[_COLUMNS])
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=_COLUMNS)
