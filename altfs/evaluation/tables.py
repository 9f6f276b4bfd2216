"""Tidy tables: what the sets are worth, by everything that was varied."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd

from altfs.evaluation.comparisons import families, friedman_table, pairwise_table
from altfs.evaluation.controls import controls_table, notes_table
from altfs.evaluation.efforts import effort_table
from altfs.evaluation.features import frequency_table, substitutes_table
from altfs.evaluation.frames import SETTING, StudyResults, text_columns_as_text
from altfs.evaluation.helper import Here, Place
from altfs.evaluation.members import members
from altfs.evaluation.metrics import correlation_table, dimensions_table, overfitting_table
from altfs.evaluation.roles import is_random, without_random
from altfs.evaluation.set_tables import dissimilarity_table, stability_overview, stability_table
from altfs.evaluation.statuses import infeasible_table, status_shares_table, status_table
from altfs.evaluation.summaries import Summaries, labelled, stacked
from altfs.evaluation.target_types import apart
from altfs.evaluation.within_runs import by_alternative_table, by_tau_table, spread_table
from altfs.study.evaluation_names import TABLES


def make_tables(results: StudyResults, place: Place | None = None) -> dict[str, pd.DataFrame]:
    """All tables of the evaluation by name; docs/tables.md says what their columns are.

    Parameters
    ----------
    results : StudyResults
    place : Place, optional
        Where half of them are made; here unless it is given.
    """
    sent = results
    if results.table is not None:
        sent = replace(results, table=results.table.select(["selected", "feature_names"]))
    there = (place or Here()).submit(apart, sent, _second_half)
    tables = {**apart(results, _first_half), **there.result()}
    return {name: tables[name] for name in TABLES}


# Each half takes about half of the time.
def _first_half(results: StudyResults) -> dict[str, pd.DataFrame]:
    summaries = Summaries(results)
    compared = list(families(results))
    # Random sets are a floor: where searches are put together they do not count.
    sought = without_random(results)
    tables = {
        "datasets": results.datasets,
        "missing": results.missing,
        "status": status_table(results),
        "status_shares": status_shares_table(results),
        "infeasible": infeasible_table(sought),
        "quality": quality_table(results, summaries),
        "by_alternative": by_alternative_table(sought, summaries),
        "by_tau": by_tau_table(results, summaries),
        "controls": controls_table(results, summaries),
        "friedman": friedman_table(compared),
        "pairwise": pairwise_table(compared, summaries),
        "notes": notes_table(results),
    }
    return {name: text_columns_as_text(table) for name, table in tables.items()}


def _second_half(results: StudyResults) -> dict[str, pd.DataFrame]:
    summaries = Summaries(results)
    sought = without_random(results)
    found = list(members(results))
    stability = stability_table(results, found)
    tables = {
        "prediction": prediction_table(results, summaries),
        "prediction_overview": prediction_overview(results, summaries),
        "correlation": correlation_table(sought),
        "spread": spread_table(results, summaries),
        "overfitting": overfitting_table(results, summaries),
        "dimensions": dimensions_table(sought),
        "effort": effort_table(results, summaries),
        "dissimilarity": dissimilarity_table(results, found, summaries),
        "stability_overview": stability_overview(stability, summaries),
        "stability": stability,
        "selection_frequency": frequency_table(results, found),
        "substitutes": substitutes_table(results, found),
    }
    return {name: text_columns_as_text(table) for name, table in tables.items()}


def quality_table(results: StudyResults, summaries: Summaries) -> pd.DataFrame:
    """Both objectives by setting, over datasets and folds.

    Only sets that exist have an objective. ``n_sets`` and ``n_datasets`` say over
    how many a value was averaged, ``n_planned`` how many there could have been.
    """
    sets = results.feature_sets
    train, test = (
        summaries.of(sets, SETTING, measure, f"{measure}_")
        for measure in ("train_objective", "test_objective")
    )
    answered = sets.groupby(SETTING, observed=True).size().index
    table = train.join(test.filter(like="test_objective_")).reindex(answered)
    table = table.rename(columns={"n": "n_sets"})
    table[["n_sets", "n_datasets"]] = table[["n_sets", "n_datasets"]].fillna(0).astype(int)
    table = table.reset_index()
    table.insert(len(SETTING), "n_planned", results.planned(table, SETTING))
    return table


def prediction_table(results: StudyResults, summaries: Summaries) -> pd.DataFrame:
    """The models' scores by setting, over datasets and folds; a row per metric."""
    by = [*SETTING, "model", "metric"]
    table = summaries.of(results.predictions, by, "test_score", "test_score_")
    train = summaries.of(results.predictions, by, "train_score", "train_score_")
    joined = table.join(train.filter(like="train_score_")).rename(columns={"n": "n_sets"})
    return joined.reset_index()


def prediction_overview(results: StudyResults, summaries: Summaries) -> pd.DataFrame:
    """Test scores by model, selector and size: of all sets, of the original and the random ones."""
    by = ["model", "metric", "selector", "n_features"]
    drawn = is_random(results, results.predictions)
    scored = results.predictions[~drawn]
    # The original set is the first of a sequential search; simultaneous sets have no order.
    original = scored[(scored["aggregation"] == "none") & (scored["set_index"] == 0)]
    return stacked(
        [
            labelled(summaries.of(rows, by, "test_score"), sets=label)
            for label, rows in (
                ("all", scored),
                ("original", original),
                *((("random", results.predictions[drawn]),) if drawn.any() else ()),
            )
        ]
    )
