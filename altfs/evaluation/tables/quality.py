"""Objectives over datasets and folds; n of n_planned sets exist."""

import pandas as pd

from altfs.catalogue import tables
from altfs.evaluation.results import SETTING, Results
from altfs.evaluation.stats.summaries import Summaries


@tables.add(place=60)
def quality(results: Results) -> pd.DataFrame:
    """Summarise both objectives by setting, over datasets and folds.

    Only sets that exist have an objective. Values are averages over ``n_sets`` sets of
    ``n_datasets`` datasets; the complete study has ``n_planned`` sets. ``floor`` is the mean of
    what the best set of a shuffled target exceeds once in a hundred, and ``above_floor`` the share
    of the sets with a floor whose training objective is above it.
    """
    sets = results.sets
    train, test = (
        results.once(Summaries).of(sets, SETTING, measure, f"{measure}_")
        for measure in ("train_objective", "test_objective")
    )
    answered = sets.groupby(SETTING, observed=True).size().index
    table = train.join(test.filter(like="test_objective_")).reindex(answered)
    judged = sets[sets["train_objective"].notna() & sets["floor"].notna()]
    judged = judged.assign(above_floor=judged["train_objective"] > judged["floor"])
    table = table.join(judged.groupby(SETTING, observed=True)[["floor", "above_floor"]].mean())
    table = table.rename(columns={"n": "n_sets"})
    table[["n_sets", "n_datasets"]] = table[["n_sets", "n_datasets"]].fillna(0).astype(int)
    table = table.reset_index()
    table.insert(len(SETTING), "n_planned", results.planned(table, SETTING))
    return table
