"""The answers in words, with numbers and sentences that depend on the tables."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from inspect import signature
from typing import Any

from altfs.evaluation.names import METRICS, in_words, selector_name, size_name
from altfs.evaluation.report.answer import Answer, random_searches, records
from altfs.evaluation.report.headlines import cost, existence, prediction
from altfs.evaluation.report.more_search import more_search
from altfs.evaluation.report.phrases import across, listed, number, p_value
from altfs.evaluation.report.selector_words import best_sizes, kept_by_selector, truth_found
from altfs.evaluation.results import rows_of_target
from altfs.evaluation.rules import ALPHA, enough
from altfs.evaluation.tables import Tables, rows_of
from altfs.kinds.base import kinds

# The places of the questions of all studies; those of kinds of answers lie between.
_PLACES = (0, 10, 20, 30, 40, 70, 80, 90, 100, 110, 120, 150)


def answers(tables: Tables, sizes: Mapping[int, str] | None = None) -> list[Answer]:
    """Say in words what the tables of a study hold.

    Parameters
    ----------
    tables : mapping of str to DataFrame
        The tables of :func:`altfs.evaluation.tables.make_tables`. A question without its table
        or without rows has no answer. Classification and regression have their own answers.
    sizes : mapping of int to str, optional
        The entry of the configuration for each stored size; by default the size itself.
    """
    ours: tuple[Callable[..., Iterator[Answer]], ...] = (
        existence, cost, kept_by_selector, prediction, truth_found, more_search, _searches,
        _selectors, best_sizes, _objectives, _stability, _effort,
    )  # fmt: skip
    placed = [
        *zip(_PLACES, ours, strict=True),
        *(q for kind in kinds.all() for q in kind.questions()),
    ]
    questions: list[Callable[..., Iterator[Answer]]] = [
        question for _, question in sorted(placed, key=lambda one: one[0])
    ]
    targets = {str(target) for table in tables.values() if "origin" not in table
               for target in table.get("target_type", ())}  # fmt: skip
    found = []
    for question in questions:
        for target in sorted(targets) or [""]:
            own = {name: rows_of_target(target, table) for name, table in tables.items()}
            more = {"sizes": sizes or {}} if "sizes" in signature(question).parameters else {}
            found += [_named(target, answer) for answer in question(own, **more)]
    return found


def _named(kind: str, answer: Answer) -> Answer:
    if not kind:
        return answer
    numbers = {f"{kind} {name}": value for name, value in answer.numbers.items()}
    return replace(answer, text=f"{kind.capitalize()}: {answer.text}", numbers=numbers)


def _searches(tables: Tables) -> Iterator[Answer]:
    """Say which search finds better sets, at the most alternatives that both have."""
    rows = rows_of(tables, "pairwise", compared="searches", measure="train_objective")
    if not len(rows):
        return
    drawn = random_searches(tables)
    rows = rows[~rows["first"].isin(drawn) & ~rows["second"].isin(drawn)]
    rows = rows[rows["n_alternatives"] == rows["n_alternatives"].max()]
    groups: Any = rows.groupby(["first", "second"], sort=False)
    for (first, second), own in groups:
        said, numbers = [], {}
        for row in records(own):
            said.append(
                f"{row['first_better']} of {row['n_datasets']} datasets with "
                f"{selector_name(row['selector'])} (smaller on {row['second_better']}"
                f"{_verdict(row)})"
            )
            numbers[f"{row['selector']} {first} {second}"] = row["first_better"]
        cases, left = int(own["n_cases"].sum()), int(own["n_cases_left_out"].sum())
        apart = f"; {left} of {cases + left} runs left out, which not every search has" * bool(left)
        yield Answer(
            "Which search",
            f"{row['n_alternatives']} alternative{'s' * (row['n_alternatives'] > 1)}: the mean "
            f"training objective of a run is larger with {first} than with {second} search on "
            f"{listed(said)}{apart}.",
            "pairwise", numbers, "Means over folds, k and τ of each dataset.",
        )  # fmt: skip


def _verdict(row: dict[str, Any]) -> str:
    if not enough(row["n_datasets"]):
        return ""
    told = "told apart" if row["p_holm"] < ALPHA else "not told apart"
    return f"; {told}, Wilcoxon-Holm {p_value(row['p_holm'])}"


def _selectors(tables: Tables, sizes: Mapping[int, str]) -> Iterator[Answer]:
    """Say which selectors' original sets serve the models best, if datasets are enough."""
    rows = rows_of(tables, "friedman", compared="selectors", sets="original sets")
    rows = rows[enough(rows["n_datasets"])] if len(rows) else rows
    keys = ["measure", "model", "n_features"]
    groups: Any = rows.groupby(keys) if len(rows) else ()
    for (measure, model, k), own in groups:
        best = own.sort_values("average_rank").iloc[0]
        metric = METRICS.get(str(measure).removeprefix("test_"), str(measure))
        pairs = rows_of(tables, "pairwise", compared="selectors", sets="original sets",
                      measure=measure, model=model, n_features=k)  # fmt: skip
        told = [f"{selector_name(row['first'])} and {selector_name(row['second'])}"
                for row in records(pairs) if row["p_holm"] < ALPHA]  # fmt: skip
        # A best rank is said only if the test finds any difference.
        lead = "differ" if told else "cannot be told apart (Wilcoxon-Holm)"
        if told and best["p"] < ALPHA:
            lead = (f"of {selector_name(best['treatment'])} have the best average rank, "
                    f"{number(best['average_rank'])} of {best['n_treatments']}")  # fmt: skip
        left = int(best["n_cases_left_out"])
        yield Answer(
            "Which selector",
            f"{in_words(str(model))}, {size_name(k, sizes)}: original sets {lead} by test "
            f"{metric} on {best['n_datasets']} datasets"
            + (f", without {left} runs of {left + best['n_cases']} in which a selector has no set"
               if left else "")
            + (f". Told apart by Wilcoxon-Holm: {listed(told)}." if told else "."),
            "pairwise",
            {f"{model} {k} rank": best["average_rank"], f"{model} {k} pairs": len(told)},
            "Means over folds, τ and searches of each dataset.",
        )  # fmt: skip


def _objectives(tables: Tables) -> Iterator[Answer]:
    """Say how far the objective agrees with the scores of models."""
    rows = rows_of(tables, "correlation", metric_1="train_objective")
    if len(rows):
        rows = rows[(rows["selector"] != "") & (rows["dataset"] != "") & rows["rho"].notna()]
        rows = rows[rows["metric_2"].str.contains("_test_")]
    for metric, own in rows.groupby("metric_2", sort=False) if len(rows) else ():
        model, name = str(metric).split("_test_")
        yield Answer(
            "What the objective says",
            f"Spearman's ρ of training objective and test {METRICS.get(name, name)} "
            f"({in_words(model).lower()}), within a dataset and selector: "
            f"{across(own, 'rho', '{:.2f}'.format)}.",
            "correlation",
            {f"{metric} {r['selector']} {r['dataset']}": r["rho"] for r in records(own)},
            f"{number(own['n'].sum())} feature sets: all folds, k, τ and searches but random ones.",
        )


def _stability(tables: Tables, sizes: Mapping[int, str]) -> Iterator[Answer]:
    """Say how similar the original sets of different folds are."""
    known = rows_of(tables, "by_alternative", set_index=0)
    rows = rows_of(tables, "stability", sets="by rank", set_index=0)
    if not len(rows) or not len(known):
        return
    # Random sets are in one of these tables only.
    rows = rows[rows["search"].isin(known["search"].unique()) & rows["nogueira"].notna()]
    rows = rows[rows["n_features"] == rows["n_features"].max()]
    # Original sets are the same for every tau.
    rows = rows.drop_duplicates(["dataset", "selector"])
    if len(rows):
        folds = " to ".join(map(str, sorted({rows["n_folds"].min(), rows["n_folds"].max()})))
        yield Answer(
            "How stable the sets are",
            f"Nogueira's stability of the original sets of {folds} folds, "
            f"{size_name(rows['n_features'].iloc[0], sizes)} (1: the same set in every fold, 0: as "
            f"drawn at random): {across(rows, 'nogueira')}.",
            "stability",
            {f"{r['selector']} {r['dataset']}": r["nogueira"] for r in records(rows)},
        )


def _effort(tables: Tables) -> Iterator[Answer]:
    """Say what the searches cost, without random ones, and start-up apart."""
    rows = rows_of(tables, "effort")
    if not len(rows):
        return
    drawn = rows["search"].isin(random_searches(tables))

    def total(measure: str, which: Any) -> float:
        return float(rows.loc[(rows["measure"] == measure) & which, "sum"].sum())

    numbers = {"seconds": total("seconds", ~drawn), "random": total("seconds", drawn),
               "startup": total("startup_seconds", True)}  # fmt: skip
    apart = f", drawing random sets {number(numbers['random'])} s" if drawn.any() else ""
    yield Answer(
        "What it cost",
        f"Searching took {number(numbers['seconds'])} s{apart}, and start-up (imports and "
        f"compiling in each process) {number(numbers['startup'])} s.",
        "effort", numbers,
    )  # fmt: skip
