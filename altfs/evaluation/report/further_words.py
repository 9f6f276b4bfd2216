"""Answers in words about the controls, the threshold and the stability of feature sets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from altfs.evaluation.charts import METRICS, in_words, search_name, selector_name
from altfs.evaluation.report.answer import RANKS, Answer, Tables, longest_search, records, rows_of
from altfs.evaluation.report.phrases import interval, listed, ordinal, share


def of_thresholds(tables: Tables) -> Iterator[Answer]:
    """What the first alternative costs at the smallest and at the largest tau."""
    rows = rows_of(tables, "by_alternative", measure="train_objective", normalisation="max",
                   set_index=1)  # fmt: skip
    rows = rows[rows["tau"].notna()] if len(rows) else rows
    for selector, own in longest_search(rows):
        ordered = records(own.sort_values("tau", key=lambda tau: tau.astype(float)))
        if len(ordered) < 2:
            continue
        parts = [
            " ".join((interval(row, form=share), f"at τ = {row['tau']}", of_those_there_are(row)))
            for row in (ordered[0], ordered[-1])
        ]
        yield Answer(
            "What dissimilarity costs",
            f"{_setting(selector, ordered[0])}: of the best training objective of its run, the "
            f"median 1st alternative keeps {listed([part.strip() for part in parts])}.",
            "by_alternative",
            {f"{selector} {row['tau']}": row["median"] for row in (ordered[0], ordered[-1])},
        )


def of_controls(tables: Tables) -> Iterator[Answer]:
    """Where alternatives are between random valid sets and original ones."""
    rows = rows_of(tables, "controls")
    if not len(rows):
        return
    rows = rows[rows["tau"].isna() & rows["set_index"].isin(RANKS)]
    rows = rows[rows["relative_median"].notna() & (rows["measure"] != "test_objective")]
    for selector, own in longest_search(rows):
        for rank in sorted({int(own["set_index"].min()), int(own["set_index"].max())}):
            kept = records(own[own["set_index"] == rank])
            parts = [_between(row) for row in kept]
            yield Answer(
                "Between random and original sets",
                f"{_setting(selector, kept[0])}: if random valid sets are 0 % and original sets "
                f"100 %, the median over datasets of the {ordinal(rank)} alternatives is "
                f"{listed(parts)}.",
                "controls",
                {f"{selector} {rank} {row['measure']} {row['model']}".rstrip():
                 row["relative_median"] for row in kept},
            )  # fmt: skip


def of_stability(tables: Tables) -> Iterator[Answer]:
    """How much the original sets of different folds agree."""
    known = rows_of(tables, "by_alternative", set_index=0)
    rows = rows_of(tables, "stability_overview", measure="nogueira", sets="by rank", set_index=0)
    if not len(rows) or not len(known):
        return
    # Random sets are in one of these tables only.
    rows = rows[rows["tau"].isna() & rows["search"].isin(known["search"].unique())]
    found = [(name, records(own)[0]) for name, own in longest_search(rows)]
    if found:
        parts = [f"{interval(row)} with {selector_name(name)}" for name, row in found]
        yield Answer(
            "How stable the sets are",
            f"Nogueira's stability over folds of original sets, k = {found[0][1]['n_features']} "
            "(1 is the same set in every fold, 0 as drawn at random), median over datasets: "
            f"{listed(parts)}.",
            "stability_overview",
            {name: row["median"] for name, row in found},
        )


def _between(row: dict[str, Any]) -> str:
    measure = str(row["measure"])
    metric = measure.removeprefix("test_")
    name = (
        f"test {METRICS.get(metric, metric)} ({in_words(row['model']).lower()})"
        if row["model"]
        else "training objective"
    )
    # Datasets without a span have no relative quality.
    counted = {**row, "n_datasets": row["n_datasets"] - row["n_without_span"]}
    return f"at {interval(counted, 'relative_', share)} by {name}"


def _setting(selector: str, row: dict[str, Any]) -> str:
    search = search_name(row["search"]).lower()
    return f"{selector_name(selector)}, k = {row['n_features']}, {search} search"


def of_those_there_are(row: dict[str, Any]) -> str:
    """Over how many of the sets asked for a median is; empty if over all.

    Others are proven not to exist, or nobody has looked for them yet.

    Examples
    --------
    >>> of_those_there_are({"n": 3, "n_planned": 4, "n_datasets": 1})
    'over the 75 % of them that there are (1 dataset)'
    """
    if pd.isna(row["n_planned"]) or row["n"] == row["n_planned"]:
        return ""
    n, there = row["n_datasets"], share(row["n"] / row["n_planned"])
    return f"over the {there} of them that there are ({n} dataset{'s' * (n > 1)})"
