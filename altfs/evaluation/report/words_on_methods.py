"""Answers in words that compare searches, selectors and measures of quality."""

from collections.abc import Iterator
from typing import Any

from altfs.evaluation.collect.comparisons import ALPHA, FEWEST_DATASETS
from altfs.evaluation.names import METRICS, in_words, search_name, selector_name
from altfs.evaluation.report.answer import Answer, records
from altfs.evaluation.report.phrases import listed, number, p_value, share
from altfs.evaluation.tables import Tables, rows_of


def of_searches(tables: Tables) -> Iterator[Answer]:
    """Say which search finds better sets, at the most alternatives that both have."""
    rows = rows_of(tables, "pairwise", compared="searches", measure="train_objective")
    groups: Any = rows.groupby("selector", sort=False) if len(rows) else ()
    for selector, own in groups:
        own = own[own["n_alternatives"] == own["n_alternatives"].max()]
        for row in records(own):
            sides = (row[side].removesuffix(")").split(" (") for side in ("first", "second"))
            names = [search_name(*side) for side in sides]
            counts = [row["first_better"], row["second_better"]]
            difference, n = row["difference_median"], row["n_datasets"]
            # As in the test, a few large differences may outweigh many small ones.
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


def of_selectors(tables: Tables) -> Iterator[Answer]:
    """Say which selectors' original sets serve the models best."""
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


def of_objectives(tables: Tables) -> Iterator[Answer]:
    """Say how far the objective agrees with the scores of models."""
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
