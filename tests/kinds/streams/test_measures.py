"""Dependence and independence, judged by causal-learn and by counting."""

import numpy as np
import plain
import pytest
from plain import dependences

from altfs.kinds.streams.base import StreamColumn
from altfs.kinds.streams.measures import FisherZ, GSquare, SymmetricUncertainty
from altfs.scores.independence import TargetCodes, coded, standardised


def chain(rng, n_rows, width):
    """Columns that depend on the one before, and a target on the last ones."""
    X = rng.normal(size=(n_rows, width))
    for j in range(1, width):
        X[:, j] += rng.uniform(0, 2) * X[:, j - 1]
    return X, X[:, -3:].sum(axis=1) + rng.normal(size=n_rows) * 3


@pytest.mark.exhaustive
def test_fisher_z_decides_as_causal_learn():
    from causallearn.utils.cit import CIT

    rng, decided = np.random.default_rng(0), [0, 0]
    for _ in range(200):
        X, y = chain(rng, int(rng.integers(20, 200)), 6)
        oracle, measure = CIT(np.column_stack([X, y]), "fisherz"), FisherZ(y, "regression")
        values = standardised(X.T.copy())
        for _ in range(50):
            x, *given = rng.permutation(6)[: rng.integers(1, 5)].tolist()
            members = measure.members()
            for j in (x, *given):
                members.append(StreamColumn(j, 1.0, values[j]))
            if given:
                result = members.separated(0, len(given))
            else:
                result = not dependences(measure, X, range(x, x + 1))[0]
            # All subsets are tested, so the oracle has to judge all, too.
            subsets = plain.subsets(given) if given else [()]
            expected = any(oracle(x, 6, list(s)) >= 0.01 for s in subsets)
            assert result == expected
            decided[expected] += 1
    assert min(decided) > 1000


@pytest.mark.exhaustive
def test_g_square_decides_as_causal_learn_where_it_has_enough_rows():
    from causallearn.utils.cit import CIT

    number = 10_000
    rng, decided = np.random.default_rng(1), [0, 0]
    while sum(decided) < number:
        if sum(decided) % 20 == 0:
            table = rng.integers(0, 3, size=(400, 5))
            same = rng.random((400, 4)) < rng.random(4) * 0.3
            table[:, 1:] = np.where(same, table[:, :1], table[:, 1:])
            oracle, measure = CIT(table, "gsq"), GSquare(table[:, 0], "multiclass")
        x, *given = rng.permutation([1, 2, 3, 4])[: rng.integers(1, 4)].tolist()
        columns = {j: coded(table[:, j].astype(float)) for j in (x, *given)}
        result = measure.independent(columns[x], [columns[z] for z in given])
        freedom = 4 * 3 ** len(given)
        full = len(np.unique(table[:, [0, *given]], axis=0)) == 3 ** (1 + len(given))
        full &= len(np.unique(table[:, [x, *given]], axis=0)) == 3 ** (1 + len(given))
        if 5 * freedom > 400:
            assert result
        elif full:
            assert result == (oracle(x, 0, given) >= 0.01)
            decided[result] += 1
    assert min(decided) > number / 10


def test_a_test_with_too_few_rows_finds_independence():
    y = np.array([0, 0, 1])
    assert not dependences(FisherZ(y, "binary"), y[:, None]).any()
    assert not dependences(GSquare(y, "binary"), y[:, None]).any()


def test_undefined_partial_correlations_are_independence():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(50, 4))
    y = X.sum(axis=1)
    X[:, 1] = 3 * X[:, 0] + 1
    X[:, 2] = 5.0
    measure = FisherZ(y, "regression")
    assert dependences(measure, X)[2] == 0
    members = measure.members()
    for j, values in enumerate(standardised(X[:, [0, 3, 1]].T.copy())):
        members.append(StreamColumn(j, 1.0, values))
    # The copy is in the span; of others it changes nothing.
    assert members.separated(0, 1, required=2)
    assert not members.separated(1, 3)


def test_uncertainty_is_that_of_plain_counts():
    rng = np.random.default_rng(3)
    y = rng.integers(0, 3, 80)
    X = np.column_stack([y * 2, rng.integers(0, 4, 80), np.ones(80), rng.normal(size=80)])
    result = dependences(SymmetricUncertainty(y, "multiclass"), X)
    tenths = np.searchsorted(np.quantile(X[:, 3], np.arange(1, 10) / 10), X[:, 3])
    expected = [plain.uncertainty(x, y) for x in (*X[:, :3].T, tenths)]
    assert np.allclose(result, expected, atol=1e-11)
    assert (result[0], result[2]) == (1, 0)


def test_codes_of_another_part_have_the_cuts_of_the_training_part():
    values, others = np.arange(100.0) ** 2, np.array([-5.0, 1e9])
    assert coded(others, values).levels == 2
    assert TargetCodes(np.arange(100.0), "regression").codes.levels == 5
    assert TargetCodes(np.array([4, 7, 7]), "binary").codes.values.tolist() == [0, 1, 1]


@pytest.mark.parametrize("kind", [FisherZ, SymmetricUncertainty, GSquare])
def test_memory_order_types_and_centres_change_nothing(kind):
    rng = np.random.default_rng(4)
    X = rng.integers(0, 5, size=(60, 12))
    y = (X[:, 0] + X[:, 3] > 4).astype(int)
    measure = kind(y, "binary")
    expected = dependences(measure, X)
    assert expected.any()
    for same in (X.astype(float), np.asfortranarray(X, dtype=float), X[::-1][::-1].astype("f4")):
        kept = same.copy()
        assert np.array_equal(dependences(measure, same), expected)
        assert np.array_equal(same, kept)
    centred = X - X.mean(axis=0)
    if kind is FisherZ:
        assert np.array_equal(dependences(measure, centred), expected)
    assert np.array_equal(dependences(measure, X.astype(float), range(3, 7)), expected[3:7])
