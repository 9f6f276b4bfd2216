"""Wilcoxon's signed-rank test of all pairs."""

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import pandas as pd

from altfs.evaluation.collect.comparisons import (
    LABELS,
    Family,
    families,
    holm,
    mean_of_all,
    rank_biserial,
    typed,
)
from altfs.evaluation.collect.controls import CONTROLS, relative_quality
from altfs.evaluation.collect.results import StudyResults
from altfs.evaluation.collect.summaries import Summaries
from altfs.study.catalogue import tables


@tables.add(
    "Wilcoxon's signed-rank test of all pairs, adjusted by Holm, with effect sizes.", place=230
)
def pairwise(results: StudyResults) -> pd.DataFrame:
    """Test all pairs by Wilcoxon's signed-rank test, adjusted by Holm within each family.

    A difference also stands beside what there is to lose: the ceiling less the floor,
    on average over the two treatments of a dataset.
    """
    return pairwise_of(results.once(families), results.once(Summaries))


def pairwise_of(compared: Sequence[Family], summaries: Summaries) -> pd.DataFrame:
    """Test the pairs of each family; datasets are the observations."""
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
        return pd.DataFrame(columns=[*LABELS, "first", "second", "p", "p_holm"])
    table, joined = pd.DataFrame(rows), pd.concat(differences)
    for name in ("difference", "relative_difference"):
        medians = summaries.of(joined, ["pair"], name, f"{name}_")
        table = table.join(medians[[f"{name}_median{part}" for part in ("", "_low", "_high")]])
    table["left_out"] = table.pop("left_out")
    return typed(table)


def _differences(family: Family, first: str, second: str) -> pd.DataFrame:
    """Return first less second, plain and relative to the span; a row per dataset."""
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
        f"{side}_{name}": mean_of_all(values)[treatment]
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
