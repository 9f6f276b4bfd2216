"""Scores of streams beside those of methods that see all data at once."""

from altfs.catalogue import figures
from altfs.evaluation.figures import _charts as draw
from altfs.evaluation.figures._charts import Chart, Tables, alt
from altfs.evaluation.results import Results
from altfs.kinds.streams.figures._stream_means import by_cap, dots, stream_means
from altfs.kinds.streams.kind import has_streams
from altfs.kinds.streams.scored_sets import scored

_KINDS = ["reads once", "sees all data"]


@figures.add(place=152, applies=has_streams)
def streams_against_others(results: Results, tables: Tables) -> Chart:
    """Draw the mean score of original sets of the same largest size, by method."""
    rows = results.once(scored)
    # Other methods have no sets without a largest size.
    rows = rows[(rows["set_index"] == 0) & (rows["n_features"] > 0)]
    data = stream_means(results, rows, ["test_score", "size"], "streams")
    data["kind"] = data["streams"].map({True: _KINDS[0], False: _KINDS[1]})
    x = alt.X("method:N", title=None, axis=alt.Axis(labelAngle=-90))
    y = alt.Y("test_score:Q", title="Mean test score", scale=alt.Scale(zero=False))
    return draw.panelled(
        [dots(x, y, "kind", _KINDS, "method:N", "test_score:Q", "size:Q", "n_datasets:Q")],
        data,
        by_cap,
        ("method", "cap", "test_score"),
        "Streams and methods that see all data",
        "Original sets, means over τ and folds. A stream may keep fewer features.",
        draw.counted(rows, "scores"),
        free_x=True,
        dataset="",
    )
