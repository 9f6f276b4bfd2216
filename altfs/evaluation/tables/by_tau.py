"""Quality by dissimilarity threshold: raw, max- and min-max-normalised."""

import pandas as pd

from altfs.evaluation.collect.results import StudyResults
from altfs.evaluation.collect.summaries import normalised_summaries
from altfs.study.catalogue import tables


@tables.add(place=120)
def by_tau(results: StudyResults) -> pd.DataFrame:
    """Summarise quality by dissimilarity threshold, over all sets of a run."""
    by = ["selector", "search", "aggregation", "n_features", "n_alternatives", "tau"]
    return normalised_summaries(results, [by])
