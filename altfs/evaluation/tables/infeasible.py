"""Share of feature sets proven not to exist, by number of alternative and τ."""

import pandas as pd

from altfs.catalogue import tables
from altfs.evaluation.results import Results
from altfs.evaluation.stats.roles import without_random
from altfs.evaluation.stats.summaries import with_planned
from altfs.evaluation.tables.status import shares


@tables.add(place=50)
def infeasible(results: Results) -> pd.DataFrame:
    """Return the share of feature sets proven not to exist, by rank of the alternative and tau."""
    sought = results.once(without_random)
    sets = sought.sets
    ranked = sets[sets["aggregation"] == "none"]
    by = ["selector", "search", "n_features", "n_alternatives", "tau", "set_index"]
    table = shares(ranked, by)[["n", "share_infeasible", "share_unknown"]]
    datasets = ranked.groupby(by, observed=True)["dataset"].nunique()
    table.insert(1, "n_datasets", datasets)
    return with_planned(sought, table.reset_index(), by)
