"""Agreement of sets of one method over orders of arrival."""

import json

import numpy as np
import pandas as pd

from altfs.catalogue import figures
from altfs.evaluation.figures import _charts as draw
from altfs.evaluation.figures._charts import Chart, Tables, alt
from altfs.evaluation.names import selector_name, size_name
from altfs.evaluation.results import Results
from altfs.evaluation.stats.agreement import agreement
from altfs.evaluation.stats.members import SetMatrix, members, side_by_side
from altfs.kinds.streams.figures._stream_means import dots
from altfs.kinds.streams.kind import has_streams
from altfs.kinds.streams.scored_sets import is_streaming

_KEYS = ["dataset", "method", "n_features", "set_index"]


@figures.add(place=155, applies=has_streams)
def streams_arrival_orders(results: Results, tables: Tables) -> Chart:
    """Draw the Jaccard index of sets that differ in the order of arrival alone, by rank."""
    parts = [_agreements(results, part) for part in results.once(members)]
    none = pd.DataFrame(columns=[*_KEYS, "jaccard", "n"])
    points = pd.concat([part for part in parts if len(part)] or [none], ignore_index=True)
    points = points.rename(columns={"dataset": "data"})
    points["cap"] = [size_name(k, results.sizes) for k in points["n_features"]]
    order = list(dict.fromkeys(points["data"]))
    y = alt.Y("jaccard:Q", title="Jaccard index", scale=alt.Scale(domain=[0, 1]))
    return draw.panelled(
        [dots(draw.rank_axis(), y, "data", order, "set_index:O", "jaccard:Q", "n:Q")],
        points,
        lambda shown: shown["method"] + ", " + shown["cap"],
        ("data", "set_index", "jaccard"),
        "Agreement over orders of arrival",
        "1: the same sets in every order. A point per dataset: mean over folds and τ.",
        f"n = {draw.number_of(points['data'], 'dataset')}.",
    )


def _agreements(results: Results, sets: SetMatrix) -> pd.DataFrame:
    """Return the mean agreement of the sets of a dataset, by method, size and rank."""
    rows = sets.rows
    rows = rows[np.asarray(is_streaming(results, rows)) & sets.chosen.any(axis=1)]
    # The same text for selectors that differ in the order of arrival alone.
    arrivals = {
        s.name: json.dumps(
            [s.type, {k: v for k, v in s.options.items() if not k.startswith("arrival")}],
            sort_keys=True,
        )
        for s in results.design.selectors
        if s.streams
    }
    rows = rows.assign(variant=rows["selector"].astype(str).map(arrivals))
    names = {text: name for name, text in reversed([*arrivals.items()])}
    keys = ["dataset", "variant", "fold", "tau", "n_features", "n_alternatives", "set_index"]
    rows = rows.dropna(subset=["variant"])
    rows = rows.assign(order=rows.groupby(keys, observed=True).cumcount())
    table, layers = side_by_side(rows, keys, "order", sets.chosen)
    measured = agreement(layers, sets.n_total)
    table = table.assign(jaccard=measured.jaccard, n=measured.n)[np.asarray(measured.n > 1)]
    table["method"] = table["variant"].map(names).map(selector_name)
    groups = table.astype({"dataset": str}).groupby(_KEYS)
    return groups["jaccard"].agg(jaccard="mean", n="size").reset_index()
