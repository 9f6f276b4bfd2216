"""Figures, from results and tables. One file each."""

from collections.abc import Mapping
from typing import Any

from altfs.evaluation.collect.kinds import rows_of_kind, split
from altfs.evaluation.collect.results import StudyResults
from altfs.evaluation.figures._charts import Tables, alt, titled
from altfs.study.catalogue import figures


def make_figure(name: str, results: StudyResults, tables: Tables) -> Any:
    """Make one figure of the evaluation.

    Panels of regression datasets are below those of classification datasets.

    Parameters
    ----------
    name : str
        A name of the catalogue.
    results : StudyResults
    tables : mapping of str to DataFrame
        The tables that the figure needs; it may hold more.

    Returns
    -------
    altair.TopLevelMixin
    """
    component = figures.get(name)
    own = {needed: tables[needed] for needed in component.needs}
    charts = {
        kind: component.make(part, {n: rows_of_kind(kind, table) for n, table in own.items()})
        for kind, part in results.once(split).items()
    }
    chart = next(iter(charts.values())) if len(charts) == 1 else _below_one_another(charts)
    known = [c.usermeta for c in charts.values() if c.usermeta is not alt.Undefined]
    if known:
        chart.usermeta = {"choices": [choice for own in known for choice in own["choices"]]}
    if results.gap():
        # A figure may be shown without its page.
        chart.title.subtitle = [results.gap(), *chart.title.subtitle]
    return chart


def _below_one_another(charts: Mapping[str, Any]) -> Any:
    bare = []
    for kind, chart in charts.items():
        own = chart.copy()
        own.config = own.usermeta = alt.Undefined
        own.title.text = kind.capitalize()
        bare.append(own)
    joined = alt.vconcat(*bare).resolve_scale(color="independent", shape="independent")
    title = next(iter(charts.values())).title.text
    return titled(joined, title, "Datasets for classification (MCC) and regression (R²) apart.")
