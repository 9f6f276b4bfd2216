"""Max-normalised quality by number of alternative."""

import pandas as pd

from altfs.catalogue import figures
from altfs.evaluation.figures import _charts as draw
from altfs.evaluation.figures._charts import Chart, Tables
from altfs.evaluation.figures._focus import defaults, focus, focus_name, longest_ranked
from altfs.evaluation.names import OBJECTIVES, size_name
from altfs.evaluation.results import Results
from altfs.evaluation.rules import whole_population
from altfs.evaluation.stats.roles import without_random
from altfs.evaluation.stats.runs import normalised


@figures.add(place=40, per_size=True)
def max_normalised_by_alternative(results: Results, tables: Tables) -> Chart:
    """Draw objectives relative to the best of their run, by rank (d)."""
    return normalised_by_alternative(results, "max", "Max-normalised objective")


def normalised_by_alternative(results: Results, how: str, title: str) -> Chart:
    """Draw objectives normalised within their run, by rank: a panel per size."""
    chosen = focus(results.once(without_random).sets)
    every = normalised_parts(results.once(longest_ranked))
    line = ["selector", "run", "n_features", "part"]

    def boxed(by: list[str]) -> pd.DataFrame:
        rows = draw.quantiles(every, [*by, *line, "set_index"], how)
        return rows.assign(same=whole_population(rows, [*by, *line], "sets"))

    data = draw.choosable(boxed)
    layers = draw.boxes(data, draw.rank_axis(), "part", title, "part:N", "set_index:N")
    figure = draw.panels(
        layers, data, lambda rows: [size_name(k, results.sizes) for k in rows["n_features"]],
        shared_y=True, first=defaults(chosen),
    )  # fmt: skip
    seen = draw.described(data, "part", "set_index", "median", dataset="", **defaults(chosen))
    return draw.captioned(
        figure,
        f"{title} by number of alternative",
        f"{focus_name(chosen)}; the sets that exist, over folds and τ.",
        draw.marks_of(data),
        draw.counted(chosen[chosen["train_objective"].notna()]),
        seen=seen,
    )


def normalised_parts(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows with each normalised objective, below one another."""
    return pd.concat(
        normalised(rows.assign(value=rows[name])).assign(part=label)
        for name, label in OBJECTIVES.items()
    )
