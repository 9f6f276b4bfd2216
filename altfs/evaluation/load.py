"""Reading the stored results of a study, all of them or not at all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa

from altfs.errors import StaleResultError
from altfs.study.store import content_digest, read_shard, read_table


@dataclass(frozen=True)
class StudyResults:
    """The stored tables of a study.

    Attributes
    ----------
    feature_sets : DataFrame
        All shards, a row per feature set.
    predictions : DataFrame
        A row per feature set of a shard and model.
    datasets : DataFrame
        A row per dataset.
    notes : DataFrame
        What could not be computed, why, and how often.
    """

    feature_sets: pd.DataFrame
    predictions: pd.DataFrame
    datasets: pd.DataFrame
    notes: pd.DataFrame


#: The columns that identify a feature set of a study.
SET_KEY = [
    "dataset",
    "fold",
    "selector",
    "tau",
    "search",
    "n_features",
    "n_alternatives",
    "aggregation",
    "set_index",
]


def load_results(
    shards: Mapping[str, str], predictions: Iterable[str], datasets: Iterable[str]
) -> StudyResults:
    """Read the files of a study.

    Parameters
    ----------
    shards : mapping of str to str
        Path -> the task hash that the shard has to have.
    predictions, datasets : iterable of str
        Paths.

    Raises
    ------
    StaleResultError
        Names the first file that is missing, damaged, edited or out of date,
        or says that a feature set has no prediction.
    """
    tables, notes = [], []
    for path, expected in shards.items():
        table, metadata = read_shard(Path(path), expected)
        if content_digest(table) != metadata["digest"]:
            raise StaleResultError(
                f"'{path}' was changed after it was made, delete it and run the study again."
            )
        tables.append(table.replace_schema_metadata(None))
        for column, reason in metadata["notes"].items():
            notes.append({"column": column, "reason": reason, "shards": 1, "rows": len(table)})
    sets = pa.concat_tables(tables).to_pandas()
    sets = sets.sort_values(SET_KEY, kind="stable", ignore_index=True)
    counted = pd.DataFrame(notes, columns=["column", "reason", "shards", "rows"])
    return StudyResults(
        feature_sets=sets,
        predictions=_join_predictions(sets, predictions),
        datasets=pd.DataFrame([_overview(Path(path)) for path in datasets]),
        notes=counted.groupby(["column", "reason"], as_index=False).sum(),
    )


def _join_predictions(sets: pd.DataFrame, paths: Iterable[str]) -> pd.DataFrame:
    trained = pa.concat_tables(
        [read_table(Path(path))[0].replace_schema_metadata(None) for path in paths]
    ).to_pandas()
    trained["set"] = trained.pop("selected").map(tuple)
    found = sets.loc[sets["selected"].str.len() > 0, [*SET_KEY, "selected"]]
    found = found.assign(set=found.pop("selected").map(tuple))
    columns = ["dataset", "fold", "set", "model", "metric", "train_score", "test_score"]
    joined = found.merge(trained[columns], on=["dataset", "fold", "set"], how="left")
    missing = joined["model"].isna()
    if missing.any():
        row = joined[missing].iloc[0]
        raise StaleResultError(
            f"predictions of dataset '{row['dataset']}', fold {row['fold']} lack a feature set, "
            "run the study again."
        )
    if len(joined) != len(found) * trained["model"].nunique():
        raise StaleResultError(
            "the predictions of some models lack a feature set, run the study again."
        )
    return joined.drop(columns="set").sort_values(
        [*SET_KEY, "model"], kind="stable", ignore_index=True
    )


def _overview(path: Path) -> dict[str, Any]:
    table, metadata = read_table(path)
    info = metadata["info"]
    return {
        "dataset": metadata["name"],
        "origin": info["origin"],
        "rows": table.num_rows,
        "features": table.num_columns - 1,
        "target": metadata["target"],
        "target_type": metadata["target_type"],
        "constant_features": len(info["constant"]),
        "duplicated_features": len(info["duplicated"]),
        "encoded_columns": len(info["encodings"]),
        "sha256": info["sha256"],
    }
