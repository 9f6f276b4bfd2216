"""OSFS and Fast-OSFS, judged by loops over all subsets."""

import numpy as np
import plain
import pytest
from plain import begun, data, sets_of

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
