"""The forest finds what tells the target, also together (1 s, and compiling)."""

import warnings

import numpy as np
import pandas as pd
import pytest

from altfs import AlternativeFeatures, search_sequentially
from altfs.errors import DataError, DataWarning
from altfs.library.feature_sets import ties_by_name
from altfs.problem.results import FeatureSet, SearchResult, Status
from altfs.selectors import Part, selectors


def a_table(n_rows=400):
    """Return columns of which 1 and 4 tell the class together, and 2 a little by itself."""
    rng = np.random.default_rng(1)
    X = rng.integers(0, 2, (n_rows, 6)).astype(float)
    X[:, 2:4] = rng.normal(size=(n_rows, 2))
    X[:, 5] = 1.0
    y = (X[:, 1] + X[:, 4]) % 2
    y = np.where(rng.random(n_rows) < 0.1, 1 - y, y).astype(int)
    X[:, 2] += y
    return X, y


def test_it_finds_features_that_tell_the_class_together_only():
    X, y = a_table()
    afs = AlternativeFeatures("forest", n_features=2, n_alternatives=1, tau=1).fit(X, y)
    original, alternative = afs.feature_sets_
    assert original.indices == (1, 4)
    assert 2 in alternative.indices
    assert {original.status, alternative.status} == {Status.OPTIMAL}


def test_any_random_state_and_number_of_threads_give_the_same_sets():
    X, y = a_table()
    found = [
        AlternativeFeatures("forest", n_features=2, random_state=seed, n_jobs=jobs).fit(X, y)
        for seed, jobs in ((0, 1), (9, 2), (9, None))
    ]
    assert found[0].feature_sets_ == found[1].feature_sets_ == found[2].feature_sets_


def test_the_first_name_of_copies_is_taken_in_any_order_of_columns():
    X, y = a_table()
    table = pd.DataFrame(X[:, 1:5], columns=list("pqrs")).assign(a=2 * X[:, 4], z=3 * X[:, 2])
    names = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        for order in ("pqrsaz", "zasrqp", "sazqpr"):
            afs = AlternativeFeatures("forest", n_features=2, tau=1).fit(table[list(order)], y)
            names.append([set(features.names) for features in afs.feature_sets_])
    assert names[0] == names[1] == names[2] and names[0][0] == {"p", "a"}


@pytest.mark.parametrize("max_iterations", [5000, 100])
def test_of_sets_that_are_equally_good_the_same_are_taken_in_any_order_of_columns(max_iterations):
    rng = np.random.default_rng(3)
    y = np.repeat([0, 1], 60)
    # Each column alone separates the classes.
    table = pd.DataFrame(rng.normal(size=(120, 8)) + 20 * y[:, None], columns=list("abcdefgh"))
    sets = []
    for columns in (table.columns, table.columns[::-1], rng.permutation(table.columns)):
        selector = selectors.make("forest", {"max_iterations": max_iterations})
        with pytest.warns(DataWarning):
            afs = AlternativeFeatures(selector, n_features=3).fit(table[columns], y)
        assert afs.quality_.evaluate(afs.feature_sets_[0].indices) == 1
        sets.append([{*features.names} for features in afs.feature_sets_])
    assert sets[0] == sets[1] == sets[2]


def test_unproven_sets_of_the_same_quality_are_in_the_order_of_their_names():
    def result(*sets):
        entries = [FeatureSet(s, q, status) for s, q, status in sets]
        return SearchResult(tuple(entries), 2, "none")

    # The columns 0 and 3 have the names d and a.
    names, free = list("dcba"), Status.FEASIBLE
    tied = result(((0, 1), 0.9, free), ((1, 3), 0.9, free), ((1, 2), 0.8, free))
    assert ties_by_name(tied, names).sets == [(1, 3), (0, 1), (1, 2)]
    proven = result(((0, 1), 0.9, Status.OPTIMAL), ((1, 3), 0.9, Status.OPTIMAL))
    assert ties_by_name(proven, names) == proven


def test_constants_are_worthless():
    X, y = a_table()
    for target_type, target, nothing in (("binary", y, 0.5), ("regression", y + X[:, 3], 0.0)):
        quality = selectors.make("forest").quality(Part(X, target, target_type, 0))
        assert quality.evaluate((5,)) == pytest.approx(nothing, abs=0.04)
        assert quality.evaluate((2, 5)) == quality.evaluate((2,))


def test_with_fewer_evaluations_nothing_is_proven():
    X, y = a_table()
    quality = selectors.make("forest", {"max_iterations": 10}).quality(Part(X, y, "binary", 0))
    result = search_sequentially(quality, n_features=2, n_alternatives=1, tau=1)
    assert result.status == [Status.FEASIBLE] * 2
    assert all(entry.work <= 10 for entry in result)


def test_more_rows_than_allowed_are_a_sample_by_content():
    X, y = a_table()
    rows = np.random.default_rng(0).permutation(len(y))
    values = [
        selectors.make("forest", {"rows": 100}).quality(Part(A, b, "binary", 0)).evaluate((1, 4))
        for A, b in ((X, y), (X[rows], y[rows]))
    ]
    assert values[0] == values[1]


@pytest.mark.parametrize(("y", "target_type"), [([0, 0, 0, 1], "binary"), ([3.0], "regression")])
def test_too_few_rows_are_refused(y, target_type):
    with pytest.raises(DataError, match=r"y: the forest needs 2 rows"):
        selectors.make("forest").quality(Part(np.zeros((len(y), 1)), np.array(y), target_type, 0))
