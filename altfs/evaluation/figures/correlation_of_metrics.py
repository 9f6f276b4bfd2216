"""Correlation of the metrics of quality."""

from altfs.catalogue import figures
from altfs.evaluation.figures import _charts as draw
from altfs.evaluation.figures._charts import Chart, Tables, alt
from altfs.evaluation.names import METRICS, OBJECTIVES, count, in_words
from altfs.evaluation.results import Results

# The size of a cell, and its least size, in pixels.
_WIDE, _HIGH, _LEAST = 60, 40, 36


@figures.add(place=10, needs=("correlation",))
def correlation_of_metrics(results: Results, tables: Tables) -> Chart:
    """Draw the Spearman correlation of all metrics (a)."""
    every = tables["correlation"].fillna({"dataset": "", "selector": ""})
    every = every.assign(
        first=every["metric_1"].map(_metric_name), second=every["metric_2"].map(_metric_name)
    )
    rhos = every[["dataset", "selector", "first", "second", "rho", "n"]]
    data = draw.choosable(lambda keys: rhos[(rhos["dataset"] != "") == bool(keys)])
    order = list(dict.fromkeys(data["first"]))
    # A metric and its model are two close lines.
    lines = {"labelExpr": "split(datum.label, ', ')", "labelLineHeight": 10}
    axis = {"grid": False, "labelLimit": 150, **lines}
    x = alt.X("second:N", title=None, sort=order, axis=alt.Axis(labelAngle=-50, **axis))
    y = alt.Y("first:N", title=None, sort=order, axis=alt.Axis(**axis))
    scale = alt.Scale(domain=[-1, 1], scheme="blueorange", reverse=True)
    color = alt.Color("rho:Q", title="Spearman's ρ", scale=scale)
    layers = draw.heat_map(x, y, color, ".2f", "abs(datum.rho) > 0.7", "panel:N", "selector:N",
                           "first:N", "second:N", "n:Q")  # fmt: skip

    figure = draw.panels(layers, data, draw.dataset_of, columns=1)
    if len(data):
        # A label has two lines.
        wide = min(_WIDE, max(_LEAST, draw.ALONE["width"] // len(order)))
        figure.spec.width = wide * len(order)
        figure.spacing = {"row": 130}
        figure.spec.height = _HIGH * wide // _WIDE * len(order)
    table = data[data["selector"] == ""]
    table = table[table["dataset"] == table["dataset"].min()] if len(table) else table
    pairs = table[table["first"] < table["second"]]
    pairs = pairs.assign(pair=pairs["first"] + " and " + pairs["second"])
    n = rhos.loc[(rhos["selector"] == "") & (rhos["dataset"] == ""), "n"].max()
    return draw.captioned(
        figure,
        "Spearman correlation of the metrics of feature-set quality",
        "Within each dataset and method, then the median.",
        f"n = {n:,.0f} feature sets of "
        f"{count(rhos['dataset'].nunique() - 1, 'dataset')}." if len(data) else "",
        "Empty: a metric that is the same for all sets." if rhos["rho"].isna().any() else "",
        seen=draw.described(pairs, "pair", "dataset", "rho"),
    )  # fmt: skip


def _metric_name(name: str) -> str:
    if name in OBJECTIVES:
        return OBJECTIVES[name]
    part = "test" if "_test_" in name else "train"
    model, metric = name.rsplit(f"_{part}_", 1)
    return f"{'Training' if part == 'train' else 'Test'} {METRICS[metric]}, {in_words(model)}"
