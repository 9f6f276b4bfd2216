"""The answers of the first screen: what its table says, and how it is read."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any, NamedTuple

import pandas as pd

from altfs.evaluation.names import METRICS, differing, in_words, selector_name, tau_in_words
from altfs.evaluation.report.lead import Point, share_of, shares_kept
from altfs.evaluation.report.phrases import ends_in_words, few_of, listed, signed, two
from altfs.evaluation.rules import enough
from altfs.evaluation.tables.overview import OBJECTIVE, ends

LITTLE = 0.05  # What may be lost where no lead over random sets is known.
_AS_WELL = 0.01, 0.03  # A fifth of the lead is lost at most, within these, for "as well".
_MOST_FOLDS = 0.8  # Of one dataset, a lead is clear if so many folds have it.
SMALL = 0.05  # Of few datasets, a smaller lead is none: two decimals do not show half of it.
_MORE = 0.025  # Of many datasets, one that loses so much more than their mean is named.
_SHOWN = 0.005  # Smaller differences are none with two decimals.
_MOST_TIED = 3  # Of more selectors that are tied, the number is given.
_PERFECT = 0.995  # From such a score on, a feature may say the target.
_ALIKE, _HALF, _UNSURE, _LESS = "as well", "half kept", "unclear", "less"  # What is kept.
_NO_LEAD = "No clear lead"
_WHICH_TAU = f"Which τ loses at most {LITTLE}?", "Which τ keeps half of the lead?"
_GUESSES = "test_mcc", "test_r2"  # A guess without features scores 0.
_UNTESTED = "too few datasets for a test", "one dataset, no test"  # Of several, and of one.


class Answer(NamedTuple):
    """An answer of the first screen: its question, what is read first, and sentences."""

    label: str
    key: str
    lines: list[str]
    verdict: str = ""  # How sure it is.
    points: Sequence[Point] = ()  # What alternatives keep of the lead at each tau.
    points_of: str = ""  # What is drawn.
    n_apart: int = 0  # How many of the smallest thresholds stand apart from the others.
    scores: Sequence[str] = ()  # Of original sets, at half of the lead, and of random sets.
    selector: str = ""  # The one that is compared with the others.

    @property
    def bands(self) -> list[tuple[str, int]]:
        """Return what alternatives of neighbouring thresholds keep, and the number of these."""
        return [(name, len([*same])) for name, same in groupby(one.band for one in self.points)]


def answers(rows: pd.DataFrame, each: pd.DataFrame, with_others: bool = True) -> list[Answer]:
    """Say which selector's sets predict best, and what its alternatives change; not of objectives.

    `rows` are those of a choice in the table `overview`, of every threshold. `each` are the same
    of the single datasets of which `rows` has means, else `rows` itself. With others, alternatives
    are those of another selector if the best one has no clear lead.
    """
    dataset, measure = rows[["dataset", "measure"]].iloc[0]
    if measure == OBJECTIVE:
        return []
    firsts = rows.drop_duplicates("selector").set_index("selector")
    most, n_datasets = firsts["n_original"].max(), each["dataset"].nunique()
    complete = firsts[firsts["n_original"] == most].sort_values("behind", ascending=False)
    # One with the most original sets; of equal scores that of most alternatives, or the first one.
    scores: Any = complete["original"]
    tied = complete.index[(scores.max() - scores < _SHOWN) | (scores.map(two) == two(scores.max()))]
    there = rows.groupby("selector", observed=True)["n_exist"].sum()
    best = str(there[tied].idxmax())
    name, (value, random) = selector_name(best), complete.loc[best, ["original", "random"]]
    many = dataset == "" and bool(enough(n_datasets))
    rest = firsts.drop(best)
    told = bool(len(rest) and (rest["behind_high"] < 0).all())
    others = rest[(rest["behind"].map(signed) != "0.00") | ~rest.index.isin(tied)]
    margins = _margins(others, name, most, many, "folds" if dataset else "datasets")
    apart, side = two(abs(value - random)), "above" if value >= random else "below"
    of_best = each[each["selector"] == best].drop_duplicates("dataset").set_index("dataset")
    leads: Any = (of_best["original"] - of_best["random"]).dropna()
    weak = leads.min() > 0 and not many and (of_best["lead_low"] <= 0).any()
    folds = _folds_ahead(of_best.iloc[0]) if dataset else "not in every fold"
    span = _span_of(leads) + f", {folds}" * bool(weak and value >= random)
    lead = f"{name} is {apart} {side} random sets{span}."
    lead = f"{name} scores as random sets do." if apart == "0.00" else lead
    lead = "No lead is known, as the study has no random sets." if pd.isna(random) else lead
    if measure == "test_r2" and value < 0:
        margins.insert(0, f"{name} is worse than the mean of the target.")
    margins.insert(0, lead)
    largest = each.groupby("dataset")["original"].max()
    if names := [*map(str, largest.index[largest >= _PERFECT])]:
        other, them = leads.drop(names, errors="ignore"), "it" if len(names) == 1 else "them"
        kept = f"; without {them} the lead is {two(other.mean())}{_span_of(other)}" * bool(
            len(other)
        )
        margins.insert(
            1, f"Scores are 1.00 on {few_of(names)}: a feature may give the target away{kept}."
        )
    names = [name, *map(selector_name, tied.drop(best))]
    who = listed(names) if len(names) <= _MOST_TIED else f"{len(names)} selectors"
    shown = rows.sort_values("tau", key=lambda tau: tau.astype(float))
    sure = "shown by intervals" if many else _UNTESTED[dataset != ""]
    sure = (sure if told else "no clear best") * bool(len(rest))
    second = each[each["selector"] != best].groupby("dataset")["original"].max()
    wins = int((of_best["original"] - second >= _SHOWN).sum())
    alone = f"alone best on {wins} of {len(largest)}, "
    sure = f"{alone}{sure}" if sure and len(largest) > 1 == len(tied) else sure
    ties = listed([*dict.fromkeys(map(two, scores[tied]))])
    key = f"{who}: {METRICS.get(measure[5:], measure[5:])} {ties}"
    key += f", random sets {two(random)}" * bool(value - random < _SHOWN)
    first = Answer("Which selector predicts best?", key, margins, sure, selector=name)
    further = _of_selector(best, shown, each, measure, many)
    # Others that are not told apart from it may have a clear lead, or one that is kept for longer.
    alike = complete.index[complete["behind_high"] >= 0].drop(best, errors="ignore")
    alike = alike if with_others else alike[:0]
    of_others = [_of_selector(str(other), shown, each, measure, many) for other in alike]
    if further[-1].key == _NO_LEAD:
        none = f"{name} has no clear lead over random sets."
        led = (words for words in of_others if words[-1].key != _NO_LEAD)
        further = next(
            ([one._replace(lines=[none, *one.lines]), *rest] for one, *rest in led), further
        )
    longest = max(of_others, key=lambda words: words[-1].n_apart, default=further)
    if longest[-1].n_apart > further[-1].n_apart and sure.endswith("no clear best"):
        until = longest[-1].key.partition(":")[0]
        said = f"With {longest[0].selector}, not clearly worse: {until[0].lower()}{until[1:]}."
        head, *lines = further[-1].lines
        further[-1] = further[-1]._replace(lines=[head, said, *lines])
    return [first, *further]


def _span_of(leads: Any) -> str:
    """Write the interval of the mean lead of many datasets, or the range of a few."""
    low, high = ends(leads.groupby(lambda name: 0))[0] if len(leads) > 1 else (0.0, 0.0)
    many = bool(enough(len(leads)))
    words = ends_in_words({"lead_low": low, "lead_high": high}, "lead", many)
    return (f" {words}" if many else f" ({words} by datasets)") * (len(leads) > 1)


def _of_selector(
    name: str, shown: pd.DataFrame, each: pd.DataFrame, measure: str, many: bool
) -> list[Answer]:
    """Say what the alternatives of a selector change, of datasets where the originals have a lead.

    Of many datasets, or without a lead on any, it is of all.
    """
    rows, own = (part[part["selector"] == name] for part in (shown, each))
    below = measure in _GUESSES and bool((own["random_of_same"] < 0).any())
    if below:
        rows, own = _above_guesses(rows, own)
    of_best = own.drop_duplicates("dataset")
    reason = _without_lead(of_best[of_best["n_possible"] > 0], measure)
    line, without = reason or ("", [])
    led = own[~own["dataset"].isin(without)]
    if reason and not (without and led["change"].notna().any()):
        alternatives, *others = _of_alternatives(rows, many, own, rows, own)
        if others:
            none = "No" if (rows["original"] - rows["random"]).iloc[0] < _SHOWN else "No clear"
            changes = _from_to(rows["change"].dropna().tolist())
            alternatives = alternatives._replace(key=f"{none} lead to keep: {changes}")
        return [alternatives, *[Answer(one.label, _NO_LEAD, [line]) for one in others]]
    judged = _means_over(rows, led) if reason else rows
    *others, last = _of_alternatives(rows, many, own, judged, led)
    floor = " Random sets count as 0 at least." * bool(below and last.points)
    last = last._replace(points_of=last.points_of + floor)
    counts = "do not count, as their" if without[1:] else "does not count, as its"
    if not reason:
        return [*others, last]
    left = f"{listed(without)} {counts} original sets have no clear lead."
    lines = [*last.lines[:1], left, *last.lines[1:]]
    label = f"{last.label[:-1]}, without {listed(without)}?"
    return [*others, last._replace(label=label, lines=lines)]


def _above_guesses(rows: pd.DataFrame, each: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the rows with random sets that score 0 at least, as a guess without features does."""
    drawn = ["random", "random_of_same"]
    new = each.assign(**each[drawn].clip(lower=0))
    if not rows["dataset"].iloc[0] and len(each["dataset"].drop_duplicates()) > 1:
        means = new.groupby("tau", observed=True)[drawn].mean()
        return rows.drop(columns=drawn).join(means, on="tau"), new
    return rows.assign(**rows[drawn].clip(lower=0)), new


def _means_over(rows: pd.DataFrame, each: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of means with those over the datasets of `each` alone."""
    groups = each.dropna(subset="change").groupby("tau", observed=True)
    means = groups[["change", "of_same", "random_of_same", "change_worst"]].mean()
    new = means.join(groups["change"].agg(change_low="min", change_high="max"))
    return rows.drop(columns=[*new]).join(new, on="tau")


def _without_lead(of_best: pd.DataFrame, measure: str) -> tuple[str, list[str]] | None:
    """Say so if original sets are not shown to beat random ones or guessing.

    It is a sentence, and the ones of few datasets of which it is said.
    """
    chance = of_best["random"]
    if measure in _GUESSES:
        chance = chance.fillna(0.0).clip(lower=0.0)
    gains = (of_best["original"] - chance).dropna()
    low, high = ends(gains.groupby(lambda row: 0))[0] if len(gains) else (1.0, 1.0)
    least = 0.0 if enough(len(gains)) else SMALL
    weak = of_best.loc[gains.index[gains <= least]]
    floor = "random sets" + " or guessing" * bool((chance <= 0).any())
    no_more: Any = weak["original"] - weak["random"] <= least
    floor = floor if no_more.any() or weak.empty else "guessing"
    whose = selector_name(str(of_best["selector"].iloc[0])) if len(of_best) else ""
    if low > least and len(gains) == 1 and of_best["random"].notna().all():
        first = of_best.iloc[0]
        if first["n_ahead"] < _MOST_FOLDS * first["n_original"]:
            return f"{whose} scores more than random sets only {_folds_ahead(first)}.", []
    if low > least:
        return None
    if enough(len(gains)):
        lead = f"{signed(gains.mean())} [{signed(low)}, {signed(high)}] on {len(gains)} datasets"
        return f"The lead of {whose} over {floor} is {lead}.", []
    names = [*map(str, weak["dataset"])]
    more = "hardly more" if low > 0 else "no more"
    return f"On {listed(names)} its original sets score {more} than {floor}.", names


def _folds_ahead(row: Any) -> str:
    """Say in how many folds the original sets of a dataset score more than random ones."""
    return f"in {row['n_ahead']} of {row['n_original']} folds"


def _margins(rest: pd.DataFrame, best: str, most: int, many: bool, over: str) -> list[str]:
    """Say how far others are from the best one, which has `most` original sets, in a line."""
    alike: dict[str, list[str]] = {}
    for name, row in rest.dropna(subset="behind").sort_values("behind").iloc[::-1].iterrows():
        span, few = ends_in_words(row, "behind", many), row["n_original"] < most
        span = (span if many else f"({span} by {over})") + " on its folds" * bool(few)
        alike.setdefault(f"{signed(row['behind'])} {span}", []).append(selector_name(str(name)))
    said = [f"{listed(names)} {words}" for words, names in alike.items()]
    return [f"Difference from {best}: {'; '.join(said[:2])}."] * bool(said)


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
    # A fifth of the lead is little. What is written is what is compared.
    fifth: Any = (known["of_same"] - known["random_of_same"]) / 5
    little = fifth.clip(*_AS_WELL).fillna(_AS_WELL[1]).round(2)
    alike = known["change"].round(2) >= -little
    n_alike = int(alike[:n_first].cummin().sum())
    n_fine = n_alike or n_first
    key, sure = _verdict(known, n_fine, "Yes" if n_alike else "Partly", many)
    last = known.iloc[max(n_fine - 1, 0)]
    place = f"at τ = {tau_in_words(last['tau'])}"
    here: Any = each[each["tau"] == last["tau"]].dropna(subset="change")
    rest = here["change"][here["change"].map(signed) != signed(here["change"].min())]
    others = f", on the others {_less(rest.mean())} on average" if len(rest) and many else ""
    said = [f"{_on_the_lowest(here)} {_less(here['change'].min())} {place}{others}."]
    least = last["change"] - _MORE if many else min(last["change"], -little.min()) - _SHOWN
    said *= bool(n_first and not last["dataset"] and here["change"].min() < least)
    taus = [*map(tau_in_words, known["tau"][:n_alike])]
    points = [one._replace(band=_ALIKE) if one.tau in taus else one for one in threshold.points]
    limits = " or ".join(dict.fromkeys(map(two, (little.min(), little.max()))))
    fifth_of = " (a fifth of the lead)" * bool(little.min() < _AS_WELL[1])
    limit = f" As well: half is kept, at most {limits} lost{fifth_of}." * bool(n_alike)
    threshold = threshold._replace(points=points, points_of=threshold.points_of + limit)
    return [Answer(label, key, said, sure, n_apart=n_fine, selector=name), threshold]


def _on_the_lowest(rows: Any) -> str:
    """Name the datasets on which the first alternatives are lowest, in two decimals."""
    lowest = rows["change"].map(signed) == signed(rows["change"].min())
    return f"On {few_of([*map(str, rows['dataset'][lowest])])} the first one is"


def _verdict(known: pd.DataFrame, n_fine: int, word: str, many: bool) -> tuple[str, str]:
    """Say how much is lost in the first `n_fine` rows, how much beyond, and how sure it is."""
    changes, last = known["change"].tolist(), known.iloc[max(n_fine, 1) - 1]
    ends = f"{ends_in_words(last, 'change', True)} at τ = {tau_in_words(last['tau'])}"
    tested = many and enough(last["n_datasets"])
    sure = f"95 % interval {ends}" if tested else _UNTESTED[last["dataset"] != ""]
    if not n_fine:
        clear: Any = known["change_high"] < 0
        taus, n_last = known["tau"].map(tau_in_words), int(clear[::-1].cummin().sum())
        if many and n_last == clear.sum() and 0 < n_last < len(clear) / 2:
            until = f"Unclear up to τ = {taus.iloc[-n_last - 1]}, no {_beyond(taus, n_last)}"
            return f"{until}: {_from_to(changes[:-n_last])}, {_from_to(changes[-n_last:])}", sure
        unsure = f"Not {'in every fold' if last['dataset'] else 'everywhere'}, on average"
        if many:
            every = ", shown" * (max(changes) < 0)
            shown = f"Lower{every} at τ = {listed([*taus[clear]])}"
            unsure = shown if clear.any() else "Unclear"
        return f"{'No' if clear.mean() >= 0.5 else unsure}: {_from_to(changes)}", sure
    some, head = differing(known.iloc[[n_fine - 1]]), tau_in_words(known["tau"].iloc[n_fine - 1])
    least, more = _less(min(changes[:n_fine])), changes[n_fine:]
    loss = f"at most {least} on average" if "lower" in least else "no lower"
    if more:
        beyond = _beyond(known["tau"].map(tau_in_words), len(more))
        largest: Any = known.iloc[n_fine:].sort_values("change").iloc[0]
        unsure = " (unclear)" * bool(many and largest["change_high"] >= 0)
        least = f"{'up to ' * (len(more) > 1)}{_less(largest['change'])}"
        loss += f"; {beyond}, {least if 'lower' in least else 'no lower'}{unsure}"
    loss = f"at least {some} differ, {loss}" if some else loss
    return f"{word}, up to τ = {head}: {loss}".replace(" of ", "\xa0of\xa0"), sure


def _beyond(taus: Any, n: int) -> str:
    """Name the last n thresholds."""
    return "beyond that" if n > 1 else f"at τ = {taus.iloc[-1]}"


def _from_to(changes: list[float]) -> str:
    """Write the largest and the smallest of some changes in words.

    >>> _from_to([-0.03, -0.2]), _from_to([0.04, 0.1]), _from_to([0.04, -0.1])
    ('0.03 to 0.20 lower', '0.04 to 0.10 higher', '0.04 higher to 0.10 lower')
    """
    low, high = min(changes), max(changes)
    if high - low < _SHOWN:
        return _less((low + high) / 2)
    first, last = map(_less, (high, low) if low < 0 else (low, high))
    side = f" {first.split()[-1]}"
    start = first.removesuffix(side) if last.endswith(side) else first
    return f"{start} to {last}" if first != last else first


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
    each = each.assign(half=(leads / 2).fillna(LITTLE))
    known, last = bool(leads.notna().any()), int(rows["last"].max())
    first = shares_kept(rows, each, "change", many)
    passes = first["spare"] >= 0
    if many:
        passes &= (rows["n_exist"] == rows["n_possible"]) & enough(rows["n_datasets"])
    every = shares_kept(rows, each, "change_worst", many) if last > 1 else first
    n_first, n_all = (int((passes & (k["spare"] >= 0)).cummin().sum()) for k in (first, every))
    is_all, n_fine, taus = bool(n_all and last > 1), n_all or n_first, rows["tau"].map(tau_in_words)
    at = max(n_fine - 1, 0)
    differ, one = differing(rows.iloc[[at]]), bool(rows["dataset"].iloc[0])
    complete = rows["n_all_exist"] == rows["n_planned"] * rows["last"]
    whose = f"{f'all {last}' if is_all else 'first'} alternatives of {name}"
    if is_all and not complete[: at + 1].all():
        whose = f"all alternatives of {name} that exist"
    place = taus.iloc[at] + f" (at least {differ} differ)" * bool(differ)
    until = f"Up to τ = {taus.iloc[at]}, {whose} {_keep(rows.iloc[at], each, many)}."
    lines = [until] * bool(n_fine)
    lines = lines or [f"Even at τ = {place} {whose} {_lose(rows.iloc[at], each, first, many)}."]
    there: Any = each[each["tau"] == rows["tau"].iloc[at]]
    here = there[there["half"] > SMALL / 2]
    spare = here["change_worst" if is_all else "change"] + here["half"]
    if many and n_fine and len(less := [*map(str, here["dataset"][spare < 0])]):
        of = f"{len(less)} of {rows['n_datasets'].iloc[at]} datasets ({few_of(less)})"
        lines.append(f"On {of} they keep less than half.")
    least, some = there.sort_values("change").iloc[0], n_fine and not (one or many)
    if some and least["change"] < rows["change"].iloc[at] - _MORE:
        at_tau = f"at τ = {taus.iloc[at]}"
        lines.append(f"{_on_the_lowest(there)} {_less(least['change'])} {at_tau}.")
    worse = "score below random sets" if every["share"].iloc[at] < 0 else "keep less than half"
    worse = worse if known else f"lose more than {LITTLE}"
    lines += [f"Further alternatives may {worse}."] * bool(n_first and not n_all)
    key = f"Up to {taus.iloc[at]}{' for one alternative' * (n_all < n_fine)}"
    both = "both" if last == 2 else f"all {last}"
    key += f" for {both}, {taus.iloc[n_first - 1]} for the first alone" * (0 < n_all < n_first)
    costs = [_less(rows["change"].iloc[at]), _less(there["change_worst"].mean())][: 1 + is_all]
    cost = costs[0] if len({*costs}) == 1 else f"{costs[0]}, the worst alternative {costs[1]}"
    parts = [f"at least {differ} features differ" * bool(differ), cost * ("lower" in cost)]
    key += f": {', '.join(filter(None, parts))}" * any(parts)
    marks = "line: 95 % interval of what is kept" if many else "dots: datasets, bar: their mean"
    most = f"{'up to ' * (not complete.all())}{last} alternatives"
    kept = "all keep half" if n_all else "the first one keeps half"
    worst = f"; grey: the worst of {most}{' in each dataset' * (not one)}" * (last > 1)
    marks = f"; {marks}" * (not one) + worst + f"; bold τ: {kept}" * bool(n_fine and last > 1)
    points_of = f"First alternatives of {name}{marks}."
    dots: dict[str, list[Any]] = {}
    for dot in each[["tau", "dataset", "change", "half"]].to_numpy() if not (many or one) else ():
        dots.setdefault(str(dot[0]), []).append(dot[1:])
    unsure: Any = many and (first["high"] >= 50) & (rows["change_high"] >= 0)
    shares = zip(first.to_dict("records"), every.to_dict("records"), strict=True)
    points = [
        Point(taus.iloc[i], differing(rows.iloc[[i]]),
              share_of(of_first, dots.get(str(rows["tau"].iloc[i]), ())),
              share_of(of_worst) if last > 1 else None,
              _HALF if i < n_first else _UNSURE if many and unsure[i] else _LESS)
        for i, (of_first, of_worst) in enumerate(shares)
    ] * known  # fmt: skip
    # With alternatives of fewer folds, originals have other means.
    levels = rows[["of_same", "random_of_same"]].round(6).drop_duplicates().to_numpy()
    scores = [*map(two, (levels[0, 0], levels.mean(), levels[0, 1]))] if len(levels) == 1 else []
    key = key if n_fine else "No τ is safe"
    return Answer(_WHICH_TAU[known], key, lines, "", points, points_of, n_fine, scores), n_first


def _keep(row: Any, each: pd.DataFrame, many: bool) -> str:
    """Say what alternatives keep up to the tau of a row."""
    if (each["of_same"] - each["random_of_same"]).isna().all():
        return f"lose at most {LITTLE}" + " (95 %)" * many
    if many:
        return f"keep half{_of_lead(row)} (95 %)"
    names = [*map(str, each["dataset"][each["tau"] == row["tau"]])]
    if len(names) < each["dataset"].nunique():
        return f"keep half on {listed(names)}; other datasets have none that differ so much"
    return "keep half " + ("on average" if row["dataset"] else "in every dataset")


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


def caption(
    measure: str, n_datasets: int, dataset: str, squares: bool, lead: float, some: bool
) -> str:
    """Say over what the means of a table are, what is below them, and what marks and shades are."""
    small = ""
    if dataset == "" and enough(n_datasets):
        small = " Brackets and bars are 95 % intervals of the mean over datasets (Student's t); "
        small += "those of differences from the best hold jointly; bold changes exclude 0."
    elif dataset == "":
        small = " Dots are datasets. Fewer than six datasets have no test."
    scale = " Squares: first alternatives of all folds, one for each τ." * squares
    scale = " 0 is a random set, 1 the original one." if measure == OBJECTIVE else scale
    scale += f" Shaded: what is lost, darkest the largest lead ({two(lead)})." * (lead > 0)
    chosen = " The best selector is chosen by these scores, which favours it."
    chosen *= measure != OBJECTIVE
    of = f" and {'up to ' * some}{n_datasets} datasets" * (dataset == "")
    means = f"Means over folds{of} that have the sets."
    return f"{means}{small}{scale}{chosen} Differences use unrounded scores."
