"""Frequency with which each feature is selected, in original sets and others."""

import numpy as np
import numpy.typing as npt
import pandas as pd

from altfs.catalogue import tables
from altfs.evaluation.results import Results
from altfs.evaluation.stats.members import SetMatrix, members
from altfs.evaluation.stats.roles import is_random, originals

_FREQUENCY = ["dataset", "selector", "sets", "search", "n_features", "feature"]


@tables.add(place=190)
def selection_frequency(results: Results) -> pd.DataFrame:
    """Count how often each feature is selected.

    A row per dataset, selector, kind of sets, search, size and feature that is in one set or more.
    docs/tables.md has the columns.
    """
    best = results.once(originals).index
    parts = []
    for of_dataset in results.once(members):
        rows = of_dataset.rows
        exists = of_dataset.chosen.any(axis=1)
        # The first set of a search whose sets have ranks is the original, once for each tau.
        joint = np.asarray(rows["aggregation"] != "none")
        ranked = ~joint & np.asarray(rows["set_index"] > 0)
        drawn = is_random(results, rows)
        for label, chosen in (
            ("original", np.asarray(rows.index.isin(best))),
            ("alternative", ranked & ~drawn),
            ("joint", joint),
            ("random", drawn),
        ):
            parts.append(_counted(of_dataset, chosen & exists, label))
    columns = [*_FREQUENCY, "n_selected", "n_sets", "share"]
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=columns)


def _counted(matrix: SetMatrix, kept: npt.NDArray[np.bool_], label: str) -> pd.DataFrame:
    rows = matrix.rows[kept]
    keys = ["selector", "search", "n_features"]
    groups = rows.groupby(keys, observed=True)
    number = np.asarray(groups.ngroup())
    table = groups.size().rename("n_sets").reset_index()
    # A row per group, with 1 in the columns of its members.
    owned = (number == np.arange(len(table))[:, None]).astype(np.float32)
    counts = owned @ matrix.chosen[kept]
    group, feature = np.nonzero(counts)
    listed = table.take(group).reset_index(drop=True).astype({"selector": str, "search": str})
    listed["dataset"], listed["sets"] = matrix.dataset, label
    listed["feature"] = np.array(matrix.names, dtype=object)[feature]
    listed["n_selected"] = counts[group, feature].astype(np.int64)
    listed["share"] = listed["n_selected"] / listed["n_sets"]
    listed["at"] = group
    ordered = listed.sort_values(["at", "n_selected"], ascending=[True, False], kind="stable")
    return ordered[[*_FREQUENCY, "n_selected", "n_sets", "share"]]
