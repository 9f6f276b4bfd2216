"""What the sets of ``altfs find`` are worth, and what to do, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from shlex import quote
from typing import TYPE_CHECKING, Any

import pandas as pd

from altfs.library.answers.evaluation import ALL, EMPTY
from altfs.library.feature_sets import set_name

if TYPE_CHECKING:
    from altfs.library.answers.evaluation import Evaluation
    from altfs.library.estimator import AlternativeFeatures
    from altfs.library.notes import Note
    from altfs.problem.results import FeatureSet

# Above this p-value nothing hints at a signal.
_NO_HINT = 0.05
# Kinds of notes about features that a search can do without; of copies the first one stays.
_TELL_NOTHING, _COPIES = ("leak", "near leak", "constant", "id"), ("copies", "partial copies")


def quality_words(alternatives: AlternativeFeatures) -> str:
    """Say what the quality is, by which the sets are the best ones."""
    from altfs.library.inputs import meaning_of

    measure = alternatives.quality_.measure
    selector = alternatives.selector
    name = str(selector.get("type") if isinstance(selector, dict) else selector)
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
        shown = "no alternative is shown to be worse or better"
        if len(open_) < len(of_sets):
            shown = f"nothing is shown of {_named(sorted(open_['set']))}"
        parts.append(
            f"{shown}, and {least['set']} may be worse by up to "
            f"{max(0.0, -least['difference_low']):.2g}"
        )
    if len(whole) and (row := whole.iloc[0])["difference_low"] > 0:
        parts.append(
            f"all features together predict better by {row['difference']:.2g} "
            f"({row['difference_low']:.2g} to {row['difference_high']:.2g}), try larger sets (-k)"
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
        what = "These features alone tell no more than chance"
    return f"{what}; others may be noise, too: {'; '.join(parts)}."


def exclusion_words(notes: Sequence[Note]) -> str:
    """Return the options that leave out what the notes name."""
    names = [n.features[0] for n in notes if n.kind in _TELL_NOTHING]
    names += [name for n in notes if n.kind in _COPIES for name in n.features[1:]]
    if not names:
        return ""
    options = " ".join(f"--exclude {quote(name)}" for name in dict.fromkeys(names))
    return f"To search without them: {options}"


def advice(alternatives: AlternativeFeatures, evaluation: Evaluation | None) -> str:
    """Say what a careful person does with the sets."""
    signal = alternatives.signal_
    if signal is None:
        return ""
    scores: dict[str, dict[Any, Any]] = {}
    if evaluation is not None:
        records = evaluation.table.to_dict("records")
        scores = {str(row["set"]): row for row in records}
    if not signal.above_chance:
        do = "do not rely on these sets" if signal.p_values[0] >= _NO_HINT else "doubt these sets"
        rest = "take more rows or other columns"
        if scores and scores[ALL]["low"] > scores[EMPTY]["score"]:
            rest = "all features together do predict, so try larger sets (-k)"
        return f"What to do: {do}; {rest}."
    if any(note.kind in ("leak", "near leak", "repeats") for note in alternatives.notes_):
        return "What to do: decide about leaks and repeated rows first, and search again."
    better = [n for n, s in scores.items() if n not in (ALL, EMPTY) and s["difference_low"] > 0]
    words = "use the original set"
    if better:
        words = f"use {max(better, key=lambda name: scores[name]['score'])}"
    if len(alternatives.feature_sets_) > 1:
        words += ", and another one where its features are dear or missing"
    first = next(iter(scores.values()), None)
    if first is not None and pd.notna(first["low"]):
        words += (
            f"; on new rows expect about {first['score']:.2f} ({first['low']:.2f} to "
            f"{first['high']:.2f}), the nested score"
        )
    return f"What to do: {words}."


def _named(sets: Sequence[str], verb: str = "") -> str:
    """Return "alternative 1", or "alternatives 1, 2 and 4", and what it does or they do."""
    if len(sets) == 1:
        return f"{sets[0]} {verb}s" if verb else sets[0]
    numbers = [name.split()[-1] for name in sets]
    return f"alternatives {', '.join(numbers[:-1])} and {numbers[-1]} {verb}".rstrip()
