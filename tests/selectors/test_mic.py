"""MIC: documented examples, functions without noise, and all partitions of small tables."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from marks import examples

from altfs.errors import DataError
from altfs.selectors import Part
from altfs.selectors.mic import Mic, MicOptions

X = np.linspace(0, 1, 1000)
WAVE = np.sin(10 * np.pi * X) + X


def mic(x, y, **options):
    part = Part(np.asarray(x, dtype=float)[:, None], np.asarray(y), "regression", 0)
    return float(Mic(MicOptions(**options)).values(part)[0])


def test_the_example_of_minepy_has_its_values():
    noise = np.random.RandomState(0).uniform(-1, 1, len(X))
    assert mic(X, WAVE) == pytest.approx(1, abs=1e-12)
    # https://minepy.readthedocs.io/en/latest/python.html
    assert mic(X, WAVE + noise) == pytest.approx(0.505716693417, abs=1e-12)
    assert mic(X, WAVE + noise) == mic(WAVE + noise, X)


@pytest.mark.parametrize(
    "function", [np.exp, lambda x: -x, lambda x: (x - 0.5) ** 2, lambda x: np.abs(x - 0.3)]
)
def test_functions_without_noise_have_1(function):
    assert mic(X[::3], function(X[::3])) == pytest.approx(1, abs=1e-9)


def test_a_constant_feature_has_0_and_noise_little():
    rng = np.random.default_rng(0)
    assert mic(np.ones(100), WAVE[:100]) == 0
    assert mic(rng.random(1000), rng.random(1000)) < 0.25


def test_classes_are_told_by_the_feature_that_divides_them():
    rng = np.random.default_rng(0)
    x = rng.random((200, 2))
    values = Mic().values(Part(x, (x[:, 1] > 0.5).astype(int), "binary", 0))
    assert values[1] > 0.97 > 0.4 > values[0]


def entropy(*labels):
    counts = np.unique(np.column_stack(labels), axis=0, return_counts=True)[1]
    shares = counts / counts.sum()
    return -(shares * np.log(shares)).sum()


def best_of_all_grids(x, y, cells):
    """The largest entry, by trying all divisions of x for the even divisions of y."""
    n, best = len(x), 0.0
    for first, second in ((x, y), (y, x)):
        for n_rows in range(2, cells // 2 + 1):
            # Without ties, each part takes rows until one more would not bring it nearer to
            # an equal share of those that are left.
            row, taken, at, share, current = np.empty(n, dtype=int), 0, 0, n / n_rows, 0
            for i in np.argsort(second):
                if taken and abs(taken + 1 - share) >= abs(taken - share):
                    current, taken = current + 1, 0
                    share = (n - at) / (n_rows - current)
                row[i], taken, at = current, taken + 1, at + 1
            ranks = np.argsort(np.argsort(first))
            for n_columns in range(2, cells // n_rows + 1):
                for cuts in combinations(range(1, n), n_columns - 1):
                    column = np.searchsorted(cuts, ranks, side="right")
                    shared = entropy(row) + entropy(column) - entropy(row, column)
                    best = max(best, shared / np.log(min(n_rows, n_columns)))
    return best


@given(st.permutations(range(10)))
@examples(40)
def test_small_tables_have_the_best_of_all_grids(order):
    value = mic(np.arange(10), np.array(order, dtype=float), exponent=0.8)
    assert value == pytest.approx(best_of_all_grids(np.arange(10), np.array(order), 6), abs=1e-12)


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=4, max_size=40))
@examples(60)
def test_values_with_ties_are_symmetric_and_between_0_and_1(rows):
    x, y = np.array(rows, dtype=float).T
    value = mic(x, y)
    assert value == mic(y, x)
    assert 0 <= value <= 1
    assert value == mic(np.exp(x), 3 * y + 1)


def test_too_few_rows_are_refused():
    with pytest.raises(DataError, match="3 rows are too few for MIC"):
        mic([1, 2, 3], [1.0, 2, 3])
