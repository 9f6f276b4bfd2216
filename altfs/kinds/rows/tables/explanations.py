"""Explanations of single rows: their share of the attribution, and whether they suffice."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from altfs.catalogue import tables
from altfs.evaluation.results import Results
from altfs.kinds.rows.comparison import agreement_of_rows, as_good
from altfs.kinds.rows.explained_runs import RUN, ExplainedRun, explained_runs
from altfs.kinds.rows.kind import has_explanations
from altfs.kinds.rows.sufficiency import r2

# Columns of the files whose means these are.
_OF_FILES = ["share", "same_without", "sufficient", "fidelity", "probability_change"]
_MEANS = [*_OF_FILES, "as_good", "r2", "row_agreement", "share_optimal", "seconds"]
_COLUMNS = [*RUN, "set_index", "n", "n_rows", *_MEANS]


@tables.add(place=196, applies=has_explanations)
def explanations(results: Results) -> pd.DataFrame:
    """Summarise the explanations of single rows by their rank.

    Returns
    -------
    DataFrame
        A row per dataset, run and rank. ``n`` of ``n_rows`` rows have the explanation; the other
        columns are means over these rows, or over folds.
    """
    parts = [row for run in results.once(explained_runs) for row in _of_run(run)]
    if not parts:
        return pd.DataFrame(columns=_COLUMNS)
    frame = pd.DataFrame(parts)
    keys = [*RUN, "set_index"]
    # Rows count the same in every fold; what is of whole folds is weighted by their rows.
    weights = frame["n"].where(frame["n"] > 0)
    weighted = frame.assign(**{name: frame[name] * weights for name in _MEANS})
    counted = {name: weights.where(frame[name].notna()) for name in _MEANS}
    groups = weighted.groupby(keys, sort=False)
    sums = groups[["n", "n_rows", *_MEANS]].sum(min_count=1)
    total = frame[keys].assign(**counted).groupby(keys, sort=False)[_MEANS].sum(min_count=1)
    sums[_MEANS] /= total
    # All explanations of a row take this time, whatever their number.
    return sums.reset_index().astype({"n": int, "n_rows": int})[_COLUMNS]


def _of_run(run: ExplainedRun) -> list[dict[str, Any]]:
    means = {name: run.by_rank(name) for name in _OF_FILES}
    answers, alone = run.by_rank("answer"), run.by_rank("answer_alone")
    good, status = as_good(run.rows), run.rows["status"].to_numpy().reshape(answers.shape)
    is_numeric = run.rows["predicted"].isna().all()
    parts = []
    for rank in range(run.n_sets):
        there = run.exists[:, rank]
        row = {**run.key, "set_index": rank, "n": int(there.sum()), "n_rows": run.n_rows}
        row |= dict.fromkeys(_MEANS, np.nan)
        row["as_good"] = float(good[:, rank].sum() / max(1, int(there.sum())))
        row["seconds"] = float(run.rows["seconds"].sum() / run.n_rows)
        if there.any():
            row |= {name: float(values[there, rank].mean()) for name, values in means.items()}
            row["share_optimal"] = float((status[there, rank] == "optimal").mean())
        row["r2"] = r2(answers[there, rank], alone[there, rank]) if is_numeric else np.nan
        row["row_agreement"] = agreement_of_rows(run.held[there, rank])
        parts.append(row)
    return parts
