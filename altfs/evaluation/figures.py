"""All figures of the evaluation, from results and tables, as SVG and PDF."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import altair as alt
import pandas as pd

from altfs.evaluation import further_figures as further
from altfs.evaluation import paper_figures as paper
from altfs.evaluation.charts import titled
from altfs.evaluation.frames import StudyResults
from altfs.evaluation.roles import without_random
from altfs.evaluation.set_figures import quality_between_controls, stability_by_alternative
from altfs.evaluation.target_types import rows_of_kind, split

Tables = Mapping[str, pd.DataFrame]
Maker = Callable[[], Any]


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
    return dict(each_figure(results, tables))


def each_figure(results: StudyResults, tables: Tables) -> Iterator[tuple[str, alt.TopLevelMixin]]:
    """All figures of the evaluation with their names, each made when it is asked for."""
    gap = what_is_missing(results)
    for name, make in _of_each_kind(results, tables).items():
        chart = make()
        if gap:
            # A figure is looked at without its page, so it says so itself.
            chart.title.subtitle = [gap, *chart.title.subtitle]
        yield name, chart


def _of_each_kind(results: StudyResults, tables: Tables) -> dict[str, Maker]:
    """Figures of classification and of regression datasets above one another."""
    parts = split(results)
    if len(parts) == 1:
        return _figures(results, tables)
    made = {
        kind: _figures(part, {n: rows_of_kind(kind, table) for n, table in tables.items()})
        for kind, part in parts.items()
    }
    return {
        name: partial(_above_one_another, {kind: makers[name] for kind, makers in made.items()})
        for name in next(iter(made.values()))
    }


def _above_one_another(makers: dict[str, Maker]) -> Any:
    charts = {kind: make() for kind, make in makers.items()}
    bare = []
    for kind, chart in charts.items():
        own = chart.copy()
        own.config = alt.Undefined
        own.title.text = kind.capitalize()
        bare.append(own)
    joined = alt.vconcat(*bare).resolve_scale(color="independent", shape="independent")
    title = next(iter(charts.values())).title.text
    return titled(joined, title, "Datasets for classification (MCC) and regression (R²) apart.")


def _figures(results: StudyResults, tables: Tables) -> dict[str, Maker]:
    # Random sets are a floor: figures of one search, or of all, are of those that look for good.
    sought = without_random(results)
    return {
        "correlation_of_metrics": partial(paper.correlation_of_metrics, tables),
        "spread_within_search": partial(paper.spread_within_search, results),
        "mean_within_search": partial(paper.mean_within_search, results),
        "max_normalised_by_alternative": partial(paper.max_normalised_by_alternative, sought),
        "min_max_normalised_by_alternative": partial(
            paper.min_max_normalised_by_alternative, sought
        ),
        "median_by_tau": partial(paper.median_by_tau, sought, tables),
        "objective_by_alternative": partial(further.objective_by_alternative, sought),
        "score_by_selector": partial(further.score_by_selector, sought),
        "infeasible_by_tau": partial(further.infeasible_by_tau, sought),
        "critical_difference": partial(further.critical_difference, tables),
        "quality_against_dissimilarity": partial(further.quality_against_dissimilarity, results),
        "solver_time": partial(further.solver_time, results),
        "quality_between_controls": partial(quality_between_controls, results, tables),
        "stability_by_alternative": partial(stability_by_alternative, tables),
    }


# Of what can be missing: one of them, several.
_KINDS = {
    "shard": ("shard", "shards"),
    "prediction": ("file of predictions", "files of predictions"),
    "dataset": ("dataset", "datasets"),
    "prediction of a feature set": ("prediction of a feature set", "predictions of feature sets"),
}


def what_is_missing(results: StudyResults) -> str:
    """A sentence about what has not been computed; empty if nothing."""
    missing = results.missing
    if not len(missing):
        return ""
    counts = missing.groupby("kind")["n"].sum()
    parts = [
        f"{counts[kind]} {words[int(counts[kind] > 1)]}"
        for kind, words in _KINDS.items()
        if kind in counts
    ]
    datasets = missing["dataset"].nunique()
    are = "are" if counts.sum() > 1 else "is"
    return (
        f"Incomplete: {', '.join(parts)} of {datasets} dataset{'s' * (datasets > 1)} {are} missing."
    )
