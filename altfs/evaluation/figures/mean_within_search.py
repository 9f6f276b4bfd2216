"""Mean quality within search runs."""

import pandas as pd

from altfs.catalogue import figures
from altfs.evaluation.figures import _charts as draw
from altfs.evaluation.figures._charts import Chart, Tables, alt
from altfs.evaluation.figures._focus import search_names
from altfs.evaluation.names import selector_name
from altfs.evaluation.results import Results
from altfs.evaluation.rules import whole_population
from altfs.evaluation.stats.runs import run_statistics


@figures.add(place=30)
def mean_within_search(results: Results, tables: Tables) -> Chart:
    """Draw the mean of the training objective within a search run (c)."""
    return within_search(results, "mean", "Mean objective")


def within_search(results: Results, statistic: str, title: str) -> Chart:
    """Draw a statistic of runs by number of alternatives: a panel per selector."""
    sets = results.sets
    runs = run_statistics(sets.assign(value=sets["train_objective"]), results.settings)
    several = runs[runs["aggregation"] != "none"]
    if len(several):
        runs = runs[runs["n_alternatives"].isin(several["n_alternatives"].unique())]
    runs = runs.assign(run=search_names(runs))
    x = alt.X("n_alternatives:O", title="Number of alternatives", axis=alt.Axis(labelAngle=0))

    def boxed(by: list[str]) -> pd.DataFrame:
        line = [*by, "selector", "run"]
        rows = draw.quantiles(runs, [*line, "n_alternatives"], statistic)
        return rows.assign(same=whole_population(rows, line, "sets", "n_alternatives"))

    data = draw.choosable(boxed)
    layers = draw.boxes(data, x, "run", title, "n_alternatives:N")
    return draw.captioned(
        draw.panels(layers, data, lambda rows: rows["selector"].map(selector_name)),
        f"{title} within a search run",
        "Training objective of runs all of whose sets exist, over folds, k and τ; sequential runs "
        "cut to the same number.",
        draw.marks_of(data),
        draw.counted(runs, "runs"),
        seen=draw.described(data, "run", "n_alternatives", "median", "{:.3g}", dataset=""),
    )
