"""C4.5: what single trees have to do; whole trees are compared in tests/oracles."""

from math import log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from marks import examples
from scipy.stats import beta

from altfs.errors import DataError
from altfs.prediction._gain_ratio_tree import GainRatioTree, Node, more_errors
from altfs.selectors import Part
from altfs.selectors.c45 import C45, C45Options


def part(X, y, categorical=None):
    X = np.asarray(X, dtype=float)
    some = {} if categorical is None else {"categorical": np.asarray(categorical)}
    return Part(X, np.asarray(y), "multiclass", 0, **some)


def bits(counts):
    n = sum(counts)
    return -sum(c * log2(c / n) for c in counts if c)


def test_importances_are_the_entropy_saved_in_rows():
    # Feature 0 tells class 2 from the others, and feature 1 classes 0 and 1.
    y = np.repeat([0, 1, 2], [8, 8, 16])
    X = np.column_stack([y == 2, y == 1, np.arange(32) % 2])
    top, below = bits([8, 8, 16]) - bits([8, 8]), bits([8, 8])
    expected = [top / (top + below), below / (top + below), 0]
    assert C45().values(part(X, y)).tolist() == pytest.approx(expected)


def test_a_category_has_a_branch_for_each_value():
    y = np.repeat([0, 1, 0], 6)
    X = np.column_stack([np.repeat([3.0, 7.0, 5.0], 6), np.arange(18) % 2])
    tree = GainRatioTree(X, y, np.array([True, False]), 2, 0.25)
    assert [child.counts.tolist() for child in tree.root.children] == [[6, 0], [6, 0], [0, 6]]


def test_a_value_of_its_own_in_every_row_is_a_poor_split():
    """The gain ratio is what C4.5 has in place of the gain."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 60)
    signal = np.where(rng.random(60) < 0.9, y, 1 - y)
    X = np.column_stack([np.arange(60) // 2, signal])
    assert C45().values(part(X, y, [True, True])).tolist() == [0, 1]


def test_one_class_and_noise_have_no_importances():
    rng = np.random.default_rng(0)
    X = rng.random((200, 3))
    assert C45().values(part(X, np.zeros(200))).tolist() == [0, 0, 0]
    some = C45(C45Options(confidence=0.5)).values(part(X, X[:, 0] + rng.random(200) > 1))
    assert some.sum() == pytest.approx(1)


@given(st.integers(1, 60))
@examples(30)
def test_without_errors_the_bound_is_that_of_the_binomial_distribution(n):
    assert n * beta.ppf(0.75, 1, n) == pytest.approx(more_errors(n, 0, 0.25))


@given(st.lists(st.tuples(*[st.integers(0, 4)] * 4), min_size=4, max_size=40), st.booleans())
@examples(60)
def test_values_do_not_depend_on_names_and_scales(rows, nominal):
    table = np.array(rows, dtype=float)
    X, y = table[:, :3], table[:, 3]
    kinds = np.array([nominal, False, False])
    tree = GainRatioTree(X, y, kinds, 2, 0.25)
    other = X.copy()
    other[:, 1:] = 2 * other[:, 1:] + 1
    other[:, 0] = (-1 if nominal else 1) * other[:, 0]
    importances = GainRatioTree(other, y, kinds, 2, 0.25).importances()
    assert tree.importances() == pytest.approx(importances)
    check(tree.root, bits(np.unique(y, return_counts=True)[1]))


def check(node: Node, entropy):
    """Children hold the rows of their node, and have no more entropy."""
    if node.children:
        assert sum(child.counts for child in node.children).tolist() == node.counts.tolist()
        left = [bits(child.counts) for child in node.children]
        assert sum(left) <= entropy + 1e-9
        for child, rest in zip(node.children, left, strict=True):
            check(child, rest)


def test_numbers_are_refused():
    with pytest.raises(DataError, match="'c45' is for classes, the target has numbers"):
        C45().quality(Part(np.zeros((9, 2)), np.arange(9.0), "regression", 0))
