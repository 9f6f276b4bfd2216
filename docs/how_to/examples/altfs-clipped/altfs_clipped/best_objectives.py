"""Best training objective of each selector on each dataset."""

import pandas as pd

from altfs.catalogue import tables
from altfs.evaluation.results import Results


@tables.add(place=246)
def best_objectives(results: Results) -> pd.DataFrame:
    """Return the largest objective of a set on a training part."""
    groups = results.sets.groupby(["dataset", "selector"], observed=True)
    return groups["train_objective"].max().rename("best").reset_index()
