"""Files that have not been computed yet; no table and no figure counts them."""

import pandas as pd

from altfs.evaluation.collect.results import StudyResults
from altfs.study.catalogue import tables


@tables.add(place=20, whole=True)
def missing(results: StudyResults) -> pd.DataFrame:
    """Return the missing files by kind."""
    return results.missing
