"""Scores of the prediction models over datasets and folds."""

import pandas as pd

from altfs.catalogue import tables
from altfs.evaluation.results import SETTING, Results
from altfs.evaluation.stats.summaries import Summaries


@tables.add(place=70)
def prediction(results: Results) -> pd.DataFrame:
    """Summarise the models' scores by setting, over datasets and folds; a row per metric."""
    by = [*SETTING, "model", "metric"]
    table, train = (
        results.once(Summaries).of(results.scores, by, score, f"{score}_")
        for score in ("test_score", "train_score")
    )
    joined = table.join(train.filter(like="train_score_")).rename(columns={"n": "n_sets"})
    return joined.reset_index()
