"""The answers of the first screen: what its table says, and how it is read."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import pandas as pd

from altfs.evaluation.names import METRICS, count, differing, in_words, selector_name, tau_in_words
from altfs.evaluation.report.phrases import ends_in_words, listed, signed, two
from altfs.evaluation.rules import enough
from altfs.evaluation.tables.overview import OBJECTIVE, ends

_LITTLE = 0.05  # What may be lost where no lead over random sets is known.


class Answer(NamedTuple):
    """An answer of the first screen: its label, what is read first, and a sentence."""

    label: str
    key: str
    text: str
    #: How sure it is.
    verdict: str = ""


def answers(rows: pd.DataFrame, each: pd.DataFrame) -> list[Answer]:
    """Say which selector's sets predict best, and what its alternatives change; not of objectives.

    Parameters
    ----------
    rows : DataFrame
        Those of a choice in the table `overview`, of every threshold.
    each : DataFrame
        The same of the single datasets of which `rows` has means, else `rows` itself.
    """
    dataset, measure = rows[["dataset", "measure"]].iloc[0]
    if measure == OBJECTIVE:
        return []
    firsts = rows.drop_duplicates("selector").set_index("selector")
    # Only a selector with the most original sets is compared with the others.
    most, n_datasets = firsts["n_original"].max(), each["dataset"].nunique()
    complete = firsts[firsts["n_original"] == most].sort_values("behind", ascending=False)
    best = str(complete["original"].idxmax())
    value, random = complete.loc[best, ["original", "random"]]
    metric = METRICS.get(measure[5:], measure[5:])
    many = dataset == "" and bool(enough(n_datasets))
    rest = firsts.drop(best)
    told = bool(len(rest) and (rest["behind_high"] < 0).all())
    same = (complete["original"].map(two) == two(value)) & (complete["behind"].map(two) == "0.00")
    tied = complete.index[same | (complete.index == best)]
    whose = f"{selector_name(best)} " * (len(tied) > 1)
    margins = _margins(firsts.drop(tied), most, many, "folds" if dataset else "datasets")
    of_best = each[each["selector"] == best].drop_duplicates("dataset")
    negative = of_best["dataset"][(measure == "test_r2") & (of_best["original"] < 0)]
    if len(negative):
        on = "" if dataset else f" on {listed([*map(str, negative)])}"
        margins.insert(0, f"{selector_name(best)} is worse than the mean of the target{on}")
    lead = f"{whose}{signed(value - random)} against random sets"
    margins.insert(0, "The study has no random sets" if pd.isna(random) else lead)
    if dataset == "" and n_datasets > 1 and len(rest):
        margins.append(f"{whose}sole best on {wins_of(each)[best]} of {n_datasets} datasets")
    who = _named(complete.loc[tied]) if len(tied) < 4 else f"{len(tied)} selectors"
    of = f"original on {dataset}" if dataset else f"mean of {n_datasets} datasets"
    shown = rows.sort_values("tau", key=lambda tau: tau.astype(float))
    first = Answer(
        f"{'Predicts best, ' * (many and told) or 'Best '}{of}",
        f"{who}: {metric} {two(value)}", f"{'; '.join(margins)}.",
        ("untested" * (not many) if told else "no clear best") * bool(len(rest)),
    )  # fmt: skip
    further = _of_alternatives(shown, best, many, each)
    reason = _without_lead(of_best, measure)
    if reason and len(further) > 1:
        further[1] = Answer("Which τ", *reason)
    return [first, *further]


def wins_of(each: pd.DataFrame) -> "pd.Series[int]":
    """Return on how many datasets each selector alone is best, of those with the most sets."""
    firsts = each.drop_duplicates(["dataset", "selector"])
    most = firsts.groupby("dataset")["n_original"].transform("max")
    firsts = firsts.assign(original=firsts["original"].where(firsts["n_original"] == most))
    scores = firsts.pivot(index="dataset", columns="selector", values="original")
    largest = scores.eq(scores.max(axis=1), axis=0)
    return largest[largest.sum(axis=1) == 1].sum()


def _without_lead(of_best: pd.DataFrame, measure: str) -> tuple[str, str, str] | None:
    """Say so if original sets are not shown to beat random ones or guessing."""
    chance = of_best["random"]
    if measure in ("test_mcc", "test_r2"):
        chance = chance.fillna(0.0).clip(lower=0.0)
    gains = (of_best["original"] - chance).dropna()
    low, high = ends(gains.groupby(lambda row: 0))[0] if len(gains) else (1.0, 1.0)
    floor = "random sets" + " or guessing" * bool((chance <= 0).any())
    if ((of_best["original"] > of_best["random"]) | (gains > 0)).all():
        floor = "guessing"
    if low > 0:
        return None
    if enough(len(gains)):
        lead = f"{signed(gains.mean())} [{signed(low)}, {signed(high)}]"
        return "No advice", f"Originals over {floor}: {lead}.", f"no clear lead over {floor}"
    on = listed([*map(str, of_best["dataset"][gains.index[gains <= 0]])])
    few = on if len(on) < 20 else count(int((gains <= 0).sum()), "dataset")
    verdict = f"no better than {floor} on {few}"
    return "No advice", f"On {on} its originals score no more than {floor}.", verdict


def _margins(rest: pd.DataFrame, most: int, many: bool, over: str) -> list[str]:
    """Say how far other selectors are behind the best one.

    `rest` are their first rows, of selectors with `most` original sets or fewer. `over` is what
    the ends of few datasets are of: datasets or folds.
    """
    complete = rest[rest["n_original"] == most].sort_values("behind", ascending=False)
    told, said = rest["behind_high"] < 0, []
    if len(complete):
        second = complete.iloc[0]
        same = complete["behind"].round(2) == round(second["behind"], 2)
        alike = complete.head(1) if many else complete[same]
        low, high = signed(alike["behind_low"].min()), signed(alike["behind_high"].max())
        span = f" [{low}, {high}]" if many else f" ({low} to {high} over {over})"
        said.append(f"next: {_named(alike)} {two(-second['behind'])} less{span}")
    if many and not told.all():
        names = f"{_named(rest[~told])} not" if told.any() else "no other selector is"
        said.append(f"{names} shown to be worse")
    for name, row in rest[rest["n_original"] < most].iterrows():
        less = f"{selector_name(str(name))} {two(abs(row['behind']))}"
        less += " less" if row["behind"] <= 0 else " more"
        said.append(f"{less} in the {row['n_original']} of {most} folds in which it has sets")
    return said


def _named(rows: pd.DataFrame) -> str:
    return listed([selector_name(str(name)) for name in rows.index])


def _of_alternatives(rows: pd.DataFrame, best: str, many: bool, each: Any) -> list[Answer]:
    """Say what the first alternatives of a selector change, and which tau keeps half of the lead.

    With `many` datasets, changes have intervals. `each` are the rows of single datasets.
    """
    own, name = rows[rows["selector"] == best].reset_index(drop=True), selector_name(best)
    known = own.dropna(subset="change")
    if known.empty:
        return [Answer(f"First alternatives of {name}", "None", "No alternative exists.")]
    ends = [*dict.fromkeys(known.index[[0, -1]])]
    extremes = known.loc[sorted({*known["change"].agg(["idxmin", "idxmax"])} - {*ends})]
    pairs = extremes[["change", "tau"]].itertuples(index=False)
    said = [f"{signed(change)} at τ = {tau_in_words(tau)}" for change, tau in pairs]
    gaps: dict[str, list[str]] = {}
    for _, row in known[known["n_exist"] < known["n_planned"]].iterrows():
        at = each[(each["selector"] == best) & (each["tau"] == row["tau"])]
        lack = at[at["n_exist"] < at["n_planned"]]
        names = f"{'some' if lack['n_exist'].sum() else 'none'} of {listed([*lack['dataset']])}"
        which = f" ({names})" * (0 < len(lack) < min(3, len(at)))
        few = f"in {row['n_exist']} of {row['n_planned']} folds{which}"
        gaps.setdefault(few, []).append(tau_in_words(row["tau"]))
    for few, taus in gaps.items():
        said.append(f"at τ = {listed(taus)} " * (len(taus) < len(known)) + f"they exist {few}")
    said += [*_with_the_last(own)]
    heads = [differing(known.loc[[end]]) for end in ends]
    heads = heads if heads[0] else [f"τ = {tau_in_words(known.loc[end, 'tau'])}" for end in ends]
    by_features = " that differ in" * ("of" in heads[0])
    heads[0] += " features" * bool(by_features)
    shown = zip(heads, known.loc[ends, "change"].map(signed), strict=True)
    changes = Answer(
        f"First alternatives of {name}{by_features}",
        ", ".join(f"{head.replace(' ', chr(160))}: {change}" for head, change in shown),
        f"{'; '.join(said) or 'Every fold has them'}.",
        _told(known, many),
    )
    return [changes, _which_tau(own, name, many, each[each["selector"] == best])]


def _told(known: pd.DataFrame, many: bool) -> str:
    """Say which changes are shown by intervals; few datasets have none."""
    if not many:
        return "untested"
    clear = (known[["change_low", "change_high"]].prod(axis=1) > 0) & enough(known["n_datasets"])
    taus = listed([tau_in_words(tau) for tau in known["tau"][clear]])
    unclear = f"not clear, down to {signed(known['change_low'].min())}"
    return f"clear{f' at τ = {taus}' * (not clear.all())}, each by itself" if taus else unclear


def _with_the_last(own: pd.DataFrame) -> Iterator[str]:
    """Say what the last alternatives change; nothing of a first one or without any."""
    last, known = own["last"].max(), own.dropna(subset="change_last")["change_last"]
    if last >= 2 and len(known):
        exists = " where they exist" * bool((own["n_last"] < own["n_planned"]).any())
        ends = [*dict.fromkeys([signed(known.max()), signed(known.min())])]
        yield f"alternative {last}: {' to '.join(ends)}{', by τ' * (len(ends) > 1)}{exists}"


def _which_tau(own: pd.DataFrame, name: str, many: bool, each: pd.DataFrame) -> Answer:
    """Say up to which tau half of the lead over random sets is kept."""
    if not many:
        return _of_few(own.dropna(subset="change"), name, each)
    there = (own["n_exist"] == own["n_possible"]) & enough(own["n_datasets"])
    # Half of the lead over random sets has to remain; without them, all but a little of the score.
    leads: Any = own["of_same"] - own["random_of_same"]
    most = leads / 2 if leads.notna().any() else _LITTLE
    # A larger tau is not advised where a smaller one is not.
    fine = own[(passes := there & (own["change_low"] >= -most)).cummin()]
    row = fine.iloc[-1] if len(fine) else own.iloc[0]
    first, gone = f"first alternatives of {name}", row["n_possible"] - row["n_exist"]
    place = _place(own, row)
    span = f"{signed(row['change'])} {ends_in_words(row, 'change', True)}".replace(" ", "\xa0")
    lead = two(leads[row.name])
    where = " on its datasets" * (lead != two(row["original"] - row["random"]))
    over = f" of the {lead} above random sets{where}" * bool(leads.notna().any())
    if len(fine):
        keep = f"keep half{over}" if over else f"lose at most {_LITTLE}"
        narrow = (own["n_possible"] < own["n_planned"]).any()
        folds = ", in all folds with enough features" * bool(narrow)
        text = f"Up to it the {first} {keep} by the interval's lower end{folds}: {span}"
    elif gone:
        text = f"Even at τ = {place} the {first} are missing in {gone} of {row['n_possible']} folds"
    elif not enough(row["n_datasets"]):
        text = f"Even at τ = {place} the {first} are of {row['n_datasets']} datasets only"
    else:
        text = f"Even at τ = {place} the {first} may lose {two(-row['change_low'])}{over}: {span}"
    key = f"Up to {place}" if len(fine) else "No τ"
    rule = "keeps half of the lead" if over else f"loses at most {_LITTLE}"
    return Answer(f"Which τ {rule}", key, f"{'; '.join([text, *_not_at(own, len(fine), passes)])}.")


def _place(own: pd.DataFrame, row: Any) -> str:
    differ = differing(own.loc[[row.name]])
    return tau_in_words(row["tau"]) + f" ({differ} differ)" * bool(differ)


def _not_at(own: pd.DataFrame, n_fine: int, passes: Any) -> Iterator[str]:
    """Name the first tau that is not advised, after some that are, and later ones that pass."""
    for tau in own["tau"].iloc[n_fine : n_fine + 1] if n_fine else ():
        yield f"not at τ = {tau_in_words(tau)}"
    if later := own["tau"][passes].iloc[n_fine:].map(tau_in_words).tolist():
        yield f"τ = {listed(later)} would do, but a smaller one does not"


def _of_few(known: pd.DataFrame, name: str, each: pd.DataFrame) -> Answer:
    """Say up to which tau half of the lead is kept in each of few datasets, or folds of one."""
    one, known = bool(known["dataset"].iloc[0]), known.reset_index(drop=True)
    kept = each.dropna(subset="change").reset_index(drop=True)
    kept["lead"] = kept["of_same"] - kept["random_of_same"]
    kept["least"] = kept["change_low"] if one else kept["change"]
    kept["spare"] = kept["least"] + (kept["lead"] / 2).fillna(_LITTLE).clip(lower=0)
    worst: Any = kept.loc[kept.groupby("tau", observed=True)["spare"].idxmin()].set_index("tau")
    passes = pd.Series([worst.loc[tau, "spare"] >= 0 for tau in known["tau"]], dtype=bool)
    fine, said = known[passes.cummin()], []
    if not len(fine):
        first, place = worst.loc[known["tau"].iloc[0]], _place(known, known.iloc[0])
        over = f" of the {two(max(first['lead'], 0))} above random sets" * pd.notna(first["lead"])
        lost = f"{two(-first['least'])}{over} on {'a fold of ' * one}{first['dataset']}"
        said = [f"even at τ = {place} the first alternatives of {name} lose {lost}"]
    text = "; ".join([*said, *_not_at(known, len(fine), passes)]) or "every τ does"
    rule = f"loses at most {_LITTLE}" if kept["lead"].isna().all() else "keeps half of the lead"
    return Answer(
        f"Which τ {rule} in every {'fold' if one else 'dataset'}",
        f"Up to {_place(known, fine.iloc[-1])}" if len(fine) else "No τ",
        f"{text[0].upper()}{text[1:]}.", "untested",
    )  # fmt: skip


def score_name(measure: str, model: str) -> str:
    """Name a score by its metric and model."""
    return f"test {METRICS.get(n := measure.removeprefix('test_'), n)}, {in_words(model).lower()}"


def caption(measure: str, n_datasets: int, dataset: str) -> str:
    """Say over what the means of a table are, and what is below them."""
    of = "folds" if dataset else "datasets"
    small = f"The small numbers are the smallest and the largest value of the {of}"
    if dataset == "" and enough(n_datasets):
        small = "The brackets and bars are 95 % intervals of the mean over datasets (Student's t), "
        small += "bold if they leave out 0; only those from the best are adjusted for their number"
    elif dataset == "":
        small = f"Dots are datasets. {small}. Fewer than six datasets have no test"
    over = "Means over folds" + f" and {n_datasets} datasets" * (dataset == "")
    scale = " Squares are alternatives, where they exist in every fold of the originals."
    scale = " 0 is a random set, 1 the original one." if measure == OBJECTIVE else scale
    return f"{over}, as far as they have the sets. {small}.{scale} Differences are rounded last."
