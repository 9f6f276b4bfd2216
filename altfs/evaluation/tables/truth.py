"""Relevant features that are found, in data whose truth is known."""

import numpy as np
import pandas as pd

from altfs.catalogue import knows_truth, tables
from altfs.evaluation.results import SETTING, Results
from altfs.evaluation.stats.members import members
from altfs.kinds.base import kinds

_VALUES = ["hits", "gain", "recall", "wrong", "truth_rank"]
TRUTH_COLUMNS = ["dataset", "sets", *SETTING, "n_relevant", "n", *_VALUES]
OF_ALL = "all rows"  # The sets of the column ``sets`` that are not of another kind of answer.


@tables.add(place=195, applies=knows_truth)
def truth(results: Results) -> pd.DataFrame:
    """Compare feature sets, and explanations of rows, with the features that are relevant.

    A row per dataset with known relevant features, kind of sets and setting;
    docs/particular_tables.md has the columns.
    """
    parts = [*_of_sets(results), *(part for kind in kinds.all() for part in kind.truth(results))]
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=TRUTH_COLUMNS)


def _of_sets(results: Results) -> list[pd.DataFrame]:
    parts = []
    for of_dataset in results.once(members):
        relevant = results.relevant.get(of_dataset.dataset, ())
        if not relevant:
            continue
        chosen = of_dataset.chosen
        hits = chosen[:, np.isin(of_dataset.names, relevant)].sum(axis=1).astype(np.float64)
        size = chosen.sum(axis=1).astype(np.float64)
        rows = of_dataset.rows.assign(hits=hits, n_relevant=len(relevant), truth_rank=np.nan)
        means = truth_means(rows[size > 0], size[size > 0], SETTING)
        parts.append(means.assign(dataset=of_dataset.dataset, sets=OF_ALL)[TRUTH_COLUMNS])
    return parts


def truth_means(rows: pd.DataFrame, size: np.ndarray, by: list[str]) -> pd.DataFrame:
    """Return the means of sets with so many features, ``hits`` and ``n_relevant``."""
    hits, n_true = rows["hits"], rows["n_relevant"]
    rated = rows.assign(
        gain=hits / np.minimum(size, n_true), recall=hits / n_true, wrong=1 - hits / size, n=1
    )
    groups = rated.groupby(by, observed=True, sort=False)
    return groups.agg(
        {"n_relevant": "mean", "n": "sum", **dict.fromkeys(_VALUES, "mean")}
    ).reset_index()
