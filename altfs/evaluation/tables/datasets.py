"""The datasets as used; constant and duplicated features are kept."""

import pandas as pd

from altfs.catalogue import tables
from altfs.evaluation.results import Results


@tables.add(place=10, whole=True)
def datasets(results: Results) -> pd.DataFrame:
    """Return a row per dataset as the study uses it."""
    return results.datasets
