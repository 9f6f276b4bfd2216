"""Training objective against the number of evaluations, by search."""

from typing import Any

import pandas as pd

from altfs.catalogue import figures, names_solvers
from altfs.evaluation.figures import _charts as draw
from altfs.evaluation.figures._charts import Chart, Tables, alt
from altfs.evaluation.names import selector_name, size_name
from altfs.evaluation.results import Results


@figures.add(place=122, per_size=True, needs=("solvers",), applies=names_solvers)
def objective_by_evaluations(results: Results, tables: Tables) -> Chart:
    """Draw how far each search is behind the best known, over the sets that it evaluated."""
    rows = tables["solvers"]
    rows = rows[(rows["measure"] == "train_objective") & (rows["evaluations"] > 0)]
    order = sorted(rows["search"].unique())
    x = alt.X("evaluations:Q", title="Evaluations of a run", scale=alt.Scale(type="log"))
    y = alt.Y("behind:Q", title="Behind the best known", scale=alt.Scale(reverse=True))
    numbers = ("evaluations:Q", "behind:Q", "best:Q", "seconds:Q")
    points = (
        alt.Chart()
        .mark_point(filled=True, size=50, opacity=1)
        .encode(
            x=x,
            y=y,
            color=draw.colour("search", "", order),
            shape=draw.by_shape("search", "", order),
            tooltip=draw.tips("panel:N", "search:N", *numbers),
        )
    )

    return draw.captioned(
        draw.panels([points], rows, setting_of),
        "Training objective against the number of evaluations",
        "A point per search: its training objective behind that of the best known run of the case, "
        "as a mean over datasets. Higher is better.",
        "Searches that do not evaluate set after set, such as exact ones, are left out.",
        seen=draw.described(rows.assign(panel=setting_of(rows)), "search", "evaluations", "behind"),
    )


def setting_of(rows: pd.DataFrame) -> Any:
    """Return the labels of panels: selector, size and number of alternatives."""
    # Of no rows at all, pandas would keep numbers.
    sizes = rows["n_features"].map(lambda k: size_name(k, {})).astype(str)
    more = ", " + sizes + ", a = " + rows["n_alternatives"].astype(str)
    return rows["selector"].map(selector_name).astype(str) + more
