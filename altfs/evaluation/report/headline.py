"""The answers of the first screen: what its table says, and how it is read."""

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from altfs.evaluation.names import METRICS, differing, in_words, selector_name
from altfs.evaluation.report.phrases import listed, model_name, signed, two
from altfs.evaluation.rules import enough
from altfs.evaluation.tables.overview import OBJECTIVE

_CLOSE = 0.01  # A smaller loss is no difference between few datasets.


class Answer(NamedTuple):
    """A line of the first screen: its label, what is read first, and the rest of the sentence."""

    label: str
    key: str
    rest: str
    #: The margin of the best selector, for a line about another table.
    margin: str = ""


def answers(
    rows: pd.DataFrame,
    n_datasets: int,
    taus: Sequence[str],
    alike: Collection[frozenset[str]] = (),
    others: Mapping[str, str] = MappingProxyType({}),
) -> list[Answer]:
    """Say which selector's sets predict best, and what its first alternatives change.

    Few datasets have no winner, but a highest mean. Nothing is said of training objectives.

    Parameters
    ----------
    rows : DataFrame
        Those of a choice in the table `overview`.
    n_datasets : int
    taus : sequence of str
        The thresholds that are shown.
    alike : collection of frozenset of str, default=()
        Pairs of selectors that the tests of the study do not tell apart.
    others : mapping of str to str, default={}
        The best selector of each other model.
    """
    dataset, measure, model = rows[["dataset", "measure", "model"]].iloc[0]
    if measure == OBJECTIVE:
        return []
    firsts = rows.drop_duplicates("selector").set_index("selector")
    # Only a selector with the most original sets is compared with the others.
    most = firsts["n_original"].max()
    complete = firsts[firsts["n_original"] == most].sort_values("behind", ascending=False)
    best = str(complete["original"].idxmax())
    value, random = complete.loc[best, ["original", "random"]]
    metric = METRICS.get(measure[5:], measure[5:])
    where = f" on {dataset}" if dataset else f", mean of {n_datasets} datasets"
    # As the rounded values that stand in the table.
    more = signed(round(value, 2) - round(random, 2))
    above = "" if pd.isna(random) else f", {more} against random sets"
    many = dataset == "" and bool(enough(n_datasets))
    rest = complete.drop(best)
    near = rest["behind"] >= -_CLOSE
    if many:
        # Ranks may not tell apart what means do, and the other way round.
        untold = [frozenset((best, str(s))) in alike for s in rest.index]
        near = ~(rest["behind_high"] < 0) | np.array(untold, bool)
    close = listed([selector_name(str(s)) for s in rest.index[near]])
    label = "Predicts best" if many and not close else "Best mean" if many else "Highest score"
    parts = [f"with {model_name(model)}{where}{above}"]
    if close:
        equal = (rest["behind"][near].round(2) == 0).all()
        less = "as good" if equal else f"at most {_CLOSE} less"
        parts.append(f"{close} {'cannot be told from it' if many else less}")
    elif len(rest):
        second = rest.iloc[0]
        span = f" [{signed(second['behind_low'])}, {signed(second['behind_high'])}]" * many
        parts.append(f"next: {_compared(second)}{span}")
    margin = parts[-1] if len(parts) > 1 else ""
    for _, row in firsts[firsts["n_original"].between(1, most - 1)].iterrows():
        of = f"in the {row['n_original']} of {most} folds in which it has sets"
        parts.append(f"{_compared(row)} {of}")
    parts += [
        f"best with {model_name(m)}: {selector_name(s)}" for m, s in others.items() if s != best
    ]
    shown = rows[rows["tau"].isin(taus)].sort_values("tau", key=lambda tau: tau.astype(float))
    key = f"{selector_name(best)}, {metric} {two(value)},"
    first = Answer(label, key, f"{'; '.join(parts)}.", margin)
    return [first, *_of_alternatives(shown, best, many)]


def _compared(row: Any) -> str:
    """Say how much less the original sets of a selector score than those of the best one."""
    size = two(abs(row["behind"]))
    less = "as good" if size == "0.00" else f"{size} {'less' if row['behind'] < 0 else 'more'}"
    return f"{selector_name(str(row.name))} {less}"


def _of_alternatives(rows: pd.DataFrame, best: str, many: bool) -> list[Answer]:
    """Say what the first alternatives of a selector change, and which cost little.

    With `many` datasets, changes have intervals.
    """
    own, name = rows[rows["selector"] == best].reset_index(drop=True), selector_name(best)
    known = own.dropna(subset="change")
    if known.empty:
        return [Answer("Alternatives", "None", f"of {name} exists.")]
    places = sorted({known.index[0], known["change"].idxmin(), known.index[-1]})
    said = []
    for place in places:
        row, differ = own.loc[place], differing(own.loc[[place]])
        end = f" ({differ}{' features differ' * (place == places[0])})" * bool(differ)
        partly = f" in {row['n_exist']} of {row['n_planned']} folds"
        few = partly * bool(row["n_exist"] < row["n_planned"])
        said.append(f"{signed(row['change'])} at τ = {float(row['tau']):.3g}{end}{few}")
    ends = [signed(known["change"].min()), signed(known["change"].max())]
    tested = enough(known["n_datasets"])
    clear = tested & ((known["change_low"] > 0) | (known["change_high"] < 0))
    untested = [_short(tau) for tau in known["tau"][~tested]]
    told = "; none can be told from 0" * (many and not clear.any() and len(untested) < len(known))
    told += f" (at {listed(untested)} there is no test)" * bool(told and len(untested))
    words = f"is the change with the first one of {name}: {listed(said)}{told}."
    last, tail = known["last"].max(), known["change_last"].dropna()
    if last > 1 and len(tail):
        span = " to ".join(dict.fromkeys([signed(tail.min()), signed(tail.max())]))
        words = f"{words[:-1]}; with the last of {last} alternatives it is {span}."
    changes = Answer("Alternatives", " to ".join(dict.fromkeys(ends)), words)
    limit = _cheap(own, counted=True)
    others: dict[str, list[str]] = {}
    for selector, part in rows[rows["selector"] != best].groupby("selector", sort=False):
        others.setdefault(_cheap(part) or "at none", []).append(selector_name(str(selector)))
    rest = "; ".join(f"{listed(same)} {taus}" for taus, same in others.items())
    lowest = own.iloc[0]
    possible = " that has enough features" * bool((own["n_possible"] < own["n_planned"]).any())
    text = f"the first alternative of {name}"
    if limit:
        text += f" exists in every fold{possible} and loses little, at most {_CLOSE}"
    elif lowest["n_exist"] < lowest["n_possible"]:
        gone = lowest["n_possible"] - lowest["n_exist"]
        text = f"there {text} is missing in {gone} of {lowest['n_possible']} folds{possible}"
    elif lowest["change"] != lowest["change"]:
        text = f"there {text} has no score"
    else:
        text = f"there {text} loses {two(-lowest['change'])}"
    words = f"{text}{f' ({rest})' * bool(rest)}{_best_at_the_end(rows, best)}."
    tau, differ = f"{float(lowest['tau']):.3g}", differing(own.head(1))
    first = f"Not even at {tau}" + f" ({differ} differ)" * bool(differ) + ":"
    return [changes, Answer("Which τ", f"{limit.capitalize()}," if limit else first, words)]


def _best_at_the_end(rows: pd.DataFrame, best: str) -> str:
    """Name the selector of the best first alternative at the largest tau, if it is another one.

    Only selectors with first alternatives in all folds that have enough features are compared,
    because the means of the others are of other folds.
    """
    at = rows[rows["tau"] == rows["tau"].iloc[-1]].set_index("selector")
    everywhere = (at["n_exist"] == at["n_possible"]) & (at["n_exist"] == at["n_exist"].max())
    whole = at[everywhere]["alternative"].dropna()
    if best not in whole.index or whole.max() - whole[best] <= _CLOSE:
        return ""
    return (
        f"; at τ = {_short(rows['tau'].iloc[-1])} the best first alternative is that of "
        f"{selector_name(str(whole.idxmax()))}, {two(whole.max())} against {two(whole[best])}"
    )


def _cheap(own: pd.DataFrame, *, counted: bool = False) -> str:
    """Say at which tau the alternatives of a selector cost little; empty if at none.

    If `counted`, the first threshold says how many features differ.
    """
    # As the table shows it.
    fine = (own["change"].round(2) >= -_CLOSE) & (own["n_exist"] == own["n_possible"])
    if not fine.any():
        return ""
    through = fine.cummin()
    first = own[through].tail(1) if through.any() else own[fine].head(1)
    differ = differing(first) if counted else ""
    start = f"{_short(first['tau'].iloc[0])}{f' ({differ} differ)' * bool(differ)}"
    more = [_short(tau) for tau in own[fine & ~through & (own.index != first.index[0])]["tau"]]
    if not through.any():
        return f"at {listed([start, *more])}"
    return f"up to {start}" + f" and at {listed(more)}" * bool(more)


def _short(tau: Any) -> str:
    return f"{float(tau):.3g}"


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
            "leaves out 0 (difference from best: and by Wilcoxon's test with Holm's correction)"
        )
    over = "Means over folds" + f" and {n_datasets} datasets" * (dataset == "")
    scale = " 0 is a random set, 1 the original one." * (measure == OBJECTIVE)
    return f"{over}; {ends}. Every fold has the alternative unless a number says otherwise.{scale}"
