"""Test scores of first sets by their size."""

import pandas as pd

from altfs.catalogue import figures, has_sizes
from altfs.evaluation.figures import _charts as draw
from altfs.evaluation.figures._charts import Chart, Tables, alt
from altfs.evaluation.names import selector_name
from altfs.evaluation.results import Results
from altfs.evaluation.rules import enough, whole_population
from altfs.evaluation.stats.sizes import scores_by_size

_CURVE = ["model", "metric", "selector"]


@figures.add(place=82, applies=has_sizes)
def score_by_size(results: Results, tables: Tables) -> Chart:
    """Draw the test score of first sets by their size, and mark the best one."""
    rows = results.once(scores_by_size)
    groups = rows.groupby(["dataset", *_CURVE, "n_features"], sort=False)
    each = groups["score"].mean().reset_index()
    n = each["dataset"].nunique()
    data = pd.concat([_means(each), each], ignore_index=True) if enough(n) else each
    data["method"] = data.pop("selector").map(selector_name)
    panel = ["dataset", "model", "metric"]
    data = data.sort_values([*panel, "method", "n_features"], kind="stable")
    data = data.reset_index(drop=True)
    # The first largest score is that of the smallest size.
    best = data.groupby([*panel, "method"], sort=False)["score"].idxmax()
    data["best"] = pd.Series("best", best).reindex(data.index, fill_value="")
    order = list(dict.fromkeys(data["method"]))
    shown = data[data["dataset"] == ""] if enough(n) else data
    base = alt.Chart().encode(
        x=alt.X(
            "n_features:Q", title="Number of features k", axis=draw.whole_axis(data["n_features"])
        ),
        y=alt.Y("score:Q", title="Test score", scale=alt.Scale(zero=False)),
        color=draw.colour("method", "", order),
        tooltip=draw.tips("panel:N", "method:N", "n_features:Q", "score:Q"),
    )
    points = base.transform_filter("datum.best === 'best'").mark_point(
        filled=True, size=36, opacity=1
    )
    return draw.captioned(
        draw.panels(
            [
                base.mark_line(strokeWidth=1.5),
                points.encode(shape=draw.by_shape("method", "", order)),
            ],
            data,
            draw.of_model,
        ),
        "Test score by number of features",
        "First set of a search: mean over folds and searches"
        + (", and over datasets. A line ends where fewer datasets have a set" * enough(n))
        + ". A point marks the best size.",
        f"n = {draw.number_of(each['dataset'], 'dataset')}.",
        seen=draw.described(shown.assign(panel=draw.of_model(shown)), "method", "n_features",
                            "score"),
    )  # fmt: skip


def _means(each: pd.DataFrame) -> pd.DataFrame:
    """Return the means over datasets, as far as all sizes of a curve have the same number."""
    groups = each.groupby([*_CURVE, "n_features"], sort=False)["score"]
    grouped = groups.agg(score="mean", n="size").reset_index()
    same = whole_population(grouped, _CURVE, along="n_features") & enough(grouped["n"])
    means: pd.DataFrame = grouped[same].drop(columns="n").assign(dataset="")
    return means
