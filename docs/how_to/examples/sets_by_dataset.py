"""Number of feature sets of each dataset, and their mean quality."""

import pandas as pd

from altfs.evaluation.collect.results import StudyResults
from altfs.study.catalogue import tables


@tables.add(place=245)
def sets_by_dataset(results: StudyResults) -> pd.DataFrame:
    """Count the feature sets that exist."""
    objectives = results.feature_sets.groupby("dataset", observed=True)["train_objective"]
    return objectives.agg(n_sets="count", mean="mean").reset_index()
