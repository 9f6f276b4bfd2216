"""Number of feature sets that are proven best, found, proven not to exist, or open."""

import pandas as pd

from altfs.catalogue import tables
from altfs.evaluation.results import SETTING, Results
from altfs.evaluation.stats.summaries import with_planned

STATUSES = ("optimal", "feasible", "infeasible", "unknown")


@tables.add(place=30)
def status(results: Results) -> pd.DataFrame:
    """Count the feature sets of a setting by status, with shares.

    A simultaneous run of three sets counts three times.
    """
    table = with_planned(results, shares(results.sets, SETTING).reset_index(), SETTING)
    return table.rename(columns={"n": "n_sets"})


def shares(rows: pd.DataFrame, by: list[str]) -> pd.DataFrame:
    """Return counts and shares of each status by groups."""
    flags = pd.get_dummies(rows["status"].astype(str)).reindex(columns=STATUSES, fill_value=False)
    groups = [rows[column] for column in by]
    counts = flags.groupby(groups, observed=True).sum() if by else flags.sum().to_frame().T
    total = counts.sum(axis="columns")
    share = counts.div(total, axis="index").add_prefix("share_")
    return pd.concat([total.rename("n"), counts.add_prefix("n_"), share], axis="columns")
