"""Number of sets in each front, and the areas below its envelope and the best single curve."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from altfs.catalogue import tables
from altfs.evaluation.results import SETTING, Results
from altfs.kinds.fronts.curve import places
from altfs.kinds.fronts.kind import has_fronts
from altfs.kinds.fronts.points import all_points

_AREAS = ["train_area", "test_area", "test_chosen", "train_best", "test_best", "sets_needed"]
# The share of the envelope's area that the sets which are needed have.
_ENOUGH = 0.99


@tables.add(place=58, applies=has_fronts)
def fronts(results: Results) -> pd.DataFrame:
    """Summarise the fronts of many-objective and of Pareto searches.

    Returns
    -------
    DataFrame
        A row per dataset and setting; all numbers are means over the ``n_folds`` folds, those
        of the test part over the folds that have a test quality. Families have no areas.
    """
    keys = ["dataset", *(name for name in SETTING if name != "set_index")]
    columns = [*keys, "dominance_factor", "n_folds", "points", "proven", *_AREAS, "work", "seconds"]
    points = all_points(results)
    if points.empty:
        return pd.DataFrame(columns=columns)
    rows = [
        {**dict(zip([*keys, "fold"], key, strict=True)), **_areas(front)}
        for key, front in points.groupby([*keys, "fold"], sort=False)
    ]
    sets = results.sets
    first = sets.loc[sets["set_index"] == 0, [*keys, "fold", "work", "seconds"]]
    # Categories would not match the texts of the points.
    texts = {name: str for name in keys if not pd.api.types.is_numeric_dtype(first[name])}
    joined = pd.DataFrame(rows).merge(first.astype(texts), on=[*keys, "fold"], how="left")
    groups = joined.groupby(keys, sort=False)
    means = groups[["points", "proven", *_AREAS, "work", "seconds"]].mean()
    means.insert(0, "n_folds", groups.size())
    table = means.reset_index()
    factors = {
        search.name: f"{float(search.options['dominance_factor']):g}"
        for search in results.design.searches
        if search.type == "many_objective"
    }
    return table.assign(dominance_factor=table["search"].map(factors))[columns]


def _areas(front: pd.DataFrame) -> dict[str, Any]:
    """Return the numbers of one front, whose sets are in falling order of their area."""
    numbers: dict[str, Any] = {
        "points": front["point"].nunique(),
        "proven": float((front["status"] == "optimal").all()),
        **dict.fromkeys(_AREAS, np.nan),
    }
    if front["set_index"].notna().any():
        # Points of quality against dissimilarity have no curve.
        return numbers
    train = np.stack(front["objectives"].to_list())
    numbers["train_area"] = train.max(axis=0).mean()
    numbers["train_best"] = train[0].mean()
    numbers["sets_needed"] = _needed(train)
    if front["test_objectives"].notna().all():
        test = np.stack(front["test_objectives"].to_list())
        numbers["test_area"] = test.max(axis=0).mean()
        numbers["test_best"] = test[0].mean()
        each = np.arange(test.shape[1])
        chosen = train.argmax(axis=0)[places((each + 1) / len(each), train.shape[1])]
        numbers["test_chosen"] = test[chosen, each].mean()
    return numbers


def _needed(curves: npt.NDArray[np.float64]) -> int:
    """Return how many sets have nearly the envelope of all: the largest area, then what adds most.

    >>> _needed(np.array([[1.0, 0.0], [0.0, 0.9], [0.5, 0.5]]))
    2
    """
    whole, reached, count = curves.max(axis=0).sum(), curves[0], 1
    while reached.sum() < _ENOUGH * whole:
        best = np.maximum(curves - reached, 0).sum(axis=1).argmax()
        reached, count = np.maximum(reached, curves[best]), count + 1
    return count
