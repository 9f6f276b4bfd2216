"""Means of methods over datasets, for the figures that compare streams."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from altfs.evaluation.figures import _charts as draw
from altfs.evaluation.names import selector_name, size_name
from altfs.evaluation.results import Results
from altfs.kinds.streams.scored_sets import over_datasets

_KEYS = ("metric", "model", "n_features", "selector")


def stream_means(
    results: Results, rows: pd.DataFrame, values: Sequence[str], *more_keys: str
) -> pd.DataFrame:
    """Return means by metric, model, ``method``, ``cap`` and more keys, for readers to choose.

    ``cap`` is the largest size of a set as text.
    """
    found = draw.choosable(lambda own: over_datasets(rows, [*_KEYS, *more_keys], values, own))
    found["method"] = found.pop("selector").map(selector_name)
    found["cap"] = [size_name(k, results.sizes) for k in found["n_features"]]
    return found


def stream_panels(
    layers: Sequence[Any],
    data: pd.DataFrame,
    seen: tuple[str, str, str],
    *words: str,
    columns: Sequence[str] = ("cap",),
    own_x: bool = False,
) -> Any:
    """Draw layers in a panel for each model and each value of more columns.

    Parameters
    ----------
    layers : sequence of Chart
    data : DataFrame
        What :func:`stream_means` returned.
    seen : tuple of str
        The columns of groups, x and y, which the description names.
    *words : str
        The title and the notes.
    columns : sequence of str, default=("cap",)
        The columns whose values have panels of their own.
    own_x : bool, default=False
        True if each panel has its own range of x.
    """

    def label(shown: pd.DataFrame) -> Any:
        return draw.of_model(shown, *columns)

    chart = draw.panels(layers, data, label, own_x=own_x)
    described = draw.described(data.assign(panel=label(data)), *seen, dataset="")
    return draw.captioned(chart, *words, seen=described)
