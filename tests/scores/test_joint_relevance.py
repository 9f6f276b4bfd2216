"""What pairs of features tell together, judged by scikit-learn's functions of labels."""

import numpy as np
import pytest
from sklearn.metrics import mutual_info_score
from sklearn.metrics.cluster import contingency_matrix, expected_mutual_information

from altfs.scores.base import ScoreKey
from altfs.selectors import Part

KEY = ScoreKey("joint_relevance")
RNG = np.random.default_rng(0)
N = 203
X = RNG.normal(size=(N, 5)).round(1)
X[:, 3] = RNG.integers(0, 9, N)
X[:, 4] = RNG.integers(0, 3, N)
CATEGORICAL = np.array([False, False, False, True, False])
Y = ((X[:, 0] * X[:, 1] > 0) ^ (X[:, 3] > 6)).astype(int)


def part(X=X, y=Y, target_type="binary", categorical=CATEGORICAL):
    return Part(X, y, target_type, 0, categorical=categorical)


def binned(column, number):
    """Bins of mean ranks, the largest of which ends at 1."""
    if len(np.unique(column)) <= number:
        return column
    ranks = [(column < v).sum() + (column == v).sum() / 2 for v in column]
    return np.floor(np.array(ranks) * number / len(column) + 1e-9)


def by_hand(i, j, number, y):
    a, b = (X[:, c] if CATEGORICAL[c] else binned(X[:, c], number) for c in (i, j))
    joint = np.unique(np.column_stack([a, b]), axis=0, return_inverse=True)[1].ravel()
    table = contingency_matrix(joint, y, sparse=True)
    return mutual_info_score(joint, y) - expected_mutual_information(table, len(y))


@pytest.mark.parametrize(("variant", "number"), [("auto", 5), ("3", 3)])
@pytest.mark.parametrize("target_type", ["binary", "regression"])
def test_pairs_have_the_information_of_their_labels_less_chance(variant, number, target_type):
    y = Y if target_type == "binary" else Y + X[:, 0] / 9
    values = part(y=y, target_type=target_type).score(ScoreKey("joint_relevance", variant))
    labels = y if target_type == "binary" else binned(y, number)
    for i in range(5):
        for j in range(5):
            assert values[i, j] == pytest.approx(by_hand(i, j, number, labels), abs=1e-9)


def test_columns_of_parts_are_those_of_the_whole():
    whole = part().score(KEY)
    assert (whole == whole.T).all()
    for columns in (range(0, 2), range(2, 5), range(3, 4), range(0, 5, 2)):
        assert (part().compute(KEY, columns) == whole[:, list(columns)]).all()


def test_orders_codes_and_monotone_changes_do_not_matter():
    values = part().score(KEY)
    rows, columns = RNG.permutation(N), RNG.permutation(5)
    changed = X.copy()
    changed[:, 0], changed[:, 1] = np.exp(X[:, 0]), -X[:, 1]
    changed[:, 3] = 8 - X[:, 3]
    for other in (part(changed), part(X[rows], 1 - Y[rows])):
        assert other.score(KEY) == pytest.approx(values, abs=1e-12)
    moved = part(X[:, columns], categorical=CATEGORICAL[columns]).score(KEY)
    assert moved == pytest.approx(values[np.ix_(columns, columns)], abs=1e-12)


def test_ids_and_noise_tell_nothing():
    table = np.column_stack([np.arange(N), RNG.permutation(N), RNG.normal(size=N)]).astype(float)
    y = RNG.integers(0, 2, N)
    values = part(table, y, categorical=np.array([True, True, False])).score(KEY)
    assert np.abs(values).max() < 0.05
