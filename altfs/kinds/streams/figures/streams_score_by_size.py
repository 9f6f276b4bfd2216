"""Score against size of streams and other methods, with the Pareto front."""

from altfs.catalogue import figures
from altfs.evaluation.figures import _charts as draw
from altfs.evaluation.figures._charts import Chart, Tables, alt
from altfs.evaluation.figures.quality_against_dissimilarity import pareto_front
from altfs.evaluation.results import Results
from altfs.kinds.streams.figures._stream_means import stream_means
from altfs.kinds.streams.kind import has_streams
from altfs.kinds.streams.scored_sets import scored


@figures.add(place=150, applies=has_streams)
def streams_score_by_size(results: Results, tables: Tables) -> Chart:
    """Draw the mean score of original sets against their mean size, a point per method and cap."""
    rows = results.once(scored)
    rows = rows[rows["set_index"] == 0]
    data = stream_means(results, rows, ["size", "test_score"]).assign(front=False)
    for _, part in data.groupby(["dataset", "metric", "model"]):
        wide = part[part["n_datasets"] == part["n_datasets"].max()]
        front = pareto_front(-wide["size"].to_numpy(), wide["test_score"].to_numpy())
        data.loc[wide.index[front], "front"] = True
    base = alt.Chart().encode(
        x=alt.X("size:Q", title="Mean size of the set", scale=alt.Scale(type="log", padding=8)),
        y=alt.Y("test_score:Q", title="Mean test score", scale=alt.Scale(zero=False)),
        tooltip=draw.tips("panel:N", "method:N", "cap:N", "size:Q", "test_score:Q"),
    )
    front = base.transform_filter("datum.front").mark_line(color="#555", strokeDash=[4, 3])
    methods = list(dict.fromkeys(data["method"]))
    # Sets without a largest size are stored with 0, and come last.
    by_cap = data.sort_values("n_features", key=lambda k: k.where(k > 0, float("inf")))
    caps = list(dict.fromkeys(by_cap["cap"]))
    areas = alt.Scale(domain=caps, range=[20 + 50 * i for i in range(len(caps))])
    dots = base.mark_point(opacity=1).encode(
        color=draw.colour("method", "", methods),
        shape=draw.by_shape("method", "", methods),
        size=alt.Size("cap:N", title=None, sort=caps, scale=areas),
    )
    return draw.panelled(
        [front.encode(order="size:Q"), dots],
        data,
        draw.of_model,
        ("method", "cap", "test_score"),
        "Score against size",
        "A point per method and largest size (small to large symbols): original sets, means over τ "
        "and folds.",
        "Dashed: Pareto front of the points with the most datasets.",
        draw.counted(rows, "scores"),
        free_x=True,
        dataset="",
    )
