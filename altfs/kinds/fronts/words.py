"""The answers about fronts: how they grow, what is left on the test part, how many sets do."""

from collections.abc import Iterator
from typing import Any

import pandas as pd

from altfs.evaluation.names import selector_name
from altfs.evaluation.report.answer import Answer
from altfs.evaluation.report.phrases import listed, number, share
from altfs.evaluation.tables import Tables, rows_of

_TOPIC = "What fronts hold"
# The largest number of sizes of fronts in a sentence.
_MOST = 8


def front_words(tables: Tables) -> Iterator[Answer]:
    """Say how fronts grow, how much of the envelope is left on the test part, and what suffices."""
    rows = rows_of(tables, "fronts")
    if not len(rows):
        return
    rows = rows[rows["train_area"].notna()]
    groups: Any = rows.groupby(["dataset", "selector"], sort=False, observed=True)
    for (dataset, selector), own in groups:
        where = f"{dataset}, {selector_name(str(selector))}"
        sizes = own["n_features"].value_counts()
        # Most factors were used with this size, and most sizes with that factor.
        size = sizes.index[0]
        at_size = own[own["n_features"] == size].drop_duplicates("dominance_factor")
        ordered = at_size.sort_values("dominance_factor", key=lambda one: one.map(float))
        parts = [f"{number(round(row.points, 1))} at factor {row.dominance_factor}"
                 for row in ordered.itertuples()][:_MOST]  # fmt: skip
        grown = {f"{where}, factor {r.dominance_factor}": r.points for r in ordered.itertuples()}
        yield Answer(
            _TOPIC,
            f"{where}, k = {size}: the front has {listed(parts)} (sets, mean over folds).",
            "fronts", grown,
        )  # fmt: skip
        yield from _by_size(where, own)
        widest = ordered.iloc[-1]
        at = f"{where}, factor {widest['dominance_factor']}"
        if widest["test_chosen"] == widest["test_chosen"]:
            gain = widest["train_area"] - widest["train_best"]
            left = widest["test_chosen"] - widest["test_best"]
            numbers = {f"{where}, {n}": widest[n] for n in
                       ("train_area", "train_best", "test_chosen", "test_best")}  # fmt: skip
            yield Answer(
                _TOPIC,
                f"{at}: the area below the envelope is "
                f"{number(widest['train_area'])} on the training part and, with the sets chosen "
                f"there, {number(widest['test_chosen'])} on the test part, "
                f"{share(widest['test_chosen'] / widest['train_area'])} of it. Over the best "
                f"single set it gains {number(gain)} in training and {number(left)} on the test "
                "part.",
                "fronts", numbers,
            )  # fmt: skip
        needed = round(widest["sets_needed"], 1)
        yield Answer(
            _TOPIC,
            f"{at}: of {number(round(widest['points'], 1))} sets, {number(needed)} "
            f"{'has' if needed == 1 else 'have'} 99 % of the area of the envelope "
            "(mean over folds).",
            "fronts", {f"{where}, sets_needed": widest["sets_needed"]},
        )  # fmt: skip


def _by_size(where: str, own: pd.DataFrame) -> Iterator[Answer]:
    """Say how the fronts of one factor grow with the number of features."""
    factor = own["dominance_factor"].value_counts().index[0]
    sizes = own[own["dominance_factor"] == factor].drop_duplicates("n_features")
    sizes = sizes.sort_values("n_features")
    if len(sizes) < 2:
        return
    parts = [f"{number(round(row.points, 1))} at k = {row.n_features}"
             for row in sizes.itertuples()][:_MOST]  # fmt: skip
    yield Answer(
        _TOPIC,
        f"{where}, factor {factor}: the front has {listed(parts)} (sets, mean over folds).",
        "fronts", {f"{where}, k = {r.n_features}": r.points for r in sizes.itertuples()},
    )  # fmt: skip
