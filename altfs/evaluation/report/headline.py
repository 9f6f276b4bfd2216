"""The answers of the first screen: what its table says, and how it is read."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import pandas as pd

from altfs.evaluation.names import METRICS, differing, in_words, selector_name, tau_in_words
from altfs.evaluation.report.phrases import listed, model_name, signed, two
from altfs.evaluation.rules import enough
from altfs.evaluation.tables.overview import OBJECTIVE

_CLOSE = 0.01  # A smaller loss is no difference between few datasets.
_LITTLE = 0.05  # What may be lost where no lead over random sets is known.


class Answer(NamedTuple):
    """An answer of the first screen: its label, what is read first, a sentence, and details."""

    label: str
    key: str
    text: str
    #: Sentences that are folded.
    details: Sequence[str] = ()


def answers(
    rows: pd.DataFrame,
    n_datasets: int,
    below: Sequence[str] = (),
    signal: bool = True,
) -> list[Answer]:
    """Say which selector's sets predict best, and what its first alternatives change.

    Few datasets have no winner, but a highest mean. Nothing is said of training objectives.

    Parameters
    ----------
    rows : DataFrame
        Those of a choice in the table `overview`, of every threshold.
    n_datasets : int
    below : sequence of str, default=()
        The datasets on which the best selector has an R² below 0.
    signal: bool, default=True
        False if its original sets are not shown to beat random ones or guessing.
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
    many = dataset == "" and bool(enough(n_datasets))
    margins, told = _margins(firsts.drop(best), most, many, "folds" if dataset else "datasets")
    if below:
        on = "" if dataset else f" on {listed([*below])}"
        margins.insert(0, f"worse than the mean of the target{on}")
    if not pd.isna(random):
        margins.insert(0, f"{signed(value - random)} against random sets")
    same = (complete["original"].map(two) == two(value)) & (complete["behind"].map(two) == "0.00")
    tied = complete.index[same | (complete.index == best)]
    who = _named(complete.loc[tied]) if len(tied) < 4 else f"{len(tied)} selectors"
    of = f"original on {dataset}" if dataset else f"mean of {n_datasets} datasets"
    label = f"{'Predicts best, ' * (many and told) or 'Best '}{of}"
    shown = rows.sort_values("tau", key=lambda tau: tau.astype(float))
    first = Answer(
        label, f"{who}: {metric} {two(value)}",
        f"{'; '.join(margins or ['There is nothing to compare it with'])}.",
        [f"With {model_name(model)}."],
    )  # fmt: skip
    further = _of_alternatives(shown, best, many)
    if not signal and len(further) > 1:
        reason = "These original sets are not shown to beat random sets or guessing."
        further[1] = Answer("Which τ", "No advice", reason)
    return [first, *further]


def _margins(rest: pd.DataFrame, most: int, many: bool, over: str) -> tuple[list[str], bool]:
    """Say how far other selectors are behind the best one, and whether all are told from it.

    `rest` are their first rows, of selectors with `most` original sets or fewer. `over` is what
    the ends of few datasets are of: datasets or folds.
    """
    complete = rest[rest["n_original"] == most].sort_values("behind", ascending=False)
    told = rest["behind_high"] < 0 if many else rest["behind"].round(2) < -_CLOSE
    close = complete[~told[complete.index]]
    said = []
    if len(complete) and (many or close.empty):
        second = complete.iloc[0]
        same = complete["behind"].round(2) == round(second["behind"], 2)
        alike = complete.head(1) if many else complete[same]
        low, high = alike["behind_low"].min(), alike["behind_high"].max()
        few = f" ({signed(low)} to {signed(high)} over {over}: no clear winner)" * bool(high > 0)
        span = f" [{signed(low)}, {signed(high)}]" if many else few
        said.append(f"next: {_named(alike)} {_less(second)}{span}")
    if many and not told.all():
        names = f"{_named(rest[~told])} not" if told.any() else "no other selector is"
        said.append(f"{names} shown to be worse")
    elif len(close):
        # What the table shows: its scores may differ where the rounded difference is 0.
        equal = close["original"].map(two).eq((close["original"] - close["behind"]).map(two)).all()
        said.append(f"{_named(close)} {'the same mean' if equal else f'at most {_CLOSE} less'}")
    for name, row in rest[rest["n_original"] < most].iterrows():
        less = f"{selector_name(str(name))} {_less(row)}"
        said.append(f"{less} in the {row['n_original']} of {most} folds in which it has sets")
    return said, bool(told.all())


def _named(rows: pd.DataFrame) -> str:
    return listed([selector_name(str(name)) for name in rows.index])


def _less(row: Any) -> str:
    """Say how much less the original sets of a selector score than those of the best one."""
    size = two(abs(row["behind"]))
    return (
        "the same mean" if size == "0.00" else f"{size} {'less' if row['behind'] < 0 else 'more'}"
    )


def _of_alternatives(rows: pd.DataFrame, best: str, many: bool) -> list[Answer]:
    """Say what the first alternatives of a selector change, and which tau costs little.

    With `many` datasets, changes have intervals.
    """
    own, name = rows[rows["selector"] == best].reset_index(drop=True), selector_name(best)
    known = own.dropna(subset="change")
    if known.empty:
        return [Answer("First alternatives", "None", f"No alternative of {name} exists.")]
    extremes = known["change"].agg(["idxmin", "idxmax"])
    places = sorted({known.index[0], *extremes, known.index[-1]})
    said = []
    for place in places:
        row, differ = own.loc[place], differing(own.loc[[place]])
        end = f" ({differ}{' features differ' * (place == places[0])})" * bool(differ)
        partly = f" in {row['n_exist']} of {row['n_planned']} folds"
        few = partly * bool(row["n_exist"] < row["n_planned"])
        said.append(f"{signed(row['change'])} at τ = {tau_in_words(row['tau'])}{end}{few}")
    ends = [signed(known["change"].min()), signed(known["change"].max())]
    # Means of some folds are not compared with those of all.
    whole = known[known["n_exist"] == known["n_planned"]].query("alternative < random")
    taus = listed([tau_in_words(tau) for tau in whole["tau"]])
    worse = f"; their mean is below that of random sets at τ = {taus}" * bool(taus)
    changes = Answer(
        "First alternatives", " to ".join(dict.fromkeys(ends)),
        f"Change from the originals of {name}: {listed(said)}{worse}.",
        [*_told(known) * many, *_with_the_last(own)],
    )  # fmt: skip
    return [changes, _which_tau(own, name, many, _best_at_the_end(rows, best))]


def _told(known: pd.DataFrame) -> list[str]:
    """Say which changes of many datasets are shown by their intervals."""
    tested = enough(known["n_datasets"])
    clear = tested & ((known["change_low"] > 0) | (known["change_high"] < 0))
    untested = listed([tau_in_words(tau) for tau in known["tau"][~tested]])
    taus = listed([tau_in_words(tau) for tau in known["tau"][clear]])
    if not tested.any() or clear.all():
        return []
    shown = f"Only the change at τ = {taus} is shown, unadjusted" if taus else "No change is shown"
    return [shown + f" (at τ = {untested} there is no test)" * bool(untested) + "."]


def _with_the_last(own: pd.DataFrame) -> list[str]:
    """Say what the last alternatives change, and where there are none."""
    last, known = own["last"].max(), own.dropna(subset="change_last")
    if pd.isna(last) or last < 2 or known.empty:
        return []
    tail = known["change_last"]
    span = " to ".join(dict.fromkeys([signed(tail.min()), signed(tail.max())]))
    exists = ""
    for _, row in own[own["n_last"] < own["n_planned"]].tail(1).iterrows():
        folds = f"{row['n_last'] or 'none'} of {row['n_planned']} folds"
        exists = f" where it exists (at τ = {tau_in_words(row['tau'])} in {folds})"
    return [f"With the last of {last} alternatives: {span}{exists}."]


def _which_tau(own: pd.DataFrame, name: str, many: bool, further: Sequence[str] = ()) -> Answer:
    """Say the largest tau that costs little; of few datasets, what each tau changes."""
    if not many:
        return _of_few(own.dropna(subset="change"), name, further)
    there = (own["n_exist"] == own["n_possible"]) & enough(own["n_datasets"])
    # Half of the lead over random sets has to remain; without them, all but a little of the score.
    leads: Any = own["of_same"] - own["random_of_same"]
    most = leads / 2 if leads.notna().any() else _LITTLE
    fine = own[there & (own["change_low"] >= -most)]
    row = fine.iloc[-1] if len(fine) else own.iloc[0]
    tau, differ = tau_in_words(row["tau"]), differing(own.loc[[row.name]])
    place = f"{tau} ({differ} differ)" if differ else tau
    first, gone = f"first alternative of {name}", row["n_possible"] - row["n_exist"]
    span = "{} [{}, {}]".format(*map(signed, row[["change", "change_low", "change_high"]]))
    lead = two(leads[row.name])
    where = " on its datasets" * (lead != two(row["original"] - row["random"]))
    over = f" of the {lead} above random sets{where}" * bool(leads.notna().any())
    if len(fine):
        keeps = f"keeps half{over}" if over else f"loses at most {_LITTLE}"
        narrow = (own["n_possible"] < own["n_planned"]).any()
        folds = ", in all folds with enough features" * bool(narrow)
        text = f"The largest at which the {first} {keeps}{folds}: {span}"
    elif gone:
        text = f"There the {first} is missing in {gone} of {row['n_possible']} folds"
    elif not enough(row["n_datasets"]):
        text = f"There the {first} is of {row['n_datasets']} datasets only"
    else:
        text = f"There the {first} may lose {two(-row['change_low'])}{over}: {span}"
    rest = "half of the lead" if over else f"a loss of at most {_LITTLE}"
    rule = [f"A τ is advised if the lower end of the interval leaves {rest}."]
    key = place if len(fine) else f"Not even {place}"
    return Answer("Which τ", key, f"{text}.", [*further, *rule])


def _of_few(known: pd.DataFrame, name: str, further: Sequence[str]) -> Answer:
    """Say up to which tau little is lost in each of few datasets, or in each fold of one."""
    one = bool(known["dataset"].iloc[0])
    few, each = ("folds of one dataset", "fold") if one else ("fewer than six datasets", "dataset")
    # As the table shows it.
    lost = known["tau"][known["change_high"].round(2) < 0].map(tau_in_words).tolist()
    said = f"{few} have no test"
    if lost:
        said = f"{name}'s first alternative is worse in every {each} at τ = {listed(lost)}; {said}"
    fine = known[(known["change_low"].round(2) >= -_LITTLE).cummin()]
    if fine.empty:
        text = f"At the smallest τ it loses more than {_LITTLE} in some {each}; {said}"
        return Answer("Which τ", "None, untested", f"{text}.", further)
    row = fine.iloc[-1]
    differ = differing(known.loc[[row.name]])
    key = tau_in_words(row["tau"]) + f" ({differ} differ)" * bool(differ) + ", untested"
    text = f"The largest that loses at most {_LITTLE} in every {each}; {said}"
    return Answer("Which τ", key, f"{text}.", further)


def _best_at_the_end(rows: pd.DataFrame, best: str) -> list[str]:
    """Name the selector of the best first alternative at the largest tau, if it is another one.

    Only selectors with first alternatives in all folds that have enough features are compared,
    because the means of the others are of other folds.
    """
    at = rows[rows["tau"] == rows["tau"].iloc[-1]].set_index("selector")
    everywhere = (at["n_exist"] == at["n_possible"]) & (at["n_exist"] == at["n_exist"].max())
    whole = at[everywhere]["alternative"].dropna()
    if best not in whole.index or whole.max() - whole[best] <= _CLOSE:
        return []
    tops = [selector_name(str(s)) for s in whole.index[whole.round(2) == round(whole.max(), 2)]]
    return [
        f"At τ = {tau_in_words(rows['tau'].iloc[-1])} the best first alternative is that of "
        f"{listed(tops)}, {two(whole.max())} against {two(whole[best])}."
    ]


def score_name(measure: str, model: str) -> str:
    """Name a score by its metric and model."""
    return f"test {METRICS.get(n := measure.removeprefix('test_'), n)}, {in_words(model).lower()}"


def caption(measure: str, n_datasets: int, dataset: str) -> str:
    """Say over what the means of a table are, and what is below them."""
    of = "folds" if dataset else "datasets"
    ends = f"The small numbers are the smallest and the largest value of the {of}"
    if dataset == "" and enough(n_datasets):
        ends = "The brackets and bars are 95 % intervals of the mean over datasets (Student's t), "
        ends += "bold if they leave out 0. Only those from the best are adjusted for their number"
    elif dataset == "":
        ends = f"Dots are datasets. {ends}. Fewer than six datasets have no test"
    over = "Means over folds" + f" and {n_datasets} datasets" * (dataset == "")
    scale = " 0 is a random set, 1 the original one." * (measure == OBJECTIVE)
    rest = "Every fold has the set unless a number says otherwise. Differences are rounded last."
    return f"{over}. {ends}. {rest}{scale}"
