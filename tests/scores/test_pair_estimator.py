"""The estimates are scikit-learn's bit for bit, and FCBF's conflicts are what they imply."""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from marks import examples, exhaustive
from sklearn.feature_selection import mutual_info_regression
from sklearn.model_selection import StratifiedKFold

from altfs.errors import DataError
from altfs.scores._pair_estimator import PairEstimator
from altfs.selectors import Part, ScoreKey
from altfs.study.config import DatasetEntry
from altfs.study.facts import load_dataset

SEED = 25


def same_bits(values, expected):
    return np.array_equal(values.view(np.int64), np.asarray(expected, dtype=float).view(np.int64))


def estimated(kind, X, columns, y=None, scores=None):
    """Columns of a score of all rows, as the score's class computes them."""
    y = np.arange(len(X)) % 2 if y is None else y
    part = Part(X, y, "regression", SEED, scores or {})
    return part.compute(ScoreKey(kind, "sklearn"), columns)


def conflicts_of(X, relevance, columns):
    return estimated("conflicts", X, columns, scores={ScoreKey("relevance", "sklearn"): relevance})


def slow_redundancy(X, columns):
    return np.column_stack([mutual_info_regression(X, X[:, j], random_state=SEED) for j in columns])


def brute_conflicts(relevance, redundancy):
    """Every pair by FCBF's definition; entry (i, j) has feature j in the target's place."""
    n = len(relevance)
    result = np.zeros((n, n), dtype=bool)
    for i in range(n):
        for j in range(n):
            either = relevance[j] <= redundancy[i, j] or relevance[i] <= redundancy[j, i]
            result[i, j] = i != j and either
    return result


def training_rows(pmlb_cache, name, folds=10, most=10**6):
    dataset = load_dataset(DatasetEntry(type="pmlb", name=name), pmlb_cache)
    split = StratifiedKFold(folds, shuffle=True, random_state=SEED).split(dataset.X, dataset.y)
    train, _ = next(split)
    return dataset.X[train[:most]], dataset.y[train[:most]]


# Ionosphere has a constant column and continuous ones, Spect has ones of two
# values and duplicates, Mushroom a few values each, Spambase many zeros.
CASES = [("ionosphere", 10**6), ("spect", 10**6), ("mushroom", 400), ("spambase", 900)]


@pytest.mark.parametrize(("name", "most"), [*CASES[:3], *exhaustive(CASES[3])])
def test_real_folds_have_scikit_learns_values(pmlb_cache, name, most):
    X, y = training_rows(pmlb_cache, name, most=most)
    columns = range(1, X.shape[1], 9)
    assert same_bits(estimated("redundancy", X, columns), slow_redundancy(X, columns))
    expected = mutual_info_regression(X, y, random_state=SEED)
    assert same_bits(estimated("relevance", X, range(X.shape[1]), y), expected)


values = st.one_of(
    st.sampled_from([0.0, 1.0, 2.0]),
    st.sampled_from([-1e9, 0.5, 1e9, 1e9 + 1]),
    st.floats(-100, 100, width=16),
)
tables = st.tuples(st.integers(4, 40), st.integers(1, 4)).flatmap(
    lambda shape: arrays(np.float64, shape, elements=values, fill=st.just(0.0))
)


@examples(60)
@given(tables, st.booleans())
def test_random_tables_with_ties_have_scikit_learns_values(X, by_column):
    X = np.asfortranarray(X) if by_column else X
    columns = range(X.shape[1])
    assert same_bits(estimated("redundancy", X, columns), slow_redundancy(X, columns))


@pytest.mark.exhaustive
@pytest.mark.parametrize("n_rows", [4, 5, 7, 8, 9, 131, 1000])
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64])
def test_any_number_of_rows_and_type_of_numbers(n_rows, dtype):
    random = np.random.default_rng(n_rows)
    X = np.column_stack(
        [
            random.normal(size=n_rows) * 10,
            random.exponential(size=n_rows) ** 3,
            random.integers(0, 3, n_rows),
            np.full(n_rows, 7),
            np.arange(n_rows),
        ]
    ).astype(dtype)
    assert same_bits(estimated("redundancy", X, range(5)), slow_redundancy(X, range(5)))
    for y in (X[:, 1].copy(), np.arange(n_rows) % 2):
        expected = mutual_info_regression(X, y, random_state=SEED)
        assert same_bits(estimated("relevance", X, range(5), y), expected)


def test_three_rows_are_too_few():
    with pytest.raises(DataError, match="3 rows are too few"):
        estimated("redundancy", np.eye(3), range(3))
    part = Part(np.eye(3), np.arange(3), "binary", SEED)
    with pytest.raises(DataError, match="3 rows are too few"):
        part.score(ScoreKey("conflicts", "sklearn"))


def test_missing_values_are_refused():
    X = np.arange(20.0).reshape(10, 2)
    X[3, 1] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        PairEstimator(X, X, SEED)


@pytest.mark.parametrize("name", ["ionosphere", "spect"])
@pytest.mark.parametrize("variant", ["regression", "classification"])
def test_conflicts_are_those_of_the_definition(pmlb_cache, name, variant):
    X, y = training_rows(pmlb_cache, name)
    part = Part(X[:, :13], y, "binary", SEED)
    relevance = part.score(ScoreKey("relevance", variant))
    expected = brute_conflicts(relevance, part.score(ScoreKey("redundancy", "sklearn")))
    assert expected.any()
    assert np.array_equal(part.score(ScoreKey("conflicts", variant)), expected)


@examples(40)
@given(tables, st.integers(1, 4), st.data())
def test_conflicts_do_not_depend_on_the_parts(X, n_parts, data):
    n_total = X.shape[1]
    relevance = data.draw(arrays(float, n_total, elements=st.sampled_from([0.0, 0.01, 0.2, 1.0])))
    conflicts = np.zeros((n_total, n_total), dtype=int)
    for p in range(n_parts):
        columns = range(p, n_total, n_parts)
        conflicts[:, columns] += conflicts_of(X, relevance, columns)
    # No pair is decided twice.
    assert (conflicts + conflicts.T).max() <= 1
    redundancy = estimated("redundancy", X, range(n_total))
    assert np.array_equal(conflicts + conflicts.T > 0, brute_conflicts(relevance, redundancy))


@pytest.mark.parametrize("n_total", [2, 3, 8, 9])
def test_every_feature_owns_half_of_its_pairs(n_total):
    X = np.random.default_rng(0).normal(size=(8, n_total))
    conflicts = conflicts_of(X, np.zeros(n_total), range(n_total))
    assert (conflicts + conflicts.T + np.eye(n_total, dtype=bool)).all()
    assert conflicts.sum() == n_total * (n_total - 1) / 2
    assert np.ptp(conflicts.sum(axis=0)) <= 1


@pytest.mark.exhaustive
def test_numba_is_imported_only_for_estimates():
    code = (
        "import sys, altfs\n"
        "from altfs.selectors import selectors\n"
        "selectors.names()\n"
        "print('numba' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
