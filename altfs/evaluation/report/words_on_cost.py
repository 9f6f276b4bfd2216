"""Answers in words on the cost of alternatives, by rank, threshold, control and model."""

from collections.abc import Iterator
from typing import Any

import pandas as pd

from altfs.evaluation.names import METRICS, in_words, search_name, selector_name
from altfs.evaluation.report.answer import RANKS, Answer, longest_search, records
from altfs.evaluation.report.phrases import interval, listed, ordinal, share
from altfs.evaluation.tables import Tables, rows_of


def of_alternatives(tables: Tables) -> Iterator[Answer]:
    """Say what alternatives cost in training objective, relative to the best set of their run."""
    rows = rows_of(tables, "by_alternative", measure="train_objective", normalisation="max")
    for selector, own in _ranked(rows):
        kept = [row for row in records(own) if row["set_index"] in RANKS]
        if not kept:
            continue
        parts = [
            f"the {ordinal(row['set_index'])} {interval(row, form=share)}{of_those_there_are(row)}"
            for row in kept
        ]
        fewer = kept[-1]["n"] < kept[0]["n"]
        yield Answer(
            "What alternatives cost",
            f"{_setting(selector, kept[0])}: of the best training objective of its run, the median "
            f"alternative keeps: {'; '.join(parts)}."
            + " Later alternatives exist only where many good sets do, so that these medians are "
            "not of the same runs." * fewer,
            "by_alternative",
            {f"{selector} {row['set_index']}": row["median"] for row in kept},
        )


def of_thresholds(tables: Tables) -> Iterator[Answer]:
    """Say what the first alternative costs at the smallest and at the largest tau."""
    rows = rows_of(tables, "by_alternative", measure="train_objective", normalisation="max",
                   set_index=1)  # fmt: skip
    rows = rows[rows["tau"].notna()] if len(rows) else rows
    for selector, own in longest_search(rows):
        ordered = records(own.sort_values("tau", key=lambda tau: tau.astype(float)))
        if len(ordered) < 2:
            continue
        parts = [
            f"{interval(row, form=share)} at τ = {row['tau']}{of_those_there_are(row, ' ')}"
            for row in (ordered[0], ordered[-1])
        ]
        yield Answer(
            "What dissimilarity costs",
            f"{_setting(selector, ordered[0])}: of the best training objective of its run, the "
            f"median 1st alternative keeps {listed(parts)}.",
            "by_alternative",
            {f"{selector} {row['tau']}": row["median"] for row in (ordered[0], ordered[-1])},
        )


def of_controls(tables: Tables) -> Iterator[Answer]:
    """Say how good alternatives are, relative to random valid sets and to original sets."""
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


def of_predictions(tables: Tables) -> Iterator[Answer]:
    """Say how well models predict with alternatives and with original sets."""
    table = rows_of(tables, "by_alternative", normalisation="raw")
    scored = table[table["model"] != ""] if len(table) else table
    groups: Any = scored.groupby(["measure", "model"]) if len(scored) else ()
    for (measure, model), rows in groups:
        for selector, own in _ranked(rows):
            by_rank = {row["set_index"]: row for row in records(own)}
            last = max((r for r in RANKS if r in by_rank), default=None)
            if 0 not in by_rank or last is None:
                continue
            first, other = by_rank[0], by_rank[last]
            metric = METRICS.get(measure.removeprefix("test_"), measure)
            counted = of_those_there_are(other)
            yield Answer(
                "What alternatives are worth to models",
                f"{in_words(model)}, {selector_name(selector)}, k = {first['n_features']}: the "
                f"median test {metric} is {interval(first)} with original sets and "
                f"{interval(other)} with their {ordinal(last)} alternatives{counted}.",
                "by_alternative",
                {f"{model} {selector} 0": first["median"],
                 f"{model} {selector} {last}": other["median"]},
            )  # fmt: skip


def _ranked(rows: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    """Yield the rows over all tau of the longest search of each selector."""
    return longest_search(rows[rows["tau"].isna()] if len(rows) else rows)


def _between(row: dict[str, Any]) -> str:
    metric = str(row["measure"]).removeprefix("test_")
    name = "training objective"
    if row["model"]:
        name = f"test {METRICS.get(metric, metric)} ({in_words(row['model']).lower()})"
    # Datasets without a span have no relative quality.
    counted = {**row, "n_datasets": row["n_datasets"] - row["n_without_span"]}
    return f"at {interval(counted, 'relative_', share)} by {name}"


def _setting(selector: str, row: dict[str, Any]) -> str:
    search = search_name(row["search"]).lower()
    return f"{selector_name(selector)}, k = {row['n_features']}, {search} search"


def of_those_there_are(row: dict[str, Any], start: str = ", ") -> str:
    """Say the share of the planned sets that a median is over; nothing for all of them.

    Examples
    --------
    >>> of_those_there_are({"n": 3, "n_planned": 4, "n_datasets": 1})
    ', over the 75 % of them that there are (1 dataset)'
    """
    if pd.isna(row["n_planned"]) or row["n"] == row["n_planned"]:
        return ""
    n, there = row["n_datasets"], share(row["n"] / row["n_planned"])
    return f"{start}over the {there} of them that there are ({n} dataset{'s' * (n > 1)})"
