"""The sentences of the first screen: what its table says, and how it is read."""

from collections.abc import Sequence

import pandas as pd

from altfs.evaluation.names import METRICS, differing, in_words, selector_name
from altfs.evaluation.report.phrases import listed, model_name, signed, two
from altfs.evaluation.rules import enough
from altfs.evaluation.tables.overview import OBJECTIVE

_CLOSE = 0.01  # Less is no difference between few datasets.


def headline(rows: pd.DataFrame, n_datasets: int, taus: Sequence[str]) -> str:
    """Say which selector's sets predict best and what its first alternatives change.

    Few datasets have no winner, but a highest mean. Nothing is said of training objectives.
    """
    dataset, measure, model = rows[["dataset", "measure", "model"]].iloc[0]
    if measure == OBJECTIVE:
        return ""
    firsts = rows.drop_duplicates("selector").set_index("selector")
    # Only a selector with the most original sets is compared with the others.
    complete = firsts[firsts["n_original"] == firsts["n_original"].max()]
    best, value = str(complete["original"].idxmax()), two(float(complete["original"].max()))
    of_best = rows[rows["selector"] == best].dropna(subset=["change"])
    said_taus = [taus[0], *of_best.nsmallest(1, "change")["tau"], taus[-1]]
    name, metric = selector_name(best), METRICS.get(measure[5:], measure[5:])
    where = f" on {dataset}" if dataset else f", mean of {n_datasets} datasets"
    facts = f"{value} with {model_name(model)}{where}"
    many = dataset == "" and enough(n_datasets)
    near = ~(firsts["behind_high"] < 0) if many else firsts["behind"].between(-_CLOSE, 0)
    others = listed([selector_name(str(s)) for s in firsts.index[near & (firsts.index != best)]])
    of = "" if len(complete) == len(firsts) else " of the selectors with all original sets"
    if many:
        lead = f"{name} has the best mean" if others else f"{name} predicts best"
        lead += f" ({metric} {facts})" + f", but {others} cannot be told from it" * bool(others)
    else:
        lead = f"{name} has the highest {metric}{of} ({facts})"
        lead += f", {others} at most {_CLOSE} less" * bool(others)
    said, changes = [], of_best[of_best["tau"].isin(said_taus)].to_dict("records")
    for i, row in enumerate(changes, start=1):
        exist, planned, differ = row["n_exist"], row["n_planned"], differing(pd.DataFrame([row]))
        partly = "" if exist == planned else f" (it exists in {exist} of {planned} folds)"
        end = " features different" * (i == len(changes))
        condition = f"with {differ}{end}" if differ else f"at τ = {row['tau']}"
        said.append(f"by {signed(row['change'])} {condition}{partly}")
    return f"{lead}. Its first alternative changes this {listed(said)}." if said else f"{lead}."


def score_name(measure: str, model: str) -> str:
    """Name a score by its metric and model."""
    return f"test {METRICS.get(n := measure.removeprefix('test_'), n)}, {in_words(model).lower()}"


def caption(measure: str, n_datasets: int, dataset: str) -> str:
    """Say over what the means of a table are, and what is below them."""
    ends = "below: the smallest and the largest value of the folds"
    if dataset == "":
        ends = "dots, and below: the datasets (of the mean: selectors); fewer than six have no test"
    if dataset == "" and enough(n_datasets):
        ends = (
            "brackets and bars: 95 % interval of the mean over datasets (Student's t), bold if it "
            "leaves out 0"
        )
    over = "Means over folds" + f" and {n_datasets} datasets" * (dataset == "")
    scale = " 0 is a random set, 1 the original one." * (measure == OBJECTIVE)
    return f"{over}; {ends}. Every fold has the alternative unless a number says otherwise.{scale}"
