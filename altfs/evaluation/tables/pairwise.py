"""Wilcoxon's signed-rank test of all pairs, adjusted by Holm, with effect sizes."""

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import scipy

from altfs._numbers import FloatArray
from altfs.catalogue import tables
from altfs.evaluation.results import Results
from altfs.evaluation.rules import enough
from altfs.evaluation.stats.comparisons import LABELS, Family, families, mean_of_all, typed
from altfs.evaluation.stats.controls import CONTROLS, NOISE, relative_quality
from altfs.evaluation.stats.summaries import Summaries


@tables.add(place=230)
def pairwise(results: Results) -> pd.DataFrame:
    """Test all pairs by Wilcoxon's signed-rank test, adjusted by Holm within each family.

    The relative difference is divided by the span: the ceiling less the floor, on average over
    the two treatments of a dataset.
    """
    return pairwise_of(results.once(families), results.once(Summaries))


def pairwise_of(compared: Sequence[Family], summaries: Summaries) -> pd.DataFrame:
    """Test the pairs of each family where both have values; datasets are the observations."""
    rows: list[dict[str, Any]] = []
    differences: list[pd.DataFrame] = []
    for family in compared:
        tests = []
        pairs = [family.pair(*names) for names in combinations(family.values.columns, 2)]
        for row, between in (_pair(pair) for pair in pairs if len(pair.values)):
            differences.append(between.assign(pair=len(differences)))
            tests.append(row)
        # Pairs of too few datasets are not tested.
        adjusted = np.array([row["p"] for row in tests])
        adjusted[~np.isnan(adjusted)] = holm(adjusted[~np.isnan(adjusted)])
        rows += [{**row, "p_holm": float(p)} for row, p in zip(tests, adjusted, strict=True)]
    if not rows:
        return pd.DataFrame(columns=[*LABELS, "first", "second", "p", "p_holm"])
    table, joined = pd.DataFrame(rows), pd.concat(differences)
    for name in ("difference", "relative_difference"):
        medians = summaries.of(joined, ["pair"], name, f"{name}_")
        table = table.join(medians[[f"{name}_median{part}" for part in ("", "_low", "_high")]])
    table["left_out"] = table.pop("left_out")
    # Selectors by scores come first, and objectives last.
    is_objective = table["measure"].str.endswith("_objective")
    order = pd.DataFrame({"other": table["compared"] != "selectors", "last": is_objective})
    places = order.sort_values(["other", "last"], kind="stable").index
    return typed(table.loc[places].reset_index(drop=True))


def _pair(family: Family) -> tuple[dict[str, Any], pd.DataFrame]:
    """Return the test of a pair, and first less second, plain and relative; a row per dataset."""
    first, second = map(str, family.values)
    one, other = family.values[first], family.values[second]
    controls = {control: family.control(control)[[first, second]] for control in CONTROLS}
    floor, ceiling = (values.mean(axis=1, skipna=False) for values in controls.values())
    noise = family.control(NOISE)[[first, second]].mean(axis=1, skipna=False)
    relative = relative_quality(one, floor, ceiling, noise)
    relative = relative - relative_quality(other, floor, ceiling, noise)
    testable = enough(len(one))
    # Means of the same sets in another order may differ in the last digits.
    same = np.isclose(one, other, rtol=1e-12, atol=1e-12)
    difference = (one - other).where(~same, 0.0).to_numpy()
    means = {"mean": family.values, **{f"{c}_mean": values for c, values in controls.items()}}
    row = {
        **family.labels, "first": first, "second": second, "n_datasets": len(difference),
        "first_better": int((difference > 0).sum()),
        "second_better": int((difference < 0).sum()),
        **{f"{side}_{name}": mean_of_all(values)[treatment] for name, values in means.items()
           for side, treatment in (("first", first), ("second", second))},
        # Without any difference there is nothing to test.
        "p": (float(scipy.stats.wilcoxon(difference).pvalue) if difference.any() else 1.0)
             if testable else np.nan,
        "rank_biserial": rank_biserial(difference) if testable else np.nan,
        "n_without_span": int((floor.notna() & ceiling.notna() & np.isnan(relative)).sum()),
        "left_out": ", ".join(family.left_out),
    }  # fmt: skip
    datasets = one.index.astype(str)
    return row, pd.DataFrame(
        {"dataset": datasets, "difference": one - other, "relative_difference": relative}
    )


def holm(p: Sequence[float] | FloatArray) -> FloatArray:
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


def rank_biserial(differences: FloatArray) -> float:
    """Compute the matched-pairs rank-biserial correlation (Kerby 2014); 1 if all are positive.

    Examples
    --------
    >>> float(rank_biserial(np.array([1.0, 2.0, 3.0, -4.0])))
    0.2
    """
    kept = differences[differences != 0]
    if not len(kept):
        return 0.0
    ranks = scipy.stats.rankdata(np.abs(kept))
    return float((ranks * np.sign(kept)).sum() / ranks.sum())
