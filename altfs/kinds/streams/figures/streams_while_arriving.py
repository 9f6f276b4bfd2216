"""Sizes and objectives of the sets of a stream while features arrive."""

import numpy as np
import pandas as pd

from altfs.catalogue import figures
from altfs.evaluation.figures import _charts as draw
from altfs.evaluation.figures._charts import Chart, Tables, alt
from altfs.evaluation.names import selector_name
from altfs.evaluation.results import Results
from altfs.kinds.streams.kind import has_streams
from altfs.kinds.streams.scored_sets import is_streaming


@figures.add(place=153, applies=has_streams)
def streams_while_arriving(results: Results, tables: Tables) -> Chart:
    """Draw size and objective of each set's own features, by the share of features seen."""
    points = _points(results)
    points["method"] = points.pop("selector").map(selector_name)
    long = points.melt(["method", "set_index", "seen", "n"], ["size", "share"], "value", "y")
    ranks = sorted(long["set_index"].unique())
    lines = alt.Chart().mark_line(point=True).encode(
        x=alt.X("seen:Q", title="Share of features seen", axis=alt.Axis(format="%")),
        y=alt.Y("y:Q", title=None),
        color=draw.shades("set_index", "Number of alternative", ranks),
        tooltip=draw.tips("panel:N", "set_index:O", "seen:Q", "y:Q", "n:Q"),
    )  # fmt: skip

    names = {"size": ", mean size", "share": ", objective / that at the end"}
    return draw.panelled(
        [lines],
        long,
        lambda shown: shown["method"] + shown["value"].map(names),
        ("set_index", "seen", "y"),
        "Streams while features arrive",
        "Own features of each set, without those that it shares with set 0; the largest sizes.",
        "Means over datasets, τ and folds; objectives of runs in which it is positive at the end.",
        f"n = {draw.number_of(results.sets['dataset'], 'dataset')}.",
    )


def _points(results: Results) -> pd.DataFrame:
    """Return the means by selector, rank and share of features seen."""
    columns = ["selector", "set_index", "seen", "size", "share", "n"]
    sets = results.sets
    rows = sets[is_streaming(results, sets)][["selector", "n_features", "set_index"]]
    names = ["trace_seen", "trace_sizes", "trace_objectives"]
    if not len(rows) or not set(names) <= set(results.table.column_names):
        return pd.DataFrame(columns=columns)
    traces = results.table.select(names).take(rows.index.to_numpy()).to_pandas()
    rows = rows.astype({"selector": str}).join(traces.set_index(rows.index)).dropna(subset=names)
    # 0 is the size without a limit.
    largest = rows["n_features"].where(rows["n_features"] > 0, np.inf)
    rows = rows[largest == largest.groupby(rows["selector"]).transform("max")]
    long = rows.explode(names).astype(dict.fromkeys(names, float))
    of_set = long.groupby(level=0)
    seen, last = (of_set[name].transform(lambda way: way.iloc[-1]) for name in names[::2])
    long = long.assign(
        tenth=of_set.cumcount(),
        seen=long["trace_seen"] / seen,
        size=long["trace_sizes"],
        share=long["trace_objectives"] / last.where(last > 0),
    )
    groups = long.groupby(["selector", "set_index", "tenth"])
    return groups[["seen", "size", "share"]].mean().assign(n=groups.size()).reset_index()[columns]
