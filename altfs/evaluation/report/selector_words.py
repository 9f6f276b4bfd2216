"""The answers about single selectors: what they keep, what they find, and their best sizes."""

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from altfs.evaluation.names import METRICS, selector_name, size_name
from altfs.evaluation.report.answer import Answer, random_searches, records
from altfs.evaluation.report.headlines import apart, left_out
from altfs.evaluation.report.phrases import (
    about_share,
    across,
    extremes,
    listed,
    model_name,
    number,
    signed,
)
from altfs.evaluation.rules import enough
from altfs.evaluation.tables import Tables, rows_of
from altfs.evaluation.tables.kept import widest
from altfs.evaluation.tables.truth import OF_ALL


def kept_by_selector(tables: Tables, sizes: Mapping[int, str]) -> Iterator[Answer]:
    """Say what the first alternative of each selector costs, if datasets are enough."""
    every = widest(tables, set_index=1)
    if not len(every) or every["selector"].nunique() < 2:
        return
    for tau in sorted(every["tau"].unique(), key=float):
        of_tau = every[every["tau"] == tau]
        groups: Any = of_tau.groupby(["measure", "model"], sort=False)
        for (measure, model), rows in groups:
            objective = measure == "train_objective"
            value = rows["share"] if objective else rows["alternative"] - rows["original"]
            there = rows.assign(value=value)[value.notna()]
            if measure == "test_objective" or not enough(there["dataset"].nunique()):
                continue
            metric = METRICS.get(str(measure).removeprefix("test_"), str(measure))
            what = "keeps of the original's quality" if objective else (
                f"changes the test {metric} of {model_name(str(model))} by")  # fmt: skip
            yield Answer(
                "What alternatives cost",
                f"{apart(rows, tau)}, the first alternative {what}: "
                f"{across(there, 'value', about_share if objective else signed)}.",
                "kept",
                {f"{r['selector']} {r['dataset']} {tau} {measure}": r["value"]
                 for r in records(there)},
                f"Means over folds; τ = {tau}; {size_name(rows['n_features'].iloc[0], sizes)}; "
                f"{left_out(rows)}.",
            )  # fmt: skip


def truth_found(tables: Tables, sizes: Mapping[int, str]) -> Iterator[Answer]:
    """Say which share of the relevant features the original sets of each selector hold."""
    rows = rows_of(tables, "truth", sets=OF_ALL, set_index=0, aggregation="none")
    rows = rows[~rows["search"].isin(random_searches(tables))] if len(rows) else rows
    # Of sets whose size may vary, it is not known how many features they could hold.
    rows = rows[[_plain(k, sizes) for k in rows["n_features"]]] if len(rows) else rows
    if not len(rows):
        return
    rows = pd.concat(_as_many_as_relevant(own) for _, own in rows.groupby("dataset", sort=False))
    keys = ["dataset", "selector", "n_features", "n_relevant"]
    groups: Any = rows.groupby(keys, sort=False, observed=True)[["gain", "hits"]]
    means = groups.mean().reset_index()
    ends, about = extremes(means, "gain", about_share)
    yield Answer(
        "Who finds the relevant features",
        f"Where the relevant features are known, original sets hold {ends} of them.",
        "truth",
        {f"{r['dataset']} {r['selector']} gain": r["gain"] for r in records(means)},
        "; ".join([
            "Known relevant features of " + listed(list(dict.fromkeys(means["dataset"]))),
            "sets of as many features as are relevant, or of the nearest size below, and of these "
            "the share that such a set can hold",
            "means over folds, searches and τ", *[about] * bool(about),
        ]) + ".",
        first=True,
    )  # fmt: skip
    for dataset, own in means.groupby("dataset", sort=False):
        n, k = own["n_relevant"].iloc[0], own["n_features"].iloc[0]
        yield Answer(
            "Who finds the relevant features",
            f"{dataset}, {size_name(k, sizes)}: of {number(n)} relevant features, original sets "
            f"hold {_grouped(own, 'hits')}.",
            "truth",
            {f"{dataset} {r['selector']} hits": r["hits"] for r in records(own)},
            "Means over folds, searches and τ.",
        )


def _plain(k: int, sizes: Mapping[int, str]) -> bool:
    return size_name(k, sizes) == size_name(k, {})


def _as_many_as_relevant(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of the largest size up to the number of relevant features."""
    sizes, n_relevant = rows["n_features"], rows["n_relevant"].iloc[0]
    below = sizes[sizes <= n_relevant]
    kept: pd.DataFrame = rows[sizes == (below.max() if len(below) else sizes.min())]
    return kept


def _grouped(rows: pd.DataFrame, value: str) -> str:
    """Write the values of selectors, the largest first, those of the same value together."""
    said: dict[str, list[str]] = {}
    for row in records(rows.sort_values(value, ascending=False, kind="stable")):
        said.setdefault(number(row[value]), []).append(selector_name(row["selector"]))
    return listed([f"{text} ({', '.join(names)})" for text, names in said.items()])


def best_sizes(tables: Tables, sizes: Mapping[int, str]) -> Iterator[Answer]:
    """Say at how many features the original sets of each selector are best."""
    rows = rows_of(tables, "by_size")
    if not len(rows):
        return
    rows = rows[rows["metric"] == rows["metric"].iloc[0]]
    rows = rows[rows["search"] == rows.groupby("selector")["search"].transform("first")]
    rows = rows[rows["best_score"].notna() & (rows["n_sizes"] > 1)]
    if not all(_plain(k, sizes) for k in rows["best_size"]):
        return
    for model, own in rows.groupby("model", sort=False):
        what = f"best test {METRICS[own['metric'].iloc[0]]} over sizes of {model_name(str(model))}"
        own = own.rename(columns={"best_score": "score", "best_size": "size"})
        groups = own.groupby("selector", sort=False, observed=True)
        medians = groups[["score", "size"]].median().assign(n=groups["dataset"].nunique())
        known = medians[enough(medians["n"])].reset_index()
        if len(known):
            few = [f"{selector_name(str(name))} has too few datasets ({n})."
                   for name, n in medians.loc[~enough(medians["n"]), "n"].items()]  # fmt: skip
            counts = " to ".join(map(str, sorted({known["n"].min(), known["n"].max()})))
            over = f" (medians over {counts} datasets)"
            yield _of_sizes(f"The {what}", known, str(model), over, *few)
            continue
        for dataset, of_one in own.groupby("dataset", sort=False):
            yield _of_sizes(f"{dataset}: the {what}", of_one, f"{model} {dataset}")


def _of_sizes(what: str, rows: pd.DataFrame, key: str, over: str = "", *few: str) -> Answer:
    basis = "Original sets, means over folds; the smallest size that reaches the best score."
    return Answer(
        "How many features",
        f"{what}, and its size: {_best(rows)}{over}.",
        "by_size",
        {f"{key} {r['selector']} {c}": r[c] for r in records(rows) for c in ("score", "size")},
        " ".join([basis, *few]),
    )


def _best(rows: pd.DataFrame) -> str:
    return listed([
        f"{number(row['score'])} at {number(row['size'])} with {selector_name(row['selector'])}"
        for row in records(rows)
    ])  # fmt: skip
