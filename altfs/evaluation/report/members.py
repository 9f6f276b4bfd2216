"""The features of the sets of each dataset, in a line."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from altfs.evaluation.names import selector_name, size_name
from altfs.evaluation.tables import Tables, rows_of
from altfs.evaluation.tables.overview import best_measure


@dataclass(frozen=True)
class Features:
    """The features of each dataset's original sets, and what takes their places."""

    selector: str
    size: str
    #: The name of a dataset, and words.
    rows: list[tuple[str, str]]


def best_selector(scored: pd.DataFrame) -> str:
    """Return the selector whose original sets predict best, by rows of the table `overview`.

    Only selectors with the most original sets count. It is empty if no selector has a score.
    """
    measure, model = best_measure(scored)
    tests = rows_of({"": scored}, "", measure=measure, model=model)
    tests = tests[tests["n_features"] == tests["n_features"].max()] if len(tests) else tests
    if not len(tests) or tests["original"].isna().all():
        return ""
    complete = tests[tests["n_original"] == tests["n_original"].max()]
    return str(complete.groupby("selector", sort=False)["original"].mean().idxmax())


def features_of_datasets(tables: Tables, sizes: Mapping[int, str]) -> Features | None:
    """List the features of the original sets of the selector whose sets predict best."""
    chosen = rows_of(tables, "selection_frequency", sets="original")
    scored = rows_of(tables, "overview", dataset="")
    if not len(chosen) or not len(scored):
        return None
    best, k = best_selector(scored), chosen["n_features"].max()
    if not best:
        return None
    own = chosen[(chosen["selector"] == best) & (chosen["n_features"] == k)]
    swaps = rows_of(tables, "substitutes", selector=best, n_features=k)
    listed_rows = []
    groups: Any = own.groupby("dataset", sort=False)
    for dataset, features in groups:
        features = features.drop_duplicates("feature")
        top = features.sort_values("n_selected", ascending=False, kind="stable").head(int(k))
        names = [f"{row.feature} ({row.n_selected}/{row.n_sets})" for row in top.itertuples()]
        taken = swaps[swaps["dataset"] == dataset] if len(swaps) else swaps
        if len(taken):
            taken = taken[taken["feature"].isin(top["feature"])]
            taken = taken.sort_values("n_together", ascending=False, kind="stable").head(2)
        swapped = taken.to_dict("records")
        pairs = ", ".join(f"{row['feature']} ⇄ {row['substitute']}" for row in swapped)
        listed_rows.append((str(dataset), "; ".join(filter(None, [", ".join(names), pairs]))))
    return Features(selector_name(best), size_name(k, sizes), listed_rows)
