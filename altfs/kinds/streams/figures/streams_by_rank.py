"""Scores of the runners-up of streams beside those of the original sets."""

from altfs.catalogue import figures
from altfs.evaluation.figures import _charts as draw
from altfs.evaluation.figures._charts import Chart, Tables, alt
from altfs.evaluation.results import Results
from altfs.kinds.streams.figures._stream_means import stream_means, stream_panels
from altfs.kinds.streams.kind import has_streams
from altfs.kinds.streams.scored_sets import scored


@figures.add(place=151, applies=has_streams)
def streams_by_rank(results: Results, tables: Tables) -> Chart:
    """Draw the mean difference of an alternative and the original set of its run, by rank."""
    rows = results.once(scored)
    rows = rows[rows["streams"]]
    rows = rows.assign(difference=rows["test_score"] - rows["original"])
    data = stream_means(results, rows, ["difference"], "set_index")
    order = list(dict.fromkeys(data["method"]))
    dots = alt.Chart().mark_point(filled=True, size=36, opacity=1).encode(
        x=draw.rank_axis(),
        y=alt.Y("difference:Q", title="Test score - original's"),
        color=draw.colour("method", "", order),
        shape=draw.by_shape("method", "", order),
        tooltip=draw.tips("panel:N", "method:N", "set_index:O", "difference:Q", "n_datasets:Q"),
    )  # fmt: skip

    return stream_panels(
        [dots],
        data,
        ("method", "set_index", "difference"),
        "Scores of the runners-up of streams",
        "Mean difference to the original set of the same run, over τ and folds.",
        "Only runs in which this alternative exists count, so ranks have different runs.",
        draw.counted(rows, "scores"),
    )
