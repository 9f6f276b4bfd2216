"""The features that replace each feature of the original set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from altfs.library.answers.asked import Asked, Say, share
from altfs.problem.results import NAN

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = [
    "feature", "comes_in", "goes_out", "feature_names", "train_objective", "loss", "of_original",
    "status",
]  # fmt: skip


def substitutes(asked: Asked, say: Say) -> pd.DataFrame:
    """Find the best set without each feature of the original set.

    The set satisfies the request otherwise (size, constraints, given sets). The feature is
    left out even if it has to be included.

    Returns
    -------
    DataFrame
        A row for every feature of the original set. The columns are feature, comes_in and
        goes_out (the changes from the original set), feature_names of the set, train_objective,
        loss (of quality against the original set), of_original (share of its quality; NaN if
        that is not positive), status ("infeasible" if there is no set without the feature).
    """
    import pandas as pd

    rows = []
    for original in asked.sets[:1]:
        for done, feature in enumerate(original.indices):
            say(f"substitutes: {done} of {len(original)} features left out")
            found, status = asked.best_without([feature])
            objective = NAN if found is None else found.train_objective
            was, now = set(original.indices), set(() if found is None else found.indices)
            rows.append(
                {
                    "feature": asked.names[feature],
                    "comes_in": asked.label(sorted(now - was)),
                    "goes_out": asked.label(sorted(was - now)) if now else [],
                    "feature_names": asked.label(sorted(now)),
                    "train_objective": objective,
                    "loss": original.train_objective - objective,
                    "of_original": share(objective, original.train_objective),
                    "status": str(status),
                }
            )
    return pd.DataFrame(rows, columns=COLUMNS)
