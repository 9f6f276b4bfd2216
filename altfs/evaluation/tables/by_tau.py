"""Quality by dissimilarity threshold: raw, max- and min-max-normalised."""

import pandas as pd

from altfs.catalogue import tables
from altfs.evaluation.results import Results
from altfs.evaluation.stats.summaries import normalised_summaries


@tables.add(place=120)
def by_tau(results: Results) -> pd.DataFrame:
    """Summarise quality by dissimilarity threshold, over all sets of a run."""
    by = ["selector", "search", "aggregation", "n_features", "n_alternatives", "tau"]
    return normalised_summaries(results, [by])
