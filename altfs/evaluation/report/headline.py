"""The answers of the first screen: what its table says, and how it is read."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import pandas as pd

from altfs.evaluation.names import METRICS, count, differing, in_words, selector_name, tau_in_words
from altfs.evaluation.report.phrases import ends_in_words, listed, signed, two
from altfs.evaluation.rules import enough
from altfs.evaluation.tables.overview import OBJECTIVE, ends

_LITTLE = 0.05  # What may be lost where no lead over random sets is known.
_MOST_TIED = 3  # Of more selectors that are tied, the number is given.
_AS_WELL, _WHICH_TAU = "Do alternatives predict as well?", "Which τ?"
_UNTESTED = "too few datasets for a test", "one dataset, no test"  # Of several, and of one.


class Bar(NamedTuple):
    """The share of the lead over random sets that first alternatives keep, in percent."""

    tau: str
    kept: int
    passes: bool


class Answer(NamedTuple):
    """An answer of the first screen: its question, what is read first, and sentences."""

    label: str
    key: str
    lines: list[str]
    #: How sure it is.
    verdict: str = ""
    bars: Sequence[Bar] = ()
    #: In how many folds the sets exist, if not in all.
    gap: str = ""


def answers(rows: pd.DataFrame, each: pd.DataFrame) -> list[Answer]:
    """Say which selector's sets predict best, and what its alternatives change; not of objectives.

    `rows` are those of a choice in the table `overview`, of every threshold. `each` are the same
    of the single datasets of which `rows` has means, else `rows` itself.
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
    tied = complete.index[_ties(complete["original"])]
    tied = tied[tied == best].append(tied[tied != best])
    margins = _margins(firsts.drop(tied), most, many, "folds" if dataset else "datasets")
    of_best = each[each["selector"] == best].drop_duplicates("dataset")
    negative = of_best["dataset"][(measure == "test_r2") & (of_best["original"] < 0)]
    if len(negative):
        on = "" if dataset else f" on {listed([*map(str, negative)])}"
        margins.insert(0, f"{selector_name(best)} is worse than the mean of the target{on}.")
    beside = f"{two(abs(value - random))} {'above' if value >= random else 'below'} random sets"
    lead = f"{selector_name(best)} is {beside}."
    margins.insert(0, "The study has no random sets." if pd.isna(random) else lead)
    if dataset == "" and n_datasets > 1 and len(rest) and len(tied) == 1:
        wins = f"best on {wins_of(each)[best]} of {n_datasets} datasets, ties included"
        margins.append(f"{selector_name(best)} is {wins}.")
    named = len(tied) <= _MOST_TIED
    who = _named(complete.loc[tied]) if named else f"{len(tied)} selectors"
    shown = rows.sort_values("tau", key=lambda tau: tau.astype(float))
    sure = "shown by intervals" if many else _UNTESTED[dataset != ""]
    first = Answer(
        "Which selector predicts best?", f"{who}: {metric} {two(value)}", margins,
        (sure if told else "no clear best") * bool(len(rest)),
    )  # fmt: skip
    further = _of_alternatives(shown, [*tied] if named else [best], many, each)
    # All sets are the same where none can differ.
    reason = _without_lead(of_best[of_best["n_possible"] > 0], measure)
    if reason and len(further) > 1:
        further[1] = Answer(_WHICH_TAU, "No advice", *reason)
    return [first, *further]


def wins_of(each: pd.DataFrame) -> "pd.Series[int]":
    """Return on how many datasets each selector is best, with ties, of those with most sets."""
    wins: pd.Series[int] = _complete(each).apply(_ties, axis=1).sum()
    return wins


def _ties(scores: Any) -> Any:
    """Mark the largest score, and those that differ by less than is shown."""
    return (scores.max() - scores < 0.005) & (scores.map(two) == two(scores.max()))


def _complete(each: pd.DataFrame) -> pd.DataFrame:
    """Return the scores of original sets, a row per dataset, of selectors with the most sets."""
    firsts = each.drop_duplicates(["dataset", "selector"])
    most = firsts.groupby("dataset")["n_original"].transform("max")
    firsts = firsts.assign(original=firsts["original"].where(firsts["n_original"] == most))
    return firsts.pivot(index="dataset", columns="selector", values="original")


def _without_lead(of_best: pd.DataFrame, measure: str) -> tuple[list[str], str] | None:
    """Say so if original sets are not shown to beat random ones or guessing."""
    chance = of_best["random"]
    if measure in ("test_mcc", "test_r2"):
        chance = chance.fillna(0.0).clip(lower=0.0)
    gains = (of_best["original"] - chance).dropna()
    low, high = ends(gains.groupby(lambda row: 0))[0] if len(gains) else (1.0, 1.0)
    floor = "random sets" + " or guessing" * bool((chance <= 0).any())
    if ((of_best["original"] > of_best["random"]) | (gains > 0)).all():
        floor = "guessing"
    if low > 0 and len(gains) == 1 and of_best["lead_low"].iloc[0] <= 0:
        return ["In some folds they score no more than random sets."], "no lead in every fold"
    if low > 0:
        return None
    if enough(len(gains)):
        lead = f"{signed(gains.mean())} [{signed(low)}, {signed(high)}]"
        return [f"The lead of original sets over {floor} is {lead}."], "no clear lead"
    on = listed([*map(str, of_best["dataset"][gains.index[gains <= 0]])])
    few = on if len(on) < 20 else count(int((gains <= 0).sum()), "dataset")
    lines = [f"On {on} its original sets score no more than {floor}."]
    return lines, f"no better than {floor} on {few}"


def _margins(rest: pd.DataFrame, most: int, many: bool, over: str) -> list[str]:
    """Say how far other selectors are behind the best one, which has `most` original sets."""
    complete = rest[rest["n_original"] == most].sort_values("behind", ascending=False)
    told, said = rest["behind_high"] < 0, []
    if len(complete):
        second = complete.iloc[0]
        same = complete["behind"].round(2) == round(second["behind"], 2)
        alike = complete.head(1) if many else complete[same]
        low, high = signed(alike["behind_low"].min()), signed(alike["behind_high"].max())
        span = f"[{low}, {high}]" if many else f"({low} to {high} by {over})"
        follow = "follow" if len(alike) > 1 else "follows"
        said.append(f"{_named(alike)} {follow}, {two(-second['behind'])} lower {span}.")
    if many and not told.all():
        are = "are" if (~told).sum() > 1 else "is"
        shown = f"{_named(rest[~told])} {are} not" if told.any() else "No other selector is"
        said.append(f"{shown} shown to be worse.")
    for name, row in rest[rest["n_original"] < most].iterrows():
        less = f"{selector_name(str(name))} is {two(abs(row['behind']))}"
        less += " lower" if row["behind"] <= 0 else " higher"
        said.append(f"{less} on the {row['n_original']} of {most} folds in which it has sets.")
    return said


def _named(rows: pd.DataFrame) -> str:
    return listed([selector_name(str(name)) for name in rows.index])


def _of_alternatives(rows: pd.DataFrame, tied: list[str], many: bool, each: Any) -> list[Answer]:
    """Say what the first alternatives of a selector change, and which tau keeps half of the lead.

    It is the first of those that are `tied`. With `many` datasets, changes have intervals. `each`
    are the rows of single datasets.
    """
    best, *others = tied
    own, name = rows[rows["selector"] == best].reset_index(drop=True), selector_name(best)
    known = own.dropna(subset="change")
    if known.empty:
        return [Answer(_AS_WELL, "None", [f"No alternative of {name} exists."])]
    said = [f"Change of the score from {name}'s original to its first alternative."]
    for other in others:
        each_tau = rows["change"][rows["selector"] == other].dropna().map(signed).tolist()
        span = " to ".join(dict.fromkeys([*each_tau[:1], *each_tau[-1:]]))
        said.append(f"{selector_name(other)}: {span or 'none'}.")
    ends: list[Any] = [*dict.fromkeys(known.index[[0, -1]])]
    if signed(known["change"].min()) not in map(signed, known.loc[ends, "change"]):
        ends.insert(1, known["change"].idxmin())
    gaps: dict[str, list[str]] = {}
    for _, row in known[known["n_exist"] < known["n_planned"]].iterrows():
        at = each[(each["selector"] == best) & (each["tau"] == row["tau"])]
        lack = at[at["n_exist"] < at["n_planned"]]
        names = f"{'some' if lack['n_exist'].sum() else 'none'} of {listed([*lack['dataset']])}"
        which = f" ({names})" * (0 < len(lack) < min(3, len(at)))
        few = f"in {row['n_exist']} of {row['n_planned']} folds{which}"
        gaps.setdefault(few, []).append(tau_in_words(row["tau"]))
    there = [f"exist {few}{f' at τ = {listed(taus)}' * (len(taus) < len(known))}"
             for few, taus in gaps.items()]  # fmt: skip
    said += [f"First alternatives {one}." for one in there]
    said += [*_with_the_last(own)]
    heads = [differing(known.loc[[end]]) for end in ends]
    alone = "" not in heads and len({*heads}) == len(heads)
    heads = heads if alone else [f"τ = {tau_in_words(known.loc[end, 'tau'])}" for end in ends]
    heads[0] += " features" * ("of" in heads[0])
    shown = zip(heads, known.loc[ends, "change"].map(signed), strict=True)
    changes = Answer(
        _AS_WELL,
        ", ".join(f"{head.replace(' ', chr(160))}: {change}" for head, change in shown),
        said, _told(known, many), gap="; ".join(there),
    )  # fmt: skip
    return [changes, _which_tau(own, name, many, each[each["selector"] == best])]


def _told(known: pd.DataFrame, many: bool) -> str:
    """Say which changes are shown by intervals; few datasets have none."""
    if not many:
        return _UNTESTED[known["dataset"].iloc[0] != ""]
    clear = (known[["change_low", "change_high"]].prod(axis=1) > 0) & enough(known["n_datasets"])
    taus = listed([tau_in_words(tau) for tau in known["tau"][clear]])
    gains = {*(known["change"][clear] > 0)}
    kind = "change" if len(gains) > 1 else "gain" if True in gains else "loss"
    unclear = f"no change shown, down to {signed(known['change_low'].min())} is possible"
    return f"{kind} shown{f' at τ = {taus}' * (not clear.all())}" if taus else unclear


def _with_the_last(own: pd.DataFrame) -> Iterator[str]:
    """Say what the last alternatives change; nothing of a first one or without any."""
    last, known = own["last"].max(), own.dropna(subset="change_last")["change_last"]
    if last >= 2 and len(known):
        exists = " where they exist" * bool((own["n_last"] < own["n_planned"]).any())
        ends = [*dict.fromkeys([signed(known.max()), signed(known.min())])]
        of = f"The change to alternative {last} is"
        yield f"{of} {' to '.join(ends)}{', by τ' * (len(ends) > 1)}{exists}."


def _which_tau(own: pd.DataFrame, name: str, many: bool, each: pd.DataFrame) -> Answer:
    """Say up to which tau half of the lead over random sets is kept."""
    if not many:
        return _of_few(own.dropna(subset="change"), name, each)
    there = (own["n_exist"] == own["n_possible"]) & enough(own["n_datasets"])
    # Half of the lead over random sets has to remain; without them, all but a little of the score.
    leads: Any = own["of_same"] - own["random_of_same"]
    spare = each["change"] + ((each["of_same"] - each["random_of_same"]) / 2).fillna(_LITTLE)
    of_tau = spare.groupby(each["tau"].astype(str))
    lows = pd.Series(ends(of_tau)[:, 0], [*of_tau.groups])
    passes = there & (own["tau"].astype(str).map(lows) >= 0)
    fine = own[passes.cummin()]
    row = fine.iloc[-1] if len(fine) else own.iloc[0]
    gone = row["n_possible"] - row["n_exist"]
    span = f"{signed(row['change'])} {ends_in_words(row, 'change', True)}".replace(" ", "\xa0")
    lead = two(leads[row.name])
    where = " on its datasets" * (lead != two(row["original"] - row["random"]))
    over = f" of the {lead} above random sets{where}" * bool(leads.notna().any())
    keep = f"keep at least half{over}" if over else f"lose at most {_LITTLE}"
    lost = f"may lose {two(-row['change_low'])}{over}: {span}"
    if gone:
        lost = f"are missing in {gone} of {row['n_possible']} folds"
    elif not enough(row["n_datasets"]):
        lost = f"are of {row['n_datasets']} datasets only"
    answer = _advice(own, name, passes, f"{keep} (95 %); the change is {span}", lost)
    if len(fine) and (own["n_possible"] < own["n_planned"]).any():
        answer.lines.append("Folds with too few features do not count.")
    return answer


def _advice(
    rows: pd.DataFrame, name: str, passes: Any, keep: str, lost: str, verdict: str = ""
) -> Answer:
    """Name the largest tau before the first that does not pass, that one, and later ones."""
    n_fine, first = int(passes.cummin().sum()), f"the first alternatives of {name}"
    at = max(n_fine - 1, 0)
    differ = differing(rows.iloc[[at]])
    place = tau_in_words(rows["tau"].iloc[at]) + f" ({differ} differ)" * bool(differ)
    lines = [f"Up to it {first} {keep}." if n_fine else f"Even at τ = {place} {first} {lost}."]
    taus = rows["tau"].map(tau_in_words)
    if later := taus[passes].iloc[n_fine:].tolist():
        lines.append(f"At τ = {listed(later)} they do{' again' * bool(n_fine)}, perhaps by chance.")
    key = f"Up to {place}" if n_fine else "No τ"
    return Answer(_WHICH_TAU, key, lines, verdict, _bars(rows, passes))


def _bars(rows: pd.DataFrame, passes: Any) -> list[Bar]:
    """Return the share of the mean lead that is kept at each tau; none without random sets."""
    lead: Any = rows["of_same"] - rows["random_of_same"]
    kept = (100 * (1 + rows["change"] / lead.where(lead > 0))).clip(0, 100)
    whole = kept.fillna(0).round().astype(int)
    bars = zip(rows["tau"].map(tau_in_words), whole, passes, strict=True)
    return [Bar(*one) for one in bars] * bool(kept.notna().any())


def _of_few(known: pd.DataFrame, name: str, each: pd.DataFrame) -> Answer:
    """Say up to which tau half of the lead is kept in each of few datasets, or in one."""
    one, known = bool(known["dataset"].iloc[0]), known.reset_index(drop=True)
    kept = each.dropna(subset="change").reset_index(drop=True)
    kept["lead"] = kept["of_same"] - kept["random_of_same"]
    kept["spare"] = kept["change"] + (kept["lead"] / 2).fillna(_LITTLE).clip(lower=0)
    worst: Any = kept.loc[kept.groupby("tau", observed=True)["spare"].idxmin()].set_index("tau")
    passes = pd.Series([worst.loc[tau, "spare"] >= 0 for tau in known["tau"]], dtype=bool)
    leads = kept["lead"].notna().any()
    keep = "keep half of the lead over random sets" if leads else f"lose at most {_LITTLE}"
    first = worst.loc[known["tau"].iloc[0]]
    over = f" of the {two(max(first['lead'], 0))} above random sets" * pd.notna(first["lead"])
    lost = f"lose {two(-first['change'])}{over} on {first['dataset']}"
    keep += " on average" if one else " in every dataset"
    return _advice(known, name, passes, keep, lost, _UNTESTED[one])


def score_name(measure: str, model: str) -> str:
    """Name a score by its metric and model."""
    return f"test {METRICS.get(n := measure.removeprefix('test_'), n)}, {in_words(model).lower()}"


def caption(measure: str, n_datasets: int, dataset: str) -> str:
    """Say over what the means of a table are, and what is below them."""
    of = "folds" if dataset else "datasets"
    small = f"The small numbers are the smallest and the largest value of the {of}"
    if dataset == "" and enough(n_datasets):
        small = "The brackets and bars are 95 % intervals of the mean over datasets (Student's t), "
        small += "bold if they leave out 0; the differences from the best are adjusted jointly"
    elif dataset == "":
        small = f"Dots are datasets. {small}. Fewer than six datasets have no test"
    over = "Means over folds" + f" and {n_datasets} datasets" * (dataset == "")
    scale = " Squares are alternatives, where they exist in every fold of the originals."
    scale = " 0 is a random set, 1 the original one." if measure == OBJECTIVE else scale
    return f"{over} that have the sets. {small}.{scale} Differences are taken before rounding."
