"""Number of feature sets of each dataset, as bars."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from altfs.catalogue import figures
from altfs.evaluation.results import Results


@figures.add(place=165, needs=("sets_by_dataset",))
def sets_of_datasets(results: Results, tables: Mapping[str, pd.DataFrame]) -> Any:
    """Draw a bar for each dataset."""
    import altair as alt

    from altfs.evaluation.figures._charts import captioned

    table = tables["sets_by_dataset"]
    bars = alt.Chart(table).mark_bar().encode(x="dataset:N", y="n_sets:Q")
    seen = "; ".join(f"{row.dataset}: {row.n_sets}" for row in table.itertuples())
    notes = "All selectors, searches and settings.", f"n = {len(table)} datasets."
    return captioned(bars, "Feature sets by dataset", *notes, seen=seen)
