"""The points of the fronts of a study."""

from __future__ import annotations

import pandas as pd

from altfs.evaluation.names import selector_name
from altfs.evaluation.results import Results
from altfs.kinds.fronts.schema import POINTS_SCHEMA

#: A front of sets by their curves, and one of families.
CURVE_KEY = ["dataset", "selector", "search", "n_features"]
FAMILY_KEY = [*CURVE_KEY, "n_alternatives", "aggregation"]


def all_points(results: Results) -> pd.DataFrame:
    """Return a row per set of each front."""
    # An incomplete study may have no front yet.
    table = results.more.get("front_points", POINTS_SCHEMA.empty_table())
    points: pd.DataFrame = table.to_pandas()
    return points


def curve_points(results: Results) -> pd.DataFrame:
    """Return a row per set of each front of curves.

    Such a front depends on no threshold and no number of alternatives, so the first of each counts.
    """
    points = all_points(results)
    return _first(points[points["set_index"].isna()], CURVE_KEY, "tau", "n_alternatives")


def family_points(results: Results, second: str) -> pd.DataFrame:
    """Return a row per family of each front of quality against a second objective.

    Without given sets such a front depends on no threshold, so the first one counts.
    """
    points = all_points(results)
    searches = results.design.searches
    told = {search.name for search in searches if search.options.get("against") == "information"}
    of_second = points["search"].isin(told) == (second == "information")
    return _first(points[(points["set_index"] == 0) & of_second], FAMILY_KEY, "tau")


def _first(points: pd.DataFrame, key: list[str], *columns: str) -> pd.DataFrame:
    """Return the points of each front that have the first value of some columns."""
    for column in columns:
        first = points.groupby([*key, "fold"])[column].transform("first")
        points = points[points[column] == first]
    return points.reset_index(drop=True)


def panel_of(rows: pd.DataFrame, *more: str) -> pd.Series:
    """Return labels: the dataset, the selector and the texts of more columns."""
    labels = rows["dataset"] + ", " + rows["selector"].map(selector_name)
    for column in more:
        labels = labels + ", " + rows[column].astype(str)
    return labels
