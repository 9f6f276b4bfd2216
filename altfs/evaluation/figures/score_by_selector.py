"""Test scores by selector."""

from typing import Any

import pandas as pd

from altfs.evaluation.collect.results import StudyResults
from altfs.evaluation.collect.roles import without_random
from altfs.evaluation.figures._charts import (
    Chart,
    Tables,
    alt,
    boxes,
    choices,
    colour,
    panels,
    quantiles,
    titled,
)
from altfs.evaluation.figures.mean_within_search import search_names
from altfs.evaluation.names import BOX, METRICS, in_words, selector_name
from altfs.study.catalogue import figures


@figures.add("How well models predict with the feature sets of each selector.", place=80)
def score_by_selector(results: StudyResults, tables: Tables) -> Chart:
    """Draw test scores by selector and size: a panel per model and metric."""
    sought, scored = results.once(without_random).predictions, results.predictions
    scored = scored.assign(run=search_names(scored))

    def boxed(rows: pd.DataFrame, own: list[str]) -> pd.DataFrame:
        data = quantiles(rows, [*own, "selector", "n_features", "model", "metric"], "test_score")
        return data.assign(selector=data["selector"].map(selector_name))

    data = boxed(sought, [])
    order = list(dict.fromkeys(data["selector"]))
    sizes = sorted(data["n_features"].unique())
    parts: Any = data.groupby(["metric", "model"])
    charts = [
        boxes(
            part,
            {
                "x": alt.X("selector:N", title="Feature-selection method", sort=order,
                           axis=alt.Axis(labelAngle=-30)),
                "xOffset": alt.XOffset("n_features:O", sort=sizes),
                "color": colour("n_features", "k", sizes),
            },
            f"Test {METRICS[metric]}",
            12,
        ).properties(width=260, height=240, title=in_words(model))
        for (metric, model), part in parts
    ]  # fmt: skip
    figure = titled(
        panels(charts, 2),
        "Prediction performance by feature-selection method",
        f"All datasets, folds, searches, τ and alternatives. {BOX}",
    )
    return choices(
        figure,
        ["model", "metric"],
        lambda own: pd.concat([boxed(sought, own).assign(run=""), boxed(scored, [*own, "run"])]),
        run="",
    )
