"""Alternatives that do not exist or were not found, and why."""

from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from altfs._numbers import FloatArray
from altfs.catalogue import tables
from altfs.evaluation.results import RUN_KEY, Results
from altfs.evaluation.stats.roles import CASE, is_random, leading, originals
from altfs.evaluation.tables.kept import alternatives
from altfs.evaluation.tables.status_shares import search_runs
from altfs.problem.overlap import most_sets

_KEYS = ["dataset", "selector", "search", "counted", "n_features", "tau"]
#: The columns of the reasons, and the words for them.
MISSING = {
    "n_counting": "few features", "n_without": "no original", "n_conditions": "conditions",
    "n_no_room": "no room", "n_unknown": "limits",
}  # fmt: skip


@tables.add(place=56)
def gaps(results: Results) -> pd.DataFrame:
    """Count the alternatives that each selector lacks, by the reason.

    A row per dataset, selector, search, size and tau of which an alternative is missing, over the
    folds and ranks of :func:`altfs.evaluation.tables.kept.alternatives`. No ranking has more sets
    than Johnson's bound (1962). Where ``counted`` is *family*, numbers are of runs that lack a set,
    of a search whose sets have no rank. docs/tables.md has the columns.
    """
    alone, together = results.once(alternatives), _families(results)
    rows = pd.concat([alone.assign(counted="alternative"), together], ignore_index=True)
    total, bound = most_by_counting(results, rows)
    infeasible = rows["status"] == "infeasible"
    first = results.once(originals).assign(has_original=True)
    keys = [*CASE, "has_original"]
    has = rows[CASE].merge(first[keys], on=CASE, how="left")["has_original"]
    # A study of families alone has no original sets.
    ranked = rows["selector"].isin(alone["selector"].unique())
    without = infeasible & has.isna().to_numpy() & ranked
    picky = {one.name for one in results.design.selectors if one.conditions}
    picky_rows = rows["selector"].astype(str).isin(picky)
    # Of a family that nothing but counting forbids, fewer sets differ enough.
    by_counting = infeasible & ~without & ~picky_rows & (rows["counted"] == "family")
    bound = np.where(by_counting, np.minimum(bound, rows["set_index"]), bound)
    others = infeasible & ~without & (rows["set_index"] < bound)
    counted = rows.assign(
        n_total=total, most_sets=bound,
        n_counting=infeasible & ~without & (rows["set_index"] >= bound),
        n_without=without,
        n_conditions=others & picky_rows,
        n_no_room=others & ~picky_rows,
        n_unknown=rows["status"] == "unknown",
    )  # fmt: skip
    table = counted.groupby(_KEYS, observed=True).agg(
        max_overlap=("max_overlap", "first"), n_total=("n_total", "first"),
        most_sets=("most_sets", "min"), n_planned=("status", "size"),
        n_counting=("n_counting", "sum"), n_without=("n_without", "sum"),
        n_conditions=("n_conditions", "sum"), n_no_room=("n_no_room", "sum"),
        n_unknown=("n_unknown", "sum"),
    )  # fmt: skip
    missing = table[[*MISSING]] > 0
    table["reason"] = [
        ", ".join(words for words, is_one in zip(MISSING.values(), row, strict=True) if is_one)
        for row in missing.to_numpy()
    ]
    table["n_all"] = table.groupby(_KEYS[:-1], observed=True)["n_planned"].transform("sum")
    gone = table[missing.any(axis=1)].reset_index()
    few = gone["most_sets"].where(gone["n_counting"] > 0)
    return gone.assign(most_sets=few.astype(float).astype("Int64"))


def _families(results: Results) -> pd.DataFrame:
    """Return the runs of more than one set of searches whose sets have no rank."""
    sets = results.sets
    of_families = ~leading(results) & ~is_random(results, sets) & (sets["n_alternatives"] > 0)
    together = sets[of_families]
    shared = together.groupby(RUN_KEY, observed=True)["max_overlap"].first()
    runs = search_runs(together).join(shared, on=RUN_KEY)
    return runs.assign(set_index=runs["n_alternatives"], counted="family")


def most_by_counting(results: Results, rows: pd.DataFrame) -> tuple[Any, FloatArray]:
    """Return the number of features of each set, and how many sets may differ enough at most."""
    widths = {one.name: one.n_total for one in results.design.datasets}
    total = rows["dataset"].astype(str).map(widths)
    cases = zip(total, rows["n_features"], rows["max_overlap"], strict=True)
    return total, np.array([_most(*case) for case in cases], dtype=float)


@cache
def _most(n_total: float, n_features: int, overlap: float) -> float:
    """Return an upper bound of the number of sets; infinity where nothing bounds it."""
    if not (n_total == n_total and overlap == overlap and overlap < n_features):
        return np.inf
    return most_sets(int(n_total), int(n_features), int(overlap))
