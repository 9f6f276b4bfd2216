"""The sentences of the first screen: what exists, what alternatives keep, and how they predict.

A sentence has at most 25 words and no symbol. What it is based on is apart.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from altfs.evaluation.names import METRICS, selector_name, size_name
from altfs.evaluation.report.answer import Answer, records
from altfs.evaluation.report.phrases import (
    ORDINALS,
    about_share,
    extremes,
    listed,
    model_name,
    number,
    ordinal,
    signed,
)
from altfs.evaluation.rules import enough
from altfs.evaluation.tables import Tables, rows_of
from altfs.evaluation.tables.kept import widest

_STATUSES = {
    "optimal": "are proven best",
    "feasible": "are found without proof",
    "infeasible": "are proven not to exist",
    "unknown": "are open",
}


def existence(tables: Tables) -> Iterator[Answer]:
    """Say how many feature sets exist, and of which selector most do not."""
    for row in records(rows_of(tables, "status_shares", grouping="overall", counted="feature set")):
        parts = [f"{about_share(row[f'share_{s}'])} {words}" for s, words in _STATUSES.items()
                 if row[f"n_{s}"]]  # fmt: skip
        yet = "" if row["n"] == row["n_planned"] else " that have an answer yet"
        status = tables.get("status", pd.DataFrame({"n_sets": [row["n"]]}))
        drawn = status["n_sets"].sum() - row["n"]
        selectors = rows_of(tables, "status_shares", grouping="selector", counted="feature set")
        by_selector = {r["selector"]: r["share_infeasible"] for r in records(selectors)}
        most = max(by_selector, key=lambda name: by_selector[name], default="")
        only = ""
        every = about_share(row["share_infeasible"])
        if len(by_selector) > 1 and about_share(by_selector[most]) != every:
            only = f" With {selector_name(most)}, {about_share(by_selector[most])} do not exist."
        basis = [
            f"{number(row['n_planned'])} were asked for" if yet else "",
            f"{number(drawn)} random sets are not counted" if drawn else "",
            "not existing: none is different enough and allowed" if row["n_infeasible"] else "",
            "open: the limit of work was reached" if row["n_unknown"] else "",
        ]
        yield Answer(
            "What exists",
            f"Of {number(row['n'])} feature sets{yet}, {listed(parts)}.{only}",
            "status_shares",
            {"n": row["n"], "infeasible": row["share_infeasible"], **by_selector},
            _joined(basis), first=True,
        )  # fmt: skip


def cost(tables: Tables, sizes: Mapping[int, str]) -> Iterator[Answer]:
    """Say what first and last alternatives keep, at the smallest and at the largest tau."""
    every = widest(tables, measure="train_objective")
    if not len(every):
        return
    taus, ranks = sorted(every["tau"].unique(), key=float), sorted(every["set_index"].unique())
    # Streams, single rows and known relevant features have a sentence of their own.
    more = any(len(tables.get(name, ())) for name in ("streams", "explanations", "truth"))
    cases = [(tau, rank) for tau in dict.fromkeys((taus[0], taus[-1])) for rank in ranks]
    for case, (tau, rank) in enumerate(cases):
        rows = every[(every["tau"] == tau) & (every["set_index"] == rank)]
        if not len(rows):
            continue
        there = rows[rows["share"].notna()]
        kept, about = extremes(there, "share", about_share) if len(there) else ("nothing", "")
        k = rows["n_features"].iloc[0]
        basis = [
            "means over folds",
            size_name(k, sizes),
            f"τ = {tau}",
            about,
            left_out(rows),
            _gap(tables),
        ]
        if (there["share"] > 1).any():
            basis.append("more than 100 %: the original is not proven best")
        yield Answer(
            "What alternatives cost",
            f"{apart(rows, tau)}, the {ORDINALS.get(rank, ordinal(int(rank)))} alternative "
            f"keeps {kept} of the original's quality.",
            "kept",
            {f"{r['selector']} {r['dataset']} {tau} {rank}": r["share"] for r in records(there)},
            _joined(basis),
            # The last alternative at the largest tau is a detail.
            first=case < (1 if more else 3),
        )


def apart(rows: pd.DataFrame, tau: str) -> str:
    """Say in words how different the sets of one tau are."""
    k, overlap = rows["n_features"].iloc[0], rows["max_overlap"].iloc[0]
    # Of sets of several sizes, the number depends on the sizes.
    if overlap != overlap:
        return f"At the dissimilarity threshold {tau}"
    if overlap == 0:
        return "With no feature in common"
    return f"With at least {k - int(overlap)} of {k} features different"


def prediction(tables: Tables, sizes: Mapping[int, str]) -> Iterator[Answer]:
    """Say how well models predict with original sets, first alternatives and random sets."""
    rows = widest(tables, set_index=1)
    rows = rows[rows["model"] != ""] if len(rows) else rows
    groups: Any = rows.groupby(["measure", "model"], sort=False) if len(rows) else ()
    first = True
    for (measure, model), every in groups:
        means = _by_dataset(every[every["n"] > 0])
        if means.empty:
            continue
        n, k, shown, over = len(means), every["n_features"].iloc[0], means, "means"
        if enough(n):
            shown = means.median().to_frame(f"median of {n} datasets").T
            over = f"medians over {n} datasets of means"
        metric = METRICS.get(str(measure).removeprefix("test_"), str(measure))
        yield Answer(
            "What alternatives are worth to models",
            _worth(model_name(str(model)), metric, shown),
            "kept",
            {f"{model} {name} {column}": value for name, row in shown.iterrows()
             for column, value in row.items() if value == value},
            _joined([f"{over} over selectors, τ and folds", size_name(k, sizes), left_out(every),
                     _gap(tables)]),
            first=first,
        )  # fmt: skip
        # The other models are details.
        first = False


def _by_dataset(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the mean scores of each dataset, over runs of the same weight."""
    scores = ["original", "alternative", "random"]
    weighed = rows[scores].mul(rows["n"].astype(float), axis=0)
    sums: Any = weighed.groupby(rows["dataset"], sort=False)
    means = sums.sum(min_count=1).div(rows.groupby("dataset", sort=False)["n"].sum(), axis=0)
    # Random sets of some of the runs are not those of all of them.
    lacking = rows["random"].isna().groupby(rows["dataset"], sort=False).any()
    means["random"] = means["random"].mask(lacking)
    found: pd.DataFrame = means.astype(float)
    return found


def _worth(model: str, metric: str, scores: pd.DataFrame) -> str:
    """Write scores: of a few datasets the smallest and the largest change."""
    if len(scores) == 1:
        [(name, row)] = scores.iterrows()
        sets = {"original": "original sets", "alternative": "first alternatives",
                "random": "random sets"}  # fmt: skip
        parts = [f"{number(row[c])} with {s}" for c, s in sets.items() if row[c] == row[c]]
        return f"The test {metric} of {model} is {listed(parts)} ({name})."
    changes = scores[["alternative", "random"]].sub(scores["original"], axis=0)
    changes = changes.rename_axis("dataset").reset_index()
    found, _ = extremes(changes, "alternative", signed)
    text = f"With first alternatives, the test {metric} of {model} changes by {found}."
    if changes["random"].notna().all():
        text += f" With random sets, it changes by {extremes(changes, 'random', signed)[0]}."
    return text


def _gap(tables: Tables) -> str:
    """Say that an incomplete study has no answer yet for other selectors or datasets."""
    return "other results have no answer yet" if len(tables.get("missing", ())) else ""


def left_out(rows: pd.DataFrame) -> str:
    """Say of how many folds of all datasets and selectors a comparison is, and why not of all."""
    planned, answered, n = (int(rows[c].sum()) for c in ("n_planned", "n_answered", "n"))
    infeasible = int(rows["n_infeasible"].sum())
    reasons = (
        (infeasible, "does not exist", "do not exist"),
        (planned - answered, "has no answer yet", "have no answer yet"),
        (answered - infeasible - n, "was not found or lacks an original",
         "were not found or lack an original"),
    )  # fmt: skip
    parts = [f"{count:,} {many if count > 1 else one}" for count, one, many in reasons if count]
    return f"{n:,} of {planned:,} runs; {listed(parts)}" if parts else f"all {planned:,} runs"


def _joined(parts: list[str]) -> str:
    """Join what a sentence is based on."""
    text = "; ".join(part for part in parts if part)
    return f"{text[:1].upper()}{text[1:]}." if text else ""
