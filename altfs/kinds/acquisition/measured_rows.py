"""The steps of all measured rows of a study."""

from __future__ import annotations

import pandas as pd

from altfs.evaluation.results import Results
from altfs.kinds.acquisition.kind import AcquisitionOfFeatures
from altfs.kinds.acquisition.schema import STEP_SCHEMA


def steps_of(results: Results) -> pd.DataFrame:
    """Return the steps of all measured rows of a study; none if it measures no rows."""
    frame: pd.DataFrame = results.more.get(
        AcquisitionOfFeatures.table, STEP_SCHEMA.empty_table()
    ).to_pandas()
    return frame
