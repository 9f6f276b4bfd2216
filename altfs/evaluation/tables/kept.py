"""Quality of first and last alternatives, of original sets of the same folds and of random ones."""

from typing import Any

import numpy as np
import pandas as pd

from altfs.catalogue import tables
from altfs.evaluation.results import SET_KEY, Results
from altfs.evaluation.rules import ratio
from altfs.evaluation.stats.controls import NOISE, controls_of
from altfs.evaluation.stats.roles import CASE, is_random, leading
from altfs.evaluation.stats.summaries import measures
from altfs.evaluation.tables import Tables, rows_of
from altfs.evaluation.tables.dissimilarity import from_original

_KEYS = ["dataset", "selector", "search", "n_features", "tau", "set_index"]


def alternatives(results: Results) -> pd.DataFrame:
    """Return the alternatives of the longest runs of each leading search."""
    ranked = results.sets[leading(results)]
    longest = ranked.groupby("search", observed=True)["n_alternatives"].transform("max")
    return ranked[(ranked["n_alternatives"] == longest) & (ranked["set_index"] > 0)]


@tables.add(place=55)
def kept(results: Results) -> pd.DataFrame:
    """Compare first and last alternatives with the original sets of the same folds.

    A row per dataset, selector, search (the sequential ones of a selector that has one), size, tau,
    rank, measure and model. Originals whose training objective is within the standard deviation of
    random sets have no share. docs/tables.md has the columns.
    """
    sets, rows = results.sets, results.once(alternatives)
    # A run of one alternative has the first one alone.
    rows = rows[rows["set_index"].isin([1, *rows["n_alternatives"].unique()])]
    groups = rows.groupby(_KEYS, observed=True)
    counts = groups.agg(max_overlap=("max_overlap", "first"), n_answered=("status", "size"))
    infeasible = rows.assign(infeasible=rows["status"] == "infeasible")
    counts["n_infeasible"] = infeasible.groupby(_KEYS, observed=True)["infeasible"].sum()
    counts.insert(1, "n_planned", results.design.folds)
    distances = results.once(from_original)
    keys = rows[SET_KEY].assign(dissimilarity=distances, by_chance=rows["floor"])
    drawn = sets[is_random(results, sets)].assign(random_dissimilarity=distances)
    far = drawn.groupby(CASE, observed=True)["random_dissimilarity"].mean()
    parts = []
    for measure, model, values in measures(results):
        limits = controls_of(results, values)
        found = keys.merge(values[[*SET_KEY, "value"]], on=SET_KEY)
        found = found.join(limits, on=CASE).join(far, on=CASE)
        found = found.dropna(subset=["value", "ceiling"])
        above = (found["ceiling"] > found["by_chance"]).astype(float)
        found["above"] = above.where(found["by_chance"].notna())
        folds = found.groupby(_KEYS, observed=True)
        means = folds.agg(
            n=("value", "size"), alternative=("value", "mean"), original=("ceiling", "mean"),
            random=("floor", "mean"), dissimilarity=("dissimilarity", "mean"),
            random_dissimilarity=("random_dissimilarity", "mean"), noise=(NOISE, "mean"),
            floor=("by_chance", "mean"), above_floor=("above", "mean"),
        )  # fmt: skip
        for column, values_of in (("random", "floor"), ("random_dissimilarity",) * 2):
            every = folds[values_of].count() == means["n"]
            means[column] = means[column].where(every)
        table = counts.join(means).reset_index()
        table.insert(len(_KEYS), "measure", measure)
        table.insert(len(_KEYS) + 1, "model", model)
        # Without random sets, nothing tells the noise.
        noise = table.pop("noise").fillna(0)
        table["share"] = ratio(table["alternative"], table["original"], noise)
        if measure != "train_objective":
            table[["share", "floor", "above_floor"]] = np.nan
        parts.append(table.astype({"n": "Int64"}).fillna({"n": 0}))
    return pd.concat(parts, ignore_index=True)


def widest(made: Tables, **wanted: Any) -> pd.DataFrame:
    """Return rows of the made table of each selector's first search, at the largest k."""
    rows = rows_of(made, "kept", **wanted)
    if len(rows):
        rows = of_first_search(rows)
        rows = rows[rows["n_features"] == rows["n_features"].max()]
    return rows


def of_first_search(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of the search that each selector has first."""
    first = rows[["selector", "search"]].drop_duplicates("selector")
    return rows.merge(first, on=["selector", "search"])
