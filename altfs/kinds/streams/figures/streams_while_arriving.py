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

    def label(shown: pd.DataFrame) -> pd.Series:
        names = {"size": ", mean size", "share": ", objective / that at the end"}
        found: pd.Series = shown["method"] + shown["value"].map(names)
        return found

    return draw.captioned(
        draw.panels([lines], long, label),
        "Streams while features arrive",
        "Own features of each set, without those that it shares with set 0; the largest sizes.",
        "Means over datasets, τ and folds; objectives of runs in which it is positive at the end.",
        f"n = {draw.number_of(results.sets['dataset'], 'dataset')}.",
        seen=draw.described(long.assign(panel=label(long)), "set_index", "seen", "y"),
    )


def _points(results: Results) -> pd.DataFrame:
    """Return the means by selector, rank and share of features seen."""
    columns = ["selector", "set_index", "seen", "size", "share", "n"]
    sets = results.sets
    rows = sets[is_streaming(results, sets)][["selector", "n_features", "set_index"]]
    names = ["trace_seen", "trace_sizes", "trace_objectives"]
    if not len(rows) or not set(names) <= set(results.table.column_names):
        return pd.DataFrame(columns=columns)
    rows = rows.astype({"selector": str})
    traces = results.table.select(names).take(rows.index.to_numpy()).to_pandas()
    traces = traces.set_index(rows.index)
    rows = rows.join(traces).dropna(subset=names)
    # 0 is the size without a limit.
    largest = rows["n_features"].where(rows["n_features"] > 0, np.inf)
    rows = rows[largest == largest.groupby(rows["selector"]).transform("max")]
    last = rows["trace_objectives"].map(lambda way: way[-1])
    rows = rows.assign(
        last=last.where(last > 0),
        n_seen=rows["trace_seen"].map(lambda way: way[-1]),
        tenth=rows["trace_seen"].map(lambda way: range(1, len(way) + 1)),
    )
    long = rows.explode([*names, "tenth"])
    long = long.astype(dict.fromkeys([*names, "last"], float))
    long["seen"], long["size"] = long["trace_seen"] / long["n_seen"], long["trace_sizes"]
    long["share"] = long["trace_objectives"] / long["last"]
    groups = long.groupby(["selector", "set_index", "tenth"])
    found = groups[["seen", "size", "share"]].mean().assign(n=groups.size()).reset_index()
    return found[columns]
