"""All figures of the evaluation, from results and tables, as SVG and PDF."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from altfs.evaluation import further_figures as further
from altfs.evaluation import paper_figures as paper
from altfs.evaluation.charts import titled
from altfs.evaluation.frames import StudyResults
from altfs.evaluation.roles import without_random
from altfs.evaluation.set_figures import quality_between_controls, stability_by_alternative
from altfs.evaluation.target_types import split

Tables = Mapping[str, pd.DataFrame]


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
    figures = _of_each_kind(results, tables)
    gap = what_is_missing(results)
    if gap:
        for chart in figures.values():
            # A figure is looked at without its page, so it says so itself.
            chart.title.subtitle = [gap, *chart.title.subtitle]
    return figures


def _of_each_kind(results: StudyResults, tables: Tables) -> dict[str, Any]:
    """Figures of classification and of regression datasets above one another."""
    parts = split(results)
    if len(parts) == 1:
        return _figures(results, tables)
    made = {
        kind: _figures(part, {n: _rows_of(kind, table) for n, table in tables.items()})
        for kind, part in parts.items()
    }
    return {
        name: _above_one_another({kind: charts[name] for kind, charts in made.items()})
        for name in next(iter(made.values()))
    }


def _rows_of(kind: str, table: pd.DataFrame) -> pd.DataFrame:
    if kind and "target_type" in table and "origin" not in table:
        return table[table["target_type"] == kind].drop(columns="target_type")
    return table


def _above_one_another(charts: dict[str, Any]) -> Any:
    bare = []
    for kind, chart in charts.items():
        own = chart.copy()
        own.config = alt.Undefined
        own.title.text = kind.capitalize()
        bare.append(own)
    joined = alt.vconcat(*bare).resolve_scale(color="independent", shape="independent")
    title = next(iter(charts.values())).title.text
    return titled(joined, title, "Datasets for classification (MCC) and regression (R²) apart.")


def _figures(results: StudyResults, tables: Tables) -> dict[str, Any]:
    # Random sets are a floor: figures of one search, or of all, are of those that look for good.
    sought = without_random(results)
    return {
        "correlation_of_metrics": paper.correlation_of_metrics(tables),
        "spread_within_search": paper.spread_within_search(results),
        "mean_within_search": paper.mean_within_search(results),
        "max_normalised_by_alternative": paper.max_normalised_by_alternative(sought),
        "min_max_normalised_by_alternative": paper.min_max_normalised_by_alternative(sought),
        "median_by_tau": paper.median_by_tau(sought, tables),
        "objective_by_alternative": further.objective_by_alternative(sought),
        "score_by_selector": further.score_by_selector(sought),
        "infeasible_by_tau": further.infeasible_by_tau(sought),
        "critical_difference": further.critical_difference(tables),
        "quality_against_dissimilarity": further.quality_against_dissimilarity(results),
        "solver_time": further.solver_time(results),
        "quality_between_controls": quality_between_controls(results, tables),
        "stability_by_alternative": stability_by_alternative(tables),
    }


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
