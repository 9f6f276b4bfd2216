"""ReliefF against its published definition, written down a second time, and known behaviour."""

from math import exp

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from marks import examples

from altfs import AlternativeFeatures
from altfs.errors import DataError
from altfs.selectors import Part
from altfs.selectors.relief import Relief, ReliefOptions


def nearest(distances, rows, k, sigma):
    """(row, influence) of the k nearest rows."""
    rows = sorted(rows, key=lambda r: (distances[r], r))[:k]
    raw = [
        1.0 if sigma is None else exp(-((rank / sigma) ** 2)) for rank in range(1, len(rows) + 1)
    ]
    return [(r, d / sum(raw)) for r, d in zip(rows, raw, strict=True)]


def diffs(column):
    spread = max(column) - min(column)
    return [[abs(a - b) / spread if spread else 0.0 for b in column] for a in column]


def by_the_book(X, y, k, sigma, numeric):
    """Figures 2 and 3 of Robnik-Sikonja and Kononenko (2003), every row once."""
    m, n = X.shape
    diff = [diffs(X[:, a].tolist()) for a in range(n)]
    distance = [[sum(diff[a][i][j] for a in range(n)) for j in range(m)] for i in range(m)]
    weights = [0.0] * n
    if not numeric:
        share = {c: sum(1 for v in y if v == c) / m for c in set(y)}
        for i in range(m):
            for c in share:
                rows = [j for j in range(m) if j != i and y[j] == c]
                for j, d in nearest(distance[i], rows, k, sigma):
                    for a in range(n):
                        part = diff[a][i][j] * d / m
                        if c == y[i]:
                            weights[a] -= part
                        else:
                            weights[a] += share[c] / (1 - share[y[i]]) * part
        return weights
    of_y = diffs(list(y))
    n_dc, n_da, n_dc_da = 0.0, [0.0] * n, [0.0] * n
    for i in range(m):
        for j, d in nearest(distance[i], [r for r in range(m) if r != i], k, sigma):
            n_dc += of_y[i][j] * d
            for a in range(n):
                n_da[a] += diff[a][i][j] * d
                n_dc_da[a] += of_y[i][j] * diff[a][i][j] * d
    if n_dc == 0 or n_dc >= m:
        return weights
    return [n_dc_da[a] / n_dc - (n_da[a] - n_dc_da[a]) / (m - n_dc) for a in range(n)]


def relief(X, y, kind, k=10, sigma=None):
    part = Part(np.asarray(X, dtype=float), np.asarray(y), kind, 0)
    return Relief(ReliefOptions(n_neighbours=k, sigma=sigma)).quality(part).values


@given(
    st.integers(0, 10**6), st.integers(1, 6), st.sampled_from([None, 2.0]),
    st.sampled_from(["binary", "multiclass", "regression"]), st.booleans(),
)  # fmt: skip
@examples(60)
def test_the_weights_are_those_of_the_definition(seed, k, sigma, kind, binary_features):
    rng = np.random.default_rng(seed)
    # Quarters add up without rounding, so ties are ties in both implementations.
    X = rng.integers(0, 2 if binary_features else 5, (15, 4)) / 4
    X[:2] = [[0] * 4, [1 / 4 if binary_features else 1] * 4]
    X[:, 3] = X[0, 3] if seed % 2 else X[:, 3]
    y = {
        "binary": np.arange(15) % 2,
        "multiclass": np.array([0] * 8 + [1] * 4 + [2] * 3),
        "regression": rng.integers(0, 9, 15).astype(float),
    }[kind]
    expected = by_the_book(X, y.tolist(), k, sigma, kind == "regression")
    assert relief(X, y, kind, k, sigma) == pytest.approx(expected, abs=1e-12)


def test_features_that_matter_together_only_come_before_noise():
    # Parity: no feature tells anything alone. This is what Relief was made for.
    rng = np.random.default_rng(1)
    X = rng.integers(0, 2, (300, 8))
    y = X[:, 0] ^ X[:, 1]
    weights = relief(X, y, "binary")
    assert set(np.argsort(-weights)[:2]) == {0, 1}
    afs = AlternativeFeatures("relief", n_features=2, tau=1).fit(X, y)
    assert afs.feature_sets_[0].indices == (0, 1)
    assert AlternativeFeatures("f_statistic", n_features=2).fit(X, y).feature_sets_[0].indices != (
        0,
        1,
    )


def test_the_order_of_a_weighted_sum_is_that_of_its_weights():
    # Robnik-Sikonja and Kononenko, Section 4: with enough rows important features rank in order.
    rng = np.random.default_rng(2)
    X = rng.random((400, 6))
    y = 4 * X[:, 2] + 2 * X[:, 0] + X[:, 4]
    weights = relief(X, y, "regression", k=20)
    assert np.argsort(-weights)[:3].tolist() == [2, 0, 4]
    classes = (y > np.median(y)).astype(int)
    assert np.argsort(-relief(X, classes, "binary", k=20))[:3].tolist() == [2, 0, 4]


def test_units_do_not_matter_constants_are_worth_nothing_and_weights_are_bounded():
    rng = np.random.default_rng(3)
    X = np.column_stack([rng.integers(0, 8, (40, 3)) / 8, np.full(40, 7.0)])
    y = np.arange(40) % 2
    weights = relief(X, y, "binary")
    assert (np.abs(weights) <= 1).all() and weights[3] == 0
    assert (relief(X * [1, 2, 4, 8], y, "binary") == weights).all()
    weights = relief(y[:, None], y, "binary", k=3)
    assert weights.tolist() == [1.0]
    assert (relief(X, np.full(40, 1.0), "regression") == 0).all()


def test_blocks_of_rows_change_nothing(monkeypatch):
    rng = np.random.default_rng(4)
    X, y = rng.random((31, 5)), np.arange(31) % 3
    whole = relief(X, y, "multiclass")
    monkeypatch.setattr("altfs.selectors.relief._CELLS_AT_ONCE", 100)
    assert (relief(X, y, "multiclass") == whole).all()


def test_too_few_rows_are_refused_in_a_sentence():
    X = np.random.default_rng(0).random((5, 3))
    with pytest.raises(DataError, match="a class has only 1 row, ReliefF needs 2 of every class"):
        relief(X, [0, 0, 0, 0, 1], "binary")
    with pytest.raises(DataError, match="1 rows are too few for ReliefF"):
        relief(X[:1], [0.5], "regression")
