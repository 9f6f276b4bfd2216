"""Features that replace a feature which is left out."""

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

    Everything else that was asked for (size, constraints, sets that are given)
    holds; a feature that has to be included is left out all the same.

    Returns
    -------
    DataFrame
        A row for every feature of the original set: feature, comes_in, goes_out
        (names that the best set without it has and has not, the feature itself
        among the latter), feature_names of that set, train_objective, loss (of
        quality against the original set), of_original (share of its quality; NaN
        if that is not positive), status ("optimal": proven; "feasible": not;
        "infeasible": there is no set without it; "unknown": a limit was reached).
    """
    import pandas as pd

    rows = []
    original = asked.sets[0] if asked.sets else None
    for done, feature in enumerate(original.indices if original else ()):
        assert original is not None
        say(f"substitutes: {done} of {len(original)} features left out")
        found, status = asked.best_without(feature)
        objective = asked.quality.evaluate(found) if found else NAN
        was, now = set(original.indices), set(found)
        rows.append(
            {
                "feature": asked.names[feature],
                "comes_in": asked.label(sorted(now - was)),
                "goes_out": asked.label(sorted(was - now)) if found else [],
                "feature_names": asked.label(sorted(found)),
                "train_objective": objective,
                "loss": original.train_objective - objective,
                "of_original": share(objective, original.train_objective),
                "status": str(status),
            }
        )
    return pd.DataFrame(rows, columns=COLUMNS)
