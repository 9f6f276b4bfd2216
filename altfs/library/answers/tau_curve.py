"""The quality lost to tau: the same request at every attainable overlap."""

from __future__ import annotations

from typing import TYPE_CHECKING

from altfs.library.answers.asked import Asked, Say, share
from altfs.problem.results import Status

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


def curve_sets(asked: Asked, say: Say) -> pd.DataFrame:
    """Search at every attainable overlap, with everything else as it was asked for.

    Returns
    -------
    DataFrame
        A row per tau and set, those that do not exist included: tau (the largest
        one that allows the overlap; 0 allows the same set again), max_overlap (of two
        sets of the largest size, where several are allowed),
        asked (whether that is the overlap of the request), set_index (by quality
        within a simultaneous search), feature_names, selected (indices),
        train_objective, of_best (share of the best set's quality, the first one at
        tau 0; NaN if that is not positive), bound, status.
    """
    import pandas as pd

    rows = []
    best = float("nan")
    for done, (overlap, tau) in enumerate(asked.overlaps.items()):
        say(f"cost of tau: {done} of {len(asked.overlaps)} overlaps searched")
        result = asked.at(overlap).run(asked.quality)
        order = list(range(len(result.sets)))
        if result.aggregation != "none":
            order.sort(key=lambda i: (-result.objectives[i], result.sets[i]))
        if overlap == asked.result.n_features:
            best = max((o for o in result.objectives if o == o), default=best)
        for i, p in enumerate(order):
            rows.append(
                {
                    "tau": float(tau),
                    "max_overlap": overlap,
                    "asked": overlap == asked.overlap,
                    "set_index": i,
                    "feature_names": asked.label(result.sets[p]),
                    "selected": list(result.sets[p]),
                    "train_objective": result.objectives[p],
                    "of_best": share(result.objectives[p], best),
                    "bound": result.bound[p],
                    "status": str(result.status[p]),
                }
            )
    return pd.DataFrame(rows, columns=COLUMNS)


def summary(sets: pd.DataFrame) -> pd.DataFrame:
    """Summarise the curve in a row per tau.

    Parameters
    ----------
    sets : DataFrame
        From :func:`curve_sets`.

    Returns
    -------
    DataFrame
        tau, max_overlap, asked, n_sets (found), mean_objective and
        min_objective of the sets that were found, both as shares of the best
        set's quality too, and status: the one that says least among them
        ("infeasible" if a set is proven not to exist, "unknown" if none was
        found within the limit, "feasible" if one is not proven, else "optimal").
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
                "status": _least(list(group["status"])),
            }
        )
    table = pd.DataFrame(rows, columns=SUMMARY)
    return table.sort_values("tau", ignore_index=True)


def _least(statuses: list[str]) -> str:
    for status in (Status.INFEASIBLE, Status.UNKNOWN, Status.FEASIBLE):
        if status in statuses:
            return str(status)
    return str(Status.OPTIMAL)
