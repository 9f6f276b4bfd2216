"""All figures of the evaluation, from results and tables, as SVG and PDF."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from altfs.evaluation import further_figures as further
from altfs.evaluation import paper_figures as paper
from altfs.evaluation.frames import StudyResults


def make_figures(
    results: StudyResults, tables: Mapping[str, pd.DataFrame]
) -> dict[str, alt.TopLevelMixin]:
    """All figures of the evaluation by name.

    Parameters
    ----------
    results : StudyResults
    tables : mapping of str to DataFrame
        Of :func:`altfs.evaluation.tables.make_tables`.
    """
    figures: dict[str, Any] = {
        "correlation_of_metrics": paper.correlation_of_metrics(tables),
        "spread_within_search": paper.spread_within_search(results),
        "mean_within_search": paper.mean_within_search(results),
        "max_normalised_by_alternative": paper.max_normalised_by_alternative(results),
        "min_max_normalised_by_alternative": paper.min_max_normalised_by_alternative(results),
        "median_by_tau": paper.median_by_tau(results, tables),
        "objective_by_alternative": further.objective_by_alternative(results),
        "score_by_selector": further.score_by_selector(results),
        "infeasible_by_tau": further.infeasible_by_tau(results),
        "critical_difference": further.critical_difference(tables),
        "quality_against_dissimilarity": further.quality_against_dissimilarity(results),
        "solver_time": further.solver_time(results),
    }
    gap = what_is_missing(results)
    if gap:
        for chart in figures.values():
            # A figure is looked at without its page, so it says so itself.
            chart.title.subtitle = [gap, *chart.title.subtitle]
    return figures


def what_is_missing(results: StudyResults) -> str:
    """A sentence about what has not been computed; empty if nothing."""
    missing = results.missing
    if not len(missing):
        return ""
    counts = missing.groupby("kind")["n"].sum()
    named = {"shard": "shards", "prediction": "files of predictions", "dataset": "datasets",
             "prediction of a feature set": "predictions of feature sets"}  # fmt: skip
    parts = [f"{counts[kind]} {words}" for kind, words in named.items() if kind in counts]
    datasets = missing["dataset"].nunique()
    return f"Incomplete: {', '.join(parts)} of {datasets} datasets are missing."
