"""Conditions of the score to expect, and sets that are not worth offering."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from altfs import AlternativeFeatures
from altfs.library.answers.advice import gain_without_signal
from altfs.library.answers.reliance import Alone, most_alone

N = 300
RNG = np.random.default_rng(0)
X = pd.DataFrame(RNG.normal(size=(N, 5)).round(2), columns=list("abcde"))
pytestmark = pytest.mark.filterwarnings("ignore")


def judged(frame, y, **parameters):
    afs = AlternativeFeatures(n_features=2, n_alternatives=2, **{"tau": 0.5, **parameters})
    return afs.fit(frame, y).evaluate("decision_tree")


def test_a_score_holds_if_the_feature_on_which_it_rests_is_known_before():
    y = X["a"] + X["b"] / 2 + 2 * RNG.normal(size=N) > 0
    late = (3 * y + RNG.normal(size=N)).round(2)
    evaluation = judged(X.assign(late=late), y)
    said = "On new rows, if late is known before the target is, expect an AUC of about 0."
    assert evaluation.expectation.startswith(said)
    step = (
        "Check that late is known before the target, as it tells three times as much alone as any "
        "further feature, or more."
    )
    assert step in evaluation.advice
    said = "late alone has most of the quality on these rows: 0.85 of 0.9."
    assert Alone("late", 0.85, 0.9, 2).sentence == said
    said = "One feature is as good on these rows: late has a quality of 0.9, the set of 2 has 0.9."
    assert Alone("late", 0.9, 0.9, 2).sentence == said
    # Strong features have no condition, though the score is near 1.
    evaluation = judged(X, X["a"] + X["b"] + RNG.normal(size=N) / 4 > 0)
    assert evaluation.expectation.startswith("On new rows, expect an AUC of about 0.9")
    assert "known before" not in " ".join(evaluation.advice)


def test_a_feature_of_all_sets_with_less_of_the_quality_is_a_condition_too():
    y = X["a"] + X["b"] + X["c"] > 0
    frame = X.assign(late=np.where(np.arange(N) % 7 == 0, ~y, y))
    include = {"include": ["late"]}
    afs = AlternativeFeatures(n_features=3, n_alternatives=2, tau=0.3, constraints=include)
    afs.fit(frame, y)
    alone = most_alone(afs)
    assert alone.name == "late" and 0.7 < (alone.quality - 0.5) / (alone.of_set - 0.5) < 0.8
    afs.feature_sets_.append(replace(afs.feature_sets_[0], names=("a", "b", "c")))
    assert most_alone(afs) is None


def test_a_score_holds_if_values_are_missing_for_the_same_reasons():
    y = X["a"] + RNG.normal(size=N) > 0
    lab = pd.Series(RNG.normal(size=N)).mask(RNG.random(N) < 0.1 + 0.5 * y)
    evaluation = judged(X.assign(lab=lab), y, missing="impute")
    assert " values of lab are missing for the same reasons, expect" in evaluation.expectation
    # As firm as that about other leaks.
    step, *others = evaluation.advice
    assert step.startswith("Search again without lab (constraints: exclude), unless values are mis")
    assert others and all(other.startswith("Otherwise: ") for other in others)


def test_alternatives_that_are_worth_little_are_not_offered():
    y = 3 * X["a"] + X["b"] + RNG.normal(size=N)
    evaluation = judged(X, y, tau=1)
    said = " ".join(evaluation.advice)
    assert "Use the original set: no alternative is shown to gain half as much over no " in said
    assert "If several of its features are missing" not in said
    assert "No set without a is worth much: its quality is at most " in said


def test_alternatives_that_are_worth_much_are_offered_but_for_what_all_need():
    y = 3 * X["a"] + X["b"] + X["c"] / 2 + RNG.normal(size=N) / 2
    said = " ".join(judged(X, y, tau=0.5).advice)
    assert "if one other than a is missing, the set that without(NAME) finds." in said
    assert "No set without a is worth much: its quality is at most " in said
    assert "All of these sets have" not in said


def test_what_is_left_without_a_common_feature_is_said():
    y = X["a"] + X["b"] / 2 + RNG.normal(size=N) > 0
    frame = X.assign(late=(2 * y + RNG.normal(size=N)).round(2))
    said = " ".join(judged(frame, y).advice)
    assert "All of these sets have late; the best quality without late 0." in said


@pytest.mark.parametrize(
    ("score", "low", "is_gain"),
    [(0.35, -0.2, True), (0.15, 0.01, True), (0.1, -0.02, True), (0.1, -0.1, False), (0, 0, False)],
)
def test_nested_scores_that_show_what_chance_does_not_are_said_beside_it(score, low, is_gain):
    scores = {"original": {"score": score, "low": low, "high": 0.9}, "empty set": {"score": 0.0}}
    afs = SimpleNamespace(signal_=SimpleNamespace(above_chance=False))
    gain = gain_without_signal(afs, scores)
    assert (gain is not None) == is_gain
    if gain is not None:
        said = f"{score:g} above that of no feature ({low:g} to 0.9), which may be luck"
        assert gain.words == said
    assert (
        gain_without_signal(SimpleNamespace(signal_=SimpleNamespace(above_chance=1)), scores)
        is None
    )


def test_no_advice_to_collect_rows_contradicts_nested_scores():
    y = X["a"] + X["b"] + RNG.normal(size=N) / 4
    afs = AlternativeFeatures(n_features=2, n_alternatives=0).fit(X, y, times=np.arange(N))
    # As if the level drifted between the halves.
    afs.signal_ = replace(afs.signal_, p_values=(0.2,))
    first, *others = afs.evaluate("decision_tree").advice
    said = "Doubt these sets: the comparison with chance, on half of the rows, shows nothing, and "
    assert first.startswith(f"{said}the nested score is 0.")
    assert " above that of no feature (" in first and first.endswith(", which may be luck.")
    assert any(
        step.startswith("Judge the original set on later rows before you") for step in others
    )
    assert not any("Collect more rows" in step for step in others)
