"""The datasets as used; constant and duplicated features are kept."""

import pandas as pd

from altfs.evaluation.collect.results import StudyResults
from altfs.study.catalogue import tables


@tables.add(place=10, whole=True)
def datasets(results: StudyResults) -> pd.DataFrame:
    """Return a row per dataset as the study uses it."""
    return results.datasets
