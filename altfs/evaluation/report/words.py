"""The answers in words, with numbers and sentences that depend on the tables."""

from collections.abc import Iterator
from dataclasses import replace

import pandas as pd

from altfs.evaluation.collect.kinds import rows_of_kind
from altfs.evaluation.names import search_name, selector_name
from altfs.evaluation.report.answer import Answer, longest_search, records
from altfs.evaluation.report.phrases import interval, listed, number, share
from altfs.evaluation.report.words_on_cost import (
    of_alternatives,
    of_controls,
    of_predictions,
    of_thresholds,
)
from altfs.evaluation.report.words_on_methods import of_objectives, of_searches, of_selectors
from altfs.evaluation.tables import Tables, rows_of


def answers(tables: Tables) -> list[Answer]:
    """Say in words what the tables of a study hold.

    Parameters
    ----------
    tables : mapping of str to DataFrame
        The tables of :func:`altfs.evaluation.tables.make_tables`. A question without its table
        or without rows has no answer. Classification and regression have their own answers.
    """
    questions = (_existence, of_alternatives, of_thresholds, of_controls, of_predictions,
                 of_searches, of_selectors, of_objectives, _stability, _effort)  # fmt: skip
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


def _stability(tables: Tables) -> Iterator[Answer]:
    """Say how similar the original sets of different folds are."""
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
