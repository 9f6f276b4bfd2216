from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chi2, norm

from altfs import AlternativeFeatures
from altfs.errors import AltfsError
from altfs.library.answers.equivalents import equivalence_classes, remembered
from altfs.scores.base import Part
from altfs.scores.independence import (
    LevelCounts,
    PartialCorrelation,
    independence,
    one_row_per_group,
)


def uniform_numbers_of_r(seed, n):
    """The numbers of R's ``set.seed(seed); runif(n)``."""
    key = np.empty(625, dtype=np.uint32)
    for _ in range(50):
        seed = (69069 * seed + 1) % 2**32
    for i in range(625):
        seed = (69069 * seed + 1) % 2**32
        key[i] = seed
    generator = np.random.RandomState()
    generator.set_state(("MT19937", key[1:], 624))
    return generator.randint(0, 2**32, n, dtype=np.uint64) * 2.3283064365386963e-10


def test_numbers_of_r_are_those_that_r_prints():
    # set.seed(123); runif(3)
    assert uniform_numbers_of_r(123, 3).round(7).tolist() == [0.2875775, 0.7883051, 0.4089769]


@pytest.fixture(scope="module")
def published():
    """The example of Section 4.2 of Lagani et al. (2017), number for number."""
    numbers = uniform_numbers_of_r(12345678, 301_000)
    X = 1 + 99 * numbers[:300_000].reshape(300, 1000).T
    y = 3 * X[:, 9] + 2 * X[:, 199] + 3 * X[:, 19] + 10 * numbers[300_000:]
    X[:, 14] = X[:, 9]
    X[:, 249] = X[:, 229] = X[:, 199]
    return X, y


@pytest.mark.parametrize(("most", "alpha"), [(5, 0.2), (2, 0.01)])
def test_the_published_example_has_its_sets(published, most, alpha):
    X, y = published
    log_p = remembered(PartialCorrelation(X, y))
    classes = equivalence_classes(log_p, 300, np.log(alpha), most)
    assert [[j + 1 for j in members] for members in classes] == [[10, 15], [20], [200, 230, 250]]


@pytest.fixture(scope="module")
def fitted():
    rng = np.random.default_rng(3)
    X = pd.DataFrame(rng.normal(size=(300, 6)), columns=[*"abcdef"])
    X["c"] = -2 * X["a"]
    X["d"] = 4 * X["b"]
    y = X["a"] + X["b"] + rng.normal(0, 0.3, 300)
    afs = AlternativeFeatures("mutual_information", n_features=2, n_alternatives=2, tau=0.5)
    return afs.fit(X, y), X, y


def test_sets_of_both_kinds_stand_side_by_side(fitted):
    afs, _, _ = fitted
    told = afs.equivalents()
    assert told.classes == [("a", "c"), ("b", "d")] and told.number == 4
    assert told.test == "Fisher's z"
    listed = [tuple(names) for names in told.sets["feature_names"]]
    assert listed == [*product(*told.classes)] and listed[0] == ("a", "b")
    original = set(afs.feature_sets_[0].names)
    for row, names in zip(told.sets.itertuples(), listed, strict=True):
        assert row.common == len(original & set(names))
        assert row.alternative == (row.common <= 1)
    for row, features in zip(told.table.itertuples(), afs.feature_sets_, strict=True):
        assert row.equivalent == (
            tuple(sorted(features.names)) in {tuple(sorted(s)) for s in listed}
        )
        assert row.others == len(set(features.names) & {"e", "f"})
        assert row.tells_all == (row.of_classes == 2)
    assert told.sentence.startswith(
        "4 sets of 2 features cannot be told apart by Fisher's z test; "
    )
    assert "a or c" in str(told)
    assert told.by_chance == pytest.approx(0.05 * 6)
    assert told.sentence.endswith(". About 0.3 worthless features pass the level by chance.")
    assert len(afs.equivalents(limit=3).sets) == 3
    assert afs.equivalents(limit=3).number == 4


def test_without_dependence_there_are_no_equivalent_sets():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(100, 4)), rng.normal(size=100)
    afs = AlternativeFeatures("mutual_information", n_features=1, n_shuffles=0).fit(X, y)
    told = afs.equivalents(1e-6)
    assert (told.classes, told.number, len(told.sets)) == ([], 0, 0)
    assert told.sentence == "No feature depends on the target by Fisher's z test."
    assert not told.table["equivalent"].any()


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"alpha": 1}, "alpha: 1 is not allowed, use 0 < alpha < 1"),
        ({"alpha": True}, "alpha: True is not allowed"),
        ({"max_conditioning": -1}, "max_conditioning"),
        ({"limit": 0}, "limit"),
    ],
)
def test_arguments_out_of_range_are_refused(fitted, wrong, words):
    with pytest.raises(AltfsError, match=words):
        fitted[0].equivalents(**wrong)


def test_too_many_tests_are_refused(fitted, monkeypatch):
    monkeypatch.setattr("altfs.scores.equivalence._MOST_TESTS", 5)
    with pytest.raises(AltfsError, match="more than 5 tests are needed, use a smaller max_cond"):
        fitted[0].equivalents()


def test_what_has_no_rows_is_refused(fitted):
    copy = AlternativeFeatures.from_json(fitted[0].to_json())
    with pytest.raises(AltfsError, match="call fit"):
        copy.equivalents()


def test_fishers_z_is_that_of_the_inverse_of_the_correlations():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(50, 5)) @ rng.normal(size=(5, 5))
    y = X @ rng.normal(size=5) + rng.normal(size=50)
    test = PartialCorrelation(X, y)
    for j in range(5):
        for size in range(4):
            for given in combinations([k for k in range(5) if k != j], size):
                inverse = np.linalg.inv(np.corrcoef(np.column_stack([y, X[:, [j, *given]]]).T))
                r = -inverse[0, 1] / np.sqrt(inverse[0, 0] * inverse[1, 1])
                p = 2 * norm.sf(np.arctanh(abs(r)) * np.sqrt(50 - size - 3))
                assert np.exp(test.log_p(j, given)) == pytest.approx(p, rel=1e-8)


def test_counts_are_those_of_scipys_tables():
    from scipy.stats import chi2_contingency

    rng = np.random.default_rng(2)
    X = rng.integers(0, 3, (400, 2)).astype(float)
    y = (X[:, 0] + rng.integers(0, 2, 400)) % 3
    test = LevelCounts(X, y, "multiclass", np.zeros(2, dtype=bool))
    total = freedom = 0.0
    for stratum in np.unique(X[:, 1]):
        rows = X[:, 1] == stratum
        found = chi2_contingency(
            pd.crosstab(X[rows, 0], y[rows]), lambda_="log-likelihood", correction=False
        )
        total, freedom = total + found.statistic, freedom + found.dof
    assert test.log_p(0, [1]) == pytest.approx(chi2.logsf(total, freedom))
    few = LevelCounts(X[:15], y[:15], "multiclass", np.zeros(2, dtype=bool))
    assert few.log_p(0, []) == 0.0


@pytest.mark.parametrize(
    ("target_type", "categorical", "name"),
    [
        ("binary", [False, False], "Fisher's z"),
        ("regression", [False, False], "Fisher's z"),
        ("multiclass", [False, False], "G²"),
        ("binary", [False, True], "G²"),
    ],
)
def test_the_test_suits_the_columns_and_the_target(target_type, categorical, name):
    X = np.arange(60.0).reshape(30, 2) % 7
    part = Part(X, np.arange(30) % 3, target_type, 0, categorical=np.array(categorical))
    test = independence(part)
    assert test.name == name and test.log_p(0, [1]) <= 0


def test_rows_of_a_group_are_not_independent():
    """Each of 40 cases has ten rows, so that worthless features look as if they told much."""
    passed, of_cases = 0, 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        cases = np.repeat(np.arange(40), 10)
        X = pd.DataFrame(rng.normal(size=(40, 5))[cases]).add_prefix("f")
        y = rng.normal(size=40)[cases]
        afs = AlternativeFeatures("correlation", n_features=1, n_alternatives=0, n_shuffles=0)
        passed += len(afs.fit(X, y).equivalents(0.05).classes) > 0
        together = afs.fit(X, y, groups=cases).equivalents(0.05)
        of_cases += len(together.classes) > 0
        assert together.n_groups == 40
    assert passed > 15 > 10 > of_cases
    said = AlternativeFeatures("correlation", n_features=1).fit(X.assign(g=y), y, groups=cases)
    assert "one row of each of 40 groups is tested" in said.equivalents().sentence


def test_one_row_of_each_group_depends_on_no_order():
    rng = np.random.default_rng(0)
    X, y, groups = rng.normal(size=(60, 3)), rng.integers(0, 2, 60), rng.integers(0, 20, 60)
    order = rng.permutation(60)
    one = one_row_per_group(Part(X, y, "binary", 0, groups=groups))
    other = one_row_per_group(Part(X[order], y[order], "binary", 0, groups=groups[order]))
    assert {*map(tuple, one.X)} == {*map(tuple, other.X)}
    assert sorted(one.groups) == sorted({*groups})
    alone = Part(X, np.zeros(60, dtype=int), "binary", 0, groups=groups)
    with pytest.raises(AltfsError, match="groups: one row of each group is of one class"):
        one_row_per_group(alone)
