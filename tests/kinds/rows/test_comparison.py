"""Comparisons of explanations against plain loops."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from altfs.kinds.rows.comparison import (
    agreement_of_rows,
    as_good,
    stand_in_counts,
    stand_ins,
)


def test_a_feature_stands_in_for_the_one_of_its_rank():
    assert stand_ins({0: 1.0, 1: 2.0, 5: 9.0}, {2: 1.0, 3: 1.0, 5: 9.0}) == [(2, 1), (3, 0)]
    assert stand_ins({0: 1.0}, {0: 1.0}) == []


def test_the_agreement_of_rows_is_that_of_all_pairs():
    held = np.random.default_rng(0).random((8, 6)) < 0.5
    held[:, 0] = True
    pairs = [2 * (a & b).sum() / (a.sum() + b.sum()) for a, b in combinations(held, 2)]
    assert agreement_of_rows(held) == pytest.approx(np.mean(pairs))
    assert np.isnan(agreement_of_rows(held[:1]))


def test_an_explanation_that_gives_another_class_is_not_as_good_as_one_that_does_not():
    rows = pd.DataFrame(
        {
            "set_index": [0, 1] * 3,
            "share": [0.5, 0.49, 0.5, 0.49, 0.5, 0.2],
            "same_prediction": [True, False, False, False, True, True],
            "selected": [(0, 1), (0, 2)] * 3,
            "feature_names": [("a", "b"), ("a", "c")] * 3,
            "values": [(1.0, 2.0), (1.0, 1.5)] * 3,
        }
    )
    assert as_good(rows)[:, 1].tolist() == [False, True, False]
    assert stand_in_counts(rows) == [("c", "b", 1)]
    assert as_good(rows.assign(same_prediction=None))[:, 1].tolist() == [True, True, False]
