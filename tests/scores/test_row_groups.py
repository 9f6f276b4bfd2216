import numpy as np
import pandas as pd
import pytest

from altfs.errors import AltfsError, DataError
from altfs.prediction._binned import BinnedRows, content_hashes
from altfs.prediction._ordered_rows import drawn_folds
from altfs.scores.base import Part
from altfs.scores.row_groups import (
    group_codes,
    group_folds,
    half_of_rows,
    permutation,
    time_folds,
)
from altfs.selectors._inner_folds import inner_folds, inner_split
from altfs.selectors.forest import Forest, ForestOptions


def table(n_groups=12, most=6, seed=0):
    random = np.random.default_rng(seed)
    groups = np.repeat(np.arange(n_groups), random.integers(1, most, n_groups))
    y = (groups + random.integers(0, 2, len(groups))) % 2
    return random.normal(size=(len(groups), 3)), y, groups


@pytest.mark.parametrize("target_type", ["binary", "regression"])
@pytest.mark.parametrize("folds", [None, 1, 2, 5])
def test_no_group_is_on_both_sides_of_an_inner_fold(target_type, folds):
    X, y, groups = table()
    part = Part(X, y, target_type, 0, groups=groups)
    splits = inner_folds(part, folds)
    assert len(splits) == (folds or 5)
    for fitting, held_out in [*splits, inner_split(part)]:
        assert not {*groups[fitting]} & {*groups[held_out]}
        assert len(fitting) and len(held_out) and len(fitting) + len(held_out) == len(y)


def test_folds_of_a_forest_hold_out_whole_groups_in_any_order_of_the_rows():
    X, y, groups = table()
    order = np.random.default_rng(1).permutation(len(y))
    folds = []
    for rows in (np.arange(len(y)), order):
        binned = BinnedRows(X[rows], y[rows], np.zeros(3, bool), "binary", groups[rows])
        places, columns = np.arange(len(y)), np.arange(3)
        some = binned.rows(places)
        hashes = content_hashes(some.codes, some.categorical, some.n_bins, some.hashes, columns)[1]
        fold = drawn_folds(binned.folds(places, 3), hashes)
        folds.append(fold[np.argsort(rows[binned.order])])
    np.testing.assert_array_equal(*folds)
    assert all(len({*folds[0][groups == g]}) == 1 for g in range(12))
    assert {*folds[0]} == {0, 1, 2}


def test_a_forest_has_no_more_folds_than_groups():
    X, y, groups = table()
    part = Part(X, y, "binary", 0, groups=groups % 3)
    of_three = Forest(ForestOptions(folds=3)).quality(part)
    assert Forest().quality(part).evaluate((0, 1)) == of_three.evaluate((0, 1))
    with pytest.raises(AltfsError, match="folds: 4 is more than the 3 groups"):
        Forest(ForestOptions(folds=4)).quality(part)


def test_targets_stay_as_alike_within_groups_as_they_were():
    _, _, groups = table()
    groups = np.repeat(np.random.default_rng(2).permutation(8), 4)
    y = groups % 2
    for seed in range(20):
        order = permutation(len(y), groups, np.random.default_rng(seed))
        assert sorted(order) == list(range(len(y)))
        assert all(len({*y[order][groups == g]}) == 1 for g in range(8))
    random = np.random.default_rng(3)
    same = np.random.default_rng(3).permutation(np.arange(9))
    np.testing.assert_array_equal(permutation(9, None, random), same)


def test_half_of_the_rows_is_half_of_the_groups():
    _, _, groups = table(n_groups=10)
    rows = np.random.default_rng(0).permutation(len(groups))
    half = half_of_rows(rows, groups, np.random.default_rng(1))
    assert len({*groups[half]}) == 5
    assert all((groups[half] == g).sum() == (groups == g).sum() for g in {*groups[half]})


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        (["a", "b"], "groups: 2 values for 3 rows, give one for each"),
        (["a", None, "b"], "groups: row 2 has no value, fill it in, or leave out such rows"),
        (pd.Series([1.0, None, None], name="p"), "row 2 and 1 more have no value in 'p'"),
        ("aaa", "groups: 1 values for 3 rows"),
        ([1, 1, 1], "groups: all rows are in one group, use two groups or more"),
        (
            [1, 2, 3],
            "groups: each row has a group of its own, give labels that rows share, or leave",
        ),
    ],
)
def test_labels_that_are_no_groups_are_refused(groups, message):
    with pytest.raises(AltfsError, match=message):
        group_codes(groups, 3)


def test_labels_of_any_kind_are_groups():
    assert group_codes([1, "b", 1], 3).tolist() == [0, 1, 0]
    assert group_codes(np.array([[5], [4], [5]]), 3).tolist() == [1, 0, 1]


def test_more_folds_than_groups_are_refused():
    with pytest.raises(DataError, match="groups: 2 groups cannot be divided into 3 folds"):
        group_folds(np.array([0, 1, 0, 1]), "binary", np.array([0, 0, 1, 1]), 3, 0)


@pytest.mark.parametrize(("n_rows", "n_folds"), [(4, 3), (10, 5), (103, 5), (1400, 2)])
def test_folds_of_the_later_half_learn_from_the_earlier_one(n_rows, n_folds):
    times = np.random.default_rng(0).permutation(n_rows)
    splits = time_folds(times, n_folds, of_half=True)
    assert len(splits) == n_folds
    for learned, held_out in splits:
        assert times[learned].max() < times[held_out].min()
        assert len(learned) >= min(n_rows // 2, n_rows - n_folds)
    assert max(times[held_out].max() for _, held_out in splits) == n_rows - 1
