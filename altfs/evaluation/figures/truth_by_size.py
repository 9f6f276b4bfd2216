"""Relevant features in original sets by their size, where the truth is known."""

from altfs.catalogue import figures, knows_truth
from altfs.evaluation.figures import _charts as draw
from altfs.evaluation.figures._charts import Chart, Tables, alt
from altfs.evaluation.names import selector_name
from altfs.evaluation.results import Results
from altfs.evaluation.stats.roles import is_random
from altfs.evaluation.tables.truth import OF_ALL


@figures.add(place=158, needs=("truth",), applies=knows_truth)
def truth_by_size(results: Results, tables: Tables) -> Chart:
    """Draw the cumulative gain of first sets by their size, a line per selector."""
    rows = tables["truth"]
    rows = rows[rows["sets"] == OF_ALL]
    ranked = rows["aggregation"].astype(str) == "none"
    rows = rows[(rows["set_index"] == 0) & ranked & ~is_random(results, rows)]
    keys = ["dataset", "selector", "n_features"]
    data = rows.astype({"selector": str}).groupby(keys, sort=False)["gain"].mean().reset_index()
    data["method"] = data.pop("selector").map(selector_name)
    data = data.sort_values(["dataset", "method", "n_features"], kind="stable")
    axis = draw.whole_axis(data["n_features"])
    order = list(dict.fromkeys(data["method"]))
    base = alt.Chart().encode(
        x=alt.X("n_features:Q", title="Number of features k", axis=axis),
        y=alt.Y("gain:Q", title="Cumulative gain", scale=alt.Scale(domain=[0, 1])),
        color=draw.colour("method", "", order),
        tooltip=draw.tips("panel:N", "method:N", "n_features:Q", "gain:Q"),
    )
    points = base.mark_point(filled=True, size=36, opacity=1).encode(
        shape=draw.by_shape("method", "", order)
    )
    return draw.captioned(
        draw.panels([base.mark_line(strokeWidth=1.5), points], data, draw.dataset_of),
        "Relevant features that are found",
        "Relevant features in the first set of a search, over the most that a set of its size "
        "can have: mean over folds, searches and τ.",
        f"n = {draw.number_of(data['dataset'], 'dataset')} with known relevant features.",
        seen=draw.described(data.assign(panel=draw.dataset_of(data)), "method", "n_features",
                            "gain"),
    )  # fmt: skip
