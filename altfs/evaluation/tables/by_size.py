"""Best test score of first sets over sizes, and the smallest size that reaches it."""

import pandas as pd

from altfs.catalogue import has_sizes, tables
from altfs.evaluation.results import Results
from altfs.evaluation.stats.sizes import CURVE, scores_by_size


@tables.add(place=85, applies=has_sizes)
def by_size(results: Results) -> pd.DataFrame:
    """Summarise curves of test scores by size.

    A row per dataset, selector, search, model and metric, as docs/particular_tables.md says.
    """
    rows = results.once(scores_by_size)
    # The sizes ascend, so that the first largest mean is that of the smallest size.
    ordered = rows.sort_values("n_features", kind="stable")
    groups = ordered.groupby(CURVE, sort=False)
    peaks = ordered.loc[groups["score"].idxmax()].set_index(CURVE)
    peaks["n_sizes"] = groups.size()
    order = rows[CURVE].drop_duplicates()
    best = peaks.rename(columns={"score": "best_score", "n_features": "best_size"}).reset_index()
    columns = [*CURVE, "best_score", "best_size", "n_sizes", "n"]
    return order.merge(best, on=CURVE)[columns]
