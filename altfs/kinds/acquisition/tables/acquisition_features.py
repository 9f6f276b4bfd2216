"""Features that are measured: of how many rows, at which step, at what price of an outage."""

from __future__ import annotations

import pandas as pd

from altfs.catalogue import tables
from altfs.evaluation.results import Results
from altfs.kinds.acquisition.kind import has_acquisition
from altfs.kinds.acquisition.measured_rows import steps_of

_COLUMNS = ["dataset", "method", "mode", "limit", "feature", "n", "share", "step", "switch",
            "outage"]  # fmt: skip


@tables.add(place=202, applies=has_acquisition)
def acquisition_features(results: Results) -> pd.DataFrame:
    """Summarise the measurements of each feature.

    Returns
    -------
    DataFrame
        A row per dataset, method, limit and feature that is measured of ``n`` rows, the most
        frequent one first. ``share`` is that of all measured rows; the others are means.
    """
    steps = steps_of(results)
    keys = ["dataset", "method", "mode", "limit"]
    n_rows = steps[steps["feature"].isna()].groupby(keys).size()
    taken = steps[steps["feature"].notna()].drop(columns="feature")
    if taken.empty:
        return pd.DataFrame(columns=_COLUMNS)
    taken = taken.rename(columns={"feature_name": "feature"}).assign(step=taken["step"] + 1)
    groups = taken.groupby([*keys, "feature"], sort=False)
    table = groups[["step", "switch", "outage"]].mean().reset_index()
    table["n"] = groups.size().to_numpy()
    table["share"] = table["n"] / n_rows.reindex(pd.MultiIndex.from_frame(table[keys])).to_numpy()
    table = table.sort_values("n", ascending=False, kind="stable")[_COLUMNS]
    return table.sort_values(keys, kind="stable", ignore_index=True)
