"""Scores of the runners-up of streams beside those of the original sets."""

from altfs.catalogue import figures
from altfs.evaluation.figures import _charts as draw
from altfs.evaluation.figures._charts import Chart, Tables, alt
from altfs.evaluation.results import Results
from altfs.kinds.streams.figures._stream_means import by_cap, dots, stream_means
from altfs.kinds.streams.kind import has_streams
from altfs.kinds.streams.scored_sets import scored


@figures.add(place=151, applies=has_streams)
def streams_by_rank(results: Results, tables: Tables) -> Chart:
    """Draw the mean difference of an alternative and the original set of its run, by rank."""
    rows = results.once(scored)
    rows = rows[rows["streams"]]
    rows = rows.assign(difference=rows["test_score"] - rows["original"])
    data = stream_means(results, rows, ["difference"], "set_index")
    y = alt.Y("difference:Q", title="Test score - original's")
    order, tips = list(dict.fromkeys(data["method"])), ("difference:Q", "n_datasets:Q")
    return draw.panelled(
        [dots(draw.rank_axis(), y, "method", order, "set_index:O", *tips)],
        data,
        by_cap,
        ("method", "set_index", "difference"),
        "Scores of the runners-up of streams",
        "Mean difference to the original set of the same run, over τ and folds.",
        "Only runs in which this alternative exists count, so ranks have different runs.",
        draw.counted(rows, "scores"),
        dataset="",
    )
