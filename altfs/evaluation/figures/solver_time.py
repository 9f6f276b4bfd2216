"""Time of search runs by width of the dataset."""

from typing import Any

from altfs.evaluation.collect.results import StudyResults
from altfs.evaluation.collect.runs import cut_to_the_same_number, run_efforts
from altfs.evaluation.figures._charts import Chart, Tables, alt, panels, shades, titled
from altfs.evaluation.names import search_name, selector_name
from altfs.study.catalogue import figures


@figures.add("What the searches cost, by the size of the problem.", place=120)
def solver_time(results: StudyResults, tables: Tables) -> Chart:
    """Draw the time of a run against the number of features, by number of alternatives."""
    widths = results.datasets.set_index("dataset")["features"].to_dict() if len(
        results.datasets
    ) and "features" in results.datasets else {}  # fmt: skip
    cut = cut_to_the_same_number(results.feature_sets, results.settings)
    runs = run_efforts(cut)
    by = ["selector", "search", "aggregation", "n_alternatives", "dataset"]
    medians = runs.groupby(by, observed=True)["seconds"].median().reset_index()
    medians["n"] = medians["dataset"].astype(str).map(widths).astype(float)
    # A clock that does not see a step says 0, which has no logarithm.
    medians["seconds"] = medians["seconds"].clip(lower=1e-6)
    text = dict.fromkeys(("selector", "search", "aggregation", "dataset"), str)
    medians = medians.dropna().astype(text)
    numbers = sorted(medians["n_alternatives"].unique())
    parts: Any = medians.groupby(["search", "aggregation", "selector"], sort=False)
    charts = [
        alt.Chart(part)
        .mark_point(filled=True, size=28, opacity=0.9)
        .encode(
            x=alt.X("n:Q", title="Number of features n", scale=alt.Scale(type="log", nice=False,
                    padding=8), axis=alt.Axis(values=[15, 20, 30, 50, 100, 200, 500, 1000])),
            y=alt.Y("seconds:Q", title="Median time of a run in s",
                    scale=alt.Scale(type="log"), axis=alt.Axis(format="~g", tickCount=6)),
            color=shades("n_alternatives", "Number of alternatives", numbers),
            tooltip=["dataset:N", "n:Q", "n_alternatives:O", "seconds:Q"],
        )
        .properties(width=250, height=170,
                    title=f"{selector_name(selector)}, {search_name(search, aggregation)}")
        for (search, aggregation, selector), part in parts
    ]  # fmt: skip
    return titled(
        panels(charts, 2),
        "Solver time against number of features and of alternatives",
        "A point per dataset and number of alternatives: median over folds, k and τ; sequential "
        "runs as far as that alternative.",
    )
