"""The explanations of a study, run by run."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from altfs._numbers import BoolArray
from altfs.evaluation.results import SETTING, Results
from altfs.kinds.rows.schema import EXPLANATION_SCHEMA

#: The columns that identify a run of explanations on a dataset.
RUN = ["dataset", *(name for name in SETTING if name != "set_index")]


class ExplainedRun(NamedTuple):
    """The explanations of the rows of one run on one fold."""

    #: The values of `RUN`.
    key: dict[str, object]
    fold: int
    #: A row per explanation, by row and rank.
    rows: pd.DataFrame
    #: The numbers of rows, and of explanations for each.
    n_rows: int
    n_sets: int
    #: Shape (n_rows, n_sets, n_used). The features of each explanation, of those that any
    #: explanation of the dataset has.
    held: BoolArray

    @property
    def exists(self) -> BoolArray:
        """True where there is an explanation, of shape (n_rows, n_sets)."""
        return np.asarray(self.held.any(axis=2))


def explained_rows(results: Results) -> pd.DataFrame:
    """Return a row per explanation of each explained row."""
    rows = results.more.get("explanation_rows", EXPLANATION_SCHEMA.empty_table())
    table: pd.DataFrame = rows.to_pandas()
    return table


def main_run(table: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of one run for each dataset and selector.

    It is ranked, if any is, and of the first search and tau; it has the most alternatives and the
    most features.
    """
    ranked = table[table["aggregation"].astype(str) == "none"]
    rows = ranked if len(ranked) else table
    rows = rows[rows["search"].astype(str) == str(rows["search"].iloc[0])]
    for column in ("n_alternatives", "n_features"):
        rows = rows[rows[column] == rows[column].max()]
    rows = rows[rows["aggregation"].astype(str) == str(rows["aggregation"].iloc[0])]
    return rows[rows["tau"].astype(float) == rows["tau"].astype(float).min()]


def explained_runs(results: Results) -> list[ExplainedRun]:
    """Return the explanations of each run on each fold; none if no row is explained."""
    runs, frame = [], explained_rows(results)
    for _, of_dataset in frame.groupby("dataset", sort=False):
        chosen = of_dataset["selected"].reset_index(drop=True).explode().dropna().astype(int)
        used, places = np.unique(chosen, return_inverse=True)
        held = np.zeros((len(of_dataset), len(used)), dtype=bool)
        held[chosen.index, places] = True
        numbered: Any = of_dataset.assign(place=np.arange(len(of_dataset)))
        for (*key, fold), of_run in numbered.groupby([*RUN, "fold"], sort=False):
            rows = of_run.sort_values(["row", "set_index"]).reset_index(drop=True)
            n_rows = rows["row"].nunique()
            n_sets = len(rows) // n_rows
            flags = held[rows["place"]].reshape(n_rows, n_sets, len(used))
            named = dict(zip(RUN, key, strict=True))
            runs.append(ExplainedRun(named, int(fold), rows, n_rows, n_sets, flags))
    return runs
