"""Advice on feature sets, by notes, signal and held-out scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from shlex import quote
from typing import TYPE_CHECKING, Any, NamedTuple

from altfs.library.feature_sets import ALL, EMPTY, set_name, sets_named
from altfs.library.notes import DEPENDENT, GRAVE
from altfs.searches.chance import LEVEL

if TYPE_CHECKING:
    from altfs.library.answers.evaluation import Evaluation
    from altfs.library.notes import Note

# Above this p-value nothing hints at a signal.
_NO_HINT = 0.05
# Few targets are known so well, and few by one feature.
_TOO_GOOD, _GOOD = 0.98, 0.9
# Sets are as good if none may lose more than this share of what the original one gains.
_SAME = 0.1
# Those about features that a search can do without; of copies the first one stays.
_TELL_NOTHING, _COPIES = (*GRAVE[:2], "constant", "id"), ("copies", "partial copies")


class ParameterNames(NamedTuple):
    """The names of the parameters where the advice is read, with ``{}`` for a value."""

    selector: str
    size: str
    groups: str
    times: str
    scores: str
    without: str
    missing: str


#: In Python, and at the command line.
IN_PYTHON = ParameterNames(
    "selector='{}'",
    "n_features",
    "groups=X['{}']",
    "times=X['{}']",
    "evaluate()",
    "constraints: exclude",
    "without(NAME)",
)
IN_COMMANDS = ParameterNames(
    "--selector {}", "-k", "--groups {}", "--times {}", "--evaluate", "--exclude", "--without NAME"
)


def dispensable(notes: Sequence[Note]) -> list[str]:
    """Return what a search can do without; of copies the first one stays."""
    names = [n.features[0] for n in notes if n.kind in _TELL_NOTHING]
    names += [name for n in notes if n.kind in _COPIES for name in n.features[1:]]
    return list(dict.fromkeys(names))


def advice(alternatives: Any, evaluation: Evaluation | None, names: ParameterNames) -> str:
    """Say what to do with the sets of a fitted `AlternativeFeatures`; empty if nothing is known."""
    signal, sets, notes = alternatives.signal_, alternatives.feature_sets_, alternatives.notes_
    if signal is None:
        return ""
    scores: dict[str, dict[Any, Any]] = {}
    if evaluation is not None:
        scores = {str(row["set"]): row for row in evaluation.table.to_dict("records")}
        scores[EMPTY]["score"] = evaluation.nothing
    if not signal.above_chance:
        return f"What to do: {_without_signal(alternatives, scores, names)}."
    excluded = alternatives._request.constraints.exclude
    left_out = {alternatives.feature_names_in_[j] for j in excluded}
    grave = [note for note in notes if note.kind in GRAVE]
    if any(not left_out.issuperset(note.features) or not note.features for note in grave):
        return "What to do: decide about leaks and rows that are alike first, and search again."
    if grave:
        groups = names.groups.format(quote(grave[0].features[0]))
        return (
            f"What to do: search again with {groups}, unless rows with the same value have nothing "
            "in common; else these scores are too good."
        )
    used = {name for features in sets for name in features.names}
    if idle := [name for name in dispensable(notes) if name in used]:
        return (
            f"What to do: search again without {', '.join(idle)} ({names.without}), which the "
            "notes name and these sets have."
        )
    original = scores.get(set_name(0))
    mend = "collect more rows, or correct what the notes name"
    if any(note.kind == "skewed target" for note in notes):
        mend = "take the logarithm of the target first, if that makes sense, or collect more rows"
    if original and original["low"] <= scores[EMPTY]["score"]:
        return (
            "What to do: do not rely on these sets yet: there is a signal, but nested scores do "
            f"not show that the original set predicts new rows with this model; judge it by "
            f"another one ({names.scores}), or {mend}."
        )
    # A time comes before persons.
    dependent = sorted(
        (note for note in notes if note.kind in DEPENDENT), key=lambda note: note.kind, reverse=True
    )
    steps = [_held_out_apart(note, names) for note in dependent[:1]]
    useful = [name for name in sets[0].names if name not in sets[0].idle]
    if original and original["score"] > _TOO_GOOD:
        are = "is" if len(useful) == 1 else "are"
        steps.append(
            f"check that {', '.join(useful)} {are} known before the target, as such scores are rare"
        )
    elif original and len(useful) == 1 and original["score"] > _GOOD:
        steps.append(
            f"check that {useful[0]} is known before the target, as nearly all of the score rests "
            "on it"
        )
    if scores and scores[ALL]["difference_low"] > 0:
        steps.append(f"try larger sets ({names.size} above {len(sets[0].names)})")
    elif sets[0].idle and useful:
        steps.append(f"try smaller sets ({names.size}): {', '.join(sets[0].idle)} may add nothing")
    choice, name = _choice(scores, signal.p_values, names)
    steps.append(choice)
    others = [s for i, s in enumerate(sets) if i and _predicts(scores, set_name(i))]
    common = [name for name in useful if all(name in one.names for one in others)]
    if others and common:
        steps[-1] += f"; all these sets have {', '.join(common)}, {names.missing} finds others"
    row = scores.get(name)
    if row is not None and row["low"] == row["low"]:
        of = "its nested score" if name != set_name(0) else "the nested score of the original set"
        like = " of the same kind" * bool(dependent)
        steps[-1] += (
            f"; on new rows{like} expect about {row['score']:.2f} ({row['low']:.2f} to "
            f"{row['high']:.2f}), {of}"
        )
        if 2 * row["same"] < row["folds"]:
            steps.append(
                "most folds found other sets, so keep rows aside to judge the set that you use"
            )
    return f"What to do: {'; '.join(steps)}."


def _held_out_apart(note: Note, names: ParameterNames) -> str:
    """Say how rows are held out together that a note says to be alike."""
    name = note.features[0]
    if note.kind == "row order":
        return (
            f"if {name} is a time, search again with {names.times.format(quote(name))}, as the "
            "scores of later rows may be far lower"
        )
    return (
        f"if rows with the same {name} belong together, search again with "
        f"{names.groups.format(quote(name))}, as the scores of others may be far lower"
    )


def _without_signal(
    alternatives: Any, scores: Mapping[str, Mapping[Any, Any]], names: ParameterNames
) -> str:
    """Say what to do if the original set is not better than chance."""
    p, part = alternatives.signal_.p_values[0], alternatives._part_fitted_on
    do = "do not rely on these sets" if p >= _NO_HINT else "doubt these sets"
    if scores and scores[set_name(0)]["low"] > scores[EMPTY]["score"]:
        do = (
            "doubt these sets: their nested score is above that of no feature, perhaps by luck, as "
            "the comparison with chance shows nothing"
        )
    other, what = "forest", "for effects of any form"
    if type_of(alternatives) == "forest":
        other, what = "f_statistic", "for linear effects"
        if part is not None and part.categorical.any():
            other, what = "mutual_information", "for effects of single features"
    other = names.selector.format(other)
    again = "each further try makes it more likely that chance looks like a signal"
    if scores and scores[ALL]["low"] > scores[EMPTY]["score"]:
        return (
            f"{do}; all features together score above no feature, perhaps by luck, too: try "
            f"larger sets ({names.size}) or {other}, {what}; {again}"
        )
    return f"{do}; collect more rows, or try {other}, {what}, or another {names.size}; {again}"


def _choice(
    scores: Mapping[str, Mapping[Any, Any]], p_values: Sequence[float], names: ParameterNames
) -> tuple[str, str]:
    """Say which set to use, by the scores of all, and name the set whose score is shown."""
    first = set_name(0)
    if not scores:
        return _choice_by_chance(p_values, names), first
    original, *others = [row for name, row in scores.items() if name not in (ALL, EMPTY)]
    if not others:
        return "use the original set", first
    better = [row for row in others if row["difference_low"] > 0]
    if better:
        best = str(max(better, key=lambda row: float(row["score"]))["set"])
        return f"use {best}", best
    nothing = scores[EMPTY]["score"]
    useful = [row for row in others if _predicts(scores, str(row["set"]))]
    gain = original["score"] - nothing
    if len(useful) == len(others) and not any(row["difference_high"] < 0 for row in others):
        worst = min(others, key=lambda row: float(row["difference_low"]))
        loss = max(0.0, -worst["difference_low"])
        recurrence = min(row["same"] / max(row["folds"], 1) for row in (original, *others))
        such = "the sets" if recurrence > 0.5 else "the sets of such searches"
        if loss <= _SAME * gain:
            return (
                f"use any of the sets, such as the cheapest, as {such} predict alike: none may be "
                f"worse by more than {max(loss, 0.001):.2g}"
            ), first
        return (
            "choose by cost and by what you know, or take the original set: these rows do not tell "
            f"{such} apart, and {worst['set']} may be worse by {loss:.2g}"
        ), first
    return _choice_of_original([str(row["set"]) for row in useful], names), first


def _choice_by_chance(p_values: Sequence[float], names: ParameterNames) -> str:
    """Say which set to use where none has a held-out score."""
    others = p_values[1:]
    if not others:
        return "use the original set"
    if any(p != p for p in others):
        return f"use the original set, and judge alternatives before you use one ({names.scores})"
    good = [set_name(i) for i, p in enumerate(p_values) if i and p < LEVEL]
    return _choice_of_original(good, names)


def _choice_of_original(useful: Sequence[str], names: ParameterNames) -> str:
    if not useful:
        return (
            "use the original set: no alternative is shown to predict better than nothing, so "
            "these do not replace its features"
        )
    return (
        f"use the original set; if several of its features are missing, {sets_named(useful, 'or')} "
        f"without them; if one is missing, the set that {names.missing} finds"
    )


def _predicts(scores: Mapping[str, Mapping[Any, Any]], name: str) -> bool:
    """Return True if a set is shown to predict better than nothing, or has no score."""
    return not scores or bool(scores[name]["low"] > scores[EMPTY]["score"])


def type_of(alternatives: Any) -> str:
    """Return the name of the selector."""
    selector = alternatives.selector
    return str(selector.get("type") if isinstance(selector, dict) else selector)
