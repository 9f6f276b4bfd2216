"""The answer whether the runners-up of streams predict as well as the original sets."""

from collections.abc import Iterator, Mapping
from typing import Any

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
    rows = rows.assign(difference=rows["test_score"] - rows["original"])
    groups: Any = rows.groupby(["model", "n_features"])
    for (model, k), every in groups:
        own = every[every["set_index"] == every["set_index"].min()]
        rank = int(own["set_index"].iloc[0])
        means = own.groupby(["dataset", "selector"], sort=False)["difference"].mean().reset_index()
        there, planned = int(own["n"].sum()), int(own["n_folds"].sum())
        better = int((means["difference"] >= 0).sum())
        numbers = {f"{model} {k} {r['selector']} {r['dataset']}": r["difference"]
                   for r in records(means)}  # fmt: skip
        yield Answer(
            "Whether runners-up of streams predict as well",
            f"{in_words(str(model))}, {size_name(k, sizes)}: the test score "
            f"({METRICS[own['metric'].iloc[0]]}) of the {ordinal(rank)} runner-up minus that of "
            f"the original set, mean over τ and folds, is {across(means, 'difference')}. It is not "
            f"smaller in {better} of {len(means)} pairs of dataset and method; {there} of "
            f"{planned} runs have both sets.",
            "streams", numbers,
        )  # fmt: skip
