"""Quality by number of alternative: raw, max- and min-max-normalised within each run."""

import pandas as pd

from altfs.catalogue import tables
from altfs.evaluation.results import Results
from altfs.evaluation.stats.roles import without_random
from altfs.evaluation.stats.summaries import normalised_summaries


@tables.add(place=110)
def by_alternative(results: Results) -> pd.DataFrame:
    """Summarise quality by rank of the alternative, over all tau and for each."""
    keys = ["selector", "search", "n_features", "n_alternatives"]
    each = [[*keys, "set_index"], [*keys, "tau", "set_index"]]
    return normalised_summaries(results.once(without_random), each, ranked=True)
