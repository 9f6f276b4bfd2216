"""The answers whether runners-up of streams predict as well, and what it costs to read once."""

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from altfs.evaluation.names import METRICS, in_words, size_name
from altfs.evaluation.report.answer import Answer, records
from altfs.evaluation.report.phrases import ORDINALS, extremes, ordinal, signed
from altfs.evaluation.tables import Tables, rows_of


def runners_up(tables: Tables, sizes: Mapping[int, str]) -> Iterator[Answer]:
    """Say how the scores of the runners-up of streams differ from those of the original sets."""
    rows = rows_of(tables, "streams")
    if not len(rows):
        return
    rows = rows[(rows["model"] != "") & (rows["set_index"] > 0) & rows["test_score"].notna()]
    # Sets without a limit, stored as 0, tell most about the methods.
    caps = set(rows["n_features"])
    main = (rows["model"].min(), 0 if 0 in caps else max(caps, default=0))
    groups: Any = rows.groupby(["model", "n_features"])
    for key, every in groups:
        first = every[every["set_index"] == every["set_index"].min()]
        rank = int(first["set_index"].iloc[0])
        yield _answer(
            "Whether runners-up of streams predict as well",
            f"the {ORDINALS.get(rank, ordinal(rank))} runner-up predicts at least as well as the "
            "method's own set",
            first.assign(difference=first["test_score"] - first["original"]),
            sizes,
            f"{int(first['n'].sum())} of {int(first['n_folds'].sum())} runs have both sets.",
            # Other models and sizes are details.
            first=key == main,
        )


def streams_cost(tables: Tables, sizes: Mapping[int, str]) -> Iterator[Answer]:
    """Say how original sets of streams score beside those of selectors that see all data."""
    rows = rows_of(tables, "streams", set_index=0)
    if not len(rows):
        return
    rows = rows[(rows["model"] != "") & rows["all_data"].notna()]
    groups: Any = rows.groupby(["model", "n_features"])
    for (_, k), group in groups:
        smaller = (group["size"] < k).sum()
        yield _answer(
            "What it costs to read data once",
            "the method's own set predicts at least as well as selectors that see all data",
            group.assign(difference=group["original"] - group["all_data"]),
            sizes,
            f"the mean of the selectors that see all data; in {smaller} of {len(group)} settings "
            f"the sets of the stream have fewer than {k} features on average.",
        )


def _answer(
    topic: str, said: str, rows: pd.DataFrame, sizes: Mapping[int, str], basis: str, **more: bool
) -> Answer:
    """Return in how many pairs of dataset and method something holds, and the differences."""
    means = rows.groupby(["dataset", "selector"], sort=False)["difference"].mean().reset_index()
    better = int((means["difference"] >= 0).sum())
    ends, about = extremes(means, "difference", signed)
    model, k, metric = rows[["model", "n_features", "metric"]].iloc[0]
    numbers = {
        f"{model} {k} {row['selector']} {row['dataset']}": row["difference"]
        for row in records(means)
    }
    return Answer(
        topic,
        f"In {better} of {len(means)} pairs of dataset and method, {said}. Its test "
        f"{METRICS[metric]} differs by {ends}.",
        "streams",
        numbers,
        f"{in_words(model)}, {size_name(k, sizes)}; means over τ and folds; "
        f"{about or 'single datasets'}; {basis}",
        **more,
    )
