"""Words on the worth of the sets of ``altfs find``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, sqrt
from shlex import quote
from typing import TYPE_CHECKING

from altfs.errors import AltfsError
from altfs.library.answers.advice import dispensable, type_of
from altfs.library.feature_sets import set_name
from altfs.quality import BatchedBox, BlackBox

if TYPE_CHECKING:
    import pandas as pd

    from altfs.library.answers.evaluation import Evaluation
    from altfs.library.answers.near_optimal import NearlyOptimalSets
    from altfs.library.estimator import AlternativeFeatures
    from altfs.library.notes import Note
    from altfs.problem.results import FeatureSet

# Features that a line names.
_NAMED = 8
_AREA = "the area under the ROC curve"
# The smallest correlation of ranks of features that stand in for one another.
_ALIKE = 0.9
# A feature alone has most of the score of a set with so much of what it has above no feature.
_MOST_OF_SCORE = 0.8
# A difference of scores on held-out rows that says little.
_LITTLE = 0.01


def quality_words(alternatives: AlternativeFeatures) -> str:
    """Say what the quality is, by which the sets are the best ones."""
    from altfs.library.inputs import meaning_of

    measure = alternatives.quality_.measure
    selector = alternatives.selector
    name = type_of(alternatives)
    said = f"Quality: {name.replace('_', ' ')}"
    if measure is None and (meaning := meaning_of(selector)):
        score = "R^2" if alternatives.target_type_ == "regression" else _AREA
        said += f", {meaning.replace(f'{_AREA}, or R^2,', score)}"
    if measure is not None:
        unit = f"{measure.size:.3g} {measure.unit}"
        if name == "mutual_information":
            said += " that features tell alone, summed"
        if alternatives.quality_.additive:
            said += f", as a share of the {unit} of all columns"
        else:
            said += f", divided by the largest value of a column or a pair, {unit}"
    return (
        f"{said}. What is proven is proven of it, and sets are in its order; a model may have "
        f"another one.{_one_alone(alternatives)}{_as_good(alternatives)}"
    )


def _one_alone(alternatives: AlternativeFeatures) -> str:
    """Name the feature of the original set that alone has most of its score on held-out rows."""
    quality, best = alternatives.quality_, alternatives.feature_sets_[0]
    signal = alternatives.signal_
    # Without a signal, the best of several features looks good by chance.
    by_chance = signal is not None and not signal.above_chance
    if by_chance or not isinstance(quality, BatchedBox) or len(best.indices) < 2:
        return ""
    chosen = alternatives._fitted.result.sets[0]
    nothing, *alone = quality.evaluate_many([(), *((j,) for j in chosen)])
    largest = max(alone)
    if largest - nothing < _MOST_OF_SCORE * (best.train_objective - nothing):
        return ""
    return f" {best.names[alone.index(largest)]} alone has {largest:.3g}."


def _as_good(alternatives: AlternativeFeatures) -> str:
    """Say how many sets lose little, if all of them were evaluated; else nothing."""
    quality, fitted = alternatives.quality_, alternatives._fitted
    if not isinstance(quality, BlackBox):
        return ""
    margin, reason = _LITTLE, ""
    if isinstance(quality, BatchedBox) and quality.deviation is not None:
        # Two standard errors of a difference, as each set has folds of its own.
        error = 2 * sqrt(2) * quality.deviation(fitted.result.sets[0])
        if error > _LITTLE:
            margin, reason = ceil(100 * error) / 100, ", as far as other folds change scores"
    try:
        number = alternatives.nearly_optimal(loss=margin).number
    except AltfsError:
        # The best set is not proven.
        return ""
    if not number:
        return ""
    where = f"within {margin:g} of the best one{reason}"
    if number == 1:
        return f" No other set is {where}."
    others = "One other set is" if number == 2 else f"{number - 1:,} other sets are"
    return f" {others} {where}, and other rows may order them otherwise."


def recurrence_words(
    evaluation: Evaluation, best: FeatureSet, short: Mapping[str, str], X: pd.DataFrame
) -> str:
    """Say how often the original set and its features come back in the folds, or stand-ins."""
    shares: dict[str, float] = dict(evaluation.recurrence.itertuples(index=False))
    if not shares:
        return ""
    row = evaluation.table.iloc[0]
    others = [name for name in shares if name not in best.names]
    listed = []
    for name in best.names:
        stand_in = _stand_in(name, others, X) if shares.get(name, 0) < 0.5 else ""
        also = (
            f" (like it, {short.get(stand_in, stand_in)} in {shares[stand_in]:.0%})"
            if stand_in
            else ""
        )
        listed.append(f"{short[name]} in {shares.get(name, 0):.0%}{also}")
    return (
        f"The original set itself came back in {row['same']} of {row['folds']} folds; of its "
        f"features, {', '.join(listed)}."
    )


def _stand_in(name: str, others: Sequence[str], X: pd.DataFrame) -> str:
    """Return the number whose ranks are most like those of a feature; empty if none is near."""
    numbers = X[[name, *others]].select_dtypes("number")
    if name not in numbers or numbers.shape[1] < 2:
        return ""
    alike = numbers.corr(method="spearman")[name].drop(name).abs()
    return str(alike.idxmax()) if alike.max() >= _ALIKE else ""


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
    what = "Members that can be left out together for less than a hundredth of the quality"
    if alternatives.quality_.measure is not None:
        what = "Members that alone are not shown to tell more than chance"
    return f"{what}: {'; '.join(parts)}. This does not show that others are needed."


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
