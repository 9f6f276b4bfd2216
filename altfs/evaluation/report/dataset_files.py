"""All feature sets of each dataset with their scores, a file each, next to the tables."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from altfs.evaluation.frames import SET_KEY, StudyResults
from altfs.study.plan import Plan
from altfs.study.reported import table_metadata
from altfs.study.store import write_table

Files = dict[str, list[tuple[str, str]]]


def write_dataset_files(plan: Plan, results: StudyResults) -> Files:
    """Write the feature sets of each dataset.

    Parameters
    ----------
    plan : Plan
    results : StudyResults
        With their whole table; a dataset without rows gets no file.

    Returns
    -------
    dict of str to list of (str, str)
        Of each dataset: what can be downloaded, and where it lies as the report sees it.
    """
    if results.table is None:
        return {}
    metadata = table_metadata(plan)
    table = with_scores(results)
    owners = results.feature_sets["dataset"]
    files: Files = {}
    for entry in plan.config.datasets:
        rows = np.flatnonzero(owners == entry.name)
        if not len(rows):
            continue
        path = Path(plan.dataset_sets_path(entry.name))
        # The rows of a dataset lie together.
        write_table(path, table.slice(rows[0], len(rows)), metadata)
        files[entry.name] = [
            ("Feature sets (Parquet)", f"tables/feature_sets/{path.name}"),
            ("Data (Parquet)", f"datasets/{Path(plan.data_path(entry.name)).name}"),
        ]
    return files


def with_scores(results: StudyResults) -> Any:
    """The table of feature sets with a column for each model's scores on each part.

    Parameters
    ----------
    results : StudyResults

    Returns
    -------
    Table
        ``{model}_train_score`` and ``{model}_test_score``, and the ``metric`` they are in;
        null where there is no score.
    """
    table: Any = results.table
    keys = results.feature_sets[SET_KEY]
    metric = pd.Series(None, index=keys.index, dtype=object)
    for model, rows in results.predictions.groupby("model", observed=True):
        names = ["train_score", "test_score"]
        joined = keys.merge(rows[[*SET_KEY, "metric", *names]], on=SET_KEY, how="left")
        metric = metric.where(metric.notna(), joined["metric"].astype(object))
        for name in names:
            values = pa.array(joined[name].to_numpy(float), from_pandas=True)
            table = table.append_column(f"{model}_{name}", values)
    return table.append_column("metric", pa.array(metric, pa.string(), from_pandas=True))
