"""The fronts of a study: what their points are, and where a curve has which height."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa

from altfs.evaluation.names import selector_name, size_name
from altfs.evaluation.results import Results
from altfs.kinds.fronts.curve import places
from altfs.kinds.fronts.schema import POINTS_SCHEMA

#: A front of sets by their curves, and one of families.
CURVE_KEY = ["dataset", "selector", "search", "n_features"]
FAMILY_KEY = [*CURVE_KEY, "n_alternatives", "aggregation"]


def all_points(results: Results) -> pa.Table:
    """Return a row per set of each front."""
    # An incomplete study may have no front yet.
    return results.more.get("front_points", POINTS_SCHEMA.empty_table())


def curve_points(results: Results) -> pd.DataFrame:
    """Return a row per set of each front of curves, with a label of the front.

    Such a front depends on no threshold and no number of alternatives, so the first of each counts.
    """
    points = _points(results, families=False)
    for column in ("tau", "n_alternatives"):
        first = points.groupby([*CURVE_KEY, "fold"])[column].transform("first")
        points = points[points[column] == first]
    return _labelled(points, results)


def family_points(results: Results) -> pd.DataFrame:
    """Return a row per family of each front of quality against dissimilarity, with a label.

    Without given sets such a front depends on no threshold, so the first one counts.
    """
    points = _points(results, families=True)
    points = points[points["set_index"] == 0]
    first = points.groupby([*FAMILY_KEY, "fold"])["tau"].transform("first")
    return _labelled(points[points["tau"] == first], results)


def _points(results: Results, families: bool) -> pd.DataFrame:
    points: pd.DataFrame = all_points(results).to_pandas()
    kept: pd.DataFrame = points[points["set_index"].notna() == families]
    return kept


def _labelled(points: pd.DataFrame, results: Results) -> pd.DataFrame:
    caps = [size_name(size, results.sizes) for size in points["n_features"]]
    labels = panel_of(points.assign(cap=caps), "search", "cap")
    return points.assign(label=labels).reset_index(drop=True)


def panel_of(rows: pd.DataFrame, *more: str) -> pd.Series:
    """Return labels: the dataset, the selector and the texts of more columns."""
    labels = rows["dataset"] + ", " + rows["selector"].map(selector_name)
    for column in more:
        labels = labels + ", " + rows[column].astype(str)
    return labels


def heights(curves: Any, sensitivities: Sequence[float]) -> npt.NDArray[np.float64]:
    """Return the heights of curves of one front at sensitivities, a row per curve."""
    stacked = np.stack(list(curves))
    return stacked[:, places(sensitivities, stacked.shape[1])]
