"""Alpha-investing, judged by skfeature."""

import pytest
from plain import begun, data, sets_of


def test_alpha_investing_accepts_what_skfeature_accepts():
    from skfeature.function.streaming.alpha_investing import alpha_investing

    for seed in range(5):
        X, y = data(seed)
        (columns,) = sets_of(begun("alpha_investing", y), X)
        assert columns == alpha_investing(X, y, 0.5, 0.5).tolist()


def test_two_classes_are_the_same_as_one_indicator():
    X, y = data(1)
    both, one = begun("alpha_investing", y, "multiclass"), begun("alpha_investing", y)
    assert sets_of(both, X) == sets_of(one, X)
    Z = X[:, :3]
    assert both.objective(Z, Z, y) == pytest.approx(one.objective(Z, Z, y))
