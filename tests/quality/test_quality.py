import numpy as np
import pytest

from altfs.errors import AltfsError
from altfs.quality import BlackBox, Linear


def test_linear_sums_values():
    assert Linear([0.1, 0.2, 0.4]).evaluate((0, 2)) == 0.1 + 0.4


def test_scaled_values_keep_order_and_zero():
    quality = Linear([0.0, 1e-9, 1.0, -0.5])
    assert quality.scaled[0] == 0
    assert quality.scaled[2] == 2**38
    assert quality.scaled[3] == -(2**37)
    assert Linear([0.0, 0.0]).scaled == [0, 0]


def test_conflicts_are_symmetric_and_respected():
    matrix = np.zeros((3, 3), dtype=bool)
    matrix[2, 0] = matrix[1, 1] = True
    quality = Linear([1, 1, 1], matrix)
    assert not quality.allows((0, 2))
    assert quality.allows((0, 1))
    assert Linear([1, 1], np.eye(2, dtype=bool)).conflicts is None


@pytest.mark.parametrize(
    ("values", "conflicts"),
    [([], None), ([[1.0]], None), ([np.nan], None), ([np.inf, 1], None), ([1, 2], np.ones((3, 3)))],
)
def test_bad_values_are_refused(values, conflicts):
    with pytest.raises(AltfsError):
        Linear(values, conflicts)


def test_black_box_asks_once():
    calls = []
    quality = BlackBox(lambda s: calls.append(s) or len(s), 4)
    assert quality.evaluate((2, 0)) == quality.evaluate((0, 2)) == 2
    assert calls == [(0, 2)]
    with pytest.raises(AltfsError, match="max_iterations"):
        BlackBox(len, 4, max_iterations=0)
