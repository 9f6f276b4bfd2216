"""The answers in words: every number computed, every sentence chosen by the tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from altfs.evaluation.charts import METRICS, in_words, search_name, selector_name
from altfs.evaluation.comparisons import ALPHA
from altfs.evaluation.report.phrases import interval, listed, number, ordinal, p_value, share

Tables = Mapping[str, pd.DataFrame]
#: Alternatives of which the cost is said, if there are so many.
_RANKS = (1, 5, 10)


@dataclass(frozen=True)
class Answer:
    """A sentence of the report.

    Attributes
    ----------
    topic : str
        What it answers.
    text : str
    table : str
        The table that its numbers are from.
    numbers : dict
        These numbers, not rounded.
    """

    topic: str
    text: str
    table: str
    numbers: dict[str, float] = field(default_factory=dict)


def answers(tables: Tables) -> list[Answer]:
    """What the tables of a study say, in words.

    Parameters
    ----------
    tables : mapping of str to DataFrame
        Of :func:`altfs.evaluation.tables.make_tables`. A table that is not there, or
        has no rows for a question, leaves the question out.
    """
    questions = (_existence, _cost, _prediction_cost, _searches, _selectors, _transfer, _effort)
    return [answer for question in questions for answer in question(tables)]


def _rows(tables: Tables, name: str, **wanted: Any) -> pd.DataFrame:
    """The rows of a table with these values; none if there is no such table or column."""
    table = tables.get(name)
    if table is None or not set(wanted) <= set(table.columns):
        return pd.DataFrame()
    for column, value in wanted.items():
        table = table[table[column] == value]
    return table


def _existence(tables: Tables) -> Iterator[Answer]:
    for row in _records(_rows(tables, "status_shares", grouping="overall", counted="feature set")):
        named = {"optimal": "are proven best", "feasible": "were found without proof",
                 "infeasible": "are proven not to exist",
                 "unknown": "were left open by the work limit"}  # fmt: skip
        parts = [f"{share(row[f'share_{s}'])} {words}" for s, words in named.items()
                 if row[f"n_{s}"]]  # fmt: skip
        yield Answer(
            "What exists", f"Of {number(row['n'])} feature sets asked for, {listed(parts)}.",
            "status_shares", {"n": row["n"], "infeasible": row["share_infeasible"]},
        )  # fmt: skip
    rows = _rows(tables, "status_shares", grouping="selector", counted="feature set")
    ordered = _records(rows.sort_values("share_infeasible") if len(rows) else rows)
    if len(ordered) > 1:
        parts = [f"{share(row['share_infeasible'])} with {selector_name(row['selector'])}"
                 for row in ordered]  # fmt: skip
        yield Answer(
            "What exists", f"Proven not to exist: {listed(parts)}.", "status_shares",
            {row["selector"]: row["share_infeasible"] for row in ordered},
        )  # fmt: skip


def _cost(tables: Tables) -> Iterator[Answer]:
    """What further alternatives cost in training objective, relative to their run's best set."""
    rows = _rows(tables, "by_alternative", measure="train_objective", normalisation="max")
    for selector, own in _ranked(rows):
        kept = [row for row in _records(own) if row["set_index"] in _RANKS]
        if not kept:
            continue
        parts = [
            f"the {ordinal(row['set_index'])} {interval(row, form=share)}"
            f"{_where(row)}" for row in kept
        ]  # fmt: skip
        fewer = kept[-1]["n"] < kept[0]["n"]
        yield Answer(
            "What alternatives cost",
            f"{selector_name(selector)}, k = {kept[0]['n_features']}, "
            f"{_search(kept[0])} search: of the best training objective of its run, the median "
            f"alternative keeps: {'; '.join(parts)}."
            + " Later alternatives exist only where many good sets do, so that these medians are "
            "not of the same runs." * fewer,
            "by_alternative",
            {f"{selector} {row['set_index']}": row["median"] for row in kept},
        )


def _prediction_cost(tables: Tables) -> Iterator[Answer]:
    """What alternatives are worth to models, against original sets."""
    table = _rows(tables, "by_alternative", normalisation="raw")
    scored = table[table["model"] != ""] if len(table) else table
    groups: Any = scored.groupby(["measure", "model"]) if len(scored) else ()
    for (measure, model), rows in groups:
        for selector, own in _ranked(rows):
            by_rank = {row["set_index"]: row for row in _records(own)}
            last = max((r for r in _RANKS if r in by_rank), default=None)
            if 0 not in by_rank or last is None:
                continue
            first, other = by_rank[0], by_rank[last]
            metric = METRICS.get(measure.removeprefix("test_"), measure)
            yield Answer(
                "What alternatives are worth to models",
                f"{in_words(model)}, {selector_name(selector)}, k = {first['n_features']}: the "
                f"median test {metric} is {interval(first)} with original sets and "
                f"{interval(other)} with their {ordinal(last)} alternatives{_where(other)}.",
                "by_alternative",
                {f"{model} {selector} 0": first["median"],
                 f"{model} {selector} {last}": other["median"]},
            )  # fmt: skip


def _ranked(rows: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    """Of each selector: its longest search, the largest k, over all tau."""
    if not len(rows):
        return
    for selector, own in rows[rows["tau"].isna()].groupby("selector", sort=False):
        for column in ("n_alternatives", "n_features"):
            own = own[own[column] == own[column].max()]
        yield str(selector), own[own["search"] == own["search"].iloc[0]]


def _where(row: Any) -> str:
    if row["n"] == row["n_planned"]:
        return ""
    return f", where it exists ({share(row['n'] / row['n_planned'])}, {row['n_datasets']} datasets)"


def _searches(tables: Tables) -> Iterator[Answer]:
    """Whether one search finds better sets than another, at the most alternatives both have."""
    rows = _rows(tables, "pairwise", compared="searches", measure="train_objective")
    groups: Any = rows.groupby("selector", sort=False) if len(rows) else ()
    for selector, own in groups:
        own = own[own["n_alternatives"] == own["n_alternatives"].max()]
        for row in _records(own):
            names = [search_name(*row[side].removesuffix(")").split(" (")) if "(" in row[side]
                     else search_name(row[side]) for side in ("first", "second")]  # fmt: skip
            counts = [row["first_better"], row["second_better"]]
            found = row["p_holm"] < ALPHA
            if counts[1] > counts[0]:
                names, counts = names[::-1], counts[::-1]
            verdict = (
                f"{names[0]} search finds better sets than {names[1].lower()} search"
                if found
                else f"{names[0]} and {names[1].lower()} search cannot be told apart"
            )
            yield Answer(
                "Which search",
                f"{selector_name(selector)}, {row['n_alternatives']} "
                f"alternative{'s' * (row['n_alternatives'] > 1)}: {verdict} by "
                f"the mean training objective of a run ({counts[0]} to {counts[1]} of "
                f"{row['n_datasets']} datasets, Wilcoxon-Holm {p_value(row['p_holm'])}); median "
                f"difference {number(abs(row['difference_median']))}.",
                "pairwise",
                {f"{selector} p": row["p_holm"], f"{selector} better": counts[0]},
            )


def _selectors(tables: Tables) -> Iterator[Answer]:
    """Which selectors' original sets serve the models best."""
    rows = _rows(tables, "friedman", compared="selectors", sets="original sets")
    keys = ["measure", "model", "n_features"]
    groups: Any = rows.groupby(keys) if len(rows) else ()
    for (measure, model, k), own in groups:
        best = own.sort_values("average_rank").iloc[0]
        metric = METRICS.get(str(measure).removeprefix("test_"), str(measure))
        pairs = _rows(tables, "pairwise", compared="selectors", sets="original sets",
                      measure=measure, model=model, n_features=k)  # fmt: skip
        apart = pairs[pairs["p_holm"] < ALPHA] if len(pairs) else pairs
        told = [f"{selector_name(a)} and {selector_name(b)}"
                for a, b in zip(apart["first"], apart["second"], strict=True)
                ] if len(apart) else []  # fmt: skip
        p = best["p"]
        test = f" (Friedman's test: {p_value(p)})" if p == p else ""
        yield Answer(
            "Which selector",
            f"{in_words(str(model))}, k = {k}: original sets of {selector_name(best['treatment'])} "
            f"have the best average rank by test {metric}, {number(best['average_rank'])} of "
            f"{best['n_treatments']}, on the {best['n_datasets']} datasets where all selectors "
            f"have sets{test}. "
            + (f"Told apart by Wilcoxon-Holm: {listed(told)}." if told
               else "No pair can be told apart by Wilcoxon-Holm."),
            "pairwise",
            {f"{model} {k} rank": best["average_rank"], f"{model} {k} pairs": len(told)},
        )  # fmt: skip


def _transfer(tables: Tables) -> Iterator[Answer]:
    """How far the objective says what sets are worth elsewhere."""
    rows = _rows(tables, "correlation", dataset="", metric_1="train_objective")
    if len(rows):
        rows = rows[(rows["selector"] != "") & rows["metric_2"].str.contains("_test_")]
    for metric, own in rows.groupby("metric_2", sort=False) if len(rows) else ():
        known = [row for row in _records(own) if row["rho"] == row["rho"]]
        if not known:
            continue
        parts = [f"{row['rho']:.2f} with {selector_name(row['selector'])}" for row in known]
        model, name = str(metric).split("_test_")
        yield Answer(
            "What the objective says",
            f"Spearman's ρ of training objective and test {METRICS.get(name, name)} "
            f"({in_words(model).lower()}): {listed(parts)}.",
            "correlation",
            {f"{metric} {row['selector']}": row["rho"] for row in known},
        )


def _effort(tables: Tables) -> Iterator[Answer]:
    rows = _rows(tables, "effort", measure="seconds")
    if not len(rows):
        return
    totals = rows.groupby(["selector", "search", "aggregation"], sort=False)["sum"].sum()
    slowest = totals.sort_values(ascending=False).index[0]
    name = f"{search_name(*slowest[1:]).lower()} search with {selector_name(slowest[0])}"
    yield Answer(
        "What it cost",
        f"All searches took {number(totals.sum())} s together, most of it "
        f"({share(totals.max() / totals.sum())}) {name}." if totals.sum() > 0 else
        "All searches took less time than the clock sees.",
        "effort",
        {"seconds": float(totals.sum())},
    )  # fmt: skip


def _search(row: Any) -> str:
    return search_name(row["search"]).lower()


def _records(rows: pd.DataFrame) -> list[dict[str, Any]]:
    return [{str(k): v for k, v in row.items()} for row in rows.to_dict("records")]
