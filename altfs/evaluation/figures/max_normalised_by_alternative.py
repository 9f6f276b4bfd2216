"""Max-normalised quality by number of alternative."""

import pandas as pd

from altfs.evaluation.collect.results import StudyResults
from altfs.evaluation.collect.roles import without_random
from altfs.evaluation.collect.runs import normalised
from altfs.evaluation.figures import _charts as draw
from altfs.evaluation.figures._charts import Chart, Tables
from altfs.evaluation.figures._focus import defaults, focus, focus_name, longest_ranked
from altfs.evaluation.names import BOX, LATER, OBJECTIVES
from altfs.study.catalogue import figures


@figures.add("What further alternatives cost, relative to the best set.", place=40)
def max_normalised_by_alternative(results: StudyResults, tables: Tables) -> Chart:
    """Draw objectives relative to the best of their run, by rank (d)."""
    return normalised_by_alternative(results, "max", "Max-normalised objective")


def normalised_by_alternative(results: StudyResults, how: str, title: str) -> Chart:
    """Draw objectives normalised within their run, by rank: a panel per size."""
    chosen = focus(results.once(without_random).feature_sets)
    encoding = draw.side_by_side(draw.rank_axis(), "part:N", "", list(OBJECTIVES.values()))
    by = ["n_features", "set_index", "part"]

    def panel(rows: pd.DataFrame, k: int) -> Chart:
        shown = draw.boxes(rows, encoding, title, 10)
        return shown.properties(width=360, height=210, title=f"k = {k}{_range_of(rows)}")

    figure = draw.titled(
        draw.panels_of(draw.quantiles(normalised_parts(chosen), by, how), ["n_features"], panel, 1),
        f"{title} by number of alternative",
        f"{focus_name(chosen)}; the sets that exist, over datasets, folds and τ. {BOX}",
        LATER,
    )
    every = normalised_parts(results.once(longest_ranked))
    return draw.choices(
        figure,
        ["n_features"],
        lambda own: draw.quantiles(every, [*own, "selector", "run", *by], how),
        **defaults(chosen),
    )


def normalised_parts(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows with each normalised objective, below one another."""
    return pd.concat(
        normalised(rows.assign(value=rows[name])).assign(part=label, measure=name)
        for name, label in OBJECTIVES.items()
    )


def _range_of(rows: pd.DataFrame) -> str:
    """Return the numbers of datasets that have sets of the first and the last rank, in words."""
    own = rows.groupby("set_index")["datasets"].max()
    first, last = int(own.iloc[0]), int(own.iloc[-1])
    return f" ({first} datasets, {last} of them at {int(own.index[-1])})"
