"""Mean quality within search runs."""

from typing import Any

import numpy as np
import pandas as pd

from altfs.evaluation.collect.results import StudyResults
from altfs.evaluation.collect.runs import run_statistics
from altfs.evaluation.figures._charts import (
    Chart,
    Tables,
    alt,
    boxes,
    choices,
    colour,
    panels,
    quantiles,
    titled,
)
from altfs.evaluation.names import BOX, search_name, selector_name
from altfs.study.catalogue import figures


@figures.add("How good the sets of a run are on average.", place=30)
def mean_within_search(results: StudyResults, tables: Tables) -> Chart:
    """Draw the mean of the training objective within a search run (c)."""
    return within_search(results, "mean", "Mean of training objective")


def within_search(results: StudyResults, statistic: str, title: str) -> Chart:
    """Draw a statistic of runs by number of alternatives: a panel per selector."""
    sets = results.feature_sets
    runs = run_statistics(sets.assign(value=sets["train_objective"]), results.settings)
    several = runs[runs["aggregation"] != "none"]
    if len(several):
        runs = runs[runs["n_alternatives"].isin(several["n_alternatives"].unique())]
    runs = runs.assign(run=search_names(runs))
    order = list(dict.fromkeys(runs["run"]))

    def boxed(own: list[str]) -> pd.DataFrame:
        return quantiles(runs, [*own, "selector", "run", "n_alternatives"], statistic)

    data = boxed([])
    charts = [
        boxes(
            data[data["selector"] == selector],
            {
                "x": alt.X("n_alternatives:O", title="Number of alternatives",
                           axis=alt.Axis(labelAngle=0)),
                "xOffset": alt.XOffset("run:N", sort=order),
                "color": colour("run", "Search", order),
            },
            title,
            11,
        ).properties(width=250, height=170, title=selector_name(selector))
        for selector in dict.fromkeys(data["selector"])
    ]  # fmt: skip
    figure = titled(
        panels(charts, 2),
        f"{title} within a search run",
        "Runs all of whose sets exist, over datasets, folds, k and τ; "
        "sequential runs cut to the same number.",
        BOX,
    )
    return choices(figure, ["selector"], boxed)


def search_names(rows: pd.DataFrame) -> Any:
    """Return the name of the search of each row, with its aggregation if it has one."""
    search, searches = pd.factorize(rows["search"])
    aggregation, aggregations = pd.factorize(rows["aggregation"])
    names = [search_name(s, a) for s in searches for a in aggregations]
    return np.array(names, dtype=object)[search * len(aggregations) + aggregation]
