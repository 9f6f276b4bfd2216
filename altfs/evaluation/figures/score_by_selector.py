"""Test scores by selector."""

import pandas as pd

from altfs.catalogue import figures
from altfs.evaluation.figures import _charts as draw
from altfs.evaluation.figures._charts import Chart, Tables, alt
from altfs.evaluation.figures._focus import search_names
from altfs.evaluation.names import BOX, METRICS, POINT, in_words, selector_name, size_name
from altfs.evaluation.results import Results
from altfs.evaluation.stats.roles import without_random

_MOST_SLANTED = 7
# The room that a letter of a slanted and of an upright name takes below a panel, in pixels.
_SLANTED, _UPRIGHT = 3.2, 6.2
_HOLLOW = (
    "Not filled: of fewer sets than those of another method, often of easier data; of fewer than "
    "six datasets without quartiles."
)


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
        groups = rows.groupby([*by, "metric", "model", "n_features", "run"], observed=True)
        same = rows["sets"] == groups["sets"].transform("max")
        return rows.assign(same=same, size=size, method=rows["selector"].map(selector_name))

    data = draw.choosable(boxed)
    order = list(dict.fromkeys(data["method"]))
    # The names of many methods have room side by side only if they stand upright.
    angle = -30 if len(order) <= _MOST_SLANTED else -90
    x = alt.X("method:N", title=None, sort=order, axis=alt.Axis(labelAngle=angle))

    def label(rows: pd.DataFrame) -> list[str]:
        pairs = zip(rows["model"], rows["metric"], strict=True)
        return [f"{in_words(model)}, test {METRICS[metric]}" for model, metric in pairs]

    several = len(set(data["size"])) > 1
    layers = draw.boxes(data, x, "size", "Test score", "size:N", legend=several)
    figure = draw.panels(layers, data, label, shared_y=True)
    if len(data):
        letter = _SLANTED if angle == -30 else _UPRIGHT
        # Titles of panels lie below the names of those above them.
        figure.spacing = {"row": 40 + letter * max(map(len, order)), "column": 70}
    return draw.captioned(
        figure,
        "Prediction performance by feature-selection method",
        "All folds, τ, alternatives and searches but random ones.",
        BOX if (data["dataset"] == "").any() else POINT,
        "" if data["same"].all() else _HOLLOW,
        draw.counted(sought, "scores"),
        seen=draw.described(data.assign(panel=label(data)), "method", "size", "median", dataset="",
                            run=""),
    )  # fmt: skip
