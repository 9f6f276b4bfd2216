"""OSFS and Fast-OSFS, judged by loops over all subsets."""

import numpy as np
import plain
import pytest
from plain import begun, data, sets_of

from altfs.errors import DataError
from altfs.kinds.streams.measures import FisherZ, GSquare
from altfs.scores.independence import coded

LOOPS = pytest.mark.parametrize(
    ("selector", "loop"), [("osfs", plain.osfs), ("fast_osfs", plain.fast_osfs)]
)


@LOOPS
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("most", [1, 3])
def test_osfs_with_fisher_z_tries_all_subsets(seed, selector, loop, most):
    X, y = data(seed, n_rows=120, width=10)
    measure = FisherZ(y, "binary")

    def independent(f, given):
        r = plain.partial_correlation(X[:, f], y.astype(float), [X[:, g] for g in given])
        return abs(r) < measure.cutoffs[len(given)]

    reader = begun(selector, y, max_conditioning=most)
    assert sets_of(reader, X) == [loop(10, independent, most)]


@LOOPS
def test_osfs_with_g_square_tries_all_subsets(selector, loop):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, size=(400, 7)).astype(float)
    y = (X[:, :3].sum(axis=1) + rng.integers(0, 2, 400) > 1).astype(int)
    X[:, 4] = np.where(rng.random(400) < 0.9, X[:, 0], X[:, 4])
    measure, codes = GSquare(y, "binary"), [coded(x) for x in X.T]
    expected = loop(7, lambda f, given: measure.independent(codes[f], [codes[g] for g in given]))
    assert sets_of(begun(selector, y, measure="g2"), X) == [expected]
    assert 2 <= len(expected) < 7


def plain_share(codes, y):
    """The share of right answers of naive Bayes on each row, counted without it."""
    right = 0
    for i in range(len(y)):
        rest = np.arange(len(y)) != i
        scores = []
        for c in np.unique(y):
            rows = rest & (y == c)
            logs = np.log(rows.sum() + 1)
            for x in codes:
                here = (rows & (x == x[i])).sum()
                logs += np.log((here + 1) / (rows.sum() + len(np.unique(x))))
            scores.append(logs)
        right += np.unique(y)[int(np.argmax(scores))] == y[i]
    return right / len(y)


@LOOPS
@pytest.mark.parametrize("seed", range(3))
def test_osfs_ends_at_an_accuracy_with_the_sets_so_far(seed, selector, loop):
    X, y = data(seed, n_rows=150, width=14)

    def share(columns):
        return plain_share([coded(X[:, j]).values for j in columns], y)

    without = [sets_of(begun(selector, y), X[:, :n])[0] for n in range(1, 15)]
    shares = [share(columns) if columns else 0.0 for columns in without]
    wanted = sorted(shares)[len(shares) // 2]
    first = next(n for n, s in enumerate(shares) if s >= wanted)
    assert sets_of(begun(selector, y, accuracy=wanted), X) == [without[first]]
    reader = begun(selector, y, accuracy=wanted)
    sets_of(reader, X)
    assert first + 1 <= reader.tests <= 14


@LOOPS
@pytest.mark.parametrize("measure", ["fisher_z", "g2"])
def test_osfs_ends_after_so_many_tests(selector, loop, measure):
    X, y = data(2, n_rows=150, width=14)
    last = -1
    for most in (1, 3, 8, 20, 10_000):
        reader = begun(selector, y, measure=measure, max_tests=most)
        sets = sets_of(reader, X, n_sets=2)
        tests = reader.tests + sum(members.tests for members in reader._sets)
        assert tests >= last
        last = tests
        if most == 1:
            assert sets == [[], []]
    assert sets == sets_of(begun(selector, y, measure=measure), X, n_sets=2)


def test_numbers_have_no_accuracy():
    with pytest.raises(DataError, match="accuracy: a target of numbers has no share"):
        begun("osfs", np.arange(50.0), "regression", accuracy=0.9)
