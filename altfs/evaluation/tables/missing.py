"""Files that have not been computed yet; no table and no figure counts them."""

import pandas as pd

from altfs.catalogue import tables
from altfs.evaluation.results import Results


@tables.add(place=20, whole=True)
def missing(results: Results) -> pd.DataFrame:
    """Return the missing files by kind."""
    return results.missing
