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
    yield from _overall(main_run(rows))
    for dataset, own in _by_dataset(rows):
        yield from _second(dataset, own)
        yield from _sufficient(dataset, own)
    for dataset, own in _by_dataset(rows_of(tables, "explanation_agreement", set_index=0)):
        yield from _agreement(dataset, own)
    for dataset, own in _by_dataset(rows_of(tables, "truth", sets=OF_ROWS)):
        yield from _truth(dataset, own)


def _by_dataset(table: pd.DataFrame) -> list[tuple[str, pd.DataFrame]]:
    if not len(table):
        return []
    groups: Any = main_run(table).groupby("dataset", sort=False, observed=True)
    return [(str(dataset), own) for dataset, own in groups]


def _setting(own: pd.DataFrame) -> str:
    first = own.iloc[0]
    return f"k = {first['n_features']}, τ = {first['tau']}"


def _overall(rows: pd.DataFrame) -> Iterator[Answer]:
    """Say how often a second explanation is as good as the first, over datasets and selectors."""
    own = rows[rows["set_index"] == 1]
    if not len(own):
        return
    ends, about = extremes(own.assign(good=_good(own)), "good", about_share)
    yield Answer(
        _TOPIC,
        f"A second explanation is as good as the first for {ends} of the rows.",
        "explanations",
        {f"{row['dataset']} {row['selector']} as good": row["as_good"] for row in records(own)},
        "; ".join(["All explained rows", _setting(own), *[about] * bool(about), _AS_GOOD]),
        first=True,
    )


def _good(rows: pd.DataFrame) -> pd.Series[float]:
    shares: pd.Series[float] = rows["as_good"] * rows["n"] / rows["n_rows"]
    return shares


def _second(dataset: str, own: pd.DataFrame) -> Iterator[Answer]:
    own = own[own["set_index"] == 1]
    if not len(own):
        return
    rows = records(own.assign(good=_good(own)))
    said = [f"{about_share(row['good'])} ({selector_name(row['selector'])})" for row in rows]
    yield Answer(
        _TOPIC,
        f"{dataset}, {_setting(own)}: a second explanation is as good as the first for "
        f"{listed(said)} of {rows[0]['n_rows']:,} rows.",
        "explanations",
        {f"{dataset} {row['selector']} as good": row["as_good"] for row in rows},
        f"All explained rows; {_AS_GOOD}",
    )


def _sufficient(dataset: str, own: pd.DataFrame) -> Iterator[Answer]:
    """Say for how many rows explanations suffice, and how many are predicted without them."""
    judged = own[own["sufficient"].notna() & own["set_index"].isin([0, 1])]
    if not len(judged):
        return
    without = float(judged["same_without"].iloc[0])
    said: list[str] = []
    numbers = {f"{dataset} without": without}
    for selector, of_selector in judged.groupby("selector", sort=False, observed=True):
        ranks = records(of_selector.sort_values("set_index"))
        parts = " and ".join(about_share(row["sufficient"]) for row in ranks)
        said.append(f"{parts} ({selector_name(str(selector))})")
        numbers |= {f"{dataset} {selector} {row['set_index']}": row["sufficient"] for row in ranks}
    which = "explanation is" if judged["set_index"].max() == 0 else "and the second one are"
    yield Answer(
        _TOPIC,
        f"{dataset}, {_setting(own)}: the model predicts the class of {about_share(without)} of "
        f"the explained rows without any feature. The first {which} sufficient for "
        f"{listed(said)} of the explained rows.",
        "explanations",
        numbers,
        "Sufficient: the model predicts the class from the explanation alone, and not without any "
        "feature.",
    )


def _agreement(dataset: str, own: pd.DataFrame) -> Iterator[Answer]:
    # Both orders of a pair have the same similarity.
    once = own[own["first"].astype(str) < own["second"].astype(str)].sort_values("dice")
    if not len(once):
        return
    ends = records(once.iloc[[0, -1]] if len(once) > 1 else once)
    said = [
        f"{number(row['dice'])} ({selector_name(row['first'])} and {selector_name(row['second'])})"
        for row in ends
    ]
    yield Answer(
        _TOPIC,
        f"{dataset}, {_setting(own)}: the first explanations of two methods have a mean Dice "
        f"similarity of {' to '.join(said)}.",
        "explanation_agreement",
        {f"{dataset} {row['first']} {row['second']}": row["dice"] for row in ends},
    )


def _truth(dataset: str, own: pd.DataFrame) -> Iterator[Answer]:
    rows = records(own[own["set_index"] == 0])
    said = [f"{about_share(row['recall'])} with {selector_name(row['selector'])}" for row in rows]
    yield Answer(
        _TOPIC,
        f"{dataset}, {_setting(own)}: of the features that made the class of a row, the first "
        f"explanation names {listed(said)}.",
        "truth",
        {f"{dataset} {row['selector']} recall": row["recall"] for row in rows},
    )
