"""Statistical tests between selectors and between searches, over datasets.

As Demšar (2006) advises: the values of a dataset are averaged first, so that
datasets are the observations; Friedman's test over all treatments, Wilcoxon's
signed-rank test for pairs with Holm's correction, and average ranks with
Nemenyi's critical difference.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from altfs.evaluation.controls import CONTROLS, controls_of, relative_quality
from altfs.evaluation.frames import StudyResults
from altfs.evaluation.roles import CASE, is_random
from altfs.evaluation.summaries import Summaries, measures
from altfs.evaluation.within_runs import run_statistics

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
        """Floor or ceiling in the shape of `values`."""
        known = self.controls.get(name)
        return self.values * np.nan if known is None else known


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
    planned = results.planned_datasets()
    for family in _found(results):
        left_out = tuple(d for d in planned if d not in family.values.index)
        yield family._replace(left_out=left_out)


def _found(results: StudyResults) -> Iterator[Family]:
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
        # A control of some of the cases would be of other cases than the values.
        means: Any = limits.groupby("dataset", observed=True).mean()
        known: Any = limits.notna().groupby("dataset", observed=True).all()
        controls = {c: means[c].where(known[c]) for c in CONTROLS}
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
        floor, ceiling = (_mean_of_all(family.control(c)) for c in CONTROLS)
        for name, rank in average_ranks(family.values).items():
            rows.append(
                {
                    **family.labels, "treatment": name, "n_datasets": n, "n_treatments": k,
                    "average_rank": rank, "mean": family.values[name].mean(),
                    "floor_mean": floor[str(name)], "ceiling_mean": ceiling[str(name)],
                    "friedman_chi2": float(statistic), "p": float(p),
                    "kendall_w": float(statistic) / (n * (k - 1)),
                    "critical_difference": critical_difference(k, n),
                    "left_out": ", ".join(family.left_out),
                }
            )  # fmt: skip
    return _typed(pd.DataFrame(rows, columns=None if rows else [*_LABELS, "treatment"]))


def pairwise_table(compared: Sequence[Family], summaries: Summaries) -> pd.DataFrame:
    """Wilcoxon's signed-rank test of all pairs, adjusted by Holm within each family.

    A difference also stands beside what there is to lose: the ceiling less the floor,
    on average over the two treatments of a dataset.
    """
    rows: list[dict[str, Any]] = []
    differences = []
    for family in compared:
        own: list[dict[str, Any]] = []
        for first, second in combinations(family.values.columns, 2):
            between = _differences(family, first, second)
            differences.append(between.assign(pair=len(rows) + len(own)))
            own.append({**family.labels, **_pair(family, first, second, between)})
        for row, adjusted in zip(own, holm([row["p"] for row in own]), strict=True):
            rows.append({**row, "p_holm": float(adjusted)})
    if not rows:
        return pd.DataFrame(columns=[*_LABELS, "first", "second", "p", "p_holm"])
    table, joined = pd.DataFrame(rows), pd.concat(differences)
    for name in ("difference", "relative_difference"):
        medians = summaries.of(joined, ["pair"], name, f"{name}_")
        table = table.join(medians[[f"{name}_median{part}" for part in ("", "_low", "_high")]])
    table["left_out"] = table.pop("left_out")
    return _typed(table)


def _differences(family: Family, first: str, second: str) -> pd.DataFrame:
    """First less second, and relative to the span between the controls; a row per dataset."""
    one, other = family.values[first], family.values[second]
    floor, ceiling = (family.control(c)[[first, second]].mean(axis=1, skipna=False)
                      for c in CONTROLS)  # fmt: skip
    relative = relative_quality(one, floor, ceiling) - relative_quality(other, floor, ceiling)
    return pd.DataFrame(
        {"dataset": one.index.astype(str), "difference": one - other,
         "relative_difference": relative}
    )  # fmt: skip


def _pair(family: Family, first: str, second: str, between: pd.DataFrame) -> dict[str, Any]:
    from scipy.stats import wilcoxon

    difference = between["difference"].to_numpy()
    known = family.control("ceiling")[[first, second]].notna().all(axis=1) & (
        family.control("floor")[[first, second]].notna().all(axis=1)
    )
    means = {
        f"{side}_{name}": _mean_of_all(values)[treatment]
        for name, values in (
            ("mean", family.values),
            *((f"{control}_mean", family.control(control)) for control in CONTROLS),
        )
        for side, treatment in (("first", first), ("second", second))
    }
    return {
        "first": first, "second": second, "n_datasets": len(difference),
        "first_better": int((difference > 0).sum()),
        "second_better": int((difference < 0).sum()),
        **means,
        # Without any difference there is nothing to test.
        "p": float(wilcoxon(difference).pvalue) if difference.any() else 1.0,
        "rank_biserial": rank_biserial(difference),
        "n_without_span": int((known & between["relative_difference"].isna()).sum()),
        "left_out": ", ".join(family.left_out),
    }  # fmt: skip


def _mean_of_all(values: pd.DataFrame) -> pd.Series[float]:
    """Means over datasets of each treatment; NaN where a dataset lacks a value."""
    return values.mean(skipna=False)


_LABELS = ["compared", "measure", "model", "selector", "n_features", "n_alternatives", "sets"]


def _typed(table: pd.DataFrame) -> pd.DataFrame:
    return table.astype({"n_features": "Int64", "n_alternatives": "Int64", "selector": str})
