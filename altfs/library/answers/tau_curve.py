"""The quality at each tau: the same request at every attainable overlap."""

from __future__ import annotations

from typing import TYPE_CHECKING

from altfs.library.answers.asked import Asked, Say, share
from altfs.library.feature_sets import in_order_of_quality

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = [
    "tau", "max_overlap", "asked", "set_index", "feature_names", "selected", "train_objective",
    "of_best", "bound", "status",
]  # fmt: skip
SUMMARY = [
    "tau", "max_overlap", "asked", "n_sets", "mean_objective", "mean_of_best", "min_objective",
    "min_of_best", "status",
]  # fmt: skip
_FROM_LEAST = ("infeasible", "unknown", "feasible", "optimal")


def curve_sets(asked: Asked, say: Say) -> pd.DataFrame:
    """Search at every attainable overlap with the same request.

    Returns
    -------
    DataFrame
        A row per tau and set, also for missing sets. The columns are tau (the largest one that
        allows the overlap; 0 allows equal sets), max_overlap (of two sets of the largest size),
        asked (True for the overlap of the request), set_index (by quality within a
        simultaneous search), feature_names, selected (indices), train_objective, of_best
        (share of the best quality at tau 0; NaN if that is not positive), bound, status.
    """
    import pandas as pd

    rows = []
    best = float("nan")
    for done, (overlap, tau) in enumerate(asked.overlaps.items()):
        say(f"cost of tau: {done} of {len(asked.overlaps)} overlaps searched")
        result = asked.at(overlap).run(asked.quality)
        if overlap == asked.result.n_features:
            best = max((o for o in result.objectives if o == o), default=best)
        for i, p in enumerate(in_order_of_quality(result)):
            rows.append(
                {
                    "tau": float(tau),
                    "max_overlap": overlap,
                    "asked": overlap == asked.overlap,
                    "set_index": i,
                    "feature_names": asked.label(result[p].indices),
                    "selected": asked.originals(result[p].indices),
                    "train_objective": result[p].train_objective,
                    "of_best": share(result[p].train_objective, best),
                    "bound": result[p].bound,
                    "status": str(result[p].status),
                }
            )
    return pd.DataFrame(rows, columns=COLUMNS)


def summary(sets: pd.DataFrame) -> pd.DataFrame:
    """Summarise the table of :func:`curve_sets`.

    Returns
    -------
    DataFrame
        A row per tau. The columns are tau, max_overlap, asked, n_sets (found), mean_objective
        and min_objective of the found sets, both also as shares of the best quality, and
        status. The status is "infeasible" if a set is proven not to exist, else "unknown" if
        one was not found, else "feasible" if one is not proven, else "optimal".
    """
    import pandas as pd

    rows = []
    for (tau, overlap, chosen), group in sets.groupby(["tau", "max_overlap", "asked"]):
        rows.append(
            {
                "tau": tau,
                "max_overlap": overlap,
                "asked": chosen,
                "n_sets": int(group["train_objective"].notna().sum()),
                "mean_objective": group["train_objective"].mean(),
                "mean_of_best": group["of_best"].mean(skipna=True),
                "min_objective": group["train_objective"].min(),
                "min_of_best": group["of_best"].min(),
                "status": next(s for s in _FROM_LEAST if s in set(group["status"])),
            }
        )
    table = pd.DataFrame(rows, columns=SUMMARY)
    return table.sort_values("tau", ignore_index=True)
