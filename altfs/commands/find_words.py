"""Words on the worth of the sets of ``altfs find``, and on what to do with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from shlex import quote
from typing import TYPE_CHECKING, Any

import pandas as pd

from altfs.library.answers.evaluation import ALL, EMPTY
from altfs.library.feature_sets import set_name
from altfs.library.notes import GRAVE

if TYPE_CHECKING:
    from altfs.library.answers.evaluation import Evaluation
    from altfs.library.estimator import AlternativeFeatures
    from altfs.library.notes import Note
    from altfs.problem.results import FeatureSet

# Above this p-value nothing hints at a signal.
_NO_HINT = 0.05
# Smaller losses of a score are not worth a word.
_NO_LOSS = 0.0005
# What all features have more, which is worth a word.
_WORTH_MORE = 0.01
# Few targets are known so well.
_TOO_GOOD = 0.98
# Sets are as good if none may lose more than this share of what the original one gains.
_SAME = 0.25
# Those about features that a search can do without; of copies the first one stays.
_TELL_NOTHING, _COPIES = (*GRAVE[:2], "constant", "id"), ("copies", "partial copies")


def quality_words(alternatives: AlternativeFeatures) -> str:
    """Say what the quality is, by which the sets are the best ones."""
    from altfs.library.inputs import meaning_of

    measure = alternatives.quality_.measure
    selector = alternatives.selector
    name = _type(alternatives)
    said = f"Quality: {name.replace('_', ' ')}"
    if measure is None and (meaning := meaning_of(selector)):
        said += f", {meaning}"
    if measure is not None:
        of_one = " that features tell alone, summed" if name == "mutual_information" else ""
        said += f"{of_one}, as a share of the {measure.size:.3g} {measure.unit} of all columns"
        if alternatives._request.constraints.exclude:
            said += ", also the excluded ones"
    return (
        f"{said}. What is proven is proven of it, and sets are in its order; a model may have "
        "another one."
    )


def comparison_words(evaluation: Evaluation) -> str:
    """Compare the sets and all features with the original set on held-out rows."""
    rows = evaluation.table.iloc[1:].dropna(subset=["difference_low", "difference_high"])
    of_sets, whole = rows[~rows["set"].isin([ALL, EMPTY])], rows[rows["set"] == ALL]
    better = list(of_sets["set"][of_sets["difference_low"] > 0])
    worse = list(of_sets["set"][of_sets["difference_high"] < 0])
    open_ = of_sets[~of_sets["set"].isin([*better, *worse])].sort_values("difference_low")
    parts = []
    if better:
        parts.append(f"{_named(better, 'predict')} better than the original set")
    if worse:
        parts.append(f"{_named(worse, 'predict')} worse than the original set")
    if len(open_):
        least = open_.iloc[0]
        loss = max(0.0, -least["difference_low"])
        which = f"{least['set']} " if len(open_) > 1 else ""
        part = "no alternative is shown to be worse or better"
        if len(open_) < len(of_sets):
            part = f"{_named(sorted(open_['set']))} may be better or worse"
        parts.append(f"{part}, {which}at most {loss:.2g} worse" if loss > _NO_LOSS else part)
    if len(whole) and (row := whole.iloc[0])["difference"] > _WORTH_MORE:
        low, high = (f"{row[name]:.2g}" for name in ("difference_low", "difference_high"))
        shown = row["difference_low"] > 0
        parts.append(
            f"all features together predict better by {row['difference']:.2g} ({low} to {high}), "
            f"{'try larger sets (-k)' if shown else 'which may be chance'}"
        )
    return f"By these scores (95 % intervals), {'; '.join(parts)}." if parts else ""


def recurrence_words(evaluation: Evaluation, best: FeatureSet, short: Mapping[str, str]) -> str:
    """Say how often the original set and its features come back in the folds."""
    shares: dict[str, float] = dict(evaluation.recurrence.itertuples(index=False))
    if not shares:
        return ""
    row = evaluation.table.iloc[0]
    listed = [f"{short[name]} {shares.get(name, 0):.0%}" for name in best.names]
    return (
        f"The original set itself came back in {row['same']} of {row['folds']} folds, and its "
        f"features in {', '.join(listed)} of them."
    )


def idle_words(alternatives: AlternativeFeatures) -> str:
    """Name the features that add nothing; without a signal, all may be such."""
    signal = alternatives.signal_
    parts = [
        f"of {'the ' * (not i)}{set_name(i)}{' set' * (not i)}: {', '.join(features.idle)}"
        for i, features in enumerate(alternatives.feature_sets_)
        if features.idle
    ]
    if not parts or (signal is not None and not signal.above_chance):
        return ""
    what = "Nothing is lost without these features"
    if alternatives.quality_.measure is not None:
        what = "By this estimate, these features alone are not shown to tell more than chance"
    return f"{what}; others may be noise, too: {'; '.join(parts)}."


def exclusion_words(notes: Sequence[Note]) -> str:
    """Return the options that leave out what the notes name, or hold rows out together."""
    left_out = [f"--exclude {quote(name)}" for name in _dispensable(notes)]
    together = [f"--groups {quote(n.features[0])}" for n in notes if n.kind == "groups"][:1]
    lines = []
    if together:
        lines.append(f"If these rows belong together: {together[0]}")
    if left_out:
        lines.append(f"To search without what the notes name: {' '.join(left_out)}")
    return "\n".join(lines)


def _dispensable(notes: Sequence[Note]) -> list[str]:
    """Return what a search can do without; of copies the first one stays."""
    names = [n.features[0] for n in notes if n.kind in _TELL_NOTHING]
    names += [name for n in notes if n.kind in _COPIES for name in n.features[1:]]
    return list(dict.fromkeys(names))


def advice(alternatives: AlternativeFeatures, evaluation: Evaluation | None) -> str:
    """Say what a careful person does with the sets."""
    signal, sets, notes = alternatives.signal_, alternatives.feature_sets_, alternatives.notes_
    if signal is None:
        return ""
    scores: dict[str, dict[Any, Any]] = {}
    if evaluation is not None:
        scores = {str(row["set"]): row for row in evaluation.table.to_dict("records")}
    if not signal.above_chance:
        do = "do not rely on these sets" if signal.p_values[0] >= _NO_HINT else "doubt these sets"
        if scores and scores[set_name(0)]["low"] > scores[EMPTY]["score"]:
            do = (
                "doubt these sets, as the comparison with chance shows nothing, but the nested "
                "scores are above chance"
            )
        other, what = "forest", "for effects of any form"
        if _type(alternatives) == "forest":
            other, what = "f_statistic", "for straight effects"
            part = alternatives._part_fitted_on
            if part is not None and part.categorical.any():
                other, what = "mutual_information", "for effects of single features"
        rest = f"try --selector {other}, {what}, or sets of another size (-k); else take more rows"
        if scores and scores[ALL]["low"] > scores[EMPTY]["score"]:
            rest = (
                f"all features together do predict, so try larger sets (-k) or --selector {other}, "
                f"{what}"
            )
        return f"What to do: {do}; {rest}."
    excluded = alternatives._request.constraints.exclude
    left_out = {alternatives.feature_names_in_[j] for j in excluded}
    grave = [note for note in notes if note.kind in GRAVE]
    if any(not left_out.issuperset(note.features) or not note.features for note in grave):
        return "What to do: decide about leaks and rows that are alike first, and search again."
    if grave:
        return (
            f"What to do: search again with --groups {quote(grave[0].features[0])}, unless rows "
            "with the same value have nothing in common; else these scores are too good."
        )
    steps = []
    if scores and scores[set_name(0)]["score"] > _TOO_GOOD:
        names = ", ".join(sets[0].names)
        steps.append(f"check that {names} are known before the target, as such scores are rare")
    used = {name for features in sets for name in features.names}
    if used.intersection(_dispensable(notes)):
        steps.append("search again without what the notes name")
    if scores and scores[ALL]["difference_low"] > 0:
        steps.append("try larger sets")
    choice, name = _choice(scores)
    steps.append(choice)
    row = scores.get(name)
    if row is not None and pd.notna(row["low"]):
        of = "its nested score" if name != set_name(0) else "the nested score of the original set"
        steps[-1] += (
            f"; on new rows expect about {row['score']:.2f} ({row['low']:.2f} to "
            f"{row['high']:.2f}), {of}"
        )
        if 2 * row["same"] < row["folds"]:
            steps.append(
                "most folds found other sets, so keep rows aside to judge the set that you use"
            )
    return f"What to do: {'; '.join(steps)}."


def _choice(scores: Mapping[str, Mapping[Any, Any]]) -> tuple[str, str]:
    """Say which set to use, by the nested scores of all, and name the set whose score is shown."""
    first = set_name(0)
    original, *others = [row for name, row in scores.items() if name not in (ALL, EMPTY)] or [{}]
    better = [row for row in others if row["difference_low"] > 0]
    if better:
        best = str(max(better, key=lambda row: float(row["score"]))["set"])
        return f"use {best}", best
    if others and not any(row["difference_high"] < 0 for row in others):
        worst = min(others, key=lambda row: float(row["difference_low"]))
        if -worst["difference_low"] <= _SAME * (original["score"] - scores[EMPTY]["score"]):
            return "use any of the sets, such as the cheapest, as they predict alike", first
        return (
            "prefer the original set, as these rows do not tell the sets apart, and "
            f"{worst['set']} may be worse by {-worst['difference_low']:.2g}"
        ), first
    return "use the original set, and another one where its features are costly or missing", first


def _type(alternatives: AlternativeFeatures) -> str:
    """Return the name of the selector."""
    selector = alternatives.selector
    return str(selector.get("type") if isinstance(selector, dict) else selector)


def _named(sets: Sequence[str], verb: str = "") -> str:
    """Return "alternative 1", or "alternatives 1, 2 and 4", and what it does or they do."""
    if len(sets) == 1:
        return f"{sets[0]} {verb}s" if verb else sets[0]
    numbers = [name.split()[-1] for name in sets]
    return f"alternatives {', '.join(numbers[:-1])} and {numbers[-1]} {verb}".rstrip()
