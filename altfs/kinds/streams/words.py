"""The answers whether runners-up of streams predict as well, and what it costs to read once."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

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
    sets = set(rows["n_features"])
    main = (rows["model"].min(), 0 if 0 in sets else max(sets, default=0))
    groups: Any = rows.groupby(["model", "n_features"])
    for (model, k), every in groups:
        own = every[every["set_index"] == every["set_index"].min()]
        rank = int(own["set_index"].iloc[0])
        found = _compared(own, "test_score", "original")
        there, planned = int(own["n"].sum()), int(own["n_folds"].sum())
        yield Answer(
            "Whether runners-up of streams predict as well",
            f"In {found.pairs}, the {ORDINALS.get(rank, ordinal(rank))} runner-up predicts at "
            f"least as well as the method's own set. {found.change}",
            "streams", found.numbers,
            f"{_settings(model, k, sizes)}; {found.about}; {there} of {planned} runs have "
            "both sets.",
            # Other models and sizes are details.
            first=(model, k) == main,
        )  # fmt: skip


def streams_cost(tables: Tables, sizes: Mapping[int, str]) -> Iterator[Answer]:
    """Say how original sets of streams score beside those of selectors that see all data."""
    rows = rows_of(tables, "streams", set_index=0)
    if not len(rows):
        return
    rows = rows[(rows["model"] != "") & rows["all_data"].notna()]
    groups: Any = rows.groupby(["model", "n_features"])
    for (model, k), own in groups:
        found = _compared(own, "original", "all_data")
        smaller = (own["size"] < k).sum()
        yield Answer(
            "What it costs to read data once",
            f"In {found.pairs}, the method's own set predicts at least as well as selectors that "
            f"see all data. {found.change}",
            "streams", found.numbers,
            f"{_settings(model, k, sizes)}; {found.about}; the mean of the selectors that see "
            f"all data; in {smaller} of {len(own)} settings the sets of the stream have fewer than "
            f"{k} features on average.",
        )  # fmt: skip


class _Compared(NamedTuple):
    """The differences of two scores by dataset and method, in words."""

    #: In how many pairs of dataset and method the difference is not below 0.
    pairs: str
    #: A sentence about the smallest and the largest difference.
    change: str
    #: What was summarised.
    about: str
    numbers: dict[str, float]


def _compared(rows: pd.DataFrame, score: str, reference: str) -> _Compared:
    rows = rows.assign(difference=rows[score] - rows[reference])
    means = rows.groupby(["dataset", "selector"], sort=False)["difference"].mean().reset_index()
    better = int((means["difference"] >= 0).sum())
    ends, about = extremes(means, "difference", signed)
    model, k = rows[["model", "n_features"]].iloc[0]
    numbers = {
        f"{model} {k} {row['selector']} {row['dataset']}": row["difference"]
        for row in records(means)
    }
    return _Compared(
        f"{better} of {len(means)} pairs of dataset and method",
        f"Its test {METRICS[rows['metric'].iloc[0]]} differs by {ends}.",
        about or "single datasets",
        numbers,
    )


def _settings(model: str, k: int, sizes: Mapping[int, str]) -> str:
    return f"{in_words(model)}, {size_name(k, sizes)}; means over τ and folds"
