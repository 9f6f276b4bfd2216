"""Means of methods over datasets, and dots of groups, for the figures of streams."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from altfs.evaluation.figures import _charts as draw
from altfs.evaluation.names import selector_name, size_name
from altfs.evaluation.results import Results

_KEYS = ("metric", "model", "n_features", "selector")


def stream_means(
    results: Results, rows: pd.DataFrame, values: Sequence[str], *more_keys: str
) -> pd.DataFrame:
    """Return means by metric, model, ``method``, ``cap`` and more keys, for readers to choose.

    Each dataset counts once. ``cap`` is the largest size of a set as text.
    """
    keys, values = [*_KEYS, *more_keys], [*values]

    def means(more: list[str]) -> pd.DataFrame:
        each = rows.groupby([*dict.fromkeys([*more, *keys, "dataset"])])[values].mean()
        groups = each.reset_index().groupby([*more, *keys])
        return groups[values].mean().assign(n_datasets=groups.size()).reset_index()

    data = draw.choosable(means)
    data["method"] = data.pop("selector").map(selector_name)
    data["cap"] = [size_name(k, results.sizes) for k in data["n_features"]]
    return data


def by_cap(rows: pd.DataFrame) -> Any:
    """Return the labels of panels of a model and a largest size."""
    return draw.of_model(rows, "cap")


def dots(x: Any, y: Any, group: str, order: Sequence[str], *tooltip: str) -> Any:
    """Draw a dot for each row, with the colour and the shape of its group."""
    marks = draw.alt.Chart().mark_point(filled=True, size=40, opacity=1)
    look = {"color": draw.colour(group, "", order), "shape": draw.by_shape(group, "", order)}
    return marks.encode(x=x, y=y, tooltip=draw.tips("panel:N", f"{group}:N", *tooltip), **look)
