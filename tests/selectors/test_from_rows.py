import alfese
import numpy as np
import pandas as pd
import pytest
from sklearn.feature_selection import f_classif, f_regression, r_regression
from test_selectors import LOADERS, parts

from altfs.errors import DataError
from altfs.selectors import Part, selectors

NAMES = ("correlation", "f_statistic", "permutation_importance")


@pytest.mark.parametrize("target_type", LOADERS)
def test_f_statistics_are_those_of_scikit_learn(target_type):
    train, test = parts(target_type)
    peer = f_regression if target_type == "regression" else f_classif
    fitted = selectors.get("f_statistic")().learn(train, test)
    for quality, part in ((fitted.train, train), (fitted.test, test)):
        raw = peer(part.X, part.y)[0]
        assert quality.values == pytest.approx(raw / raw.sum(), rel=1e-9)


@pytest.mark.parametrize("target_type", ["binary", "regression"])
def test_correlations_are_those_of_scikit_learn(target_type):
    train, _test = parts(target_type)
    raw = np.abs(r_regression(train.X, train.y))
    quality = selectors.get("correlation")().quality(train)
    assert quality.values == pytest.approx(raw / raw.sum(), rel=1e-9)


def test_alfese_has_the_same_f_statistics():
    train, test = parts("binary")
    frames = [pd.DataFrame(part.X) for part in (train, test)]
    peer = alfese.FStatisticSelector()
    peer.set_data(*frames, pd.Series(train.y), pd.Series(test.y))
    fitted = selectors.get("f_statistic")().learn(train, test)
    assert fitted.train.values == pytest.approx(np.asarray(peer._q_train), rel=1e-9)
    assert fitted.test.values == pytest.approx(np.asarray(peer._q_test), rel=1e-9)


def part_of(*columns, y=(0, 0, 0, 1, 1, 1) * 5, target_type="binary"):
    y = np.asarray(y)
    return Part(np.column_stack([np.resize(c, len(y)) for c in columns]), y, target_type, 0)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("target_type", ["binary", "regression"])
def test_constant_features_are_worth_nothing(name, target_type):
    noise = np.random.default_rng(0).random(30)
    part = part_of([0.1], noise, target_type=target_type)
    assert selectors.get(name)().quality(part).values[0] == 0
    # All constant, or a constant target: nothing is known, and nothing is NaN.
    for hopeless in (part_of([0.1], [3.0]), part_of(noise, y=[2.0] * 30, target_type="regression")):
        assert not selectors.get(name)().quality(hopeless).values.any()


@pytest.mark.parametrize("target_type", ["binary", "regression"])
def test_what_explains_the_target_perfectly_takes_all(target_type):
    noise = np.random.default_rng(0).random(30)
    target = (0, 0, 0, 1, 1, 1) * 5
    part = part_of(np.array(target) * 0.3 + 0.1, noise, -np.array(target), target_type=target_type)
    values = selectors.get("f_statistic")().quality(part).values
    assert values.tolist() == [0.5, 0.0, 0.5]


@pytest.mark.parametrize("name", NAMES)
def test_a_test_part_too_small_has_no_quality_and_a_training_part_is_refused(name):
    train, _ = parts("binary")
    few = Part(train.X[:2], np.array([0, 1]), "binary", 0)
    fitted = selectors.get(name)().learn(train, few)
    assert fitted.test is None
    assert fitted.note
    with pytest.raises(DataError):
        selectors.get(name)().learn(few, train)


def test_permutation_importance_finds_the_feature_that_matters():
    rng = np.random.default_rng(0)
    X, y = rng.random((200, 4)), rng.random(200)
    y = (X[:, 2] > 0.5).astype(int)
    part = Part(X, y, "binary", 1)
    component = selectors.get("permutation_importance")
    values = component().quality(part).values
    assert values.argmax() == 2
    assert values[2] > 0.5
    assert values[[0, 1, 3]] == pytest.approx(0)
    more = component(component.Options(n_repeats=50)).quality(part).values
    assert more[2] != values[2]
