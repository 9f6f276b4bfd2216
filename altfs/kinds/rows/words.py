"""The answers about explanations of single rows: second ones, sufficiency, methods, truth."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from altfs.evaluation.names import selector_name
from altfs.evaluation.report.answer import Answer, records
from altfs.evaluation.report.phrases import about_share, extremes, listed, number
from altfs.evaluation.tables import Tables, rows_of
from altfs.kinds.rows.explained_runs import main_run
from altfs.kinds.rows.truth import OF_ROWS

_TOPIC = "Why the model says so for single rows"
_AS_GOOD = (
    "as good: with 90 % of the first one's share, and the same class from it alone if that one "
    "gives it."
)


def explanation_words(tables: Tables) -> Iterator[Answer]:
    """Say how often a second explanation is as good, suffices, and what methods have in common."""
    rows = rows_of(tables, "explanations")
    if not len(rows):
        return
    rows = rows.assign(good=rows["as_good"] * rows["n"] / rows["n_rows"])
    yield from _overall(main_run(rows))
    of_dataset = (
        ("explanations", rows, (_second, _sufficient)),
        ("explanation_agreement", rows_of(tables, "explanation_agreement", set_index=0),
         (_agreement,)),
        ("truth", rows_of(tables, "truth", sets=OF_ROWS), (_truth,)),
    )  # fmt: skip
    for name, table, questions in of_dataset:
        if not len(table):
            continue
        groups: Any = main_run(table).groupby("dataset", sort=False, observed=True)
        for dataset, group in groups:
            for question in questions:
                for sentence, numbers, basis in question(str(dataset), group):
                    text = f"{dataset}, {_setting(group)}: {sentence}"
                    yield Answer(_TOPIC, text, name, numbers, basis)


# A sentence about a dataset, its numbers, and what it is based on.
_Said = Iterator[tuple[str, dict[str, float], str]]


def _setting(rows: pd.DataFrame) -> str:
    first = rows.iloc[0]
    return f"k = {first['n_features']}, τ = {first['tau']}"


def _overall(rows: pd.DataFrame) -> Iterator[Answer]:
    """Say how often a second explanation is as good as the first, over datasets and selectors."""
    rows = rows[rows["set_index"] == 1]
    if not len(rows):
        return
    ends, about = extremes(rows, "good", about_share)
    yield Answer(
        _TOPIC,
        f"A second explanation is as good as the first for {ends} of the rows.",
        "explanations",
        {f"{row['dataset']} {row['selector']} as good": row["as_good"] for row in records(rows)},
        "; ".join(["All explained rows", _setting(rows), *[about] * bool(about), _AS_GOOD]),
        first=True,
    )


def _second(dataset: str, rows: pd.DataFrame) -> _Said:
    second = records(rows[rows["set_index"] == 1])
    if second:
        shares = [f"{about_share(r['good'])} ({selector_name(r['selector'])})" for r in second]
        yield (
            f"a second explanation is as good as the first for {listed(shares)} of "
            f"{second[0]['n_rows']:,} rows.",
            {f"{dataset} {row['selector']} as good": row["as_good"] for row in second},
            f"All explained rows; {_AS_GOOD}",
        )


def _sufficient(dataset: str, rows: pd.DataFrame) -> _Said:
    """Say for how many rows explanations suffice, and how many are predicted without them."""
    judged = rows[rows["sufficient"].notna() & rows["set_index"].isin([0, 1])]
    if not len(judged):
        return
    without = float(judged["same_without"].iloc[0])
    shares: list[str] = []
    numbers = {f"{dataset} without": without}
    for selector, of_selector in judged.groupby("selector", sort=False, observed=True):
        ranks = records(of_selector.sort_values("set_index"))
        parts = " and ".join(about_share(row["sufficient"]) for row in ranks)
        shares.append(f"{parts} ({selector_name(str(selector))})")
        numbers |= {f"{dataset} {selector} {row['set_index']}": row["sufficient"] for row in ranks}
    which = "explanation is" if judged["set_index"].max() == 0 else "and the second one are"
    yield (
        f"the model predicts the class of {about_share(without)} of the explained rows without any "
        f"feature. The first {which} sufficient for {listed(shares)} of the explained rows.",
        numbers,
        "Sufficient: the model predicts the class from the explanation alone, and not without any "
        "feature.",
    )
    first = records(judged[judged["set_index"] == 0])
    changes = [f"{r['probability_change']:+.2f} ({selector_name(r['selector'])})" for r in first]
    yield (
        "the first explanation changes the probability of the predicted class by "
        f"{listed(changes)} on average, against no feature.",
        {f"{dataset} {row['selector']} change": row["probability_change"] for row in first},
        "All explained rows; by class: the table explanations_by_class.",
    )


def _agreement(dataset: str, rows: pd.DataFrame) -> _Said:
    # Both orders of a pair have the same similarity.
    pairs = rows[rows["first"].astype(str) < rows["second"].astype(str)].sort_values("dice")
    if len(pairs):
        ends = records(pairs.iloc[[0, -1]] if len(pairs) > 1 else pairs)
        words = " to ".join(
            f"{number(r['dice'])} ({selector_name(r['first'])} and {selector_name(r['second'])})"
            for r in ends
        )
        yield (
            f"the first explanations of two methods have a mean Dice similarity of {words}.",
            {f"{dataset} {row['first']} {row['second']}": row["dice"] for row in ends},
            "",
        )


def _truth(dataset: str, rows: pd.DataFrame) -> _Said:
    first = records(rows[rows["set_index"] == 0])
    shares = [f"{about_share(r['recall'])} with {selector_name(r['selector'])}" for r in first]
    yield (
        f"of the features that made the class of a row, the first explanation names "
        f"{listed(shares)}.",
        {f"{dataset} {row['selector']} recall": row["recall"] for row in first},
        "",
    )
