"""Selectors with categories and missing values, judged by definition."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats.contingency import association, crosstab
from sklearn.feature_selection import f_classif
from sklearn.tree import DecisionTreeClassifier

from altfs.datasets.columns import column_of, with_category
from altfs.scores.base import Part, ScoreKey
from altfs.selectors import selectors
from altfs.selectors.correlation import Correlation
from altfs.selectors.relief import Relief

N = 48
RNG = np.random.default_rng(1)
Y = np.arange(N) % 3
X = np.column_stack([RNG.random(N), np.where(RNG.random(N) < 0.6, Y, 5), RNG.integers(0, 2, N)])
IS_CATEGORY = np.array([False, True, False])


@pytest.mark.parametrize("target_type", ["multiclass", "regression"])
def test_the_correlation_of_a_category_agrees_with_its_definition(target_type):
    y = Y if target_type == "multiclass" else X[:, 0] + Y
    values = Correlation().values(Part(X, y, target_type, 0, categorical=IS_CATEGORY))
    if target_type == "multiclass":
        expected = association(crosstab(X[:, 1], Y).count, method="cramer")
    else:
        f, free, k = f_classif(y[:, None], X[:, 1])[0][0], N, len(np.unique(X[:, 1]))
        expected = np.sqrt(f * (k - 1) / (f * (k - 1) + free - k))
    assert values[1] / values[0] == pytest.approx(expected / _raw(y, target_type)[0])


def _raw(y, target_type):
    """The correlations of numbers before they are normalised."""
    if target_type == "regression":
        return [abs(np.corrcoef(column, y)[0, 1]) for column in X.T]
    f = f_classif(X, y)[0]
    return np.sqrt(f * 2 / (f * 2 + N - 3))


def test_relief_counts_categories_as_equal_or_different():
    indicators = (X[:, 1][:, None] == np.unique(X[:, 1])).astype(float)
    weights = Relief().values(Part(X, Y, "multiclass", 0, categorical=IS_CATEGORY))
    # Two different categories differ in two of their 0/1 columns.
    wide = np.column_stack([X[:, [0, 2]], indicators / 2])
    doubled = _manhattan_relief(wide, Y)
    assert weights[[0, 2]] == pytest.approx(doubled[:2])
    assert weights[1] == pytest.approx(doubled[2:].sum())
    recoded = X.copy()
    recoded[:, 1] = -(recoded[:, 1] ** 3)
    other = Relief().values(Part(recoded, Y, "multiclass", 0, categorical=IS_CATEGORY))
    assert other.tolist() == weights.tolist()


def _manhattan_relief(X, y, k=10):
    """ReliefF by its definition, of columns that are scaled already but the first two."""
    X = X.copy()
    X[:, :2] = (X[:, :2] - X[:, :2].min(0)) / np.ptp(X[:, :2], axis=0)
    share, weights = np.bincount(y) / len(y), np.zeros(X.shape[1])
    for i in range(len(y)):
        distance = np.round(np.abs(X - X[i]).sum(1), 12)
        for c in range(3):
            rows = [r for r in np.argsort(distance, kind="stable") if y[r] == c and r != i][:k]
            moved = np.abs(X[rows] - X[i]).mean(0)
            weights += -moved if c == y[i] else share[c] / (1 - share[y[i]]) * moved
    return weights / len(y)


@pytest.mark.parametrize("selector", list(selectors), ids=lambda s: s.name)
def test_every_selector_takes_categories_or_says_that_it_does_not(selector):
    part = Part(X, Y, "multiclass", 0, categorical=IS_CATEGORY)
    if selector.two_classes:
        part = Part(X, Y > 0, "binary", 0, categorical=IS_CATEGORY)
    if selector.takes_categories:
        assert selector().quality(part).n_total == 3


def test_trees_take_missing_values_and_others_the_median():
    gaps = X.copy()
    gaps[::5, 0], gaps[1::7, 1] = np.nan, np.nan
    part = Part(gaps, Y, "multiclass", 0, categorical=IS_CATEGORY)
    assert part.X[0, 0] == np.nanmedian(gaps[:, 0])
    values, counts = np.unique(gaps[~np.isnan(gaps[:, 1]), 1], return_counts=True)
    assert part.X[1, 1] == values[counts.argmax()]
    tree = DecisionTreeClassifier(criterion="entropy", random_state=0).fit(gaps, Y)
    assert part.score(ScoreKey("importances")).tolist() == tree.feature_importances_.tolist()
    # Another part takes the values of the training part.
    test = Part(gaps[:9], Y[:9], "multiclass", 0, categorical=IS_CATEGORY)

    class Blind:
        def __sklearn_tags__(self):
            from sklearn.base import BaseEstimator

            return BaseEstimator().__sklearn_tags__()

    assert test.rows_for(Blind(), as_in=part)[0, 0] == np.nanmedian(gaps[:, 0])
    assert np.isnan(test.rows_for(tree)[0, 0])


def test_numbers_with_missing_values_become_ten_groups():
    numbers = pd.Series([*np.arange(100.0), *[np.nan] * 5], name="n")
    groups = with_category(column_of(numbers))
    assert np.bincount(groups.values.astype(int)).tolist() == [10] * 10 + [5]
    assert groups.texts[-1] == "missing"
    assert groups.kind == "category"
