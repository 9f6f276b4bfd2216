"""Which features are selected, and which take their place where they are left out."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pandas as pd

from altfs.evaluation.frames import StudyResults
from altfs.evaluation.members import Members
from altfs.evaluation.roles import CASE, is_random, originals

_FREQUENCY = ["dataset", "selector", "sets", "search", "n_features", "feature"]
_SUBSTITUTE = ["dataset", "selector", "n_features", "feature", "substitute"]


def frequency_table(results: StudyResults, found: list[Members]) -> pd.DataFrame:
    """How often each feature is selected.

    Returns
    -------
    DataFrame
        A row per dataset, selector, kind of ``sets``, search, size and feature that is
        in one set or more: ``n_selected`` of ``n_sets`` sets have it, ``share``. *original*:
        one set per fold; *alternative*: the further sets of searches whose sets have
        ranks; *joint*: the sets of searches without; *random*.
    """
    best = originals(results).index
    parts = []
    for of_dataset in found:
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


def _counted(found: Members, kept: npt.NDArray[np.bool_], label: str) -> pd.DataFrame:
    rows = found.rows[kept]
    keys = ["selector", "search", "n_features"]
    groups = rows.groupby(keys, observed=True)
    number = np.asarray(groups.ngroup())
    table = groups.size().rename("n_sets").reset_index()
    counts = _per_group(number, len(table)) @ found.chosen[kept]
    group, feature = np.nonzero(counts)
    listed = table.iloc[group].reset_index(drop=True).astype({"selector": str, "search": str})
    listed["dataset"], listed["sets"] = found.dataset, label
    listed["feature"] = np.array(found.names, dtype=object)[feature]
    listed["n_selected"] = counts[group, feature].astype(np.int64)
    listed["share"] = listed["n_selected"] / listed["n_sets"]
    listed["at"] = group
    ordered = listed.sort_values(["at", "n_selected"], ascending=[True, False], kind="stable")
    return ordered[[*_FREQUENCY, "n_selected", "n_sets", "share"]]


def _per_group(number: npt.NDArray[np.int64], n_groups: int) -> npt.NDArray[np.float32]:
    """A row per group, with 1 in the columns of its members."""
    matrix = np.zeros((n_groups, len(number)), dtype=np.float32)
    matrix[number, np.arange(len(number))] = 1
    return matrix


def substitutes_table(results: StudyResults, found: list[Members]) -> pd.DataFrame:
    """Which features take a feature's place when an alternative leaves it out.

    Over all alternatives of searches whose sets have ranks, each beside the original
    set of its dataset, fold, selector and size: for a feature of the original that
    the alternative lacks, each feature that the alternative has and the original
    lacks counts with 1 / (number of such features). So every case of a feature left
    out counts 1 in all, and ``share`` sums to 1 over the substitutes of a feature.

    Returns
    -------
    DataFrame
        A row per dataset, selector, size, feature and substitute: ``n_together``
        alternatives lack the one and have the other, ``weight`` is their sum,
        ``n_left_out`` how often the feature is left out, of the ``n_alternatives``
        alternatives to originals that have it.
    """
    best = originals(results)
    parts = [_substituted(results, of_dataset, best) for of_dataset in found]
    columns = [*_SUBSTITUTE, "share", "weight", "n_together", "n_left_out", "n_alternatives"]
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=columns)


def _substituted(results: StudyResults, found: Members, best: pd.DataFrame) -> pd.DataFrame:
    rows = found.rows.assign(row=np.arange(len(found.rows)))
    exists = found.chosen.any(axis=1)
    ranked = np.asarray((rows["aggregation"] == "none") & (rows["set_index"] > 0))
    others = rows[ranked & ~is_random(results, rows) & exists]
    own = rows.loc[rows.index.isin(best.index), [*CASE, "row"]]
    pairs = others.merge(own, on=CASE, suffixes=("", "_original"))
    names = np.array(found.names, dtype=object)
    parts = []
    for (selector, k), part in pairs.groupby(["selector", "n_features"], observed=True):
        original = found.chosen[part["row_original"].to_numpy()]
        other = found.chosen[part["row"].to_numpy()]
        out, new = original * (1 - other), other * (1 - original)
        n_new = new.sum(axis=1, keepdims=True)
        # An alternative that is the original again (tau = 0) lacks nothing.
        weights = out.T @ (new / np.maximum(n_new, 1)).astype(np.float64)
        together = out.T @ new
        left_out, had = out.sum(axis=0), original.sum(axis=0)
        feature, substitute = np.nonzero(together)
        table = pd.DataFrame(
            {
                "dataset": found.dataset,
                "selector": str(selector),
                "n_features": k,
                "feature": names[feature],
                "substitute": names[substitute],
                "share": weights[feature, substitute] / left_out[feature],
                "weight": weights[feature, substitute],
                "n_together": together[feature, substitute].astype(np.int64),
                "n_left_out": left_out[feature].astype(np.int64),
                "n_alternatives": had[feature].astype(np.int64),
            }
        )
        order = np.lexsort((substitute, -table["weight"], feature, -left_out[feature]))
        parts.append(table.iloc[order])
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()
