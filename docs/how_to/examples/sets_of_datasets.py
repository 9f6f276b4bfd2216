"""Number of feature sets of each dataset, as bars."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from altfs.evaluation.collect.results import StudyResults
from altfs.study.catalogue import figures


@figures.add("Number of feature sets by dataset.", place=145, needs=("sets_by_dataset",))
def sets_of_datasets(results: StudyResults, tables: Mapping[str, pd.DataFrame]) -> Any:
    """Draw a bar for each dataset."""
    import altair as alt

    from altfs.evaluation.figures._charts import titled

    bars = alt.Chart(tables["sets_by_dataset"]).mark_bar().encode(x="dataset:N", y="n_sets:Q")
    return titled(bars, "Feature sets by dataset", "All selectors, searches and settings.")
