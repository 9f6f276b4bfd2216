"""Tidy tables: what the sets are worth, by everything that was varied."""

from __future__ import annotations

import pandas as pd

from altfs.evaluation.load import StudyResults

#: What was varied besides dataset and fold, over which the tables average.
SETTING = [
    "selector",
    "search",
    "aggregation",
    "n_features",
    "n_alternatives",
    "tau",
    "set_index",
]
_STATUSES = ("optimal", "feasible", "infeasible", "unknown")


def make_tables(results: StudyResults) -> dict[str, pd.DataFrame]:
    """All tables of the evaluation by name, one row per setting."""
    return {
        "datasets": results.datasets,
        "status": status_table(results.feature_sets),
        "quality": quality_table(results.feature_sets),
        "prediction": prediction_table(results.predictions),
        "notes": results.notes,
    }


def status_table(sets: pd.DataFrame) -> pd.DataFrame:
    """How many feature sets of a setting have which status, and their shares.

    Counted per feature set: a simultaneous run of three sets counts three times.
    """
    counts = sets.groupby([*SETTING, "status"]).size().unstack("status", fill_value=0)
    counts = counts.reindex(columns=list(_STATUSES), fill_value=0)
    total = counts.sum(axis="columns")
    table = counts.add_prefix("n_")
    table.insert(0, "n_sets", total)
    for status in _STATUSES:
        table[f"share_{status}"] = counts[status] / total
    return _sorted(table.reset_index())


def quality_table(sets: pd.DataFrame) -> pd.DataFrame:
    """Mean, median and spread of both objectives over datasets and folds.

    Only sets that exist have an objective. `n_sets` and `n_datasets` say over
    how many a value was averaged, `n_planned` how many there could have been.
    """
    groups = sets.groupby(SETTING)
    found = sets[sets["train_objective"].notna()]
    table = groups.agg(n_planned=("status", "size"))
    existing = found.groupby(SETTING)
    table["n_sets"] = existing.size()
    table["n_datasets"] = existing["dataset"].nunique()
    for objective in ("train_objective", "test_objective"):
        for statistic in ("mean", "median", "std"):
            table[f"{objective}_{statistic}"] = existing[objective].agg(statistic)
    table[["n_sets", "n_datasets"]] = table[["n_sets", "n_datasets"]].fillna(0).astype(int)
    return _sorted(table.reset_index())


def prediction_table(predictions: pd.DataFrame) -> pd.DataFrame:
    """Mean, median and spread of the models' scores; one row per metric."""
    groups = predictions.groupby([*SETTING, "model", "metric"])
    table = groups.agg(
        n_sets=("test_score", "size"),
        n_datasets=("dataset", "nunique"),
        train_score_mean=("train_score", "mean"),
        train_score_median=("train_score", "median"),
        train_score_std=("train_score", "std"),
        test_score_mean=("test_score", "mean"),
        test_score_median=("test_score", "median"),
        test_score_std=("test_score", "std"),
    )
    return _sorted(table.reset_index())


def _sorted(table: pd.DataFrame) -> pd.DataFrame:
    """By setting; tau as the number that it is."""
    order = [column for column in (*SETTING, "model", "metric") if column in table.columns]
    keyed = table.assign(_tau=table["tau"].astype(float))
    keyed = keyed.sort_values(
        ["_tau" if column == "tau" else column for column in order], kind="stable"
    )
    return keyed.drop(columns="_tau").reset_index(drop=True)
