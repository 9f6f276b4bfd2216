"""Time of search runs by width of the dataset."""

import pandas as pd

from altfs.evaluation.collect.results import StudyResults
from altfs.evaluation.collect.runs import cut_to_the_same_number, run_efforts
from altfs.evaluation.figures._charts import Chart, Tables, alt, panels_of, shades, titled
from altfs.evaluation.names import search_name, selector_name
from altfs.study.catalogue import figures


@figures.add("What the searches cost, by the size of the problem.", place=120)
def solver_time(results: StudyResults, tables: Tables) -> Chart:
    """Draw the time of a run against the number of features, by number of alternatives."""
    cut = cut_to_the_same_number(results.feature_sets, results.settings)
    by = ["selector", "search", "aggregation", "n_alternatives", "dataset"]
    medians = run_efforts(cut).groupby(by, observed=True)["seconds"].median().reset_index()
    medians["n"] = medians["dataset"].astype(str).map(results.widths()).astype(float)
    # A coarse clock gives 0, which has no logarithm.
    medians["seconds"] = medians["seconds"].clip(lower=1e-6)
    text = dict.fromkeys(("selector", "search", "aggregation", "dataset"), str)
    medians = medians.dropna().astype(text)
    colours = shades(
        "n_alternatives", "Number of alternatives", sorted(medians["n_alternatives"].unique())
    )
    wide = {"scale": alt.Scale(type="log", nice=False, padding=8),
            "axis": alt.Axis(values=[15, 20, 30, 50, 100, 200, 500, 1000])}  # fmt: skip
    long = {"scale": alt.Scale(type="log"), "axis": alt.Axis(format="~g", tickCount=6)}

    def panel(rows: pd.DataFrame, search: str, aggregation: str, selector: str) -> Chart:
        points = alt.Chart(rows).mark_point(filled=True, size=28, opacity=0.9)
        shown = points.encode(
            x=alt.X("n:Q", title="Number of features n", **wide),
            y=alt.Y("seconds:Q", title="Median time of a run in s", **long),
            color=colours,
            tooltip=["dataset:N", "n:Q", "n_alternatives:O", "seconds:Q"],
        )
        title = f"{selector_name(selector)}, {search_name(search, aggregation)}"
        return shown.properties(width=250, height=170, title=title)

    return titled(
        panels_of(medians, ["search", "aggregation", "selector"], panel, 2),
        "Solver time against number of features and of alternatives",
        "A point per dataset and number of alternatives: median over folds, k and τ; sequential "
        "runs as far as that alternative.",
    )
