"""Advice on feature sets, by notes, signal and held-out scores."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import isnan
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from altfs.library.answers.choice import choice_of_sets, is_worth_much
from altfs.library.answers.parameter_names import ParameterNames
from altfs.library.answers.reliance import (
    best_without,
    most_alone,
    share_of_best,
    stand_in,
)
from altfs.library.answers.words import signed
from altfs.library.feature_sets import ALL, EMPTY, set_name, sets_named
from altfs.library.notes import DEPENDENT, GRAVE

if TYPE_CHECKING:
    from altfs.library.answers.evaluation import Evaluation
    from altfs.library.notes import Note

# Above this p-value nothing hints at a signal.
_NO_HINT = 0.05
# All features that score so much more here speak against smaller sets.
_MORE = 0.01
# A signal that is so much larger than the nested score is said not to be expected.
_MUCH = 0.05
# A narrow interval reaches so far to either side. Of a wider one it is said how many rows it takes.
_NARROW, _WIDE = 0.05, 0.06
# Scores of fewer rows of a class say little.
_FEW_OF_CLASS = 30
# Without a signal, a gain of the nested score has a word if its interval is above 0 but for such a
# share of the gain, or if it is so large.
_NEARLY, _LARGE_GAIN = 0.25, 0.2
# A feature that alone has most of the quality, and without which no set has this share of it, is to
# be checked. Of 39 tables of PMLB, only that of body fat has one: the density, from which it
# is computed.
_FALLS = 0.75
_REPEATS = "Remove rows that repeat earlier ones, and search again."
# The usual scores, with an article.
_SCORES = {
    "roc_auc": "an AUC",
    "roc_auc_ovr": "an AUC (the mean over the classes)",
    "r2": "an R²",
    "accuracy": "an accuracy",
}
# Models that have a name of their own, with an article.
_MODELS = {"RandomForest": "a random forest", "DecisionTree": "a decision tree"}
# Those about features that a search can do without; of copies the first one stays.
_LEAKS, _COPIES = GRAVE[:2], ("copies", "partial copies")
_TELL_NOTHING = (*_LEAKS, "constant", "id")


def dispensable(notes: Sequence[Note]) -> list[str]:
    """Return what a search can do without; of copies the first one stays."""
    names = [n.features[0] for n in notes if n.kind in _TELL_NOTHING]
    names += [name for n in notes if n.kind in _COPIES for name in n.features[1:]]
    return list(dict.fromkeys(names))


class Advice(NamedTuple):
    """Steps to take with sets, in sentences, and the score to expect on new rows, or none."""

    steps: list[str]
    expectation: str = ""


def advice(alternatives: Any, evaluation: Evaluation | None, names: ParameterNames) -> Advice:
    """Say what to do with the sets of a fitted `AlternativeFeatures`; empty if nothing is known."""
    signal, sets, notes = alternatives.signal_, alternatives.feature_sets_, alternatives.notes_
    if signal is None:
        return Advice([])
    scores = scores_by_set(evaluation)
    if not signal.above_chance:
        return Advice(_without_signal(alternatives, scores, names))
    excluded = alternatives._request.constraints.exclude
    left_out = {alternatives.feature_names_in_[j] for j in excluded}
    grave = [note for note in notes if note.kind in GRAVE]
    if undecided := [n for n in grave if not n.features or not left_out.issuperset(n.features)]:
        weaker = [note for note in notes if note.kind == "possible leak"]
        return Advice(_before_all([*undecided, *weaker], sets, names))
    steps = []
    if grave:
        groups = names.groups.format(names.quote(grave[0].features[0]))
        steps.append(
            f"Search again with {groups}, unless rows with the same value have nothing in common; "
            "else these scores are too good."
        )
    used = {name for features in sets for name in features.names}
    idle = [name for name in dispensable(notes) if name in used]
    # Other copies would come in next.
    near = [name for n in notes if n.kind == "near copies" for name in n.features[1:]]
    out = list(dict.fromkeys([*dispensable(notes), *(near if {*near} & used else [])]))
    out = [name for name in out if name not in left_out]
    there = [name for name in out if name in used]
    some = f"; these sets have {', '.join(there)}" if there != out else " and these sets have"
    again = (
        f"Search again without {', '.join(out)} ({names.without(out)}), which the notes name{some}."
    )
    original = scores.get(set_name(0))
    if original and original["low"] <= scores[EMPTY]["score"]:
        mend = f"collect more {_rows(alternatives)}, or correct what the notes name"
        if any(note.kind == "skewed target" for note in notes):
            mend = "take the logarithm of the target if that makes sense, or collect more "
            mend += _rows(alternatives)
        doubt = (
            "Do not rely on these sets yet: there is a signal, but nested scores do not show that "
            "the original set predicts new rows with this model."
        )
        other = f"Judge it by another model ({names.scores}), or {mend}."
        return Advice([*steps, *[again] * bool(idle), doubt, other])
    # A time comes before persons.
    dependent = sorted(
        (note for note in notes if note.kind in DEPENDENT), key=lambda note: note.kind, reverse=True
    )
    steps += [_held_out_apart(note, names) for note in dependent[:1]]
    useful = [name for name in sets[0].names if name not in sets[0].idle]
    if possible := _noted(notes, "possible leak", used):
        are, tells = ("is", "it tells") if len(possible) == 1 else ("are", "each of them tells")
        steps.append(
            f"Check that {' and '.join(possible)} {are} known before the target, as {tells} three "
            "times as much alone as any further feature, or more."
        )
    gaps = _noted(notes, "gaps", used)
    if gaps:
        steps.append(
            f"Search again without {', '.join(gaps)} ({names.without(gaps)}), unless values are "
            "missing for the same reasons when the model is used; else these scores are too good."
        )
    others = {
        set_name(i): s for i, s in enumerate(sets) if i and is_worth_much(scores, set_name(i))
    }
    common = [name for name in useful if all(name in one.names for one in others.values())]
    alone = most_alone(alternatives)
    is_new = alone is not None and alone.name not in (*possible, *gaps)
    strong = [alone.name] if alone is not None and is_new else []
    rest = best_without(alternatives, dict.fromkeys([*common, *strong]))
    needed = [one for one in common if one in rest and rest[one] < share_of_best(alternatives)]
    for one in strong:
        if one in rest and rest[one] < share_of_best(alternatives, _FALLS):
            steps.append(
                f"Check that {one} is known before the target: without it the best quality is "
                f"{rest[one]:.3g} ({names.missing})."
            )
            common = [name for name in common if name != one]
    n_before = len(steps)
    size, choice_of = len(sets[0].names), ""
    if evaluation is not None and evaluation.all_are_better:
        steps.append(f"Try larger sets ({names.size} above {size}): all features predict better.")
        choice_of = f"Of sets of {size} features: "
    of_original = {*sets[0].names}
    adding = [name for name, one in others.items() if {*one.names} - {*one.idle} - of_original]
    strange = _in_no_fold(alternatives, evaluation, useful)
    choice, name = choice_of_sets(scores, signal.p_values, needed, adding, names, not strange)
    if choice_of:
        choice[0] = f"{choice_of}{choice[0][0].lower()}{choice[0][1:]}"
    steps += choice
    more = scores[ALL]["difference"] if ALL in scores else 0.0
    if more > _MORE and not (choice_of or idle):
        steps.append(
            f"Or try larger sets ({names.size} above {size}): all features together score "
            f"{more:.2g} more here, which these rows do not show to hold."
        )
    elif not (choice_of or idle):
        steps += _smaller(alternatives, evaluation, strong, len(others) > 1, names)
    if idle:
        until = [f"Until then: {step[0].lower()}{step[1:]}" for step in choice[:1]]
        steps = [*steps[:n_before], again, *until]
    elif dependent or grave or gaps:
        steps[n_before:] = [f"Otherwise: {step[0].lower()}{step[1:]}" for step in steps[n_before:]]
    if needed and not idle:
        steps.append(
            f"No set of {size} feature{'s' * (size > 1)} without "
            f"{' or without '.join(needed)} is worth much here: its quality is at most "
            f"{max(map(rest.__getitem__, needed)):.3g}, that of the original set "
            f"{sets[0].train_objective:.3g}."
        )
    common = [one for one in common if one not in needed]
    if others and common and not idle:
        which = "All of these sets"
        if len(others) < len(sets) - 1:
            which = f"The original set and {sets_named([*others])}"
        found = f"{names.missing} finds a set without a feature"
        if known := [f"{rest[one]:.3g} without {one}" for one in common if one in rest]:
            found = f"the best quality is {', '.join(known)} ({names.missing})"
        steps.append(f"{which} have {', '.join(common)}; {found}.")
    row = scores.get(name)
    if row is None or row["low"] != row["low"]:
        return Advice(steps)
    if 2 * row["same"] < row["folds"] and not idle:
        steps.append(
            "Keep rows aside to judge the set that you use, as "
            f"{'most' if row['same'] else 'all'} folds found other sets."
        )
    of = name if name != set_name(0) else "the original set"
    if name == set_name(0) and 2 * row["same"] < row["folds"]:
        of = "a set found in this way, such as the original one"
    # Of other patients, or later ones, the score is not known.
    columns = [note.features[0] for note in (*grave, *dependent)][:1]
    like = "".join(f" with values of {column} like those here" for column in columns)
    conditions = _conditions(alternatives, name)
    missed = f" No search of the folds found {' or '.join(strange)}, so that the score of this set "
    missed += "may be another."
    too_good = signal.score - row["score"] > _MUCH and isnan(signal.size) and name == set_name(0)
    half, part, narrower = (row["high"] - row["low"]) / 2, alternatives._part_fitted_on, ""
    apart = columns or (part is not None and (part.groups is not None or part.times is not None))
    if evaluation is not None and evaluation.n_rows and half > _WIDE and not apart:
        n_rows = float(f"{evaluation.n_rows * (half / _NARROW) ** 2:.2g}")
        narrower = (
            f" About {n_rows:,.0f} rows in all would narrow this interval to {_NARROW} on either "
            "side."
        )
    of_half = f" The {signal.score:.3g} of the signal is of one half of the rows: do not expect it."
    scoring, model = ("", "") if evaluation is None else (evaluation.scoring, evaluation.model)
    model = _MODELS.get(model.removesuffix("Classifier").removesuffix("Regressor"), model)
    expectation = (
        f"On new rows{like}, {conditions}expect {_SCORES.get(scoring, f'a score ({scoring})')} "
        f"of about {row['score']:.2f} ({row['low']:.2f} to {row['high']:.2f}) of {model} with "
        f"{of}; {scores[EMPTY]['score']:.2g} is that of "
        f"{'the mean of these rows' if scoring == 'r2' else 'no feature'}."
        + "".join(
            f" With other values of {column}, it may be as low as that of no feature."
            for column in columns
        )
        + narrower
        + missed * bool(strange and name == set_name(0))
        + of_half * bool(too_good and evaluation and scoring in ("roc_auc", "r2"))
    )
    return Advice(steps, expectation)


def _smaller(
    alternatives: Any,
    evaluation: Evaluation | None,
    strong: Sequence[str],
    several: bool,
    names: ParameterNames,
) -> list[str]:
    """Say which smaller sizes to compare, with their nested scores if these are known.

    A size is left out if its sets are shown to predict worse.
    """
    original = alternatives.feature_sets_[0]
    size, n_useful = len(original.names), len(original.names) - len(original.idle)
    sizes = {} if evaluation is None else evaluation.sizes.set_index("n_features").to_dict("index")
    steps = []
    if several and n_useful < size and not _is_worse(sizes, n_useful):
        reason = "alternatives then really differ"
        steps.append(
            f"Or search for sets of {n_useful} features ({names.size} {n_useful}), as "
            f"{', '.join(original.idle)} hardly {'add' if original.idle[1:] else 'adds'} to the "
            f"quality{_compared(sizes, n_useful)}; {reason}."
        )
    if strong and size > 1 and not _is_worse(sizes, 1):
        steps.append(
            f"Or search for one feature ({names.size} 1), as {strong[0]} alone has most of the "
            f"quality{_compared(sizes, 1)}."
        )
    return steps


def _is_worse(sizes: Mapping[Any, Mapping[Any, Any]], size: int) -> bool:
    return size in sizes and sizes[size]["difference_high"] < 0


def _compared(sizes: Mapping[Any, Mapping[Any, Any]], size: int) -> str:
    """Say how much less or more the best sets of a smaller size score, if it is known."""
    if size not in sizes or isnan(sizes[size]["difference"]):
        return ""
    row = sizes[size]
    low, high = (signed(row[f"difference_{end}"]) for end in ("low", "high"))
    best = "sets" if size > 1 else "one"
    return (
        f"; with the best {best} of each fold, the score changes by {signed(row['difference'])} "
        f"({low} to {high})"
    )


def _in_no_fold(
    alternatives: Any, evaluation: Evaluation | None, features: Sequence[str]
) -> list[str]:
    """Return those of some features that no fold's original set has, nor one that is like them."""
    found = [] if evaluation is None else [*evaluation.recurrence["feature"]]
    others = [name for name in found if name not in features]
    missing = [name for name in features if found and name not in found]
    return [name for name in missing if not stand_in(alternatives, name, others)]


def _before_all(notes: Sequence[Note], sets: Sequence[Any], names: ParameterNames) -> list[str]:
    """Say what to decide on before scores mean anything, by notes that make them too good."""
    leaks = [n.features[0] for n in notes if n.kind in (*_LEAKS, "possible leak")]
    steps = []
    if leaks:
        which = "it" if len(leaks) == 1 else "one of them"
        in_all = all(not {*leaks}.isdisjoint(one.names) for one in sets)
        steps.append(
            f"If {' or '.join(leaks)} is not known before the target, search again with "
            f"{names.without(leaks)}{f'; all of these sets have {which}' * in_all}."
        )
    for note in notes:
        if note.kind == "groups":
            name = note.features[0]
            steps.append(
                f"If rows with the same {name} belong together, search again with "
                f"{names.groups.format(names.quote(name))}; if {name} is not known before the "
                f"target, with {names.without([name])}."
            )
    if any(note.kind == "repeats" for note in notes):
        steps.append(_REPEATS)
    return steps


def _conditions(alternatives: Any, name: str) -> str:
    """Return the conditions of a score on new rows, each with a comma."""
    sets, notes = alternatives.feature_sets_, alternatives.notes_
    members = next(features.names for i, features in enumerate(sets) if set_name(i) == name)
    parts = []
    if known := _noted(notes, "possible leak", members):
        are = "is" if len(known) == 1 else "are"
        parts.append(f"{' and '.join(known)} {are} known before the target is")
    if gaps := _noted(notes, "gaps", members):
        parts.append(f"values of {', '.join(gaps)} are missing for the same reasons")
    return f"if {' and '.join(parts)}, " if parts else ""


def _noted(notes: Sequence[Note], kind: str, names: Collection[str]) -> list[str]:
    """Return those of some features about which there is a note of a kind."""
    return [n.features[0] for n in notes if n.kind == kind and n.features[0] in names]


def _held_out_apart(note: Note, names: ParameterNames) -> str:
    """Say how rows are held out together that a note says to be alike."""
    name = note.features[0]
    if note.kind == "row order":
        return (
            f"If {name} is a time, search again with {names.times.format(names.quote(name))}, as "
            "the scores of later rows may be far lower."
        )
    return (
        f"If rows with the same {name} belong together, search again with "
        f"{names.groups.format(names.quote(name))}, as the scores of others may be far lower."
    )


class Gain(NamedTuple):
    """The nested score of the original set less that of no feature, with its interval."""

    value: float
    low: float
    high: float

    @property
    def words(self) -> str:
        return (
            f"{self.value:.2g} above that of no feature ({self.low:.2g} to {self.high:.2g}), which "
            "may be luck"
        )


def gain_without_signal(alternatives: Any, scores: Mapping[str, Mapping[Any, Any]]) -> Gain | None:
    """Return the gain of nested scores, if it is one and the comparison with chance shows none."""
    signal = alternatives.signal_
    if signal is None or signal.above_chance or not scores:
        return None
    row, nothing = scores[set_name(0)], scores[EMPTY]["score"]
    gain = Gain(*(float(row[key] - nothing) for key in ("score", "low", "high")))
    is_shown = gain.value > 0 and gain.low > -_NEARLY * gain.value
    return gain if is_shown or gain.value >= _LARGE_GAIN else None


def scores_by_set(evaluation: Evaluation | None) -> dict[str, dict[Any, Any]]:
    """Return the rows of an evaluation by the name of their set; the empty set has 0 or more."""
    if evaluation is None:
        return {}
    scores = {str(row["set"]): row for row in evaluation.table.to_dict("records")}
    scores[EMPTY]["score"] = evaluation.nothing
    return scores


def _without_signal(
    alternatives: Any, scores: Mapping[str, Mapping[Any, Any]], names: ParameterNames
) -> list[str]:
    """Say what to do if the original set is not better than chance."""
    p, part = alternatives.signal_.p_values[0], alternatives._part_fitted_on
    do = "Do not rely on these sets." if p >= _NO_HINT else "Doubt these sets."
    gain = gain_without_signal(alternatives, scores)
    if gain is not None:
        rows = ", on half of the rows," * isnan(alternatives.signal_.size)
        do = (
            f"Doubt these sets: the comparison with chance{rows} shows "
            f"{'nothing' if p >= _NO_HINT else 'little'}, and the nested score is {gain.words}."
        )
    other, what = "forest", "for effects of any form"
    if type_of(alternatives) == "forest":
        other, what = "f_statistic", "for linear effects"
        if part is not None and part.categorical.any():
            other, what = "mutual_information", "for effects of single features"
    other = names.selector.format(other)
    few = (
        "unless you have done so, and nothing else on these rows, as each try makes it more likely "
        "that chance looks good."
    )
    if scores and not (gain is not None and gain.low > 0) and _all_tell(alternatives, scores):
        whole, nothing = scores[ALL], scores[EMPTY]["score"]
        return [
            do,
            f"All features together score {whole['score']:.2f} ({whole['low']:.2f} to "
            f"{whole['high']:.2f}), above the {nothing:.2f} of no feature, so there probably is a "
            f"signal: search with larger sets ({names.size}), {few}",
        ]
    if any(note.kind == "repeats" for note in alternatives.notes_):
        return [do, _REPEATS]
    rarest = ""
    if part is not None and alternatives.target_type_ != "regression":
        n = int(np.unique(part.y, return_counts=True)[1].min())
        rarest = f" (only {n} have the rarest class)" * (n < _FEW_OF_CLASS)
    steps = [do, f"Collect more {_rows(alternatives)}{rarest}, or try {other}, {what}, {few}"]
    if gain is not None:
        later = "later" if part is not None and part.times is not None else "new"
        steps[1:] = [
            f"Judge the original set on {later} rows before you use it, as further tries on these "
            "rows do not tell which of the two is right."
        ]
    if part is not None and part.times is not None and alternatives.target_type_ == "regression":
        steps.insert(
            1,
            "If the level of the target drifts with the times, later rows have low scores with any "
            "set: take the trend out of the target and search again.",
        )
    return steps


def _all_tell(alternatives: Any, scores: Mapping[str, Mapping[Any, Any]]) -> bool:
    """Tell whether all features, more than a set has, are shown to score above no feature."""
    whole, size = scores[ALL], len(alternatives.feature_sets_[0].names)
    return bool(whole["low"] > scores[EMPTY]["score"] and whole["n_features"] > size)


def _rows(alternatives: Any) -> str:
    """Return what is held out together: rows or groups."""
    part = alternatives._part_fitted_on
    return "rows" if part is None or part.groups is None else "groups"


def type_of(alternatives: Any) -> str:
    """Return the name of the selector."""
    selector = alternatives.selector
    return str(selector.get("type") if isinstance(selector, dict) else selector)
