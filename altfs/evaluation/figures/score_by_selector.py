"""Test scores by selector."""

import pandas as pd

from altfs.evaluation.collect.results import StudyResults
from altfs.evaluation.collect.roles import without_random
from altfs.evaluation.figures import _charts as draw
from altfs.evaluation.figures._charts import Chart, Tables, alt
from altfs.evaluation.figures._focus import search_names
from altfs.evaluation.names import BOX, METRICS, in_words, selector_name
from altfs.study.catalogue import figures


@figures.add("How well models predict with the feature sets of each selector.", place=80)
def score_by_selector(results: StudyResults, tables: Tables) -> Chart:
    """Draw test scores by selector and size: a panel per model and metric."""
    sought, scored = results.once(without_random).predictions, results.predictions
    scored = scored.assign(run=search_names(scored))

    def boxed(rows: pd.DataFrame, own: list[str]) -> pd.DataFrame:
        data = draw.quantiles(
            rows, [*own, "selector", "n_features", "model", "metric"], "test_score"
        )
        return data.assign(selector=data["selector"].map(selector_name))

    data = boxed(sought, [])
    order = list(dict.fromkeys(data["selector"]))
    tilted = alt.Axis(labelAngle=-30)
    x = alt.X("selector:N", title="Feature-selection method", sort=order, axis=tilted)
    encoding = draw.side_by_side(x, "n_features:O", "k", sorted(data["n_features"].unique()))

    def panel(rows: pd.DataFrame, metric: str, model: str) -> Chart:
        shown = draw.boxes(rows, encoding, f"Test {METRICS[metric]}", 12)
        return shown.properties(width=260, height=240, title=in_words(model))

    ordered = data.sort_values(["metric", "model"], kind="stable")
    figure = draw.titled(
        draw.panels_of(ordered, ["metric", "model"], panel, 2),
        "Prediction performance by feature-selection method",
        f"All datasets, folds, searches, τ and alternatives. {BOX}",
    )
    return draw.choices(
        figure,
        ["model", "metric"],
        lambda own: pd.concat([boxed(sought, own).assign(run=""), boxed(scored, [*own, "run"])]),
        run="",
    )
