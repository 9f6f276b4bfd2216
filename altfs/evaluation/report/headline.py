"""The answers of the first screen: what its table says, and how it is read."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import pandas as pd

from altfs.evaluation.names import METRICS, count, differing, in_words, selector_name, tau_in_words
from altfs.evaluation.report.lead import Point, share_of, shares_kept
from altfs.evaluation.report.phrases import ends_in_words, listed, signed, two
from altfs.evaluation.rules import enough
from altfs.evaluation.tables.overview import OBJECTIVE, ends

_LITTLE = 0.05  # What may be lost where no lead over random sets is known.
_AS_WELL = 0.03  # Of a larger loss it is not said that sets predict as well.
_NEAR = 0.025  # Of few datasets, a smaller mean loss is read as none: two decimals say 0.02.
_SHOWN = 0.005  # Smaller differences are none with two decimals.
_MOST_TIED = 3  # Of more selectors that are tied, the number is given.
_PERFECT = 0.995  # From such a score on, a feature may say the target.
_WHICH_TAU = "Which τ keeps half of the lead?"
_UNTESTED = "too few datasets for a test", "one dataset, no test"  # Of several, and of one.


class Answer(NamedTuple):
    """An answer of the first screen: its question, what is read first, and sentences."""

    label: str
    key: str
    lines: list[str]
    verdict: str = ""  # How sure it is.
    #: What alternatives keep of the lead over random sets at each tau, and what is drawn.
    points: Sequence[Point] = ()
    points_of: str = ""
    #: How many of the smallest thresholds stand apart from the others.
    n_apart: int = 0
    selector: str = ""  # The one that is compared with the others.


def answers(rows: pd.DataFrame, each: pd.DataFrame) -> list[Answer]:
    """Say which selector's sets predict best, and what its alternatives change; not of objectives.

    `rows` are those of a choice in the table `overview`, of every threshold. `each` are the same
    of the single datasets of which `rows` has means, else `rows` itself.
    """
    dataset, measure = rows[["dataset", "measure"]].iloc[0]
    if measure == OBJECTIVE:
        return []
    firsts = rows.drop_duplicates("selector").set_index("selector")
    most, n_datasets = firsts["n_original"].max(), each["dataset"].nunique()
    complete = firsts[firsts["n_original"] == most].sort_values("behind", ascending=False)
    # One with the most original sets; of equal scores that of most alternatives, or the first one.
    scores: Any = complete["original"]
    tied = complete.index[scores.max() - scores < _SHOWN]
    there = rows.groupby("selector", observed=True)["n_exist"].sum()
    best = str(there[tied].idxmax())
    name, (value, random) = selector_name(best), complete.loc[best, ["original", "random"]]
    many = dataset == "" and bool(enough(n_datasets))
    rest = firsts.drop(best)
    told = bool(len(rest) and (rest["behind_high"] < 0).all())
    margins = _margins(firsts.drop(tied), most, many, "folds" if dataset else "datasets")
    apart, side = two(abs(value - random)), "above" if value >= random else "below"
    low = complete.loc[best, "lead_low"]
    of_best = each[each["selector"] == best].drop_duplicates("dataset")
    leads: Any = (of_best["original"] - of_best["random"]).dropna()
    span = ", not in every fold" * bool(value >= random and low <= 0)
    if len(leads) > 1:
        span = f" ({signed(leads.min())} to {signed(leads.max())} by datasets)"
    # The interval of many datasets lies around the mean.
    span = f" [{signed(low)}, {signed(2 * (value - random) - low)}]" if many else span
    lead = f"{name} is {apart} {side} random sets{span}."
    lead = f"{name} scores as random sets do." if apart == "0.00" else lead
    lead = "The study has no random sets." if pd.isna(random) else lead
    if measure == "test_r2" and value < 0:
        margins.insert(0, f"{name} is worse than the mean of the target.")
    margins.insert(0, lead)
    largest = each.groupby("dataset")["original"].max()
    if names := [*map(str, largest.index[largest >= _PERFECT])]:
        on = listed(names) if len(names) <= _MOST_TIED else count(len(names), "dataset")
        margins.insert(1, f"Scores are 1.00 on {on}: a feature may give the target away.")
    who = listed([name, *map(selector_name, tied.drop(best))])
    who = who if len(tied) <= _MOST_TIED else f"{len(tied)} selectors"
    shown = rows.sort_values("tau", key=lambda tau: tau.astype(float))
    sure = "shown by intervals" if many else _UNTESTED[dataset != ""]
    sure = (sure if told else "no clear best") * bool(len(rest))
    ties = listed([*dict.fromkeys(map(two, scores[tied]))])
    key = f"{who}: {METRICS.get(measure[5:], measure[5:])} {ties}"
    # A best selector that is no better than chance is no answer.
    key += f", random sets {two(random)}" * bool(value - random < _SHOWN)
    first = Answer("Which selector predicts best?", key, margins, sure, selector=name)
    further = _of_selector(best, shown, each, measure, many)
    # Others that are tied are told if they differ.
    for other in map(str, tied.drop(best)[: _MOST_TIED - 1]):
        for i, one in enumerate(_of_selector(other, shown, each, measure, many)[: len(further)]):
            differs = f"{selector_name(other)}: {one.key[0].lower()}{one.key[1:]}."
            lines = further[i].lines
            if one.key != further[i].key:
                further[i] = further[i]._replace(lines=[*lines[:1], differs, *lines[1:]])
    return [first, *further]


def _of_selector(
    name: str, shown: pd.DataFrame, each: pd.DataFrame, measure: str, many: bool
) -> list[Answer]:
    """Say what the alternatives of a selector change, of datasets where the originals have a lead.

    Of many datasets, or without a lead on any, it is of all.
    """
    rows, own = (part[part["selector"] == name] for part in (shown, each))
    of_best = own.drop_duplicates("dataset")
    reason = _without_lead(of_best[of_best["n_possible"] > 0], measure)
    line, unsure, without = reason or ("", "", [])
    led = own[~own["dataset"].isin(without)]
    if reason and not (without and led["change"].notna().any()):
        alternatives, *others = _of_alternatives(rows, many, own, rows, own)
        if others:
            none = "No" if (rows["original"] - rows["random"]).iloc[0] < _SHOWN else "No clear"
            changes = _from_to(rows["change"].dropna().tolist())
            alternatives = alternatives._replace(key=f"{none} lead to keep: {changes}")
        return [alternatives, *[Answer(_WHICH_TAU, "No clear lead", [line], unsure)] * len(others)]
    judged = _means_over(rows, led) if reason else rows
    *others, last = _of_alternatives(rows, many, own, judged, led)
    counts = "do not count, as their" if without[1:] else "does not count, as its"
    left = [f"{listed(without)} {counts} original sets have no lead."] * bool(reason)
    return [*others, last._replace(lines=[*last.lines[:1], *left, *last.lines[1:]])]


def _means_over(rows: pd.DataFrame, each: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of means with those over the datasets of `each` alone."""
    groups = each.dropna(subset="change").groupby("tau", observed=True)
    means = groups[["change", "of_same", "random_of_same", "change_worst"]].mean()
    new = means.join(groups["change"].agg(change_low="min", change_high="max"))
    return rows.drop(columns=[*new]).join(new, on="tau")


def _without_lead(of_best: pd.DataFrame, measure: str) -> tuple[str, str, list[str]] | None:
    """Say so if original sets are not shown to beat random ones or guessing.

    It is a sentence, a verdict, and the ones of few datasets of which it is said.
    """
    chance = of_best["random"]
    if measure in ("test_mcc", "test_r2"):
        chance = chance.fillna(0.0).clip(lower=0.0)
    gains = (of_best["original"] - chance).dropna()
    low, high = ends(gains.groupby(lambda row: 0))[0] if len(gains) else (1.0, 1.0)
    floor = "random sets" + " or guessing" * bool((chance <= 0).any())
    if ((of_best["original"] > of_best["random"]) | (gains > 0)).all():
        floor = "guessing"
    whose = selector_name(str(of_best["selector"].iloc[0])) if len(of_best) else ""
    if low > 0 and len(gains) == 1 and of_best["lead_low"].iloc[0] <= 0:
        line = f"In some folds the original sets of {whose} score no more than random sets."
        return line, "not above random sets in every fold", []
    if low > 0:
        return None
    if enough(len(gains)):
        lead = f"{signed(gains.mean())} [{signed(low)}, {signed(high)}] on {len(gains)} datasets"
        return f"The lead of {whose} over {floor} is {lead}.", "no clear lead", []
    names = [*map(str, of_best["dataset"][gains.index[gains <= 0]])]
    line = f"On {listed(names)} its original sets score no more than {floor}."
    on = names[0] if len(names) == 1 else count(len(names), "dataset")
    return line, f"no better than {floor} on {on}", names


def _margins(rest: pd.DataFrame, most: int, many: bool, over: str) -> list[str]:
    """Say how far other selectors are behind the best one, which has `most` original sets."""
    ordered, said = rest[rest["n_original"] == most].sort_values("behind", ascending=False), []
    for name, row in ordered.head(1 if many else 2).iterrows():
        ends = ends_in_words(row, "behind", many)
        span = ends if many else f"({ends} by {over})"
        said.append(f"{selector_name(str(name))} is {_less(row['behind'])} {span}.")
    return said


def _of_alternatives(
    rows: pd.DataFrame, many: bool, each: Any, judged: pd.DataFrame, led: pd.DataFrame
) -> list[Answer]:
    """Say what the first alternatives of a selector change, and which tau keeps half of the lead.

    With `many` datasets, changes have intervals. `each` are the rows of single datasets. The
    threshold is of the means `judged` of the datasets `led`.
    """
    known = rows.dropna(subset="change").reset_index(drop=True)
    name = selector_name(str(rows["selector"].iloc[0]))
    label = f"Do first alternatives of {name} predict as well?"
    if known.empty:
        return [Answer(label, "None exists", [f"No alternative of {name} exists."])]
    threshold, n_first = _which_tau(judged, name, many, led)
    # A fifth of the lead is little, what two decimals show as 0.01, and not more than 0.03.
    fifth: Any = (known["of_same"] - known["random_of_same"]) / 5
    little = fifth.clip(lower=0.015, upper=_AS_WELL).fillna(_AS_WELL)
    n_alike = int((known["change"] >= -little)[:n_first].cummin().sum())
    n_fine = n_alike or n_first
    key, sure = _verdict(known, n_fine, "Yes" if n_alike else "Partly", many)
    last = known.iloc[max(n_fine - 1, 0)]
    place = f"at τ = {tau_in_words(last['tau'])}"
    here: Any = each[each["tau"] == last["tau"]].sort_values("change").iloc[0]
    said = [f"On {here['dataset']} the first one {place} is {_less(here['change'])}."]
    said *= bool(not last["dataset"] and here["change"] < last["change"] - _NEAR)
    few = known[known["n_exist"] < known["n_planned"]].sort_values("n_exist").head(1)
    said += [f"First alternatives exist in {n} of {planned} folds at τ = {tau_in_words(tau)}."
             for n, planned, tau in few[["n_exist", "n_planned", "tau"]].to_numpy()]  # fmt: skip
    return [Answer(label, key, said, sure, n_apart=n_fine), threshold]


def _verdict(known: pd.DataFrame, n_fine: int, word: str, many: bool) -> tuple[str, str]:
    """Say how much is lost in the first `n_fine` rows, how much beyond, and how sure it is."""
    changes, last = known["change"].tolist(), known.iloc[max(n_fine, 1) - 1]
    sure = f"on average, {_UNTESTED[last['dataset'] != '']}"
    if many and enough(last["n_datasets"]):
        ends, at = ends_in_words(last, "change", True), tau_in_words(last["tau"])
        sure = f"95 % interval {ends} at τ = {at}"
    if not n_fine:
        # A loss at most thresholds, in every fold or dataset, or by the interval.
        clear = (known["change_high"] < 0).mean() >= 0.5
        none = "No" if clear else "Unclear" if many else "Not everywhere"
        return f"{none}: {_from_to(changes)}", sure
    heads = [differing(known.loc[[row]]) for row in known.index]
    alone = "" not in heads and len({*heads}) == len(heads)
    head = f"if up to {heads[n_fine - 1]} features differ"
    head = head if alone else f"up to τ = {tau_in_words(known['tau'].iloc[n_fine - 1])}"
    least, more = _less(min(changes[:n_fine])), changes[n_fine:]
    loss = f"at most {least}" if "lower" in least else "no lower"
    beyond = f"if {heads[-1]} differ" if alone and len(more) == 1 else "beyond that"
    # Beyond it, intervals have losses as well as gains.
    unclear = many and not (known["change_high"][n_fine:] < 0).all()
    rest = f"; {beyond}{', unclear' * unclear}, {_from_to(more)}" if more else ""
    return f"{word}, {head}: {loss}".replace(" of ", "\xa0of\xa0") + rest, sure


def _from_to(changes: list[float]) -> str:
    """Write the largest and the smallest of some changes in words."""
    span = dict.fromkeys(map(_less, (max(changes), min(changes))))
    return " to ".join(span).replace(" lower to", " to")


def _less(change: float) -> str:
    """Write a change of the score in words."""
    side = "lower" if change < 0 else "higher"
    return "the same" if signed(change) == "0.00" else f"{two(abs(change))} {side}"


def _which_tau(rows: pd.DataFrame, name: str, many: bool, each: pd.DataFrame) -> tuple[Answer, int]:
    """Name the largest tau up to which half of the lead over random sets is kept.

    All alternatives have to keep it, else first ones: by the interval of many datasets, in each of
    few, on average over the folds of one. The number is that of thresholds where first ones do.
    """
    rows, each = (part.dropna(subset="change").reset_index(drop=True) for part in (rows, each))
    leads: Any = each["of_same"] - each["random_of_same"]
    # Without random sets, and of few datasets with a small lead, a little may be lost.
    half = (leads / 2).fillna(_LITTLE)
    each = each.assign(half=half if many else half.clip(lower=_NEAR))
    known, last = leads.notna().any(), int(rows["last"].max())
    first = shares_kept(rows, each, "change", many)
    passes = first["spare"] >= 0
    if many:
        passes &= (rows["n_exist"] == rows["n_possible"]) & enough(rows["n_datasets"])
    every = shares_kept(rows, each, "change_worst", many) if last > 1 else first
    n_first, n_all = (int((passes & (k["spare"] >= 0)).cummin().sum()) for k in (first, every))
    is_all, n_fine, taus = bool(n_all and last > 1), n_all or n_first, rows["tau"].map(tau_in_words)
    at, larger = max(n_fine - 1, 0), taus[passes].tolist() * (not n_fine)
    differ = differing(rows.iloc[[at]])
    complete = rows["n_all_exist"] == rows["n_planned"] * rows["last"]
    whose = f"{f'all {last}' if is_all else 'first'} alternatives of {name}"
    if is_all and not complete[: at + 1].all():
        whose = f"all alternatives of {name} that exist"
    place = taus.iloc[at] + f" ({differ} differ)" * bool(differ)
    lines = [f"Even at τ = {place} {whose} {_lose(rows.iloc[at], each, first, many)}."]
    if n_fine:
        lines = [f"Up to this τ, {whose} {_keep(rows.iloc[at], each, many)}."]
    here: Any = each[(each["tau"] == rows["tau"].iloc[at]) & (each["half"] > 0)]
    spare = here["change_worst" if is_all else "change"] + here["half"]
    if many and n_fine and len(less := [*map(str, here["dataset"][spare < 0])]):
        on = f"{len(less)} of {rows['n_datasets'].iloc[at]} datasets"
        on += f" ({listed(less)})" * (len(less) <= _MOST_TIED)
        lines.append(f"On {on} they keep less than half.")
    worse = "score below random sets" if every["share"].iloc[at] < 0 else "keep less than half"
    if n_all < n_first:
        single = f"For the first alternative alone this holds up to τ = {taus.iloc[n_first - 1]}."
        lines.append(single if n_all else f"Further alternatives may {worse}.")
    lines += [f"Half is kept at τ = {listed(larger)}, but not at smaller ones."] * bool(larger)
    key = f"Up to {taus.iloc[at]}{' for one alternative' * (n_all < n_fine)}"
    # All alternatives lose what the first and the worst one lose.
    cost = _from_to([float(rows[c].iloc[at]) for c in ("change", "change_worst")[: 1 + is_all]])
    parts = [f"{differ} features differ" * bool(differ), cost * ("lower" in cost)]
    key += f": {', '.join(filter(None, parts))}" * any(parts)
    one = bool(rows["dataset"].iloc[0])
    marks = "dot and line: mean and 95 % interval" if many else "dots: datasets, bar: their mean"
    small = " A lead below 0.05 counts as 0.05." * bool(not many and (leads < 2 * _NEAR).any())
    most = f"{'up to ' * (not complete.all())}{last} alternatives"
    worst = f"; grey: the worst of {most}" * (last > 1)
    points_of = f"First alternatives of {name}{f'; {marks}' * (not one)}{worst}.{small}"
    dots: dict[str, list[Any]] = {}
    for dot in each[["tau", "dataset", "change", "half"]].to_numpy() if not (many or one) else ():
        dots.setdefault(str(dot[0]), []).append(dot[1:])
    shares = zip(first.to_dict("records"), every.to_dict("records"), strict=True)
    points = [
        Point(taus.iloc[i], differing(rows.iloc[[i]]),
              share_of(of_first, dots.get(str(rows["tau"].iloc[i]), ())),
              share_of(of_worst) if last > 1 else None, i < n_fine)
        for i, (of_first, of_worst) in enumerate(shares)
    ] * bool(known)  # fmt: skip
    sure, key = "" if many else _UNTESTED[one], key if n_fine else "No τ is safe"
    return Answer(_WHICH_TAU, key, lines, sure, points, points_of, n_fine), n_first


def _keep(row: Any, each: pd.DataFrame, many: bool) -> str:
    """Say what alternatives keep up to the tau of a row."""
    leads: Any = each["of_same"] - each["random_of_same"]
    if leads.isna().all():
        return f"lose at most {_LITTLE}" + " (95 %)" * many
    if many:
        return f"keep at least half{_of_lead(row)} (95 %)"
    small = ", or lose at most 0.02," * bool((leads < 2 * _NEAR).any())
    names = [*map(str, each["dataset"][each["tau"] == row["tau"]])]
    where = "on average" if row["dataset"] else "in every dataset"
    if len(names) < each["dataset"].nunique():
        where = f"on {listed(names)}; other datasets have none that differ so much"
    return f"keep half of the lead over random sets{small} {where}"


def _lose(row: Any, each: pd.DataFrame, first: pd.DataFrame, many: bool) -> str:
    """Say what first alternatives may lose at the tau of a row, the first one."""
    here: Any = each[each["tau"] == row["tau"]]
    if not many:
        worst = here.loc[(here["change"] + here["half"]).idxmin()]
        lead = worst["of_same"] - worst["random_of_same"]
        over = f" of the {two(max(lead, 0))} above random sets" * pd.notna(lead)
        return f"lose {two(-worst['change'])}{over} on {worst['dataset']}"
    if gone := row["n_possible"] - row["n_exist"]:
        return f"are missing in {gone} of {row['n_possible']} folds"
    if not enough(row["n_datasets"]):
        return f"are of {row['n_datasets']} datasets only"
    if pd.isna(share := first["low"].iloc[0]) or here["random_of_same"].isna().all():
        return f"may lose {two(-row['change_low'])}"
    part = f"only {int(share)} %" if share >= 1 else "nothing"
    return f"may keep {part}{_of_lead(row)} (low end of the 95 % interval)"


def _of_lead(row: Any) -> str:
    """Name the lead of original sets over random ones, and the datasets if they are not all."""
    lead = two(row["of_same"] - row["random_of_same"])
    where = f" on the {row['n_datasets']} datasets that have alternatives"
    where *= lead != two(row["original"] - row["random"])
    return f" of the {lead} above random sets{where}"


def score_name(measure: str, model: str) -> str:
    """Name a score by its metric and model."""
    return f"test {METRICS.get(n := measure.removeprefix('test_'), n)}, {in_words(model).lower()}"


def caption(measure: str, n_datasets: int, dataset: str, squares: bool, lead: float) -> str:
    """Say over what the means of a table are, what is below them, and what marks and shades are."""
    small = "The small numbers are the smallest and the largest value of the "
    small += "folds" if dataset else "datasets"
    if dataset == "" and enough(n_datasets):
        small = "The brackets and bars are 95 % intervals of the mean over datasets (Student's t); "
        small += "those of differences from the best hold jointly; bold changes exclude 0"
    elif dataset == "":
        small = f"Dots are datasets. {small}. Fewer than six datasets have no test"
    scale = " Squares: original sets with the change of first alternatives of all folds." * squares
    scale = " 0 is a random set, 1 the original one." if measure == OBJECTIVE else scale
    scale += f" Shaded: what is lost, darkest the largest lead ({two(lead)})." * bool(lead)
    chosen = " The best selector is chosen by these scores, which favours it."
    chosen *= measure != OBJECTIVE
    means = f"Means over folds{f' and {n_datasets} datasets' * (dataset == '')} that have the sets."
    return f"{means} {small}.{scale}{chosen} Differences use unrounded scores."
