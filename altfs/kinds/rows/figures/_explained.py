"""Common parts of the figures of explanations: a run for each method, and lines by rank."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from altfs.evaluation.figures import _charts as draw
from altfs.evaluation.figures._charts import alt
from altfs.evaluation.names import selector_name, size_name
from altfs.kinds.rows.explained_runs import main_run

NOTHING_EXPLAINED = "No row is explained."


def chosen_run(table: pd.DataFrame) -> tuple[pd.DataFrame, str]:
    """Return the rows of one run for each dataset and method, and the run in words."""
    rows = main_run(table)
    first = rows.iloc[0]
    search = str(first["search"])
    words = (
        f"{search[:1].upper()}{search[1:]} search, {size_name(first['n_features'], {})}, "
        f"τ = {first['tau']}."
    )
    return rows, words


def lines_of_methods(
    data: pd.DataFrame, value: str, title: str, *tooltip: str, scale: Sequence[float] = (0, 1)
) -> list[Any]:
    """Draw a line by rank for each method, the column ``method``."""
    order = list(dict.fromkeys(data["method"]))
    base = alt.Chart().encode(
        x=draw.rank_axis(),
        y=alt.Y(f"{value}:Q", title=title, scale=alt.Scale(domain=list(scale))),
        color=draw.colour("method", "", order),
        tooltip=draw.tips("panel:N", "method:N", "set_index:O", f"{value}:Q", *tooltip),
    )
    points = base.mark_point(filled=True, size=36, opacity=1)
    return [
        base.mark_line(strokeWidth=1.5),
        points.encode(shape=draw.by_shape("method", "", order)),
    ]


def with_methods(rows: pd.DataFrame) -> pd.DataFrame:
    """Return rows with the names of their selectors in the column ``method``."""
    return rows.assign(method=rows["selector"].map(selector_name)).drop(columns="selector")
