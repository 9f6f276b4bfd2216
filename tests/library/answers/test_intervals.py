"""Intervals of scores, beside formulas by hand and many draws of rows."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import r2_score, roc_auc_score

from altfs import AlternativeFeatures
from altfs.library.answers.intervals import (
    influence_on_area,
    influence_on_r2,
    interval,
    variance_of_area,
)

# Positive rows have larger scores; Hanley and McNeil's formula is exact for such a model.
RATE = 4


def test_the_interval_covers_the_mean_of_folds():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert interval(np.array([0.5]), 0.25)[0] == 0.5 and np.isnan(
            interval(np.array([0.5]), 1)[1]
        )
    mean, low, high = interval(np.array([1.0, 2.0, 3.0, 4.0]), 1 / 3)
    # By hand: t(0.975, 3) = 3.1824, the deviation is 1.2910, and the factor (1/4 + 1/3) ** 0.5.
    assert mean == 2.5 and high - mean == pytest.approx(
        3.18245 * 1.29099 * (7 / 12) ** 0.5, rel=1e-5
    )
    assert mean - low == pytest.approx(high - mean)


def test_the_rows_count_as_much_as_the_folds():
    scores = np.array([1.0, 2.0, 3.0, 4.0])
    mean, low, high = interval(scores, 1 / 3, variance=1.0)
    # By hand: t(0.975, 6) = 2.4469, and the variance of the folds is 5/3.
    half = 2.44691 * ((5 / 3 + 1) / 2 * 7 / 12) ** 0.5
    assert (mean - low, high - mean) == pytest.approx((half, half), rel=1e-5)
    assert interval(scores, 1 / 3, variance=np.nan) == interval(scores, 1 / 3)
    # Equal scores of folds are no certainty.
    _, low, high = interval(np.full(5, 0.8), 0.25, variance=0.01)
    assert low < 0.75 and high > 0.85


def test_the_variance_of_the_area_is_that_over_draws():
    random = np.random.default_rng(0)
    y = np.repeat([0, 1], [25, 15])
    areas, variances = [], []
    for _ in range(2000):
        scores = random.exponential(np.where(y, RATE, 1))
        areas.append(roc_auc_score(y, scores))
        variances.append(variance_of_area(y, scores))
    assert np.mean(areas) == pytest.approx(RATE / (1 + RATE), abs=0.01)
    assert np.mean(variances) == pytest.approx(np.var(areas), rel=0.1)


@pytest.mark.parametrize(
    ("score", "influence_on", "draw"),
    [
        (roc_auc_score, influence_on_area, lambda random: np.repeat([0.0, 1.0], [140, 100])),
        (r2_score, influence_on_r2, lambda random: random.normal(size=240)),
    ],
    ids=["area", "r2"],
)
def test_squared_influences_are_the_variance_over_draws(score, influence_on, draw):
    random = np.random.default_rng(0)
    scores, changes, variances, of_changes = [], [], [], []
    for _ in range(2000):
        y = draw(random)
        # The errors of both models are nearly the same.
        first = y + random.normal(size=len(y))
        second = first + random.normal(scale=0.3, size=len(y))
        scores.append(score(y, first))
        changes.append(score(y, second) - scores[-1])
        influence = influence_on(y, first)
        variances.append(influence @ influence)
        of_changes.append(np.square(influence_on(y, second) - influence).sum())
    assert np.mean(variances) == pytest.approx(np.var(scores), rel=0.15)
    assert np.mean(of_changes) == pytest.approx(np.var(changes), rel=0.15)
    assert np.mean(of_changes) < np.mean(variances) / 2


def test_perfect_scores_of_few_rows_are_not_certain():
    y = np.array(["no", "yes"] * 6)
    few = variance_of_area(y, (y == "yes").astype(float))
    many = variance_of_area(np.tile(y, 10), np.tile(y == "yes", 10).astype(float))
    assert few > 100 * many > 0
    # One class has no area, and one value no R².
    assert np.isnan(variance_of_area(y[:1], np.ones(1)))
    assert np.isnan(influence_on_area(y[:2], np.arange(2.0))).all()
    assert np.isnan(influence_on_r2(np.ones(4), np.arange(4.0))).all()


def test_several_classes_have_the_mean_of_each_against_the_others():
    random = np.random.default_rng(0)
    y, predicted = random.integers(0, 3, 50), random.random((50, 3))
    each = [variance_of_area((y == k).astype(int), predicted[:, k]) for k in range(3)]
    assert variance_of_area(y, predicted) == pytest.approx(np.mean(each))
    each = [influence_on_area((y == k).astype(int), predicted[:, k]) for k in range(3)]
    assert influence_on_area(y, predicted) == pytest.approx(np.mean(each, axis=0))


def scored(y, **labels):
    """Return an evaluation of two columns, with a cheap model."""
    random = np.random.default_rng(1)
    X = pd.DataFrame({"a": random.normal(size=60) + y, "b": random.normal(size=60)})
    afs = AlternativeFeatures("f_statistic", n_features=1, n_alternatives=1, n_shuffles=0, tau=1)
    model = "linear_regression" if y.dtype.kind == "f" else "logistic_regression"
    return afs.fit(X, y, **labels).evaluate(model, cv=4)


@pytest.mark.parametrize("kind", [int, float])
def test_intervals_of_an_evaluation_have_both_variances(kind):
    y = np.tile([0, 1], 30) if kind is int else np.random.default_rng(2).normal(size=60)
    evaluation = scored(y)
    folds = evaluation.scores[evaluation.scores["set"] == "original"]
    assert (folds["variance"] > 0).all()
    values, variance = folds["score"].to_numpy(), folds["variance"].mean()
    expected = interval(values, 1 / 3, variance=variance)
    row = evaluation.table.iloc[0]
    assert [row["score"], row["low"]] == pytest.approx(expected[:2])
    assert row["high"] == pytest.approx(min(expected[2], 1.0))


def test_intervals_of_differences_are_those_of_scores_on_the_same_rows():
    evaluation = scored(np.tile([0, 1], 30))
    by_fold = evaluation.scores.pivot(index="fold", columns="set", values="score")
    difference = (by_fold["alternative 1"] - by_fold["original"]).to_numpy()
    means = evaluation.scores.groupby("set")[["variance", "difference_variance"]].mean()
    variance = means["difference_variance"]["alternative 1"]
    assert variance > 0
    assert means["difference_variance"]["original"] == 0
    expected = interval(difference, 1 / 3, variance=variance)[1:]
    row = evaluation.table.set_index("set").loc["alternative 1"]
    assert [row["difference_low"], row["difference_high"]] == pytest.approx(expected)


def test_rows_of_a_group_do_not_vary_by_themselves():
    evaluation = scored(np.arange(60) % 2, groups=np.arange(60) // 3)
    assert evaluation.scores["variance"].isna().all()
    folds = evaluation.scores[evaluation.scores["set"] == "original"]["score"].to_numpy()
    assert evaluation.table["low"].iloc[0] == pytest.approx(interval(folds, 1 / 3)[1], rel=1e-3)
