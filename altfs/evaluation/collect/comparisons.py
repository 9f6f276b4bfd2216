"""Statistical tests between selectors and between searches, over datasets.

As Demšar (2006) advises: the values of a dataset are averaged first, so that
datasets are the observations; Friedman's test over all treatments, Wilcoxon's
signed-rank test for pairs with Holm's correction, and average ranks with
Nemenyi's critical difference.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from altfs.evaluation.collect.controls import CONTROLS, controls_of
from altfs.evaluation.collect.results import StudyResults
from altfs.evaluation.collect.roles import CASE, is_random
from altfs.evaluation.collect.runs import run_statistics
from altfs.evaluation.collect.summaries import measures

Floats = npt.NDArray[np.float64]

#: Level of the tests that the critical difference belongs to.
ALPHA = 0.05
#: Of fewer datasets, Wilcoxon's test cannot reach that level, whatever their values (2 / 2^5 is
#: more), nor do the smallest and the largest of their values hold the median in 95 % of cases.
FEWEST_DATASETS = 6


class Family(NamedTuple):
    """Treatments that are compared with one another on the same datasets.

    Attributes
    ----------
    labels : dict
        What is compared, in which measure and setting.
    values : DataFrame
        A row per dataset, a column per treatment, no value missing.
    controls : dict of str to DataFrame
        ``floor`` and ``ceiling`` of the same cases, each in the shape of `values`; NaN where
        the study has none, or lacks it for a case that counts.
    left_out : tuple of str
        Datasets of the study of which no case has a value of every treatment.
    """

    labels: dict[str, Any]
    values: pd.DataFrame
    controls: Mapping[str, pd.DataFrame] = MappingProxyType({})
    left_out: tuple[str, ...] = ()

    def control(self, name: str) -> pd.DataFrame:
        """Return the floor or the ceiling in the shape of `values`."""
        known = self.controls.get(name)
        return self.values * np.nan if known is None else known


def holm(p: Sequence[float]) -> Floats:
    """Adjust p values by Holm's step-down procedure.

    Examples
    --------
    >>> [float(round(x, 10)) for x in holm([0.01, 0.04, 0.03, 0.005])]
    [0.03, 0.06, 0.06, 0.02]
    """
    values = np.asarray(p, dtype=float)
    order = np.argsort(values, kind="stable")
    factors = np.arange(len(values), 0, -1)
    adjusted = np.empty(len(values))
    adjusted[order] = np.minimum(np.maximum.accumulate(values[order] * factors), 1)
    return adjusted


def critical_difference(n_treatments: int, n_datasets: int, alpha: float = ALPHA) -> float:
    """Compute Nemenyi's critical difference of average ranks.

    Examples
    --------
    >>> round(critical_difference(4, 14), 2)  # Demšar (2006), section 3.2.2
    1.25
    """
    from scipy.stats import studentized_range

    q = studentized_range.ppf(1 - alpha, n_treatments, np.inf) / np.sqrt(2)
    return float(q * np.sqrt(n_treatments * (n_treatments + 1) / (6 * n_datasets)))


def average_ranks(values: pd.DataFrame) -> pd.Series[float]:
    """Return the mean rank of each treatment over datasets; rank 1 is the largest value."""
    return values.rank(axis="columns", ascending=False).mean()


def rank_biserial(differences: Floats) -> float:
    """Compute the matched-pairs rank-biserial correlation (Kerby 2014); 1 if all are positive.

    Examples
    --------
    >>> float(rank_biserial(np.array([1.0, 2.0, 3.0, -4.0])))
    0.2
    """
    from scipy.stats import rankdata

    kept = differences[differences != 0]
    if not len(kept):
        return 0.0
    ranks = rankdata(np.abs(kept))
    return float((ranks * np.sign(kept)).sum() / ranks.sum())


def families(results: StudyResults) -> list[Family]:
    """Return everything that is compared."""
    planned = results.planned_datasets()
    return [
        family._replace(left_out=tuple(d for d in planned if d not in family.values.index))
        for family in _found(results)
    ]


def _found(results: StudyResults) -> Iterator[Family]:
    for measure, model, rows in measures(results):
        limits = controls_of(results, rows)
        if model:
            sought = rows[~is_random(results, rows)].join(limits, on=CASE)
            yield from _of_selectors(measure, model, sought)
        yield from _of_searches(results, measure, model, rows, limits)


def _of_selectors(measure: str, model: str, rows: pd.DataFrame) -> Iterator[Family]:
    """Compare selectors by the scores of their sets; objectives have no common scale."""
    ranked = rows[rows["aggregation"] == "none"]
    for label, chosen in (
        ("original sets", ranked[ranked["set_index"] == 0]),
        ("alternatives", ranked[ranked["set_index"] > 0]),
    ):
        for k, part in chosen.groupby("n_features", observed=True):
            unit = ["dataset", "fold", "tau", "search", "n_alternatives", "set_index"]
            yield from _family(
                part, unit, "selector", {"compared": "selectors", "measure": measure,
                "model": model, "selector": "", "n_features": k, "n_alternatives": None,
                "sets": label},
            )  # fmt: skip


def _of_searches(
    results: StudyResults, measure: str, model: str, rows: pd.DataFrame, limits: pd.DataFrame
) -> Iterator[Family]:
    """Compare searches, random ones too, by the mean quality of runs of as many alternatives."""
    runs = run_statistics(rows, results.settings)
    together = runs["aggregation"].astype(str)
    named = runs["search"].astype(str)
    named = named.where(together == "none", named + " (" + together + ")")
    runs = runs.assign(treatment=named, value=runs["mean"]).join(limits, on=CASE)
    for (selector, a), part in runs.groupby(["selector", "n_alternatives"], observed=True):
        yield from _family(
            part, ["dataset", "fold", "n_features", "tau"], "treatment",
            {"compared": "searches", "measure": measure, "model": model, "selector": selector,
             "n_features": None, "n_alternatives": a, "sets": "runs"},
        )  # fmt: skip


def _family(
    rows: pd.DataFrame, unit: list[str], treatment: str, labels: dict[str, Any]
) -> Iterator[Family]:
    """Yield the means by dataset over the cases in which every treatment has a value."""
    found = rows.assign(treatment=rows[treatment].astype(str))
    cases = found.groupby([*unit, "treatment"], observed=True)
    wide = cases["value"].mean().unstack().dropna()
    values = wide.groupby("dataset", observed=True).mean()
    if values.shape[1] > 1 and len(values):
        limits = cases[list(CONTROLS)].first().unstack().reindex(wide.index)
        # A control of some of the cases would be of other cases than the values.
        means: Any = limits.groupby("dataset", observed=True).mean()
        known: Any = limits.notna().groupby("dataset", observed=True).all()
        controls = {c: means[c].where(known[c]) for c in CONTROLS}
        yield Family({**labels, "n_cases": len(wide)}, values, controls)


def mean_of_all(values: pd.DataFrame) -> pd.Series[float]:
    """Return the mean of each treatment over datasets; NaN where a dataset lacks a value."""
    return values.mean(skipna=False)


LABELS = ["compared", "measure", "model", "selector", "n_features", "n_alternatives", "sets"]


def typed(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table whose numbers may be missing where nothing is compared by them."""
    return table.astype({"n_features": "Int64", "n_alternatives": "Int64", "selector": str})
