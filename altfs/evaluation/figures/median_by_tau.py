"""Median quality by number of alternative and threshold."""

from typing import Any

import numpy as np
import pandas as pd

from altfs.evaluation.collect.results import StudyResults
from altfs.evaluation.collect.roles import without_random
from altfs.evaluation.figures import _charts as draw
from altfs.evaluation.figures._charts import Chart, Tables, alt
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
    shown = {c: chosen[c].iloc[0] for c in ("selector", "search", "n_alternatives")}
    rows = rows_of(tables, "by_alternative", **shown, n_features=k, normalisation="max")
    rows = rows[rows["tau"].notna()]
    rows = rows.assign(datasets=_over(rows))
    taus = sorted(rows["tau"].unique(), key=float)
    words = alt.Scale(domain=["all datasets", "some of them"], range=["circle", "cross"])
    shape = alt.Shape("datasets:N", title="Median over", scale=words)
    zoomed = alt.Scale(zero=False)
    charts = []
    for measure, label in OBJECTIVES.items():
        base = alt.Chart(rows[rows["measure"] == measure]).encode(
            x=draw.rank_axis(),
            y=alt.Y("median:Q", title="Median max-normalised objective", scale=zoomed),
            color=draw.shades("tau", "τ", taus),
            tooltip=["tau:O", "median:Q", "median_low:Q", "median_high:Q", "n:Q", "n_datasets:Q"],
        )
        points = base.mark_point(filled=True, size=36, opacity=1).encode(shape=shape)
        lines = base.mark_line(strokeWidth=1.5)
        charts.append((lines + points).properties(width=330, height=250, title=label))
    figure = draw.titled(
        draw.panels(charts, 2),
        "Median max-normalised objective by number of alternative and τ",
        f"{focus_name(chosen)}, k = {k}; the sets that exist, over datasets and folds.",
        "Where few datasets have so many so different sets, these are the wide ones.",
    )
    every = results.once(longest_ranked)
    widest = normalised_parts(every[every["n_features"] == every["n_features"].max()])

    def medians(own: list[str]) -> pd.DataFrame:
        by = [*own, "selector", "run", "tau", "set_index", "measure"]
        table = draw.quantiles(widest, by, "max").drop(columns=["low", "q1", "q3", "high"])
        table = table.rename(columns={"sets": "n", "datasets": "n_datasets"})
        return table.assign(datasets=_over(table))

    return draw.choices(figure, ["measure"], medians, **defaults(chosen))


def _over(rows: pd.DataFrame) -> Any:
    """Return in words the datasets of each median."""
    everywhere = rows["n_datasets"] == rows["n_datasets"].max()
    return np.where(everywhere, "all datasets", "some of them")
