"""Best training objective of each selector on each dataset."""

import pandas as pd

from altfs.evaluation.collect.results import StudyResults
from altfs.study.catalogue import tables


@tables.add(place=246)
def best_objectives(results: StudyResults) -> pd.DataFrame:
    """Return the largest objective of a set on a training part."""
    groups = results.feature_sets.groupby(["dataset", "selector"], observed=True)
    return groups["train_objective"].max().rename("best").reset_index()
