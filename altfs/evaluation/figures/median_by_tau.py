"""Median quality by number of alternative and threshold."""

import pandas as pd

from altfs.catalogue import figures
from altfs.evaluation.figures import _charts as draw
from altfs.evaluation.figures._charts import Chart, Tables, alt
from altfs.evaluation.figures._focus import defaults, focus, focus_name, longest_ranked
from altfs.evaluation.figures.max_normalised_by_alternative import normalised_parts
from altfs.evaluation.names import LATER, size_name
from altfs.evaluation.results import Results
from altfs.evaluation.rules import whole_population
from altfs.evaluation.stats.roles import without_random


@figures.add(place=38)
def median_by_tau(results: Results, tables: Tables) -> Chart:
    """Draw the median max-normalised objective by rank, a line for each τ (f)."""
    chosen = focus(results.once(without_random).sets)
    every, k = results.once(longest_ranked), int(chosen["n_features"].max())
    widest = normalised_parts(every[every["n_features"] == k])
    line = ["selector", "run", "tau", "part"]

    def medians(by: list[str]) -> pd.DataFrame:
        rows = draw.quantiles(widest, [*by, *line, "set_index"], "max")
        rows = rows.drop(columns=["low", "q1", "q3", "high"])
        return rows.assign(same=whole_population(rows, [*by, *line], "sets"))

    data = draw.choosable(medians)
    taus = [*draw.thresholds(data["tau"]).values()]
    fields = ("panel:N", "selector:N", "tau:N", "set_index:N", "median:Q", "sets:Q", "datasets:Q")
    base = alt.Chart().encode(
        x=draw.rank_axis(), color=draw.shades("tau", "τ", taus), tooltip=draw.tips(*fields)
    )
    y = alt.Y("median:Q", title="Median max-normalised objective", scale=alt.Scale(zero=False))
    figure = draw.panels(
        draw.line_and_points(base, y, alt.ShapeValue("circle")),
        data,
        lambda rows: draw.apart(rows["part"], rows["dataset"]),
        shared_y=True,
        first=defaults(chosen),
    )
    return draw.captioned(
        figure,
        "Median max-normalised objective by number of alternative and τ",
        f"{focus_name(chosen)}, {size_name(k, results.sizes)}; the sets that exist, over folds.",
        LATER,
        draw.counted(chosen[(chosen["n_features"] == k) & chosen["train_objective"].notna()]),
        seen=draw.described(
            data.assign(line="τ = " + data["tau"], panel=data["part"]),
            "line", "set_index", "median", dataset="", **defaults(chosen),
        ),
    )  # fmt: skip
