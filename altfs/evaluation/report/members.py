"""The features of the sets of each dataset, in a line."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import pandas as pd

from altfs.evaluation.names import selector_name, size_name
from altfs.evaluation.tables import Tables, rows_of
from altfs.evaluation.tables.overview import best_of_datasets

# Features that lie in equally many sets.
_MOST_TIED = 6


class Features(NamedTuple):
    """The features of each dataset's original sets, and what takes their places, in words."""

    selector: str
    size: str
    rows: list[tuple[str, str]]


def features_of_datasets(tables: Tables, sizes: Mapping[int, str]) -> list[Features]:
    """List the features of the original sets of the selector whose sets predict best, by size."""
    chosen, best = rows_of(tables, "selection_frequency", sets="original"), best_of_datasets(tables)
    if not len(chosen) or not best:
        return []
    rows = chosen[chosen["selector"] == chosen["dataset"].map(best)]
    keys = rows[["n_features", "selector"]].drop_duplicates()
    ordered = keys.sort_values("n_features", ascending=False, kind="stable")
    return [
        _of_size(tables, name, k, size_name(k, sizes),
                 rows[(rows["n_features"] == k) & (rows["selector"] == name)])
        for k, name in ordered.itertuples(index=False)
    ]  # fmt: skip


def _of_size(tables: Tables, best: str, k: int, size: str, rows: pd.DataFrame) -> Features:
    swaps = rows_of(tables, "substitutes", selector=best, n_features=k)
    listed_rows = []
    for dataset, features in rows.groupby("dataset", sort=False):
        ranked = features.drop_duplicates("feature")
        ranked = ranked.sort_values("n_selected", ascending=False, kind="stable")
        taken = rows_of({"": swaps}, "", dataset=dataset)
        if len(taken):
            taken = taken[taken["feature"].isin(ranked["feature"][:k])]
            taken = taken.sort_values("n_together", ascending=False, kind="stable")[:2]
        pairs = [f"{row['feature']} ⇄ {row['substitute']}" for row in taken.to_dict("records")]
        words = "; ".join(", ".join(part) for part in (_of_most_folds(ranked, k), pairs) if part)
        listed_rows.append((str(dataset), words))
    return Features(selector_name(best), size, listed_rows)


def _of_most_folds(ranked: pd.DataFrame, k: int) -> list[str]:
    """Name the k features of most folds; of those in equally many, it says how many belong."""
    last = ranked["n_selected"].iloc[min(k, len(ranked)) - 1]
    tied = ranked[ranked["n_selected"] == last]
    fits = (ranked["n_selected"] >= last).sum() <= k
    sure = ranked[:k] if fits else ranked[ranked["n_selected"] > last]
    counts: Any = sure[["feature", "n_selected", "n_sets"]]
    names = [f"{name} ({n}/{of})" for name, n, of in counts.itertuples(index=False)]
    if len(sure) < k < len(sure) + len(tied):
        some = ", ".join(map(str, tied["feature"][:_MOST_TIED]))
        more = ", ..." if len(tied) > _MOST_TIED else ""
        of = f"{last}/{ranked['n_sets'].iloc[0]}"
        names.append(f"{k - len(sure)} of {some}{more} ({of} each)")
    return names
