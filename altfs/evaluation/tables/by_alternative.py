"""Quality by number of alternative: raw, max- and min-max-normalised within each run."""

import pandas as pd

from altfs.evaluation.collect.results import StudyResults
from altfs.evaluation.collect.roles import without_random
from altfs.evaluation.collect.summaries import normalised_summaries
from altfs.study.catalogue import tables


@tables.add(place=110)
def by_alternative(results: StudyResults) -> pd.DataFrame:
    """Summarise quality by rank of the alternative, over all tau and for each."""
    keys = ["selector", "search", "n_features", "n_alternatives"]
    each = [[*keys, "set_index"], [*keys, "tau", "set_index"]]
    return normalised_summaries(results.once(without_random), each, ranked=True)
