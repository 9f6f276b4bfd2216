"""The answers whether runners-up of streams predict as well, and what it costs to read once."""

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from altfs.evaluation.names import METRICS, in_words, size_name
from altfs.evaluation.report.answer import Answer, records
from altfs.evaluation.report.phrases import across, ordinal
from altfs.evaluation.tables import Tables, rows_of


def runners_up(tables: Tables, sizes: Mapping[int, str]) -> Iterator[Answer]:
    """Say how the scores of the runners-up of streams differ from those of the original sets."""
    rows = rows_of(tables, "streams")
    if not len(rows):
        return
    rows = rows[(rows["model"] != "") & (rows["set_index"] > 0) & rows["test_score"].notna()]
    groups: Any = rows.groupby(["model", "n_features"])
    for (model, k), every in groups:
        own = every[every["set_index"] == every["set_index"].min()]
        rank = int(own["set_index"].iloc[0])
        means, said, numbers = _compared(own, "test_score", "original")
        there, planned = int(own["n"].sum()), int(own["n_folds"].sum())
        yield Answer(
            "Whether runners-up of streams predict as well",
            f"{in_words(str(model))}, {size_name(k, sizes)}: the test score "
            f"({METRICS[own['metric'].iloc[0]]}) of the {ordinal(rank)} runner-up minus that of "
            f"the original set, mean over τ and folds, is {across(means, 'difference')}. {said}; "
            f"{there} of {planned} runs have both sets.",
            "streams", numbers,
        )  # fmt: skip


def streams_cost(tables: Tables, sizes: Mapping[int, str]) -> Iterator[Answer]:
    """Say how original sets of streams score beside those of selectors that see all data."""
    rows = rows_of(tables, "streams", set_index=0)
    if not len(rows):
        return
    rows = rows[(rows["model"] != "") & rows["all_data"].notna()]
    groups: Any = rows.groupby(["model", "n_features"])
    for (model, k), own in groups:
        means, said, numbers = _compared(own, "original", "all_data")
        smaller = (own["size"] < k).sum()
        yield Answer(
            "What it costs to read data once",
            f"{in_words(str(model))}, {size_name(k, sizes)}: the test score "
            f"({METRICS[own['metric'].iloc[0]]}) of the original set of a stream minus the mean of "
            f"the selectors that see all data, mean over τ and folds, is "
            f"{across(means, 'difference')}. {said}. In {smaller} of {len(own)} settings the sets "
            f"of the stream have fewer than {k} features on average.",
            "streams", numbers,
        )  # fmt: skip


def _compared(
    rows: pd.DataFrame, score: str, reference: str
) -> tuple[pd.DataFrame, str, dict[str, float]]:
    """Return the mean ``difference`` by dataset and selector, how many are not below 0, and all."""
    rows = rows.assign(difference=rows[score] - rows[reference])
    means = rows.groupby(["dataset", "selector"], sort=False)["difference"].mean().reset_index()
    better = int((means["difference"] >= 0).sum())
    said = f"It is not smaller in {better} of {len(means)} pairs of dataset and method"
    model, k = rows[["model", "n_features"]].iloc[0]
    numbers = {
        f"{model} {k} {row['selector']} {row['dataset']}": row["difference"]
        for row in records(means)
    }
    return means, said, numbers
