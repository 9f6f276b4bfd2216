"""Explanations of single rows: their share of the attribution, and whether they suffice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from altfs.catalogue import tables
from altfs.evaluation.results import Results
from altfs.kinds.rows.comparison import agreement_of_rows, as_good
from altfs.kinds.rows.explained_runs import RUN, ExplainedRun, explained_runs
from altfs.kinds.rows.kind import has_explanations
from altfs.kinds.rows.sufficiency import r2

# Means over rows, and those of whole folds.
_OF_ROWS = ["share", "same_without", "sufficient", "fidelity", "probability_change", "as_good",
            "share_optimal"]  # fmt: skip
_MEANS = [*_OF_ROWS, "r2", "row_agreement", "seconds"]
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
    return sums.reset_index().astype({"n": int, "n_rows": int})[_COLUMNS]


def _of_run(run: ExplainedRun) -> Iterator[dict[str, Any]]:
    """Yield the means of each rank on one fold."""
    rows = run.rows.assign(
        as_good=as_good(run.rows).ravel(), share_optimal=run.rows["status"] == "optimal"
    )
    is_numeric = rows["predicted"].isna().all()
    for rank in range(run.n_sets):
        exists = run.exists[:, rank]
        there = rows[rows["set_index"] == rank][exists]
        answers = there["answer"].to_numpy(), there["answer_alone"].to_numpy()
        yield {
            **run.key,
            "set_index": rank,
            "n": len(there),
            "n_rows": run.n_rows,
            **there[_OF_ROWS].astype(float).mean(),
            "r2": r2(*answers) if is_numeric else np.nan,
            "row_agreement": agreement_of_rows(run.held[exists, rank]),
            # All explanations of a row take this time, whatever their number.
            "seconds": rows["seconds"].sum() / run.n_rows,
        }
