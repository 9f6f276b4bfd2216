"""Values that could not be computed, and why."""

import pandas as pd

from altfs.evaluation.collect.controls import missing_controls
from altfs.evaluation.collect.results import StudyResults
from altfs.study.catalogue import tables


@tables.add(place=240, whole=True)
def notes(results: StudyResults) -> pd.DataFrame:
    """Return the values that could not be computed, and the missing controls."""
    n_sets = len(results.feature_sets)
    rows = [
        {"column": "controls", "reason": reason, "shards": 0, "rows": n_sets}
        for reason in missing_controls(results)
    ]
    columns = ["column", "reason", "shards", "rows"]
    return pd.DataFrame([*results.notes.to_dict("records"), *rows], columns=columns)
