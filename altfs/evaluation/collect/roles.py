"""Roles of a feature set in a comparison: original, alternative, or random."""

from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa

from altfs.evaluation.collect.results import SET_KEY, StudyResults

#: What identifies the one original feature set that others are compared with.
CASE = ["dataset", "fold", "selector", "n_features"]
#: The search whose first set is the best one there is.
_BEST_FIRST = "sequential"
_RANDOM = "random"


def is_random(results: StudyResults, rows: pd.DataFrame) -> npt.NDArray[np.bool_]:
    """Mark the rows of random searches."""
    drawn = [name for name in _names(rows) if results.search_type(name) == _RANDOM]
    return np.asarray(rows["search"].isin(drawn))


def random_searches(results: StudyResults) -> list[str]:
    """Return the names of the random searches; they make the floor."""
    names = _names(results.feature_sets)
    return [name for name in names if results.search_type(name) == _RANDOM]


def without_random(results: StudyResults) -> StudyResults:
    """Return the results without those of random searches.

    A floor is there to be compared with: where tables put all searches
    together, it must not pull them down. In a study of random searches alone, they are what
    is looked at.
    """
    if len(random_searches(results)) in (0, results.feature_sets["search"].nunique()):
        return results
    kept = ~is_random(results, results.feature_sets)
    sets = results.feature_sets[kept].reset_index(drop=True)
    scored = results.predictions[~is_random(results, results.predictions)]
    settings = results.settings[~is_random(results, results.settings)]
    table = None if results.table is None else results.table.filter(pa.array(kept))
    return replace(
        results,
        feature_sets=sets,
        predictions=scored.reset_index(drop=True),
        settings=settings.reset_index(drop=True),
        table=table,
    )


def originals(results: StudyResults) -> pd.DataFrame:
    """Return the original feature set of each case: the best one without any constraint.

    It is the first set of the sequential search (of the largest training
    objective where there are several, and then the first one), or the only set
    of a run that asked for no alternatives.

    Returns
    -------
    DataFrame
        The key of the set, a row per dataset, fold, selector and size; its
        index are rows of `feature_sets`.
    """
    sets = results.feature_sets
    ordered = [name for name in _names(sets) if results.search_type(name) == _BEST_FIRST]
    first = sets["search"].isin(ordered) & (sets["set_index"] == 0)
    alone = (sets["n_alternatives"] == 0) & ~is_random(results, sets)
    found = sets[(first | alone) & sets["train_objective"].notna()]
    best = found.sort_values("train_objective", ascending=False, kind="stable")
    return best.drop_duplicates(CASE)[SET_KEY].sort_index()


def _names(rows: pd.DataFrame) -> list[str]:
    return [str(name) for name in rows["search"].unique()]
