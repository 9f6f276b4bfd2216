"""Correlation of the metrics of quality."""

from altfs.evaluation.collect.results import StudyResults
from altfs.evaluation.figures._charts import Chart, Tables, alt, choices, heat_map, panels, titled
from altfs.evaluation.names import METRICS, OBJECTIVES, in_words
from altfs.study.catalogue import figures


@figures.add("Which measures of quality agree.", place=10, needs=("correlation",))
def correlation_of_metrics(results: StudyResults, tables: Tables) -> Chart:
    """Draw the Spearman correlation of all metrics (a)."""
    every = tables["correlation"].fillna({"dataset": "", "selector": ""})
    every = every.assign(
        first=every["metric_1"].map(_metric_name), second=every["metric_2"].map(_metric_name)
    )
    table = every[(every["dataset"] == "") & (every["selector"] == "")]
    scale = alt.Scale(domain=[-1, 1], scheme="blueorange", reverse=True)
    color = alt.Color("rho:Q", title="Spearman's ρ", scale=scale)
    across, down = alt.Axis(labelAngle=-40, grid=False), alt.Axis(labelLimit=240, grid=False)
    charts = []
    for metric in sorted({m.rsplit("_", 1)[1] for m in table["metric_1"]} & set(METRICS)):
        # The objectives are in the rows of every metric; the scores tell them apart.
        sizes = table.loc[table["metric_1"].str.endswith(f"_{metric}"), "n"].unique()
        part = table[table["n"].isin(sizes)]
        order = list(dict.fromkeys(part["first"]))
        x = alt.X("second:N", title=None, sort=order, axis=across)
        y = alt.Y("first:N", title=None, sort=order, axis=down)
        base = alt.Chart(part).encode(x=x, y=y)
        charts.append(heat_map(base, color, ".2f", "abs(datum.rho) > 0.7", step=44))
    n, datasets = (int(table[c].max()) if len(table) else 0 for c in ("n", "n_datasets"))
    figure = titled(
        panels(charts, 1),
        "Spearman correlation of the metrics of feature-set quality",
        f"Over all {n} feature sets of {datasets} datasets that have all of them.",
        "Empty: a metric that is the same for all sets." if table["rho"].isna().any() else "",
    )
    known = every[["dataset", "selector", "first", "second", "rho", "n"]]
    return choices(
        figure, [], lambda own: known[(known["dataset"] != "") == bool(own)], selector=""
    )


def _metric_name(name: str) -> str:
    if name in OBJECTIVES:
        return OBJECTIVES[name]
    model, part, metric = name.rsplit("_", 2)
    return f"{'Training' if part == 'train' else 'Test'} {METRICS[metric]}, {in_words(model)}"
