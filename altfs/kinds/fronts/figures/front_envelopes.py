"""Envelopes of fronts on the training and the test part."""

import numpy as np
import pandas as pd

from altfs.catalogue import figures
from altfs.evaluation.figures import _charts as draw
from altfs.evaluation.figures._charts import Chart, Tables, alt
from altfs.evaluation.results import Results
from altfs.kinds.fronts.curve import places
from altfs.kinds.fronts.kind import has_curves
from altfs.kinds.fronts.points import CURVE_KEY, curve_points, panel_of

_TITLE = "Envelopes of fronts"
_TRAIN, _TEST, _CHOSEN = "training part", "test part", "test part, chosen in training"
_EVERY = [i / 50 for i in range(1, 51)]


@figures.add(place=160, applies=has_curves)
def front_envelopes(results: Results, tables: Tables) -> Chart:
    """Draw the envelope of each front, a line for each search with its largest sets."""
    data = envelopes(results)
    if data.empty:
        return draw.absent(_TITLE, "No front exists.")
    order = list(dict.fromkeys(data["search"]))
    line = alt.Chart().mark_line(interpolate="step-before", strokeWidth=1.5).encode(
        x=alt.X("sensitivity:Q", title="Sensitivity", scale=alt.Scale(domain=[0, 1])),
        y=alt.Y("height:Q", title="Height of the envelope", scale=alt.Scale(zero=False)),
        color=draw.shades("search", "Search", order),
        tooltip=draw.tips("panel:N", "search:N", "sensitivity:Q", "height:Q"),
    )  # fmt: skip
    return draw.panelled(
        [line],
        data,
        lambda rows: panel_of(rows, "part"),
        ("search", "sensitivity", "height"),
        _TITLE,
        "The envelope has the height of the best set of the front at each sensitivity: means over "
        "folds, for the largest n_features of each search.",
        "On the test part it takes the set that is best there; chosen in training: the set that "
        "is best on the training part.",
        f"n = fronts of {draw.number_of(data['dataset'], 'dataset')}.",
    )


def envelopes(results: Results) -> pd.DataFrame:
    """Return the mean height of each envelope at 50 sensitivities, on both parts."""
    columns = ["dataset", "selector", "search", "part", "sensitivity", "height"]
    points = curve_points(results)
    largest = points.groupby(["dataset", "selector", "search"])["n_features"].transform("max")
    points = points[points["n_features"] == largest]
    parts = []
    for key, front in points.groupby([*CURVE_KEY, "fold"], sort=False):
        train = _heights(front["objectives"])
        by_part = {_TRAIN: train.max(axis=0)}
        if front["test_objectives"].notna().all():
            test = _heights(front["test_objectives"])
            by_part[_TEST] = test.max(axis=0)
            by_part[_CHOSEN] = test[train.argmax(axis=0), np.arange(len(_EVERY))]
        for part, values in by_part.items():
            front_key = dict(zip(CURVE_KEY, key[:-1], strict=True))
            columns_of = {**front_key, "part": part, "sensitivity": _EVERY, "height": values}
            parts.append(pd.DataFrame(columns_of))
    if not parts:
        return pd.DataFrame(columns=columns)
    means = pd.concat(parts).groupby(columns[:-1], sort=False)["height"].mean()
    return means.reset_index()


def _heights(curves: pd.Series) -> np.ndarray:
    """Return the heights of curves of one front at these sensitivities, a row per curve."""
    stacked = np.stack(list(curves))
    return stacked[:, places(_EVERY, stacked.shape[1])]
