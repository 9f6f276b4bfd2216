"""Number of feature sets of each dataset, and their mean quality."""

import pandas as pd

from altfs.catalogue import tables
from altfs.evaluation.results import Results


@tables.add(place=245)
def sets_by_dataset(results: Results) -> pd.DataFrame:
    """Count the feature sets that exist."""
    objectives = results.sets.groupby("dataset", observed=True)["train_objective"]
    return objectives.agg(n_sets="count", mean="mean").reset_index()
