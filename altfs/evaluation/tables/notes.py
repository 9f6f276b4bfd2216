"""Values that could not be computed, and why."""

import pandas as pd

from altfs.catalogue import tables
from altfs.evaluation.results import Results
from altfs.evaluation.stats.controls import missing_controls


@tables.add(place=240, whole=True)
def notes(results: Results) -> pd.DataFrame:
    """Return the values that could not be computed, and the missing controls."""
    n_sets = len(results.sets)
    rows = [
        {"column": "controls", "reason": reason, "shards": 0, "rows": n_sets}
        for reason in missing_controls(results)
    ]
    columns = ["column", "reason", "shards", "rows"]
    return pd.DataFrame([*results.notes.to_dict("records"), *rows], columns=columns)
