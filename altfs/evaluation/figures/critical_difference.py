"""Average ranks of selectors with critical differences."""

from typing import Any

import numpy as np
import pandas as pd

from altfs.evaluation.collect.comparisons import ALPHA, FEWEST_DATASETS
from altfs.evaluation.collect.results import StudyResults
from altfs.evaluation.figures._charts import Chart, Tables, alt, panels_of, titled
from altfs.evaluation.names import METRICS, in_words, selector_name
from altfs.evaluation.tables import rows_of
from altfs.study.catalogue import figures


@figures.add(
    "Which selectors can be told apart by prediction performance.",
    place=100,
    needs=("friedman", "pairwise"),
)
def critical_difference(results: StudyResults, tables: Tables) -> Chart:
    """Draw average ranks of selectors, and join those that cannot be told apart."""
    compared = {"compared": "selectors", "sets": "original sets"}
    ranks = rows_of(tables, "friedman", **compared)
    keys = ["measure", "model", "n_features"]

    def panel(part: pd.DataFrame, *setting: Any) -> Chart:
        measure, model, k = setting
        own = rows_of(tables, "pairwise", **compared, **dict(zip(keys, setting, strict=True)))
        metric = METRICS[measure.removeprefix("test_")]
        title = f"{in_words(model)}, k = {k}: test {metric}, {part['n_datasets'].iloc[0]} datasets"
        return _ranks(part.sort_values("average_rank"), own).properties(title=title)

    few = len(ranks) and ranks["n_datasets"].max() < FEWEST_DATASETS
    return titled(
        panels_of(ranks.sort_values(keys, kind="stable"), keys, panel, 2),
        "Average ranks of feature-selection methods by prediction performance",
        "Original feature sets; the mean over folds of each dataset is ranked, 1 is best.",
        "Bars join methods that differ in no pair (Wilcoxon, Holm, 5 %); "
        "grey: Nemenyi's critical difference.",
        "So few datasets tell no pair apart." if few else "",
    )


def _ranks(ranks: pd.DataFrame, tests: pd.DataFrame) -> Any:
    names = list(ranks["treatment"])
    alike = {
        frozenset(pair)
        for *pair, p in zip(tests["first"], tests["second"], tests["p_holm"], strict=True)
        if p >= ALPHA
    }
    groups: list[tuple[int, int]] = []
    for i in range(len(names)):
        last = i
        while last + 1 < len(names) and all(
            frozenset((a, names[last + 1])) in alike for a in names[i : last + 1]
        ):
            last += 1
        if last > i and not any(a <= i and last <= b for a, b in groups):
            groups.append((i, last))
    at = ranks["average_rank"].to_numpy()
    rows = len(groups) + 1.0
    labels = [f"{selector_name(n)} ({r:.2f})" for n, r in zip(names, at, strict=True)]
    points = pd.DataFrame(
        {"rank": at, "row": rows + np.arange(len(names)), "top": 0.0, "name": labels}
    )
    width = float(ranks["critical_difference"].iloc[0])
    nemenyi = pd.DataFrame({"from": [1.0], "to": [min(1 + width, len(names))], "row": [0.35]})
    bars = pd.DataFrame(
        {"from": at[a] - 0.03, "to": at[b] + 0.03, "row": 1.0 + i}
        for i, (a, b) in enumerate(groups)
    )
    ranked = alt.Scale(domain=[0.9, len(names) + 0.9], nice=False)
    top = alt.Axis(orient="top", tickMinStep=1, grid=False)
    scale = alt.Scale(domain=[rows + len(names) - 0.4, 0])
    y = alt.Y("row:Q", axis=None, scale=scale)
    base = alt.Chart(points).encode(
        x=alt.X("rank:Q", title="Average rank", axis=top, scale=ranked), y=y
    )
    stems = base.mark_rule(color="#999")
    layers = [
        stems.encode(y=alt.Y("top:Q", axis=None, scale=scale), y2="row:Q"),
        base.mark_point(filled=True, size=50, color="#0072B2", opacity=1),
        base.mark_text(align="left", dx=7).encode(text="name:N"),
    ]
    for spans, colour, stroke in ((nemenyi, "#aaa", 3), (bars, "#D55E00", 4)):
        if len(spans):
            lines = alt.Chart(spans).mark_rule(color=colour, strokeWidth=stroke)
            layers.append(lines.encode(x="from:Q", x2="to:Q", y=y))
    return alt.layer(*layers).properties(width=360, height=30 + 22 * (len(names) + len(groups)))
