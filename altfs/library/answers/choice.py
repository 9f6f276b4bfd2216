"""Choice among several sets, by held-out scores or by chance."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from altfs.library.answers.parameter_names import ParameterNames
from altfs.library.answers.reliance import WORTH_MUCH
from altfs.library.answers.words import span_words
from altfs.library.feature_sets import ALL, EMPTY, set_name, sets_named
from altfs.searches.chance import LEVEL

# Sets are as good if none may lose more than this share of what the original one gains.
_SAME = 0.1
# A set that loses more than both, this share of the gain and this score, is not offered, whatever
# its interval says: that of a set that varies much excludes little.
_FAR, _FAR_SCORE = 0.2, 0.03
# The original set is preferred to sets that all score so much less.
_SEEN = 0.01


def choice_of_sets(
    scores: Mapping[str, Mapping[Any, Any]],
    p_values: Sequence[float],
    needs: Sequence[str],
    adding: Collection[str],
    names: ParameterNames,
    recur: bool,
) -> tuple[list[str], str]:
    """Say which set to use, by the scores of all, and name the set whose score is shown.

    Nothing is promised of sets unless they `recur` in the folds.
    """
    first = set_name(0)
    if not scores:
        return _choice_by_chance(p_values, needs, adding, names), first
    original, *others = [row for name, row in scores.items() if name not in (ALL, EMPTY)]
    if not others:
        return ["Use the original set."], first
    better = [row for row in others if row["difference_low"] > 0]
    if better:
        best = str(max(better, key=lambda row: float(row["score"]))["set"])
        return [f"Use {best}."], best
    nothing = scores[EMPTY]["score"]
    useful = [row for row in others if is_worth_much(scores, str(row["set"]))]
    gain = original["score"] - nothing
    worse = [row for row in useful if row["difference_high"] < 0]
    most = max(_FAR * gain, _FAR_SCORE)
    far = [row for row in useful if row["difference"] < -most and row not in worse]
    left_out = [*worse, *far]
    if len(useful) == len(others) > len(left_out):
        alike = [row for row in others if row not in left_out]
        worst = min(alike, key=lambda row: float(row["difference_low"]))
        loss = max(0.0, -worst["difference_low"])
        recurrence = min(row["same"] / max(row["folds"], 1) for row in (original, *alike))
        such = "the sets" if recurrence > 0.5 else "the sets of the folds"
        among = "the sets"
        if left_out:
            among = f"the original set and {_named(alike)}"
            such = "these"
        if loss <= _SAME * gain and recur:
            steps = [
                f"Use any of {among}, such as the cheapest: {such} predict alike, and none may be "
                f"worse by more than {max(loss, 0.001):.2g} (95 %)."
            ]
        elif not any(row["set"] in adding for row in alike):
            have = "has" if len(alike) == 1 else "have"
            steps = [
                f"Use the original set: what {_named(alike)} {have} besides its features is not "
                "shown to add anything."
            ]
        elif max(row["difference"] for row in alike) < -_SEEN:
            steps = [
                f"Prefer the original set: {_named(alike)} "
                f"{'scores' if len(alike) == 1 else 'score'} "
                f"{span_words([row['difference'] for row in alike])} here, which these rows do not "
                f"show to hold, and {worst['set']} may be worse by {loss:.2g}."
            ]
        else:
            # All named sets, or all sets but the original one where this scores lowest.
            others_too = left_out or min(row["difference"] for row in alike) > 0
            steps = [
                f"Choose{f' among {among}' * bool(left_out)} by cost and by what you know"
                f"{', or take the original set' * (not others_too)}: these rows do not tell {such} "
                f"apart, and {worst['set']} may be worse by {loss:.2g}."
            ]
        return [*steps, *_not_used(worse, far)], first
    steps = _choice_of_original([str(row["set"]) for row in useful], needs, adding, names)
    weak = [str(row["set"]) for row in others if row not in useful]
    if useful and weak:
        they = "it gains" if len(weak) == 1 else "they gain"
        steps.append(
            f"Do not use {sets_named(weak)} in its place: {they} less than half as much over no "
            "feature, or nothing that is shown."
        )
    return steps, first


def _not_used(worse: Sequence[Mapping[Any, Any]], far: Sequence[Mapping[Any, Any]]) -> list[str]:
    """Say which sets not to use: those shown to predict worse, and those that score far less."""
    steps = []
    if worse:
        they = "it predicts" if len(worse) == 1 else "they predict"
        steps.append(f"Do not use {_named(worse)} in its place: {they} worse.")
    if far:
        they = "it scores" if len(far) == 1 else "they score"
        losses = dict.fromkeys(f"{-row['difference']:.2g}" for row in far)
        steps.append(
            f"Do not use {_named(far)} in its place{' either' * bool(worse)}: {they} "
            f"{' and '.join(losses)} less here."
        )
    return steps


def _named(rows: Sequence[Mapping[Any, Any]]) -> str:
    return sets_named([str(row["set"]) for row in rows])


def _choice_by_chance(
    p_values: Sequence[float],
    needs: Sequence[str],
    adding: Collection[str],
    names: ParameterNames,
) -> list[str]:
    """Say which set to use where none has a held-out score."""
    others = p_values[1:]
    if not others:
        return ["Use the original set."]
    if any(p != p for p in others):
        return [
            f"Use the original set, and judge alternatives before you use one ({names.scores})."
        ]
    good = [set_name(i) for i, p in enumerate(p_values) if i and p < LEVEL]
    return _choice_of_original(good, needs, adding, names)


def _choice_of_original(
    useful: Sequence[str], needs: Sequence[str], adding: Collection[str], names: ParameterNames
) -> list[str]:
    """Say to use the original set, and of the useful ones those with features that add to it."""
    if not useful:
        return [
            "Use the original set: no alternative is shown to gain half as much over no feature, "
            "so these do not replace its features."
        ]
    other = f" other than {' and '.join(needs)}" * bool(needs)
    offered = [name for name in useful if name in adding]
    several = (
        f"If one of its features{other} is missing, use the set that {names.missing} finds; what "
        f"{sets_named(useful)} {'has' if len(useful) == 1 else 'have'} besides is not shown to add "
        "anything."
    )
    if offered:
        several = (
            f"If several of its features are missing, use {sets_named(offered, 'or')} if it has "
            f"none of them; if one{other} is missing, the set that {names.missing} finds."
        )
    return ["Use the original set.", several]


def is_worth_much(scores: Mapping[str, Mapping[Any, Any]], name: str) -> bool:
    """Return True if a set is shown to predict, half as well as the original, or has no score."""
    if not scores:
        return True
    nothing = scores[EMPTY]["score"]
    gain, most = scores[name]["score"] - nothing, scores[set_name(0)]["score"] - nothing
    return bool(scores[name]["low"] > nothing and gain >= WORTH_MUCH * most)
