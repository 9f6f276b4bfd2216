"""Conditions of the score to expect, and sets that are not worth offering."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris, load_wine

from altfs import AlternativeFeatures
from altfs.library.answers.advice import advice, gain_without_signal
from altfs.library.answers.evaluation import Evaluation
from altfs.library.answers.parameter_names import IN_COMMANDS, IN_PYTHON
from altfs.library.answers.reliance import Alone, most_alone
from altfs.library.answers.words import signed
from altfs.library.notes import Note

N = 300
RNG = np.random.default_rng(0)
X = pd.DataFrame(RNG.normal(size=(N, 5)).round(2), columns=list("abcde"))
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(autouse=True)
def _same_numbers_in_any_order():
    RNG.bit_generator.state = np.random.default_rng(2).bit_generator.state


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
    assert Alone("late", 0.85, 0.9, 2, 6).sentence == said
    said = "One feature is as good on these rows: late has a quality of 0.9, the set of 2 has 0.9."
    luck = " As it was chosen among 6 features, this may be luck: compare nested scores with -k 1."
    assert Alone("late", 0.9, 0.9, 2, 6).sentence == said + luck
    # Most folds found other sets, and the signal's score is far above the nested one.
    said = (
        " of a decision tree with a set found in this way, such as the original one; 0.5 is that "
    )
    assert said in evaluation.expectation
    assert evaluation.expectation.endswith(" is of one half of the rows: do not expect it.")
    # Strong features have no condition, though the score is near 1.
    evaluation = judged(X, X["a"] + X["b"] + RNG.normal(size=N) / 4 > 0)
    assert evaluation.expectation.startswith("On new rows, expect an AUC of about 0.9")
    assert " with the original set; " in evaluation.expectation
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
    assert step.startswith("Search again without lab (constraints={'exclude': ['lab']}), unless va")
    assert others[0].startswith("Otherwise: ")


def test_alternatives_that_are_worth_little_are_not_offered():
    y = 3 * X["a"] + X["b"] + RNG.normal(size=N)
    evaluation = judged(X, y, tau=1)
    said = " ".join(evaluation.advice)
    assert "Use the original set: no alternative is shown to gain half as much over no " in said
    assert "If several of its features are missing" not in said
    assert "No set of 2 features without a is worth much here: its quality is at most " in said


def test_alternatives_that_are_worth_much_are_offered_but_for_what_all_need():
    y = 3 * X["a"] + X["b"] + X["c"] / 2 + RNG.normal(size=N) / 2
    said = " ".join(judged(X, y, tau=0.5).advice)
    assert "if one other than a is missing, the set that without(NAME) finds." in said
    assert "No set of 2 features without a is worth much here: its quality is at most " in said
    assert "All of these sets have" not in said


def test_smaller_sets_are_advised_where_members_add_nothing():
    y = X["a"] + X["b"] + np.random.default_rng(1).normal(size=N) / 4 > 0
    afs = AlternativeFeatures(n_features=3, n_alternatives=3, tau=0.3).fit(X, y)
    evaluation = afs.evaluate("decision_tree")
    [step] = [one for one in evaluation.advice if one.startswith("Or search for sets of ")]
    assert step.startswith("Or search for sets of 2 features (n_features 2), as ")
    assert "a," not in step.partition(", as ")[2].partition(" hardly")[0]
    # The score of the size is that of a search of its own on the same folds.
    alone = AlternativeFeatures(n_features=2, n_alternatives=0).fit(X, y).evaluate("decision_tree")
    row, _ = evaluation.sizes.to_dict("records")
    assert (row["set"], row["n_features"]) == ("2 features", 2)
    assert row["score"] == alone.table["score"].iloc[0]
    change = row["score"] - evaluation.table["score"].iloc[0]
    assert row["difference"] == pytest.approx(change, abs=1e-12)
    assert f"the score changes by {signed(change)}" in step
    assert "2 features: " in str(evaluation) and "<td>2 features</td>" in evaluation._repr_html_()
    # Constraints may not allow smaller sets, and scores that saw the rows decide nothing.
    held = AlternativeFeatures(n_features=3, n_alternatives=0, constraints={"include": ["a"]})
    assert held.fit(X, y).evaluate("decision_tree").sizes.empty
    assert afs.evaluate("decision_tree", nested=False).sizes.empty
    # A set all of whose members add something is no larger than it needs to be.
    said = " ".join(judged(X, y, tau=0.5).advice)
    assert "Or search for sets of" not in said


def test_what_is_left_without_a_common_feature_is_said():
    y = X["a"] + X["b"] / 2 + RNG.normal(size=N) > 0
    frame = X.assign(late=(2 * y + RNG.normal(size=N)).round(2))
    said = " ".join(judged(frame, y).advice)
    check = "Check that late is known before the target: without it the best quality is 0."
    assert check in said and "All of these sets have" not in said


@pytest.mark.exhaustive
def test_ordinary_strong_features_are_not_to_be_checked():
    for load in (load_iris, load_wine):
        frame, y = load(as_frame=True, return_X_y=True)
        afs = AlternativeFeatures(n_features=3, n_alternatives=1, tau=0.3).fit(frame, y)
        assert afs.signal_.above_chance
        assert "Check that" not in " ".join(advice(afs, None, IN_PYTHON).steps)


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


def test_rows_that_repeat_are_removed_before_anything_else_is_tried():
    frame, y = pd.concat([X, X[:60]]), RNG.integers(0, 2, N)
    y = np.concatenate([y, y[:60]])
    afs = AlternativeFeatures("mutual_information", n_features=2, n_alternatives=1).fit(frame, y)
    assert afs.notes_[0].kind == "repeats" and not afs.signal_.above_chance
    do, *steps = advice(afs, None, IN_COMMANDS).steps
    assert do.endswith(" these sets.") and steps == [
        "Remove rows that repeat earlier ones, and search again."
    ]


def test_leaks_are_named_with_the_command_and_with_the_sets_that_have_them():
    frame, y = X[["b", "c", "d"]], (X["a"] > 0).astype(int)
    afs = AlternativeFeatures("mutual_information", n_features=2, n_alternatives=1, tau=0.5)
    (step,) = advice(afs.fit(frame.assign(code=y), y), None, IN_COMMANDS).steps
    assert step == (
        "If code is not known before the target, search again with --exclude code; all of these "
        "sets have it."
    )
    afs.set_params(tau=1)
    (step,) = advice(afs.fit(frame.assign(code=y), y), None, IN_PYTHON).steps
    assert step.endswith("search again with constraints={'exclude': ['code']}.")


def test_alternatives_whose_other_features_add_nothing_are_not_offered():
    y = (2 * X["a"] + X["b"] + np.random.default_rng(1).normal(size=N) > 0).astype(int)
    afs = AlternativeFeatures("mutual_information", n_features=2, n_alternatives=2, tau=0.5)
    afs.fit(X, y)
    assert {"a"} == {n for s in afs.feature_sets_[1:] for n in s.names if n not in s.idle}
    (said,) = [step for step in advice(afs, None, IN_COMMANDS).steps if " is missing, " in step]
    assert said.endswith(
        "use the set that --without NAME finds; what alternatives 1 and 2 have besides is not "
        "shown to add anything."
    )


def test_features_in_common_are_those_of_the_sets_that_are_offered():
    y = (2 * X["a"] + X["b"] + np.random.default_rng(1).normal(size=N) > 0).astype(int)
    afs = AlternativeFeatures("mutual_information", n_features=2, n_alternatives=2, tau=0.5)
    afs.fit(X, y).notes_ = [Note("alike rows", ("person",))]
    rows = [
        {"set": name, "score": score, "low": low, "high": 0.9, "same": 5, "folds": 5,
         "difference": score - 0.8, "difference_low": -0.4, "difference_high": -0.01}
        for name, score, low in (("original", 0.8, 0.7), ("alternative 1", 0.75, 0.7),
                                 ("alternative 2", 0.55, 0.4), ("empty set", 0.5, 0.5))
    ]  # fmt: skip
    table = pd.DataFrame(rows)
    scores = table.assign(feature_names=[afs.feature_sets_[0].names] * len(table))
    evaluation = Evaluation(table, scores, "", "roc_auc", True, 1.0)
    _, use, *_, common = advice(afs, evaluation, IN_COMMANDS).steps
    assert use == "Otherwise: use the original set."
    # It is no step to take in place of another one.
    said = "The original set and alternative 1 have a; --without NAME finds a set without a feature"
    assert common == f"{said}."


def test_all_features_that_score_above_none_are_said_to_have_a_signal():
    afs = AlternativeFeatures("mutual_information", n_features=2, n_alternatives=0)
    afs.fit(X, RNG.integers(0, 2, N))
    afs.signal_ = replace(afs.signal_, p_values=(0.2,))
    table = [
        ("original", 2, 0.58, 0.49, 0.67),
        ("all features", 5, 0.62, 0.55, 0.69),
        ("empty set", 0, 0.5, 0.5, 0.5),
    ]
    columns = ["set", "n_features", "score", "low", "high"]
    rows = pd.DataFrame(table, columns=columns)
    evaluation = Evaluation(rows, rows, "", "roc_auc", True, 1.0)
    said = (
        "All features together score 0.62 (0.55 to 0.69), above the 0.50 of no feature, so there "
        "probably is a signal: search with larger sets (-k), unless you have done so, and nothing "
    )
    assert advice(afs, evaluation, IN_COMMANDS).steps[1].startswith(said)
    # The original set itself has it.
    rows.loc[0, "low"] = 0.51
    assert "Judge the original set" in advice(afs, evaluation, IN_COMMANDS).steps[1]


def test_sets_that_are_not_shown_to_differ_are_said_to_be_such():
    columns = ["set", "score", "low", "difference", "difference_low", "difference_high"]
    rows = [
        ("original", 0.7, 0.63, 0.0, np.nan, np.nan),
        ("alternative 1", 0.6, 0.55, -0.1, -0.15, -0.05),
        ("alternative 2", 0.6, 0.55, -0.1, -0.23, 0.03),
        ("all features", 0.71, 0.65, 0.013, -0.043, 0.07),
        ("empty set", 0.5, 0.5, -0.2, -0.3, -0.1),
    ]
    table = pd.DataFrame(rows, columns=columns).assign(folds=5, same=3)
    assert Evaluation(table, table, "", "roc_auc", True, 1.0).comparison == [
        "Alternative 1 predicts worse than the original set.",
        "Alternative 2 is not shown to predict worse or better than the original set; it scores "
        "0.1 less here, and may be worse by 0.23.",
        "All features together are not shown to predict better: they score 0.013 more here "
        "(-0.043 to 0.07).",
    ]
    # Of other sets that the folds found.
    [first, *_] = Evaluation(table.assign(same=1), table, "", "roc_auc", True, 1.0).comparison
    assert first == (
        "Alternative 1 predicts worse than the original set in the folds, most of which found "
        "other sets."
    )


def an_evaluation(afs, differences, features):
    """Return an evaluation of nested scores, by the differences of alternatives, and their ends.

    The folds found the given features.
    """
    names = [f"alternative {i}" for i in range(1, len(differences) + 1)]
    table = pd.DataFrame({
        "set": ["original", *names, "empty set"],
        "difference": [0.0, *(middle for _, middle, _ in differences), -0.3],
        "difference_low": [np.nan, *(low for low, _, _ in differences), -0.4],
        "difference_high": [np.nan, *(high for _, _, high in differences), -0.2],
        "same": 2, "folds": 5,
    })  # fmt: skip
    table = table.assign(score=0.8 + table["difference"], low=0.75 + table["difference"], high=0.9)
    return Evaluation(
        table, table.assign(feature_names=[features] * len(table)), "", "roc_auc", True, 1.0
    )


def test_an_alternative_that_predicts_worse_is_left_out_of_a_choice():
    afs = AlternativeFeatures("mutual_information", n_features=2, n_alternatives=2, tau=0.5)
    afs.fit(X, (X["a"] + X["b"] > 0).astype(int))
    folds = an_evaluation(afs, [(-0.01, 0.0, 0.01), (-0.1, -0.08, -0.05)], ("a", "b"))
    first, second, *_ = advice(afs, folds, IN_COMMANDS).steps
    assert first == (
        "Use any of the original set and alternative 1, such as the cheapest: these predict alike, "
        "and none may be worse by more than 0.01 (95 %)."
    )
    assert second == "Do not use alternative 2 in its place: it predicts worse."
    # One that scores far less is not offered, though its interval reaches above 0.
    folds = an_evaluation(afs, [(-0.01, 0.0, 0.01), (-0.3, -0.12, 0.01)], ("a", "b"))
    first, second, *_ = advice(afs, folds, IN_COMMANDS).steps
    assert first.startswith("Use any of the original set and alternative 1, ")
    assert second == "Do not use alternative 2 in its place: it scores 0.12 less here."
    folds = an_evaluation(afs, [(-0.1, -0.08, -0.05)] * 2, ("a", "b"))
    assert advice(afs, folds, IN_COMMANDS).steps[0] == "Use the original set."


def test_alternatives_that_only_have_features_which_add_nothing_are_no_choice():
    afs = AlternativeFeatures("mutual_information", n_features=3, n_alternatives=2, tau=1 / 3)
    afs.fit(X, (X["a"] + X["b"] > 0).astype(int))
    unclear = [(-0.1, -0.01, 0.1), (-0.1, -0.02, 0.1)]
    original, *others = afs.feature_sets_
    assert all({*one.names} - {*one.idle} <= {*original.names} for one in others)
    first, *_ = advice(afs, an_evaluation(afs, unclear, ("a", "b")), IN_COMMANDS).steps
    assert first == (
        "Use the original set: what alternatives 1 and 2 have besides its features is not shown to "
        "add anything."
    )


def test_the_original_set_is_preferred_to_sets_that_all_score_less():
    afs = AlternativeFeatures("mutual_information", n_features=2, n_alternatives=2, tau=0.5)
    afs.fit(X, (X["a"] + X["b"] + X["c"] > 0).astype(int))
    folds = an_evaluation(afs, [(-0.1, -0.02, 0.1), (-0.15, -0.05, 0.1)], ("a", "b", "c"))
    first, *_ = advice(afs, folds, IN_COMMANDS).steps
    assert first == (
        "Prefer the original set: alternatives 1 and 2 score 0.02 to 0.05 less here, which these "
        "rows do not show to hold, and alternative 2 may be worse by 0.15."
    )


def test_few_rows_of_a_class_are_said_where_there_is_no_signal():
    y = (np.arange(N) < 20).astype(int)
    afs = AlternativeFeatures("mutual_information", n_features=2, n_alternatives=1)
    afs.fit(X, RNG.permutation(y))
    said = " ".join(advice(afs, None, IN_COMMANDS).steps)
    assert "Collect more rows (only 20 have the rarest class), or try " in said


def test_smaller_sets_are_not_advised_where_all_features_score_more():
    afs = AlternativeFeatures("mutual_information", n_features=3, n_alternatives=2, tau=1 / 3)
    afs.fit(X, (X["a"] + X["b"] > 0).astype(int))
    for more, word in ((0.01, "Or search for sets of 2 features"), (0.03, "Or try larger sets")):
        folds = an_evaluation(afs, [(-0.1, -0.01, 0.1)] * 2, ("a", "b"))
        whole = {"set": "all features", "score": 0.8 + more, "low": 0.7, "high": 0.9}
        change = {"difference": more, "difference_low": -0.05, "difference_high": 0.1}
        folds.table.loc[len(folds.table)] = {**whole, **change, "same": 5, "folds": 5}
        [step] = [one for one in advice(afs, folds, IN_COMMANDS).steps if one.startswith("Or ")]
        assert step.startswith(word)


def test_nothing_is_promised_of_a_set_with_features_that_no_fold_found():
    afs = AlternativeFeatures("mutual_information", n_features=2, n_alternatives=2, tau=0.5)
    frame = X.assign(like_a=X["a"] + RNG.normal(size=N) / 20)
    afs.fit(frame, (X["a"] + X["b"] > 0).astype(int))
    alike = [(-0.01, 0.0, 0.01)] * 2
    (first, *_), expected = advice(afs, an_evaluation(afs, alike, ("b", "d")), IN_COMMANDS)
    assert first.startswith("Choose by cost and by what you know, or take the original set")
    assert " No search of the folds found " in expected and expected.endswith("may be another.")
    # A feature with nearly the same ranks stands in for another one.
    names = ("b", "a" if "like_a" in afs.feature_sets_[0].names else "like_a")
    (first, *_), expected = advice(afs, an_evaluation(afs, alike, names), IN_COMMANDS)
    assert first.startswith("Use any of the sets, such as the cheapest")
    assert "No search" not in expected
