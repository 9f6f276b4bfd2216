"""Sizes of fronts, and the areas below their envelopes."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from altfs.evaluation.collect.results import SETTING, StudyResults
from altfs.study.catalogue import has_fronts, tables

_AREAS = ["train_area", "test_area", "test_chosen", "train_best", "test_best"]


@tables.add(
    "Number of sets in each front, and the areas below its envelope and the best single curve.",
    place=58,
    applies=has_fronts,
)
def fronts(results: StudyResults) -> pd.DataFrame:
    """Summarise the fronts of many-objective searches.

    Returns
    -------
    DataFrame
        A row per dataset and setting; all numbers are means over the ``n_folds`` folds, those
        of the test part over the folds that have a test quality.
    """
    keys = ["dataset", *(name for name in SETTING if name != "set_index")]
    columns = [*keys, "n_folds", "points", "proven", *_AREAS, "work", "seconds"]
    if results.fronts is None or not len(results.fronts):
        return pd.DataFrame(columns=columns)
    names = [*keys, "fold", "status", "objectives", "test_objectives"]
    points = results.fronts.select(names).to_pandas()
    rows = [
        {**dict(zip([*keys, "fold"], key, strict=True)), **_areas(front)}
        for key, front in points.groupby([*keys, "fold"], sort=False)
    ]
    sets = results.feature_sets
    first = sets.loc[sets["set_index"] == 0, [*keys, "fold", "work", "seconds"]]
    # Categories would not match the texts of the points.
    texts = {name: str for name in keys if not pd.api.types.is_numeric_dtype(first[name])}
    joined = pd.DataFrame(rows).merge(first.astype(texts), on=[*keys, "fold"], how="left")
    groups = joined.groupby(keys, sort=False)
    means = groups[["points", "proven", *_AREAS, "work", "seconds"]].mean()
    means.insert(0, "n_folds", groups.size())
    return means.reset_index()[columns]


def _areas(front: pd.DataFrame) -> dict[str, Any]:
    """Return the numbers of one front, whose sets are in falling order of their area."""
    train = np.stack(front["objectives"].to_list())
    found: dict[str, Any] = {
        "points": len(front),
        "proven": float((front["status"] == "optimal").all()),
        "train_area": train.max(axis=0).mean(),
        "train_best": train[0].mean(),
        **dict.fromkeys(("test_area", "test_chosen", "test_best"), np.nan),
    }
    if front["test_objectives"].notna().all():
        test = np.stack(front["test_objectives"].to_list())
        found["test_area"] = test.max(axis=0).mean()
        found["test_best"] = test[0].mean()
        chosen = train.argmax(axis=0)[_places(test.shape[1], train.shape[1])]
        found["test_chosen"] = test[chosen, np.arange(test.shape[1])].mean()
    return found


def _places(n_test: int, n_train: int) -> npt.NDArray[np.int64]:
    """Return the entry of a training curve for the sensitivity of each entry of a test curve.

    >>> _places(2, 5), _places(4, 4)
    (array([2, 4]), array([0, 1, 2, 3]))
    """
    every = np.arange(1, n_test + 1)
    # The smallest training sensitivity that is not smaller, in whole numbers.
    return -(-every * n_train // n_test) - 1
