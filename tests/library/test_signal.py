"""Whether there is anything to find, judged on tables without and with a signal."""

import warnings

import numpy as np
import pandas as pd
import pytest
from scipy.stats import gumbel_r

from altfs import AlternativeFeatures
from altfs.errors import NoSignalWarning
from altfs.library.held_out import agreement, canonical_rows
from altfs.library.signal import LEVEL, _extremes
from altfs.scores.base import Part


def worthless(kind, seed, n=300):
    random = np.random.default_rng(seed)
    y = random.integers(0, 2, n)
    if kind == "numbers":
        return pd.DataFrame(random.normal(size=(n, 12))).add_prefix("f"), random.normal(size=n)
    if kind == "dates":
        days = pd.Timestamp("2020-01-01") + pd.to_timedelta(random.integers(0, 900, n), "D")
        return pd.DataFrame({"d": days, "e": random.normal(size=n), "f": random.normal(size=n)}), y
    if kind == "many categories":
        values = random.integers(0, 60, (n, 6)).astype(str)
        return pd.DataFrame(values).add_prefix("c"), y
    if kind == "wide":
        return pd.DataFrame(random.normal(size=(80, 400))).add_prefix("f"), y[:80]
    return pd.DataFrame(random.normal(size=(n, 12))).add_prefix("f"), y


@pytest.mark.parametrize("kind", ["normal", "numbers", "dates", "many categories", "wide"])
@pytest.mark.parametrize("selector", ["mutual_information", "mrmr", "model_gain"])
def test_a_worthless_table_has_a_warning(kind, selector):
    X, y = worthless(kind, 5)
    with pytest.warns(NoSignalWarning, match="No signal: the original set is not better than"):
        afs = AlternativeFeatures(selector, n_features=2, prescreen=20).fit(X, y)
    assert afs.signal_.p_values[0] >= LEVEL
    assert not afs.signal_.above_chance


@pytest.mark.parametrize("selector", ["mutual_information", "mrmr", "model_gain", "wrapper"])
@pytest.mark.parametrize("target_type", ["classes", "numbers"])
def test_a_signal_has_no_warning(selector, target_type):
    X, y = worthless("normal" if target_type == "classes" else "numbers", 1)
    X["f3"] += y * (2 if target_type == "classes" else 1)
    with warnings.catch_warnings():
        warnings.simplefilter("error", NoSignalWarning)
        afs = AlternativeFeatures(selector, n_features=2).fit(X, y)
    assert "f3" in afs.feature_sets_[0]
    assert "better than chance" in afs.signal_.sentence


def test_sets_have_the_floor_of_their_quality():
    X, y = worthless("normal", 1)
    X["f3"] += 2 * y
    afs = AlternativeFeatures(n_features=1, n_alternatives=2).fit(X, y)
    first, *others = afs.feature_sets_
    size = afs.quality_.measure.size
    assert first.train_objective * size == pytest.approx(afs.signal_.score)
    assert first.train_objective > first.floor == pytest.approx(afs.signal_.floor / size)
    assert all(s.p_value > LEVEL > first.p_value for s in others)
    off = AlternativeFeatures(n_features=1, n_shuffles=0).fit(X, y)
    assert off.signal_ is None
    assert np.isnan(off.feature_sets_[0].floor)


def test_the_floor_is_the_same_in_any_order():
    X, y = worthless("normal", 3)
    random = np.random.default_rng(0)
    expected = AlternativeFeatures(n_features=2).fit(X, y).signal_
    rows, columns = random.permutation(len(X)), list(X)[::-1]
    for other, target in ((X.iloc[rows], y[rows]), (X[columns], y), (X, 1 - y), (-X, y)):
        signal = AlternativeFeatures(n_features=2, random_state=9).fit(other, target).signal_
        assert signal.floor == pytest.approx(expected.floor, rel=1e-9)
        assert signal.p_values[0] == pytest.approx(expected.p_values[0], rel=1e-6)


def test_rows_have_one_order_whatever_their_order_was():
    random = np.random.default_rng(0)
    X, y = random.integers(0, 9, (40, 5)).astype(float), random.integers(0, 3, 40)
    mixed = random.permutation(40)
    parts = Part(X, y, "multiclass", 0), Part(X[mixed][:, ::-1], y[mixed], "multiclass", 0)
    first, second = (part.X[canonical_rows(part)] for part in parts)
    assert first.tolist() == second[:, ::-1].tolist()


def test_p_values_are_those_of_the_largest_of_many():
    values = gumbel_r.rvs(3, 0.5, size=4000, random_state=0)
    floor, (p,) = _extremes(values, np.array([4.5]))
    assert floor == pytest.approx(gumbel_r.isf(LEVEL, 3, 0.5), abs=0.1)
    assert p == pytest.approx(gumbel_r.sf(4.5, 3, 0.5), abs=0.01)


def test_agreement_is_the_area_or_the_correlation():
    from sklearn.metrics import roc_auc_score

    random = np.random.default_rng(0)
    y, chances = random.integers(0, 2, 50), random.random(50).round(1)
    areas = agreement(np.column_stack([1 - chances, chances]), y, True)
    assert areas == pytest.approx(roc_auc_score(y, chances))
    assert agreement(chances[:, None], 3 * chances + 1, False) == pytest.approx(1)
