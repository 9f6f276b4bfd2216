"""The answers about fronts: how they grow, what is left on the test part, how many sets do."""

from collections.abc import Iterator
from typing import Any

import pandas as pd

from altfs.evaluation.names import selector_name
from altfs.evaluation.report.answer import Answer
from altfs.evaluation.report.phrases import listed, number, share
from altfs.evaluation.tables import Tables, rows_of

# The largest number of sizes of fronts in a sentence.
_MOST = 8


def front_words(tables: Tables) -> Iterator[Answer]:
    """Say how fronts grow, how much of the envelope is left on the test part, and what suffices."""
    rows = rows_of(tables, "fronts")
    if not len(rows):
        return
    rows = rows[rows["train_area"].notna()]
    groups: Any = rows.groupby(["dataset", "selector"], sort=False, observed=True)
    for (dataset, selector), fronts in groups:
        where = f"{dataset}, {selector_name(str(selector))}"
        # Most factors were used with this size, and most sizes with that factor.
        size = fronts["n_features"].value_counts().index[0]
        by_factor = fronts[fronts["n_features"] == size].drop_duplicates("dominance_factor")
        by_factor = by_factor.sort_values("dominance_factor", key=lambda f: f.map(float))
        yield _growth(where, f"k = {size}", "factor", by_factor.set_index("dominance_factor"))
        factor = fronts["dominance_factor"].value_counts().index[0]
        by_size = fronts[fronts["dominance_factor"] == factor].drop_duplicates("n_features")
        if len(by_size) > 1:
            by_size = by_size.set_index("n_features").sort_index()
            yield _growth(where, f"factor {factor}", "k =", by_size)
        widest = by_factor.iloc[-1]
        at = f"{where}, factor {widest['dominance_factor']}"
        if widest["test_chosen"] == widest["test_chosen"]:
            names = ("train_area", "train_best", "test_chosen", "test_best")
            train, train_best, test, test_best = (widest[name] for name in names)
            yield _answer(
                f"{at}: the area below the envelope is {number(train)} on the training part and, "
                f"with the sets chosen there, {number(test)} on the test part, "
                f"{share(test / train)} of it. Over the best single set it gains "
                f"{number(train - train_best)} in training and {number(test - test_best)} on the "
                "test part.",
                {f"{where}, {name}": widest[name] for name in names},
            )
        needed = round(widest["sets_needed"], 1)
        yield _answer(
            f"{at}: of {number(round(widest['points'], 1))} sets, {number(needed)} "
            f"{'has' if needed == 1 else 'have'} 99 % of the area of the envelope "
            "(mean over folds).",
            {f"{where}, sets_needed": widest["sets_needed"]},
        )


def _growth(where: str, fixed: str, word: str, fronts: pd.DataFrame) -> Answer:
    """Say how the number of sets grows with what the rows are named by."""
    points = fronts["points"].to_dict()
    parts = [f"{number(round(n, 1))} at {word} {value}" for value, n in points.items()][:_MOST]
    sentence = f"{where}, {fixed}: the front has {listed(parts)} (sets, mean over folds)."
    return _answer(sentence, {f"{where}, {word} {value}": n for value, n in points.items()})


def _answer(sentence: str, numbers: dict[str, float]) -> Answer:
    return Answer("What fronts hold", sentence, "fronts", numbers)
