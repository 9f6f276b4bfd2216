"""Friedman's test and average ranks of selectors and of searches, over datasets."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
import pandas as pd
import scipy

from altfs.catalogue import tables
from altfs.evaluation.results import Results
from altfs.evaluation.rules import ALPHA, enough
from altfs.evaluation.stats.comparisons import LABELS, Family, families, mean_of_all, typed
from altfs.evaluation.stats.controls import CONTROLS


@tables.add(place=220)
def friedman(results: Results) -> pd.DataFrame:
    """Compute Friedman's test, Kendall's W and average ranks; a row per treatment."""
    return friedman_of(results.once(families))


def friedman_of(compared: Sequence[Family]) -> pd.DataFrame:
    """Test each family; datasets are the observations."""
    rows = []
    for family in (one for one in compared if len(one.values)):
        values = family.values.to_numpy()
        n, k = values.shape
        testable = k > 2 and enough(n) and bool((values != values[:, :1]).any())
        statistic, p = scipy.stats.friedmanchisquare(*values.T) if testable else (np.nan, np.nan)
        floor, ceiling = (mean_of_all(family.control(c)) for c in CONTROLS)
        # Rank 1 is the largest value.
        for name, rank in family.values.rank(axis="columns", ascending=False).mean().items():
            rows.append(
                {
                    **family.labels, "treatment": name, "n_datasets": n, "n_treatments": k,
                    "average_rank": rank if enough(n) else np.nan,
                    "mean": family.values[name].mean(),
                    "floor_mean": floor[str(name)], "ceiling_mean": ceiling[str(name)],
                    "friedman_chi2": float(statistic), "p": float(p),
                    "kendall_w": float(statistic) / (n * (k - 1)),
                    "critical_difference": critical_difference(k, n) if enough(n) else np.nan,
                    "left_out": ", ".join(family.left_out),
                }
            )  # fmt: skip
    return typed(pd.DataFrame(rows, columns=None if rows else [*LABELS, "treatment"]))


@cache
def critical_difference(n_treatments: int, n_datasets: int) -> float:
    """Compute Nemenyi's critical difference of average ranks.

    Examples
    --------
    >>> round(critical_difference(4, 14), 2)  # Demšar (2006), section 3.2.2
    1.25
    """
    q = scipy.stats.studentized_range.ppf(1 - ALPHA, n_treatments, np.inf) / np.sqrt(2)
    return float(q * np.sqrt(n_treatments * (n_treatments + 1) / (6 * n_datasets)))
