"""Means of methods over datasets, for the figures that compare streams."""

from collections.abc import Sequence

import pandas as pd

from altfs.evaluation.collect.results import StudyResults
from altfs.evaluation.collect.streams import over_datasets
from altfs.evaluation.figures import _charts as draw
from altfs.evaluation.names import selector_name, size_name

_KEYS = ("metric", "model", "n_features", "selector")


def stream_means(
    results: StudyResults, rows: pd.DataFrame, values: Sequence[str], *more_keys: str
) -> pd.DataFrame:
    """Return means by metric, model, ``method``, ``cap`` and more keys, for readers to choose.

    ``cap`` is the largest size of a set as text.
    """
    found = draw.choosable(lambda own: over_datasets(rows, [*_KEYS, *more_keys], values, own))
    found["method"] = found.pop("selector").map(selector_name)
    found["cap"] = [size_name(k, results.sizes) for k in found["n_features"]]
    return found
