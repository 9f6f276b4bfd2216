"""Explanations of single rows against no feature at all, by predicted class."""

from __future__ import annotations

import pandas as pd

from altfs.catalogue import tables
from altfs.evaluation.results import Results
from altfs.kinds.rows.comparison import class_means
from altfs.kinds.rows.explained_runs import RUN, explained_rows
from altfs.kinds.rows.kind import has_explanations


@tables.add(place=198, applies=has_explanations)
def explanations_by_class(results: Results) -> pd.DataFrame:
    """Compare explanations with what the model predicts without any feature, class by class.

    Returns
    -------
    DataFrame
        A row per dataset, run, rank and predicted class: ``n`` rows of all folds have the
        explanation, and the other columns are means over these.
    """
    return class_means(explained_rows(results), [*RUN, "set_index"])
