"""Cost of the measurements of a row, and share of right answers, by method and limit."""

from __future__ import annotations

import pandas as pd

from altfs.catalogue import tables
from altfs.evaluation.results import Results
from altfs.kinds.acquisition.kind import has_acquisition
from altfs.kinds.acquisition.measured_rows import steps_of
from altfs.prediction.metrics import score_by

_MEANS = ["accuracy", "mcc", "cost", "measurements"]
_COLUMNS = ["dataset", "method", "mode", "limit", "n", *_MEANS]


@tables.add(place=201, applies=has_acquisition)
def acquisition(results: Results) -> pd.DataFrame:
    """Summarise the measured rows.

    Returns
    -------
    DataFrame
        A row per dataset, method and limit, and one for the mean over the limits of a mode, whose
        limit is "mean". ``n`` rows were measured in all folds; the others are means over folds.
        The first rows are means over the datasets that every method has, if there are several.
    """
    steps = steps_of(results)
    if steps.empty:
        return pd.DataFrame(columns=_COLUMNS)
    ends = steps[steps["feature"].isna()]
    parts = []
    for key, rows in ends.groupby(["dataset", "method", "mode", "limit", "fold"], sort=False):
        score = score_by("mcc", rows["truth"].to_numpy(), rows["answer"].to_numpy())
        right = rows["correct"].astype(float).mean()
        means = rows[["spent", "step"]].mean()
        parts.append((*key[:4], len(rows), right, score, *means))
    folds = pd.DataFrame(parts, columns=_COLUMNS)
    keys = ["dataset", "method", "mode"]
    of = {"n": "sum", **dict.fromkeys(_MEANS, "mean")}
    each = folds.groupby([*keys, "limit"], sort=False, as_index=False).agg(of)
    mean = each.groupby(keys, sort=False, as_index=False).agg({**of, "n": "first"})
    both = pd.concat([each, mean.assign(limit="mean")], ignore_index=True)
    both = both.sort_values(keys, kind="stable", ignore_index=True)
    return pd.concat([_over_datasets(both), both], ignore_index=True)[_COLUMNS]


def _over_datasets(each: pd.DataFrame) -> pd.DataFrame:
    """Return the means over the datasets that every method has; no rows if they are not several."""
    of_method = each.groupby("method")["dataset"].agg(set)
    common = set.intersection(*of_method)
    if len(common) < 2:
        return each.iloc[:0]
    rows = each[each["dataset"].isin(common)]
    keys = ["method", "mode", "limit"]
    means = rows.groupby(keys, sort=False, as_index=False).agg(
        {"n": "sum", **dict.fromkeys(_MEANS, "mean")}
    )
    return means.assign(dataset=f"mean of {len(common)}")
