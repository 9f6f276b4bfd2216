"""Words on the worth of the sets of ``altfs find``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from shlex import quote
from typing import TYPE_CHECKING

from altfs.library.answers.advice import dispensable, type_of
from altfs.library.feature_sets import set_name

if TYPE_CHECKING:
    from altfs.library.answers.evaluation import Evaluation
    from altfs.library.answers.near_optimal import NearlyOptimalSets
    from altfs.library.estimator import AlternativeFeatures
    from altfs.library.notes import Note
    from altfs.problem.results import FeatureSet

# Features that a line names.
_NAMED = 8


def quality_words(alternatives: AlternativeFeatures) -> str:
    """Say what the quality is, by which the sets are the best ones."""
    from altfs.library.inputs import meaning_of

    measure = alternatives.quality_.measure
    selector = alternatives.selector
    name = type_of(alternatives)
    said = f"Quality: {name.replace('_', ' ')}"
    if measure is None and (meaning := meaning_of(selector)):
        said += f", {meaning}"
    if measure is not None:
        unit = f"{measure.size:.3g} {measure.unit}"
        if name == "mutual_information":
            said += " that features tell alone, summed"
        if alternatives.quality_.additive:
            said += f", as a share of the {unit} of all columns"
        else:
            said += f", divided by the largest value of a column or a pair, {unit}"
        if alternatives._request.constraints.exclude:
            said += ", also the excluded ones"
    return (
        f"{said}. What is proven is proven of it, and sets are in its order; a model may have "
        "another one."
    )


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
    what = (
        "Less than a hundredth of the quality is lost without these features, all together: they "
        "tell little, or others stand in for them"
    )
    if alternatives.quality_.measure is not None:
        what = "By this estimate, these features alone are not shown to tell more than chance"
    return f"{what} (noise may also be among the others): {'; '.join(parts)}."


def exclusion_words(notes: Sequence[Note]) -> str:
    """Return the options that leave out what the notes name, or hold rows out together."""
    left_out = [f"--exclude {quote(name)}" for name in dispensable(notes)]
    together = [f"--groups {quote(n.features[0])}" for n in notes if n.kind == "groups"][:1]
    lines = []
    if together:
        lines.append(f"If these rows belong together: {together[0]}")
    if left_out:
        lines.append(f"To search without what the notes name: {' '.join(left_out)}")
    return "\n".join(lines)


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
