"""Training and test objective of each search."""

from typing import Any

import pandas as pd

from altfs.evaluation.collect.results import StudyResults
from altfs.evaluation.figures import _charts as draw
from altfs.evaluation.figures._charts import Chart, Tables, alt
from altfs.evaluation.figures.objective_by_evaluations import setting_of
from altfs.evaluation.names import OBJECTIVES, selector_name
from altfs.study.catalogue import figures, names_solvers


@figures.add(
    "What of a better training objective is left on the test part.",
    place=124,
    needs=("solvers",),
    applies=names_solvers,
)
def overfitting_by_solver(results: StudyResults, tables: Tables) -> Chart:
    """Draw the mean training and test objective of each search, and their distance."""
    rows = tables["solvers"]
    rows = rows[rows["measure"].isin(list(OBJECTIVES))]
    rows = rows.assign(part=rows["measure"].map(OBJECTIVES))
    parts = list(OBJECTIVES.values())
    base = alt.Chart().encode(
        x=alt.X("value:Q", title="Objective", scale=alt.Scale(zero=False)),
        y=alt.Y("search:N", title=None, sort=sorted(rows["search"].unique())),
    )
    points = base.mark_point(filled=True, size=40, opacity=1).encode(
        color=draw.colour("part", "", parts),
        shape=draw.by_shape("part", "", parts),
        tooltip=draw.tips("panel:N", "search:N", "part:N", "value:Q", "behind:Q"),
    )
    lines = base.mark_line(color="#999").encode(detail="search:N")
    shown = rows.assign(panel=setting_of(rows))
    return draw.captioned(
        draw.panels([lines, points], rows, setting_of, own_x=True),
        "Training and test objective by search",
        "The mean objective of the runs of each search, over the cases of a dataset and then over "
        "datasets.",
        bought(rows),
        seen=draw.described(shown, "search", "part", "value"),
    )


def bought(rows: pd.DataFrame) -> str:
    """Say what the search of the best training objective has more than that of least evaluations.

    Parameters
    ----------
    rows : DataFrame
        The rows of the table ``solvers`` for both objectives.
    """
    said = []
    groups: Any = rows[rows["evaluations"] > 0].groupby(
        ["selector", "n_features", "n_alternatives"]
    )
    for (selector, k, a), own in groups:
        trained = own[own["measure"] == "train_objective"].set_index("search")
        if len(trained) < 2:
            continue
        best = str(trained["value"].idxmax())
        # Of equally many evaluations, those of the best count.
        count = {str(name): float(n) for name, n in trained["evaluations"].items()}
        least = min(count, key=lambda name: (count[name], name != best))
        start = f"{selector_name(selector)} (k = {k}, a = {a}): {best} has"
        if least == best:
            said.append(f"{start} the fewest evaluations and the best training objective")
            continue
        gains = []
        for part, measured in own.groupby("measure", sort=False):
            value = measured.set_index("search")["value"].to_dict()
            gains.append(f"{value[best] - value[least]:+.2f} in {OBJECTIVES[str(part)].lower()}")
        times = f"{count[best] / count[least]:.2g} times the evaluations of {least}"
        said.append(f"{start} {times} and {', '.join(gains)}")
    return f"What more search buys. {'; '.join(said)}." if said else ""
