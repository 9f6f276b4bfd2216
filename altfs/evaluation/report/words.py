"""The answers in words: every number computed, every sentence chosen by the tables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pandas as pd

from altfs.evaluation.charts import METRICS, in_words, search_name, selector_name
from altfs.evaluation.comparisons import ALPHA, FEWEST_DATASETS
from altfs.evaluation.report.answer import RANKS, Answer, Tables, longest_search, records, rows_of
from altfs.evaluation.report.further_words import (
    of_controls,
    of_stability,
    of_those_there_are,
    of_thresholds,
)
from altfs.evaluation.report.phrases import interval, listed, number, ordinal, p_value, share
from altfs.evaluation.target_types import rows_of_kind


def answers(tables: Tables) -> list[Answer]:
    """What the tables of a study say, in words.

    Parameters
    ----------
    tables : mapping of str to DataFrame
        Of :func:`altfs.evaluation.tables.make_tables`. A table that is not there, or
        has no rows for a question, leaves the question out. Tables of a study of
        classification and regression are asked about each of them apart.
    """
    questions = (_existence, _cost, of_thresholds, of_controls, _prediction_cost, _searches,
                 _selectors, _transfer, of_stability, _effort)  # fmt: skip
    kinds = {str(kind) for table in tables.values() if "origin" not in table
             for kind in table.get("target_type", ())}  # fmt: skip
    found = []
    for question in questions:
        for kind in sorted(kinds) or [""]:
            own = {name: rows_of_kind(kind, table) for name, table in tables.items()}
            found += [_named(kind, answer) for answer in question(own)]
    return found


def _named(kind: str, answer: Answer) -> Answer:
    if not kind:
        return answer
    numbers = {f"{kind} {name}": value for name, value in answer.numbers.items()}
    return replace(answer, text=f"{kind.capitalize()}: {answer.text}", numbers=numbers)


def _existence(tables: Tables) -> Iterator[Answer]:
    for row in records(rows_of(tables, "status_shares", grouping="overall", counted="feature set")):
        named = {"optimal": "are proven best", "feasible": "were found without proof",
                 "infeasible": "are proven not to exist",
                 "unknown": "were left open by the work limit"}  # fmt: skip
        parts = [f"{share(row[f'share_{s}'])} {words}" for s, words in named.items()
                 if row[f"n_{s}"]]  # fmt: skip
        asked = "feature sets asked for"
        if row["n"] < row["n_planned"]:
            asked = f"feature sets that have an answer yet, of {number(row['n_planned'])} asked for"
        status = tables.get("status", pd.DataFrame({"n_sets": [row["n"]]}))
        drawn = status["n_sets"].sum() - row["n"]
        apart = f" (besides {number(drawn)} random ones)" if drawn else ""
        yield Answer(
            "What exists", f"Of {number(row['n'])} {asked}{apart}, {listed(parts)}.",
            "status_shares", {"n": row["n"], "infeasible": row["share_infeasible"]},
        )  # fmt: skip
    rows = rows_of(tables, "status_shares", grouping="selector", counted="feature set")
    ordered = records(rows.sort_values("share_infeasible") if len(rows) else rows)
    if len(ordered) > 1:
        parts = [f"{share(row['share_infeasible'])} with {selector_name(row['selector'])}"
                 for row in ordered]  # fmt: skip
        yield Answer(
            "What exists", f"Proven not to exist: {listed(parts)}.", "status_shares",
            {row["selector"]: row["share_infeasible"] for row in ordered},
        )  # fmt: skip


def _cost(tables: Tables) -> Iterator[Answer]:
    """What further alternatives cost in training objective, relative to their run's best set."""
    rows = rows_of(tables, "by_alternative", measure="train_objective", normalisation="max")
    for selector, own in _ranked(rows):
        kept = [row for row in records(own) if row["set_index"] in RANKS]
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
    """The rows over all tau of the longest search of each selector."""
    return longest_search(rows[rows["tau"].isna()] if len(rows) else rows)


def _where(row: Any) -> str:
    known = of_those_there_are(row)
    return f", {known}" if known else ""


def _searches(tables: Tables) -> Iterator[Answer]:
    """Whether one search finds better sets than another, at the most alternatives both have."""
    rows = rows_of(tables, "pairwise", compared="searches", measure="train_objective")
    groups: Any = rows.groupby("selector", sort=False) if len(rows) else ()
    for selector, own in groups:
        own = own[own["n_alternatives"] == own["n_alternatives"].max()]
        for row in records(own):
            names = [search_name(*row[side].removesuffix(")").split(" (")) if "(" in row[side]
                     else search_name(row[side]) for side in ("first", "second")]  # fmt: skip
            counts = [row["first_better"], row["second_better"]]
            difference, n = row["difference_median"], row["n_datasets"]
            # As the test: ranks of differences, of which a few large ones may outweigh many.
            if row["rank_biserial"] < 0:
                names, counts, difference = names[::-1], counts[::-1], -difference
            pair = f"{names[0]} and {names[1].lower()} search"
            if n < FEWEST_DATASETS:
                verdict = f"{pair} are compared on too few datasets to be told apart"
            elif row["p_holm"] < ALPHA:
                verdict = f"{names[0]} search finds better sets than {names[1].lower()} search"
            else:
                verdict = f"{pair} cannot be told apart"
            span = abs(row["relative_difference_median"])
            of_span = f", {share(span)} of what random sets fall short of original ones"
            yield Answer(
                "Which search",
                f"{selector_name(selector)}, {row['n_alternatives']} "
                f"alternative{'s' * (row['n_alternatives'] > 1)}: {verdict} by "
                f"the mean training objective of a run ({counts[0]} to {counts[1]} of "
                f"{n} datasets, Wilcoxon-Holm {p_value(row['p_holm'])}); median "
                f"difference {number(difference)}{of_span if span == span else ''}.",
                "pairwise",
                {f"{selector} p": row["p_holm"], f"{selector} better": counts[0]},
            )


def _selectors(tables: Tables) -> Iterator[Answer]:
    """Which selectors' original sets serve the models best."""
    rows = rows_of(tables, "friedman", compared="selectors", sets="original sets")
    keys = ["measure", "model", "n_features"]
    groups: Any = rows.groupby(keys) if len(rows) else ()
    for (measure, model, k), own in groups:
        best = own.sort_values("average_rank").iloc[0]
        metric = METRICS.get(str(measure).removeprefix("test_"), str(measure))
        pairs = rows_of(tables, "pairwise", compared="selectors", sets="original sets",
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
               else "No pair can be told apart by Wilcoxon-Holm."
               if best["n_datasets"] >= FEWEST_DATASETS
               else "So few datasets tell no pair apart by Wilcoxon-Holm."),
            "pairwise",
            {f"{model} {k} rank": best["average_rank"], f"{model} {k} pairs": len(told)},
        )  # fmt: skip


def _transfer(tables: Tables) -> Iterator[Answer]:
    """How far the objective says what sets are worth elsewhere."""
    rows = rows_of(tables, "correlation", dataset="", metric_1="train_objective")
    if len(rows):
        rows = rows[(rows["selector"] != "") & rows["metric_2"].str.contains("_test_")]
    for metric, own in rows.groupby("metric_2", sort=False) if len(rows) else ():
        known = [row for row in records(own) if row["rho"] == row["rho"]]
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
    rows = rows_of(tables, "effort", measure="seconds")
    if not len(rows):
        return
    totals = rows.groupby(["selector", "search", "aggregation"], sort=False)["sum"].sum()
    slowest = totals.sort_values(ascending=False).index[0]
    name = f"{search_name(*slowest[1:]).lower()} search with {selector_name(slowest[0])}"
    yield Answer(
        "What it cost",
        f"All searches took {number(totals.sum())} s together, the largest part "
        f"({share(totals.max() / totals.sum())}) in {name}." if totals.sum() > 0 else
        "All searches took less time than the clock sees.",
        "effort",
        {"seconds": float(totals.sum())},
    )  # fmt: skip


def _search(row: Any) -> str:
    return search_name(row["search"]).lower()
