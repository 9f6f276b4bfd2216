"""Mean quality within search runs."""

import pandas as pd

from altfs.evaluation.collect.results import StudyResults
from altfs.evaluation.collect.runs import run_statistics
from altfs.evaluation.figures import _charts as draw
from altfs.evaluation.figures._charts import Chart, Tables, alt
from altfs.evaluation.figures._focus import search_names
from altfs.evaluation.names import BOX, selector_name
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
    x = alt.X("n_alternatives:O", title="Number of alternatives", axis=alt.Axis(labelAngle=0))
    encoding = draw.side_by_side(x, "run:N", "Search", list(dict.fromkeys(runs["run"])))

    def boxed(own: list[str]) -> pd.DataFrame:
        return draw.quantiles(runs, [*own, "selector", "run", "n_alternatives"], statistic)

    def panel(rows: pd.DataFrame, selector: str) -> Chart:
        shown = draw.boxes(rows, encoding, title, 11)
        return shown.properties(width=250, height=170, title=selector_name(selector))

    figure = draw.titled(
        draw.panels_of(boxed([]), ["selector"], panel, 2),
        f"{title} within a search run",
        "Runs all of whose sets exist, over datasets, folds, k and τ; "
        "sequential runs cut to the same number.",
        BOX,
    )
    return draw.choices(figure, ["selector"], boxed)
