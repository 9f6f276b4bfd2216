"""Median quality by number of alternative and threshold."""

from typing import Any

import numpy as np
import pandas as pd

from altfs.evaluation.collect.results import StudyResults
from altfs.evaluation.collect.roles import without_random
from altfs.evaluation.figures._charts import (
    Chart,
    Tables,
    alt,
    choices,
    panels,
    quantiles,
    rank_axis,
    shades,
    titled,
)
from altfs.evaluation.figures._focus import defaults, focus, focus_name, longest_ranked
from altfs.evaluation.figures.max_normalised_by_alternative import normalised_parts
from altfs.evaluation.names import OBJECTIVES
from altfs.evaluation.tables import rows_of
from altfs.study.catalogue import figures


@figures.add(
    "What further alternatives cost for each dissimilarity threshold.",
    place=60,
    needs=("by_alternative",),
)
def median_by_tau(results: StudyResults, tables: Tables) -> Chart:
    """Draw the median max-normalised objective by rank, a line for each τ (f)."""
    chosen = focus(results.once(without_random).feature_sets)
    k = int(chosen["n_features"].max())
    selector, search = (str(chosen[c].iloc[0]) for c in ("selector", "search"))
    rows = rows_of(
        tables, "by_alternative", selector=selector, search=search, n_features=k,
        n_alternatives=int(chosen["n_alternatives"].max()), normalisation="max",
    )  # fmt: skip
    rows = rows[rows["tau"].notna()]
    rows = rows.assign(datasets=_over(rows))
    taus = sorted(rows["tau"].unique(), key=float)
    charts = []
    for measure, label in OBJECTIVES.items():
        base = alt.Chart(rows[rows["measure"] == measure]).encode(
            x=rank_axis(),
            y=alt.Y(
                "median:Q", title="Median max-normalised objective", scale=alt.Scale(zero=False)
            ),
            color=shades("tau", "τ", taus),
            tooltip=["tau:O", "median:Q", "median_low:Q", "median_high:Q", "n:Q", "n_datasets:Q"],
        )
        shape = alt.Shape(
            "datasets:N", title="Median over",
            scale=alt.Scale(domain=["all datasets", "some of them"], range=["circle", "cross"]),
        )  # fmt: skip
        points = base.mark_point(filled=True, size=36, opacity=1).encode(shape=shape)
        charts.append(
            (base.mark_line(strokeWidth=1.5) + points).properties(
                width=330, height=250, title=label
            )
        )
    figure = titled(
        panels(charts, 2),
        "Median max-normalised objective by number of alternative and τ",
        f"{focus_name(chosen)}, k = {k}; the sets that exist, over datasets and folds.",
        "Where few datasets have so many so different sets, these are the wide ones.",
    )
    every = results.once(longest_ranked)
    widest = normalised_parts(every[every["n_features"] == every["n_features"].max()])

    def medians(own: list[str]) -> pd.DataFrame:
        by = [*own, "selector", "run", "tau", "set_index", "measure"]
        table = quantiles(widest, by, "max").drop(columns=["low", "q1", "q3", "high"])
        table = table.rename(columns={"sets": "n", "datasets": "n_datasets"})
        return table.assign(datasets=_over(table))

    return choices(figure, ["measure"], medians, **defaults(chosen))


def _over(rows: pd.DataFrame) -> Any:
    """Return in words over which datasets each median is."""
    everywhere = rows["n_datasets"] == rows["n_datasets"].max()
    return np.where(everywhere, "all datasets", "some of them")
