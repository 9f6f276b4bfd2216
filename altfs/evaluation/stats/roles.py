"""Roles of a feature set in a comparison: original, alternative, or random."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pandas as pd

from altfs.evaluation.results import SET_KEY, Results

#: The columns that identify an original feature set, with which others are compared.
CASE = ["dataset", "fold", "selector", "n_features"]


def is_random(results: Results, rows: pd.DataFrame) -> npt.NDArray[np.bool_]:
    """Mark the rows of random searches."""
    return np.asarray(rows["search"].isin(searches_of_type("random", results, rows)))


def random_searches(results: Results) -> list[str]:
    """Return the names of the random searches; they make the floor."""
    return searches_of_type("random", results, results.sets)


def without_random(results: Results) -> Results:
    """Return the results without those of random searches.

    The floor must not pull down tables over all searches. A study of random searches alone
    is returned as it is.
    """
    if len(random_searches(results)) in (0, results.sets["search"].nunique()):
        return results
    types = results.design.search_types
    design = results.design.with_runs(lambda run: types.get(run.search) != "random")
    return results.where(~is_random(results, results.sets), design)


def leading(results: Results) -> npt.NDArray[np.bool_]:
    """Mark the sets with a rank of the searches that say what a selector's alternatives are.

    They are its sequential searches, or without one all others whose sets have ranks, such as
    those of streams and fronts; never random ones.
    """
    sets = results.sets
    ordered = sets["search"].isin(searches_of_type("sequential", results, sets))
    has_one = sets["selector"].isin(sets.loc[ordered, "selector"].unique())
    ranked = (sets["aggregation"] == "none") & ~is_random(results, sets)
    return np.asarray(ranked & (ordered | ~has_one))


def originals(results: Results) -> pd.DataFrame:
    """Return the original feature set of each case: the best one without any constraint.

    It is the first set of a :func:`leading` search, or the only set of a run without
    alternatives. Of several, it is the first one of the largest training objective.

    Returns
    -------
    DataFrame
        The key of the set, a row per dataset, fold, selector and size. The
        index is that of `sets`.
    """
    sets = results.sets
    first = leading(results) & (sets["set_index"] == 0)
    alone = (sets["n_alternatives"] == 0) & ~is_random(results, sets)
    found = sets[(first | alone) & sets["train_objective"].notna()]
    best = found.sort_values("train_objective", ascending=False, kind="stable")
    return best.drop_duplicates(CASE)[SET_KEY].sort_index()


def searches_of_type(kind: str, results: Results, rows: pd.DataFrame) -> list[str]:
    """Return the names of the searches of a type in some rows."""
    names = map(str, rows["search"].unique())
    return [name for name in names if results.design.search_types.get(name) == kind]


def treatments(rows: pd.DataFrame) -> pd.Series[str]:
    """Return the search of each row, with its aggregation if it has one."""
    together, named = rows["aggregation"].astype(str), rows["search"].astype(str)
    return named.where(together == "none", named + " (" + together + ")")
