"""What happens within a search run: spread, ranks of alternatives, normalised quality."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd

from altfs.evaluation.frames import RUN_KEY, StudyResults
from altfs.evaluation.summaries import Summaries, labelled, measures, stacked

NORMALISATIONS = ("raw", "max", "min-max")


def cut_to_the_same_number(rows: pd.DataFrame, settings: pd.DataFrame) -> pd.DataFrame:
    """Rows of searches that find sets one after another, as if fewer had been asked for.

    A sequential run of 10 alternatives begins with the runs of 1, 2, ... of them,
    which makes it comparable with simultaneous runs of so many.

    Parameters
    ----------
    rows : DataFrame
        A row per feature set.
    settings : DataFrame
        Of the study; its other searches say which numbers there are.

    Returns
    -------
    DataFrame
        `rows` of all other searches, and for each number of alternatives the
        first sets of the runs of the same search that asked for at least so many (of
        the smallest such).
    """
    single = settings["aggregation"] == "none"
    numbers = sorted(set(settings.loc[~single, "n_alternatives"])) or sorted(
        range(1, int(settings["n_alternatives"].max()) + 1)
    )
    ranked = rows[rows["aggregation"] == "none"]
    parts = [rows[rows["aggregation"] != "none"]]
    for search, wanted in settings[single].groupby("search", observed=True)["n_alternatives"]:
        own = ranked[ranked["search"] == search]
        asked = sorted(set(wanted))
        for number in sorted({*numbers, *asked}):
            enough = [a for a in asked if a >= number]
            if enough:
                first = own[(own["n_alternatives"] == enough[0]) & (own["set_index"] <= number)]
                parts.append(first.assign(n_alternatives=number))
    return pd.concat(parts, ignore_index=True)


def run_statistics(rows: pd.DataFrame, settings: pd.DataFrame) -> pd.DataFrame:
    """Mean and standard deviation of ``value`` within each run all of whose sets have one.

    Sequential runs are cut to the numbers of alternatives of the other searches.
    The standard deviation is that of a sample (n - 1).
    """
    cut = cut_to_the_same_number(rows[rows["value"].notna()], settings)
    within = cut.groupby(RUN_KEY, observed=True)["value"]
    table = within.agg(["size", "mean", "std"]).reset_index()
    whole = table["size"] == table["n_alternatives"] + 1
    return table[whole].drop(columns="size").reset_index(drop=True)


def spread_table(results: StudyResults, summaries: Summaries) -> pd.DataFrame:
    """Spread and mean of quality within a run, by search and number of alternatives."""
    by = ["selector", "search", "aggregation", "n_alternatives"]
    cut = cut_to_the_same_number(results.settings, results.settings)
    # A run in the place of each of its first sets.
    planned = replace(results, settings=cut[cut["set_index"] == 0])
    parts = []
    for measure, model, rows in measures(results):
        runs = run_statistics(rows, results.settings)
        for statistic in ("std", "mean"):
            table = labelled(
                summaries.of(runs, by, statistic), measure=measure, model=model,
                within_run=statistic,
            )  # fmt: skip
            table.insert(list(table.columns).index("n"), "n_planned", planned.planned(table, by))
            parts.append(table)
    return stacked(parts)


def normalised(rows: pd.DataFrame) -> pd.DataFrame:
    """Qualities relative to the best, and to the range, of their run.

    Parameters
    ----------
    rows : DataFrame
        A row per feature set with its run's key and ``value``.

    Returns
    -------
    DataFrame
        The rows with a value, with ``raw``; ``max``: value / largest value of
        the run, missing if that is not positive; ``min-max``: 0 for the
        smallest, 1 for the largest value of the run, all 1 if these are equal,
        missing if the run has a single set.
    """
    found = rows[rows["value"].notna()]
    within = found.groupby(RUN_KEY, observed=True, sort=False)["value"]
    best, worst, size = (within.transform(name) for name in ("max", "min", "size"))
    value, span = found["value"], best - worst
    scaled = ((value - worst) / span.where(span > 0)).where(span > 0, 1.0)
    return found.assign(
        **{"raw": value, "max": value / best.where(best > 0), "min-max": scaled.where(size > 1)}
    )


def by_alternative_table(results: StudyResults, summaries: Summaries) -> pd.DataFrame:
    """Quality by rank of the alternative, over all tau and for each."""
    parts = []
    for measure, model, rows in measures(results):
        values = normalised(rows[rows["aggregation"] == "none"])
        for by in (["set_index"], ["tau", "set_index"]):
            keys = ["selector", "search", "n_features", "n_alternatives", *by]
            for normalisation in NORMALISATIONS:
                table = labelled(summaries.of(values, keys, normalisation), measure=measure,
                                 model=model, normalisation=normalisation)  # fmt: skip
                if "tau" not in by:
                    table.insert(list(table.columns).index("set_index"), "tau", None)
                table.insert(
                    list(table.columns).index("n"), "n_planned", results.planned(table, keys)
                )
                parts.append(table)
    return stacked([part.astype({"tau": object}) for part in parts])


def by_tau_table(results: StudyResults, summaries: Summaries) -> pd.DataFrame:
    """Quality by dissimilarity threshold, over all sets of a run."""
    keys = ["selector", "search", "aggregation", "n_features", "n_alternatives", "tau"]
    parts = []
    for measure, model, rows in measures(results):
        values = normalised(rows)
        for normalisation in NORMALISATIONS:
            table = labelled(summaries.of(values, keys, normalisation), measure=measure,
                             model=model, normalisation=normalisation)  # fmt: skip
            table.insert(list(table.columns).index("n"), "n_planned", results.planned(table, keys))
            parts.append(table)
    return stacked(parts)
