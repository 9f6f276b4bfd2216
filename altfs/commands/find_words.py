"""Words on the worth of the sets of ``altfs find``."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import ceil, isfinite
from shlex import quote
from typing import TYPE_CHECKING

from altfs.errors import AltfsError
from altfs.library.answers.advice import (
    advice,
    dispensable,
    gain_without_signal,
    scores_by_set,
    type_of,
)
from altfs.library.answers.parameter_names import IN_COMMANDS
from altfs.library.answers.reliance import most_alone, stand_in
from altfs.library.answers.words import WHAT_TO_DO, WORTH, Section, proof_words
from altfs.library.feature_sets import set_name, sets_named
from altfs.library.notes import COPIES, DEPENDENT, FIRST, sentences_of
from altfs.quality import BatchedBox, BlackBox

if TYPE_CHECKING:
    from altfs.commands.find_result import FindResult
    from altfs.library.answers.evaluation import Evaluation
    from altfs.library.answers.near_optimal import NearlyOptimalSets
    from altfs.library.estimator import AlternativeFeatures
    from altfs.library.notes import Note

# Features that a line names.
_NAMED = 8
_AREA = "the area under the ROC curve"
# A difference of scores on held-out rows that says little.
_LITTLE = 0.01
# Such a gain over no feature would matter, though it is not shown.
_CONSIDERABLE = 0.1


def answers(result: FindResult) -> list[str]:
    """Return the shortfall of sets and the answers to further questions, in words."""
    search_result = result.alternatives.search_result_
    lines = []
    if search_result.aggregation != "none" and len(result.alternatives.feature_sets_) > 1:
        search, bound = result.alternatives._request.search, search_result.run_bound
        most = f", at most {bound:.4g} is possible" if isfinite(bound) else ""
        different = search is not None and search.proof == "most different"
        most += " of sets that are so different" * bool(most and different)
        lines.append(
            f"{search_result.aggregation} of the qualities: {search_result.run_objective:.4g}{most}"
        )
    lines.append(result.alternatives.shortfall_)
    lines.append(result.alternatives._fitted.size_reason)
    if (rest := result.without) is not None:
        lines.append(
            f"Without {', '.join(result.missing)}: {', '.join(rest.names)}; quality "
            f"{rest.train_objective:.4g}, {proof_words(rest.status)} by this quality, on "
            "these rows."
        )
    if result.near is not None:
        lines.append(near_words(result.near))
    others = (result.outages, result.sensitive, result.equivalents)
    lines += [str(answer) for answer in others if answer is not None]
    return [line for line in lines if line]


def signal_words(result: FindResult) -> str:
    """Return the comparison with chance, and nested scores that say something else."""
    signal = result.alternatives.signal_
    if signal is None:
        few = "Rows or sets are too few to compare the sets with chance."
        return few if result.alternatives.n_shuffles else ""
    gain = gain_without_signal(result.alternatives, scores_by_set(result.evaluation))
    if gain is None:
        limit = _limit_of_rows(result.alternatives, DEPENDENT) * signal.above_chance
        return f"{signal.sentence} {limit}".rstrip()
    return f"{signal.sentence} But the nested score below is {gain.words}."


def sections(result: FindResult) -> list[Section]:
    """Return the meaning of columns, the worth of sets, its certainty, notes, and what to do."""
    from altfs.library.short_names import short_names

    alternatives, evaluation = result.alternatives, result.evaluation
    signal, sets = alternatives.signal_, alternatives.feature_sets_
    meanings = [quality_words(alternatives)]
    if len(sets) > 1:
        meanings.append(
            "shared: the number of features that a set shares with the original one."
            f"{version_words(alternatives)}"
        )
    if sets[0].among is not None:
        meanings.append(
            f"by quality: among the {sets[0].among:,} most relevant features (--prescreen), which "
            "the search saw."
        )
    steps, expectation = advice(alternatives, evaluation, IN_COMMANDS)
    if signal is None and not alternatives.n_shuffles:
        steps = ["There is no advice without the comparison with chance (--shuffles)."]
    worth, sure, random = [expectation or _limits(alternatives)], [], _random_words(result)
    if evaluation is not None:
        meanings.append(f"nested score: {evaluation.sentence}")
        meanings.append(
            "difference: of the nested scores, to the original set; the 95 % intervals of the "
            "alternatives hold together."
        )
        if len(evaluation.sizes):
            meanings.append(
                f"{', '.join(evaluation.sizes['set'])}: the best set of so many features that "
                "each fold finds."
            )
        if signal is None or signal.above_chance:
            worth += evaluation.comparison
        elif not random:
            row = evaluation.table.iloc[0]
            signal_left = bool(row["high"] - evaluation.nothing >= _CONSIDERABLE)
            worth.append(
                f"The nested score of the original set is {_with_interval(evaluation)}, that of no "
                f"feature {evaluation.nothing:.2f}."
                + f" A signal with scores of up to {row['high']:.2f} is possible."
                * signal_left
            )
        short = short_names(name for features in sets for name in features.names)
        # Sets that are no better than chance are not praised.
        if signal is None or signal.above_chance:
            sure.append(stability_words(evaluation, alternatives))
        sure.append(recurrence_words(evaluation, alternatives, short))
        worth.append(random)
    if result.stability is not None:
        sure.append(result.stability.sentence)
    sure.append(_as_good(alternatives))
    # The advice is to try larger sets, and these lines speak for smaller ones.
    if evaluation is None or not evaluation.all_are_better:
        alone = most_alone(alternatives)
        sure += [alone.sentence if alone else "", idle_words(alternatives)]
    notes = [note for note in alternatives.notes_ if note.kind not in FIRST]
    excluded = [
        alternatives.feature_names_in_[j] for j in alternatives._request.constraints.exclude
    ]
    numbers = {*result.X.select_dtypes("number").columns}
    options = exclusion_words(alternatives.notes_, excluded, numbers)
    sure += sentences_of([note for note in notes if note.kind == "rare class"])
    notes = [note for note in notes if note.kind != "rare class"]
    table = [*sentences_of(notes), *result.notes, *options]
    parts = [
        ("What the columns mean", meanings),
        (WORTH, worth),
        ("How sure that is", sure),
        ("What the table has", table),
        (WHAT_TO_DO, steps),
    ]
    return [(title, [line for line in lines if line]) for title, lines in parts]


def _random_words(result: FindResult) -> str:
    """Say what random folds would have given, if rows are held out by groups or times."""
    score, evaluation = result.random_score, result.evaluation
    if score is None or evaluation is None or not isfinite(score):
        return ""
    ((kind, column),) = result.labels.items()
    how = f"rows of the same {column} in both parts"
    if kind == "times":
        how = f"rows from before and after those held out, by {column}"
    return (
        f"Held out by {column}, the original set scores {_with_interval(evaluation)}. Random "
        f"folds, with {how}, would give {score:.2f}."
    )


def _with_interval(evaluation: Evaluation) -> str:
    """Return the score of the original set, with its interval if it is known."""
    row = evaluation.table.iloc[0]
    interval = f" ({row['low']:.2f} to {row['high']:.2f})" if isfinite(row["low"]) else ""
    return f"{row['score']:.2f}{interval}"


def quality_words(alternatives: AlternativeFeatures) -> str:
    """Say what the quality is, by which the sets are the best ones."""
    from altfs.library.inputs import meaning_of

    measure = alternatives.quality_.measure
    selector = alternatives.selector
    name = type_of(alternatives)
    words = f"quality: that of the selector {name}"
    if measure is None and (meaning := meaning_of(selector)):
        score = "R^2" if alternatives.target_type_ == "regression" else _AREA
        words += f", {meaning.replace(f'{_AREA}, or R^2,', score)}"
    if measure is not None:
        unit = f"{measure.size:.3g} {measure.unit}"
        if name == "mutual_information":
            words += ", what features tell alone, summed"
        if alternatives.quality_.additive:
            words += f", as a share of the {unit} of all columns"
        else:
            words += f", divided by the largest value of a column or a pair, {unit}"
    some = any(one.status == "feasible" for one in alternatives.feature_sets_)
    limit = "; sets are 'not proven' where not all were evaluated, which would take too long"
    limit *= some and isinstance(alternatives.quality_, BlackBox)
    return (
        f"{words}. The sets are ordered by it. 'proven' refers to it, on these rows, among sets "
        f"of the sizes asked for that differ enough{limit}; other rows or models may order sets "
        "otherwise."
    )


def _as_good(alternatives: AlternativeFeatures) -> str:
    """Say how many sets lose little, if all of them were evaluated; else nothing."""
    quality, fitted = alternatives.quality_, alternatives._fitted
    if not isinstance(quality, BlackBox):
        return ""
    margin, reason = _LITTLE, ""
    if isinstance(quality, BatchedBox):
        error = quality.margin(fitted.result.sets[0])
        if error > _LITTLE:
            margin, reason = ceil(100 * error) / 100, ", by as much as other folds change it"
    try:
        near = alternatives.nearly_optimal(loss=margin)
    except AltfsError:
        # The best set is not proven.
        return ""
    number = near.number
    if not number:
        return ""
    where = f"a quality within {margin:g} of the best{reason}"
    if number == 1:
        return f"No other set has {where}."
    others = f"{number - 1:,} other sets{_labels_among(near, alternatives)} have"
    if number == 2:
        others = f"One other set{_labels_among(near, alternatives)} has"
    return f"{others} {where}; other rows may order them otherwise."


def _labels_among(near: NearlyOptimalSets, alternatives: AlternativeFeatures) -> str:
    """Return the names of the sets that are listed, in brackets; the features of a single one."""
    sets = alternatives.feature_sets_
    listed = {
        features.indices: features for features in near if features.indices != sets[0].indices
    }
    labels = [set_name(i) for i, features in enumerate(sets) if i and features.indices in listed]
    if len(listed) == 1:
        (only,) = listed.values()
        return f" ({', '.join(labels or only.names)})"
    return f" ({sets_named(labels)} among them)" if labels else ""


def stability_words(evaluation: Evaluation, alternatives: AlternativeFeatures) -> str:
    """Say how stable the original set is over the folds, in a word and a sentence."""
    shares: dict[str, float] = dict(evaluation.recurrence.itertuples(index=False))
    row, names = evaluation.table.iloc[0], alternatives.feature_sets_[0].names
    if not shares or row["folds"] < 2:
        return ""
    if 2 * row["same"] > row["folds"]:
        return "Stable: most folds found the original set itself."
    common = [name for name, share in shares.items() if share > 0.5]
    others = [name for name in common if name not in names]
    missing = [name for name in names if name not in common]
    n_alike = sum(bool(stand_in(alternatives, name, others)) for name in missing)
    number = len(names) - len(missing) + n_alike
    alike = ", or features like them," * bool(n_alike)
    come = f"{number or 'none'} of its {len(names)} features{alike} come{'s' * (number < 2)} back "
    come += "in most folds."
    if number == len(names):
        return f"Nearly stable: no set comes back in most folds, but {come}"
    if 2 * number >= len(names):
        return f"Partly stable: {come}"
    return f"Unstable: {'only ' * (number > 0)}{come} Other rows may give another set."


def recurrence_words(
    evaluation: Evaluation, alternatives: AlternativeFeatures, short: Mapping[str, str]
) -> str:
    """Say how often the original set and its features come back in the folds, or stand-ins."""
    shares: dict[str, float] = dict(evaluation.recurrence.itertuples(index=False))
    if not shares:
        return ""
    row, best = evaluation.table.iloc[0], alternatives.feature_sets_[0]
    folds = row["folds"]
    others = [name for name in shares if name not in best.names]
    listed = []
    for name in sorted(best.names, key=lambda name: -shares.get(name, 0)):
        share = shares.get(name, 0)
        like = stand_in(alternatives, name, others) if share < 0.5 else ""
        words = f"{short[name]} in {round(share * folds)}"
        if like:
            words += f" ({short.get(like, like)}, which is like it, "
            words += f"in {round(shares[like] * folds)})"
        listed.append(words)
    return (
        f"The searches of the folds found the original set itself in {row['same']} of {folds} "
        f"folds, and of its features {', '.join(listed)}."
    )


def _limits(alternatives: AlternativeFeatures) -> str:
    """Say for which rows all scores count, if notes name leaks or groups."""
    used = {name for features in alternatives.feature_sets_ for name in features.names}
    kinds = ("leak", "near leak", "possible leak")
    leaks = [n.features[0] for n in alternatives.notes_ if n.kind in kinds]
    if known := sorted(used.intersection(leaks)):
        are = "is" if len(known) == 1 else "are"
        return f"All scores here count only if {', '.join(known)} {are} known before the target."
    return _limit_of_rows(alternatives, ("groups",))


def _limit_of_rows(alternatives: AlternativeFeatures, kinds: Collection[str]) -> str:
    """Say for which rows all scores count, by the first note of some kinds."""
    for note in alternatives.notes_:
        if note.kind not in kinds:
            continue
        name = note.features[0]
        if note.kind == "row order":
            return (
                f"All scores here are of rows between the others by {name}; those of later rows "
                "may be far lower."
            )
        return (
            f"All scores here are of rows whose values of {name} the search saw, too; those of "
            "other values may be as low as that of no feature."
        )
    return ""


def versions(alternatives: AlternativeFeatures) -> list[dict[str, str]]:
    """Return for each set its copies and near copies of features that the original one has alone.

    The keys are the features of the original set.
    """
    alike = [note.features for note in alternatives.notes_ if note.kind in COPIES]
    best, *others = alternatives.feature_sets_
    pairs_of_sets: list[dict[str, str]] = [{}]
    for features in others:
        gone = [name for name in best.names if name not in features.names]
        new = [name for name in features.names if name not in best.names]
        pairs: dict[str, str] = {}
        for name in gone:
            group = {other for each in alike if name in each for other in each}
            rest = [other for other in new if other in group and other not in pairs.values()]
            pairs |= {name: rest[0]} if rest else {}
        pairs_of_sets.append(pairs)
    return pairs_of_sets


def version_words(alternatives: AlternativeFeatures) -> str:
    """Name the features of alternatives that say the same as those of the original set."""
    parts = [
        f"in {set_name(i)} {', '.join(f'{new} for {old}' for old, new in pairs.items())}"
        for i, pairs in enumerate(versions(alternatives))
        if pairs
    ]
    if not parts:
        return ""
    return (
        " Copies and near copies count as different, though they are not new information: "
        f"{'; '.join(parts)}."
    )


def idle_words(alternatives: AlternativeFeatures) -> str:
    """Name the features that add nothing; without a signal, all may be such."""
    signal = alternatives.signal_
    parts = {
        set_name(i) if i else "the original set": ", ".join(features.idle)
        for i, features in enumerate(alternatives.feature_sets_)
        if features.idle
    }
    if not parts or (signal is not None and not signal.above_chance):
        return ""
    if alternatives.quality_.measure is not None:
        listed = "; ".join(f"{names} ({name})" for name, names in parts.items())
        return f"Features that alone are not shown to tell more than chance: {listed}."
    listed = "; ".join(f"{names} ({name})" for name, names in parts.items())
    return (
        f"Features that are not shown to add to the quality: {listed}. Without each, it falls by "
        "less than a hundredth, or than other folds change it. On other rows and together, they "
        "may add more."
    )


def exclusion_words(
    notes: Sequence[Note], excluded: Sequence[str], numbers: Collection[str]
) -> list[str]:
    """Return the options that leave out what the notes name, or hold rows out together.

    The excluded columns are left out already. Rows with the same number seldom belong together.
    """
    names = dispensable(notes)
    names += [n for note in notes if note.kind == "near copies" for n in note.features[1:]]
    if any(note.kind in ("leak", "near leak") for note in notes):
        names += [note.features[0] for note in notes if note.kind == "possible leak"]
    left_out = [f"--exclude {quote(name)}" for name in dict.fromkeys(names)]
    lines = []
    told = [note.features[0] for note in notes if note.kind == "groups"][:1]
    for column in told:
        if column not in excluded:
            name = quote(column)
            lines.append(f"If {name} is known only after the target: --exclude {name}")
    together = [column for column in told if column not in numbers]
    together += [note.features[0] for note in notes if note.kind == "alike rows"]
    for column in together[:1]:
        name = quote(column)
        lines.append(f"If rows with the same {name} belong together: --groups {name}")
    if left_out:
        lines.append(f"To search without what the notes name: {' '.join(left_out)}")
    return lines


def near_words(near: NearlyOptimalSets) -> str:
    """Say how many sets are nearly as good, and which features all or many of them hold."""
    table = near.features
    lines = [f"Nearly as good: {near.sentence}"]
    for held, words in (("in all", "All of them hold"), ("in none", "None holds")):
        if names := table.loc[table["held"] == held, "feature"].tolist():
            more = "" if len(names) <= _NAMED else f" and {len(names) - _NAMED} more"
            lines.append(f"  {words} {', '.join(names[:_NAMED])}{more}.")
    some = table[table["held"].isin(["in some", "unknown"]) & (table["share"] > 0)].head(_NAMED)
    if len(some):
        shares = (f"{row.feature} {row.share:.0%}" for row in some.itertuples())
        lines.append(f"  Most often besides: {', '.join(shares)}.")
    return "\n".join(lines)
