"""Statistical tests between selectors and between searches, over datasets.

As Demšar (2006) advises: the values of a dataset are averaged first, so that
datasets are the observations; Friedman's test over all treatments, Wilcoxon's
signed-rank test for pairs with Holm's correction, and average ranks with
Nemenyi's critical difference.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from altfs.evaluation.controls import CONTROLS, controls_of
from altfs.evaluation.frames import StudyResults
from altfs.evaluation.roles import CASE, is_random
from altfs.evaluation.summaries import Summaries, measures
from altfs.evaluation.within_runs import run_statistics

Floats = npt.NDArray[np.float64]

#: Level of the tests that the critical difference belongs to.
ALPHA = 0.05


class Family(NamedTuple):
    """Treatments that are compared with one another on the same datasets.

    Attributes
    ----------
    labels : dict
        What is compared, in which measure and setting.
    values : DataFrame
        A row per dataset, a column per treatment, no value missing.
    controls : DataFrame, optional
        By treatment: ``floor`` and ``ceiling`` of the same cases, NaN where the study
        has none.
    """

    labels: dict[str, Any]
    values: pd.DataFrame
    controls: pd.DataFrame | None = None


def holm(p: Sequence[float]) -> Floats:
    """Holm's step-down adjustment of p values.

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
    """Nemenyi's critical difference of average ranks.

    Examples
    --------
    >>> round(critical_difference(4, 14), 2)  # Demšar (2006), section 3.2.2
    1.25
    """
    from scipy.stats import studentized_range

    q = studentized_range.ppf(1 - alpha, n_treatments, np.inf) / np.sqrt(2)
    return float(q * np.sqrt(n_treatments * (n_treatments + 1) / (6 * n_datasets)))


def average_ranks(values: pd.DataFrame) -> pd.Series[float]:
    """Mean over datasets of the rank of each treatment; 1 is the largest value."""
    return values.rank(axis="columns", ascending=False).mean()


def rank_biserial(differences: Floats) -> float:
    """Matched-pairs rank-biserial correlation (Kerby 2014): 1 if all differences are positive.

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


def families(results: StudyResults) -> Iterator[Family]:
    """Everything that is compared."""
    for measure, model, rows in measures(results):
        limits = controls_of(results, rows)
        if model:
            sought = rows[~is_random(results, rows)].join(limits, on=CASE)
            yield from _of_selectors(measure, model, sought)
        yield from _of_searches(results, measure, model, rows, limits)


def _of_selectors(measure: str, model: str, rows: pd.DataFrame) -> Iterator[Family]:
    """Selectors by what models make of their sets; objectives have no common scale."""
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
    """Searches, random ones too, by the mean quality of runs of as many alternatives."""
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
    """Means by dataset over the cases in which every treatment has a value."""
    found = rows.assign(treatment=rows[treatment].astype(str))
    cases = found.groupby([*unit, "treatment"], observed=True)
    wide = cases["value"].mean().unstack().dropna()
    values = wide.groupby("dataset", observed=True).mean()
    if values.shape[1] > 1 and len(values):
        limits = cases[list(CONTROLS)].first().unstack().reindex(wide.index)
        of_dataset: Any = limits.groupby("dataset", observed=True).mean()
        controls = of_dataset.mean().unstack(level=0)
        yield Family({**labels, "n_cases": len(wide)}, values, controls)


def friedman_table(compared: Sequence[Family]) -> pd.DataFrame:
    """Friedman's test, Kendall's W, and the average rank of each treatment; a row per treatment."""
    from scipy.stats import friedmanchisquare

    rows = []
    for family in compared:
        values = family.values.to_numpy()
        n, k = values.shape
        testable = k > 2 and n > 1 and bool((values != values[:, :1]).any())
        statistic, p = friedmanchisquare(*values.T) if testable else (np.nan, np.nan)
        limits: Any = family.controls
        for name, rank in average_ranks(family.values).items():
            floor, ceiling = (
                (np.nan, np.nan) if limits is None else (limits[c][str(name)] for c in CONTROLS)
            )
            rows.append(
                {
                    **family.labels, "treatment": name, "n_datasets": n, "n_treatments": k,
                    "average_rank": rank, "mean": family.values[name].mean(),
                    "floor_mean": float(floor), "ceiling_mean": float(ceiling),
                    "friedman_chi2": float(statistic), "p": float(p),
                    "kendall_w": float(statistic) / (n * (k - 1)),
                    "critical_difference": critical_difference(k, n),
                }
            )  # fmt: skip
    return _typed(pd.DataFrame(rows, columns=None if rows else [*_LABELS, "treatment"]))


def pairwise_table(compared: Sequence[Family], summaries: Summaries) -> pd.DataFrame:
    """Wilcoxon's signed-rank test of all pairs, adjusted by Holm within each family."""
    from scipy.stats import wilcoxon

    rows: list[dict[str, Any]] = []
    differences = []
    for family in compared:
        values = family.values
        own: list[dict[str, Any]] = []
        for first, second in combinations(values.columns, 2):
            difference = (values[first] - values[second]).to_numpy()
            # Without any difference there is nothing to test.
            p = float(wilcoxon(difference).pvalue) if difference.any() else 1.0
            differences.append(
                pd.DataFrame({"pair": len(rows) + len(own), "dataset": values.index.astype(str),
                              "difference": difference})
            )  # fmt: skip
            own.append(
                {
                    **family.labels, "first": first, "second": second, "n_datasets": len(values),
                    "first_better": int((difference > 0).sum()),
                    "second_better": int((difference < 0).sum()),
                    "p": p, "rank_biserial": rank_biserial(difference),
                }
            )  # fmt: skip
        for row, adjusted in zip(own, holm([row["p"] for row in own]), strict=True):
            rows.append({**row, "p_holm": float(adjusted)})
    if not rows:
        return pd.DataFrame(columns=[*_LABELS, "first", "second", "p", "p_holm"])
    medians = summaries.of(pd.concat(differences), ["pair"], "difference", "difference_")
    kept = [f"difference_median{part}" for part in ("", "_low", "_high")]
    return _typed(pd.DataFrame(rows).join(medians[kept]))


_LABELS = ["compared", "measure", "model", "selector", "n_features", "n_alternatives", "sets"]


def _typed(table: pd.DataFrame) -> pd.DataFrame:
    return table.astype({"n_features": "Int64", "n_alternatives": "Int64", "selector": str})
