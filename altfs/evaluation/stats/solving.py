"""Runs of different searches and solvers for the same sets, case by case."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from altfs.evaluation.results import RUN_KEY, Results
from altfs.evaluation.stats.roles import treatments
from altfs.evaluation.stats.summaries import measures

#: What all compared runs have in common.
CASE_OF_RUN = ["dataset", "fold", "selector", "n_features", "n_alternatives", "tau"]


def solved_runs(results: Results) -> dict[tuple[str, str], pd.DataFrame]:
    """Return the mean value of each run without missing values, by measure and model.

    Returns
    -------
    dict of (str, str) to DataFrame
        A row per run with the columns of a case, ``treatment`` and ``value``. Cases in which a
        search of the selector has no such run are left out; ``attrs["left_out"]`` counts them.
    """
    solved: dict[tuple[str, str], pd.DataFrame] = {}
    for measure, model, rows in measures(results):
        runs = rows.groupby(RUN_KEY, observed=True)["value"].agg(["count", "mean"]).reset_index()
        runs = runs[runs["count"] == runs["n_alternatives"] + 1]
        runs = runs.assign(treatment=treatments(runs), value=runs["mean"])
        runs = runs.astype({"selector": str, "dataset": str, "tau": str})
        n_treatments = runs.groupby("selector")["treatment"].transform("nunique")
        there = runs.groupby(CASE_OF_RUN)["treatment"].transform("nunique")
        kept = runs[n_treatments == there][[*CASE_OF_RUN, "treatment", "value"]].reset_index(
            drop=True
        )
        kept.attrs["left_out"] = (
            runs[n_treatments != there]
            .drop_duplicates(CASE_OF_RUN)
            .groupby("selector")
            .size()
            .to_dict()
        )
        solved[measure, model] = kept
    return solved


def efforts(results: Results) -> pd.DataFrame:
    """Return evaluations and seconds of each run; evaluations are NaN if nothing is evaluated."""
    sets = results.sets
    sets = sets.assign(counted=sets["solver"].astype(str).isin(results.design.evaluating))
    groups: Any = sets.groupby(RUN_KEY, observed=True)
    runs = groups.agg(
        work=("work", "sum"), seconds=("seconds", "sum"), counted=("counted", "all")
    ).reset_index()
    runs["evaluations"] = runs["work"].astype(float).where(runs["counted"], np.nan)
    runs = runs.assign(treatment=treatments(runs))
    runs = runs.astype({"selector": str, "dataset": str, "tau": str})
    columns = [*CASE_OF_RUN, "treatment", "evaluations", "seconds"]
    return pd.DataFrame(runs[columns])
