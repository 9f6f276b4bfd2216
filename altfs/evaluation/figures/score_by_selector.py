"""Test scores by selector."""

import pandas as pd

from altfs.catalogue import figures
from altfs.evaluation.figures import _charts as draw
from altfs.evaluation.figures._charts import Chart, Tables, alt
from altfs.evaluation.figures._focus import search_names
from altfs.evaluation.names import METRICS, in_words, selector_name, size_name
from altfs.evaluation.results import Results
from altfs.evaluation.stats.roles import without_random

_MOST_SLANTED = 7


@figures.add(place=80, per_size=True)
def score_by_selector(results: Results, tables: Tables) -> Chart:
    """Draw test scores by selector and size: a panel per model and metric."""
    sought, scored = results.once(without_random).first_scores, results.first_scores
    scored = scored.assign(run=search_names(scored))
    keys = ["metric", "model", "n_features", "selector"]

    def boxed(by: list[str]) -> pd.DataFrame:
        together = draw.quantiles(sought, [*by, *keys], "test_score").assign(run="")
        rows = pd.concat([together, draw.quantiles(scored, [*by, *keys, "run"], "test_score")])
        size = [size_name(k, results.sizes) for k in rows["n_features"]]
        return rows.assign(same=True, size=size, method=rows["selector"].map(selector_name))

    data = draw.choosable(boxed)
    order = list(dict.fromkeys(data["method"]))
    # The names of many methods have room side by side only if they stand upright.
    angle = -30 if len(order) <= _MOST_SLANTED else -90
    x = alt.X("method:N", title=None, sort=order, axis=alt.Axis(labelAngle=angle))

    def label(rows: pd.DataFrame) -> list[str]:
        pairs = zip(rows["model"], rows["metric"], strict=True)
        return [f"{in_words(model)}, test {METRICS[metric]}" for model, metric in pairs]

    return draw.captioned(
        draw.panels(
            draw.boxes(data, x, "size", "Test score", "size:N"), data, label, shared_y=True
        ),
        "Prediction performance by feature-selection method",
        "All folds, τ, alternatives and searches but random ones.",
        draw.marks_of(data),
        draw.counted(sought, "scores"),
        seen=draw.described(data.assign(panel=label(data)), "method", "size", "median", dataset="",
                            run=""),
    )  # fmt: skip
