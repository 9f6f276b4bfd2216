"""Features that take a feature's place when an alternative leaves it out."""

import numpy as np
import pandas as pd

from altfs.catalogue import tables
from altfs.evaluation.results import Results
from altfs.evaluation.stats.members import Incidence, SetMatrix, members
from altfs.evaluation.stats.roles import CASE, is_random, originals

_SUBSTITUTE = ["dataset", "selector", "n_features", "feature", "substitute"]


@tables.add(place=200)
def substitutes(results: Results) -> pd.DataFrame:
    """Count which features take a feature's place when an alternative leaves it out.

    Each alternative of a search whose sets have ranks is compared with the original set of
    its dataset, fold, selector and size. Each feature that only the alternative has is a
    substitute of each feature that only the original has, with the weight 1 / (number of
    substitutes). So ``share`` sums to 1 over the substitutes of a feature.

    A row per dataset, selector, size, feature and substitute; docs/tables.md has the columns.
    """
    best = results.once(originals)
    parts = [_substituted(results, of_dataset, best) for of_dataset in results.once(members)]
    columns = [
        *_SUBSTITUTE, "share", "kept", "score_change", "copy_in", "weight", "n_together",
        "n_left_out", "n_alternatives",
    ]  # fmt: skip
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=columns)


def _substituted(results: Results, matrix: SetMatrix, best: pd.DataFrame) -> pd.DataFrame:
    rows = matrix.rows
    exists = matrix.chosen.any(axis=1)
    ranked = np.asarray((rows["aggregation"] == "none") & (rows["set_index"] > 0))
    rows = rows.assign(set=rows.index)
    others = rows[ranked & ~is_random(results, rows) & exists]
    of_best = rows.loc[rows.index.isin(best.index), [*CASE, "row", "set", "train_objective"]]
    pairs = others.merge(of_best, on=CASE, suffixes=("", "_original"))
    scores, copies = results.once(_test_scores), _copies(results, matrix)
    names = np.array(matrix.names, dtype=object)
    parts = []
    for (selector, k), part in pairs.groupby(["selector", "n_features"], observed=True):
        original = matrix.chosen[part["row_original"].to_numpy()]
        other = matrix.chosen[part["row"].to_numpy()]
        out, new = original * (1 - other), other * (1 - original)
        n_new = new.sum(axis=1, keepdims=True)
        # An alternative may equal the original (tau = 0).
        weights = out.T @ (new / np.maximum(n_new, 1)).astype(np.float64)
        together = out.T @ new
        whole = part["train_objective_original"]
        kept = np.asarray(part["train_objective"] / whole.where(whole > 0), dtype=np.float64)
        added = (out * kept[:, None]).T @ new.astype(np.float64)
        change = scores.reindex(part["set"]) - scores.reindex(part["set_original"]).to_numpy()
        changes = change.mean(axis=1).to_numpy(np.float64)
        scored = np.isfinite(changes)
        changed = (out[scored] * changes[scored, None]).T @ new[scored].astype(np.float64)
        n_scored = (out[scored].T @ new[scored]).astype(np.float64)
        held = (out * (other @ copies > 0)).T @ new
        left_out, had = out.sum(axis=0), original.sum(axis=0)
        feature, substitute = np.nonzero(together)
        table = pd.DataFrame(
            {
                "dataset": matrix.dataset,
                "selector": str(selector),
                "n_features": k,
                "feature": names[feature],
                "substitute": names[substitute],
                "share": weights[feature, substitute] / left_out[feature],
                "kept": added[feature, substitute] / together[feature, substitute],
                "score_change": changed[feature, substitute]
                / np.where(n_scored > 0, n_scored, np.nan)[feature, substitute],
                "copy_in": held[feature, substitute] / together[feature, substitute],
                "weight": weights[feature, substitute],
                "n_together": together[feature, substitute].astype(np.int64),
                "n_left_out": left_out[feature].astype(np.int64),
                "n_alternatives": had[feature].astype(np.int64),
            }
        )
        order = np.lexsort((substitute, -table["weight"], feature, -left_out[feature]))
        # The first substitute of each feature comes before second ones.
        place = table.iloc[order].groupby("feature").cumcount()
        parts.append(table.loc[place.sort_values(kind="stable").index])
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()


def _test_scores(results: Results) -> pd.DataFrame:
    """Return the test scores of each set, with a column for each model."""
    scores: pd.DataFrame = results.first_scores.pivot(
        index="set", columns="model", values="test_score"
    )
    return scores


def _copies(results: Results, matrix: SetMatrix) -> Incidence:
    """Return which features have the values of which other ones."""
    first = results.copies.get(matrix.dataset, {})
    groups = np.array([first.get(name, name) for name in matrix.names], dtype=object)
    same: Incidence = (groups[:, None] == groups).astype(np.float32)
    np.fill_diagonal(same, 0)
    return same
