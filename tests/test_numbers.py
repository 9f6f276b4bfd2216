"""Quantiles, judged by exact fractions."""

import numpy as np
import pytest
from exact_bins import binned

from altfs._numbers import quantiles
from altfs.scores.independence import TargetCodes, coded


@pytest.mark.parametrize("n_rows", [2, 56, 91, 100, 111])
def test_values_that_are_equal_to_a_cut_are_below_it(n_rows):
    # With all but two rows, k / bins * (n_rows - 1) is rounded to less than some whole number.
    rng = np.random.default_rng(n_rows)
    for values in (rng.permutation(n_rows) / 7, rng.integers(-9, 9, n_rows) / 7):
        for bins in range(2, 13):
            cuts = quantiles(values, bins)
            assert cuts.searchsorted(values).tolist() == binned(values, values, bins).tolist()


def test_a_cut_is_below_its_upper_neighbour():
    low, high = 0.3, np.nextafter(0.3, 1)
    assert quantiles(np.array([low, high]), 10).tolist() == [low]
    assert quantiles(np.array([low]), 10).tolist() == [low]


def test_levels_of_streams_are_cut_at_exact_quantiles():
    # Rounded deciles lie below their own value for 27 of these numbers of rows.
    for n_rows in range(22, 220):
        values = np.arange(float(n_rows))
        tenths = np.maximum(-(-10 * values // (n_rows - 1)) - 1, 0)
        assert coded(values).values.tolist() == tenths.tolist()
    fifths = TargetCodes(values, "regression").codes.values
    assert fifths.tolist() == binned(values, values, 5).tolist()
