"""Whether there is anything to find, judged on tables without and with a signal."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.model_selection import TimeSeriesSplit, cross_val_score

from altfs import AlternativeFeatures
from altfs.errors import AltfsError, NoSignalWarning
from altfs.library.held_out import agreement
from altfs.library.signal import idle_features
from altfs.problem.results import FeatureSet, Status
from altfs.quality import BatchedBox
from altfs.searches.chance import LEVEL


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


@pytest.mark.exhaustive
@pytest.mark.parametrize("kind", ["normal", "numbers", "dates", "many categories", "wide"])
@pytest.mark.parametrize("selector", ["mutual_information", "fcbf", "mrmr", "model_gain"])
def test_a_worthless_table_has_a_warning(kind, selector):
    X, y = worthless(kind, 5)
    with pytest.warns(
        NoSignalWarning, match="No signal shown: the [a-z ]*set [a-z ]*is not better"
    ):
        afs = AlternativeFeatures(selector, n_features=2, prescreen=20).fit(X, y)
    assert afs.signal_.p_values[0] >= LEVEL
    assert not afs.signal_.above_chance


@pytest.mark.parametrize(
    "selector", ["mutual_information", "fcbf", "mrmr", "model_gain", "wrapper"]
)
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
    afs = AlternativeFeatures("mutual_information", n_features=1, n_alternatives=2).fit(X, y)
    first, *others = afs.feature_sets_
    size = afs.quality_.measure.size
    assert first.train_objective * size == pytest.approx(afs.signal_.score)
    assert first.train_objective > first.floor == pytest.approx(afs.signal_.floor / size)
    assert all(s.p_value > LEVEL > first.p_value for s in others)
    off = AlternativeFeatures("mutual_information", n_features=1, n_shuffles=0).fit(X, y)
    assert off.signal_ is None
    assert np.isnan(off.feature_sets_[0].floor)


def test_the_floor_is_the_same_in_any_order():
    X, y = worthless("normal", 3)
    random = np.random.default_rng(0)
    expected = AlternativeFeatures("mutual_information", n_features=2).fit(X, y).signal_
    rows, columns = random.permutation(len(X)), list(X)[::-1]
    for other, target in ((X.iloc[rows], y[rows]), (X[columns], y), (X, 1 - y), (-X, y)):
        signal = (
            AlternativeFeatures("mutual_information", n_features=2, random_state=9)
            .fit(other, target)
            .signal_
        )
        assert signal.floor == pytest.approx(expected.floor, rel=1e-9)
        assert signal.p_values[0] == pytest.approx(expected.p_values[0], rel=1e-6)


def test_agreement_is_the_area_or_r2():
    from sklearn.metrics import r2_score, roc_auc_score

    random = np.random.default_rng(0)
    y, chances = random.integers(0, 2, 50), random.random(50).round(1)
    areas = agreement(np.column_stack([1 - chances, chances]), y, True)
    assert areas == pytest.approx(roc_auc_score(y, chances))
    numbers = chances + random.normal(size=50)
    assert agreement(chances[:, None], numbers, False) == pytest.approx(r2_score(numbers, chances))


PATIENTS = np.repeat(np.arange(40), 8)


def patients(seed=3):
    """Return rows of patients whose own traits say nothing of their class."""
    random = np.random.default_rng(seed)
    traits, classes = random.normal(size=(40, 8)), random.integers(0, 2, 40)
    X = traits[PATIENTS] + 0.15 * random.normal(size=(len(PATIENTS), 8))
    return pd.DataFrame(X).add_prefix("f"), classes[PATIENTS]


@pytest.mark.exhaustive
@pytest.mark.parametrize("selector", ["mutual_information", "forest", "model_gain"])
def test_rows_of_a_group_are_no_evidence_of_their_own(selector):
    X, y = patients()
    afs = AlternativeFeatures(selector, n_features=3, n_alternatives=1)
    assert afs.fit(X, y).signal_.above_chance
    with pytest.warns(NoSignalWarning):
        afs.fit(X, y, groups=PATIENTS)
    assert not afs.signal_.above_chance


@pytest.mark.exhaustive
def test_features_that_tell_of_groups_alone_add_nothing():
    X, y = patients(2)
    afs = AlternativeFeatures("mutual_information", n_features=3, n_alternatives=0)
    idle = {bool(g): afs.fit(X, y, **g).feature_sets_[0].idle for g in ({}, {"groups": PATIENTS})}
    assert not idle[False] and idle[True]


def test_groups_of_a_fit_are_held_out_in_evaluation_and_stability():
    X, y = patients()
    afs = AlternativeFeatures("f_statistic", n_features=3, n_alternatives=0, n_shuffles=0)
    apart, together = afs.fit(X, y), clone(afs).fit(X, y, groups=PATIENTS)
    first = {"cv": 4, "scoring": "roc_auc"}
    scores = [a.evaluate("random_forest", **first).table["score"][0] for a in (apart, together)]
    assert scores[0] > 0.8 > 0.65 > scores[1]
    named = apart.evaluate("random_forest", groups=PATIENTS, **first).table["score"][0]
    assert named == scores[1]
    assert together.stability(4).n_halves == 4


@pytest.mark.parametrize("labels", ["groups", "times"])
def test_a_quality_that_is_given_has_no_groups_and_no_times(labels):
    with pytest.raises(AltfsError, match=f"{labels}: a quality that is given needs none"):
        AlternativeFeatures([0.1, 0.2], n_features=1).fit(np.zeros((3, 2)), **{labels: [1, 2, 3]})


def drifting(n_rows=320, seed=0):
    """Return walks that say nothing of the class, which stays the same for 20 rows or more."""
    random = np.random.default_rng(seed)
    X = pd.DataFrame(random.normal(size=(n_rows, 6)).cumsum(axis=0)).add_prefix("f")
    return X, np.repeat(random.permutation(n_rows // 20) % 2, 20), np.arange(n_rows)


@pytest.mark.exhaustive
@pytest.mark.parametrize("selector", ["mutual_information", "forest"])
def test_rows_near_in_time_are_no_evidence_of_their_own(selector):
    X, y, times = drifting()
    afs = AlternativeFeatures(selector, n_features=3, n_alternatives=1)
    assert afs.fit(X, y).signal_.above_chance
    with pytest.warns(NoSignalWarning):
        afs.fit(X, y, times=times)
    assert not afs.signal_.above_chance


def test_a_signal_remains_one_in_time():
    X, y, times = drifting(1600)
    X = X.diff().fillna(0.0)
    days = pd.Timestamp("2024-02-01") + pd.to_timedelta(times, unit="D")
    afs = AlternativeFeatures("mutual_information", n_features=2, n_alternatives=0)
    afs.fit(X.assign(told=y + np.random.default_rng(0).normal(size=len(y)) / 3), y, times=days)
    assert afs.signal_.above_chance


@pytest.mark.exhaustive
def test_later_rows_alone_judge_in_evaluation_whatever_the_order_of_the_rows():
    X, _, times = drifting()
    y = times // 3 % 2
    afs = AlternativeFeatures("f_statistic", n_features=3, n_alternatives=0, n_shuffles=0)
    asked = {"cv": 4, "scoring": "accuracy", "nested": False}
    fitted = clone(afs).fit(X, y, times=times)
    scores = fitted.evaluate("nearest_neighbours", **asked).scores
    model = fitted.pipeline(model="nearest_neighbours")
    # The first fold learns from the earlier half.
    later = TimeSeriesSplit(4, test_size=len(y) // 8)
    expected = cross_val_score(model, X, y, cv=later, scoring="accuracy")
    assert scores[scores["set"] == "original"]["score"].to_numpy() == pytest.approx(expected)
    order = np.random.default_rng(0).permutation(len(y))
    again = clone(afs).fit(X.iloc[order], y[order], times=times[order])
    assert again.feature_sets_[0].names == fitted.feature_sets_[0].names
    shuffled = again.evaluate("nearest_neighbours", **asked)
    assert shuffled.scores["score"].to_numpy() == pytest.approx(scores["score"].to_numpy())
    nested = again.evaluate("nearest_neighbours", cv=3, max_rows=100)
    assert len(nested.scores) == 9
    assert again.stability(3).n_halves == 3


@pytest.mark.parametrize(
    ("times", "message"),
    [
        ([1, 2], "times: 2 values for 4 rows, give one for each"),
        ([2, 2, 2, 2], "times: all rows have the same time, use two times or more, or leave"),
        ([1, None, 3, 4], "times: row 2 has no value, fill it in, or leave out such rows"),
        (["a", "b", "c", "d"], "times: values are neither numbers nor dates, .* or `groups`, if "),
    ],
)
def test_times_that_are_none_are_refused(times, message):
    afs = AlternativeFeatures("correlation", n_features=1, n_alternatives=0)
    with pytest.raises(AltfsError, match=message):
        afs.fit(np.eye(4), [1.5, 2, 3, 4], times=times)
    with pytest.raises(AltfsError, match="times: they are given beside `groups`, leave one"):
        afs.fit(np.eye(4), [1.5, 2, 3, 4], times=[1, 2, 3, 4], groups=[1, 1, 2, 2])


@pytest.mark.exhaustive
def test_the_signal_of_classes_does_not_depend_on_their_names():
    random = np.random.default_rng(5)
    X = pd.DataFrame(random.normal(size=(150, 6))).add_prefix("f")
    y = X["f0"].to_numpy() + random.normal(size=150) > 0.9
    names = [y.astype(int), 1 - y.astype(int), np.where(y, "aa", "zz"), np.where(y, "zz", "aa")]
    signals = [
        AlternativeFeatures("f_statistic", n_features=2, n_alternatives=0).fit(X, each).signal_
        for each in names
    ]
    assert len({(signal.score, signal.p_values) for signal in signals}) == 1


def test_predictions_worse_than_the_mean_are_no_signal():
    random = np.random.default_rng(0)
    X = pd.DataFrame(random.normal(size=(300, 6))).add_prefix("f")
    y = np.exp(1.5 * X["f0"] + X["f1"] + random.normal(size=300))
    for seed in range(6):
        rows = np.random.default_rng(seed).permutation(300)[:200]
        signal = (
            AlternativeFeatures("f_statistic", n_features=2, n_alternatives=0)
            .fit(X.iloc[rows], y.iloc[rows])
            .signal_
        )
        assert signal.floor >= 0 and signal.above_chance <= (signal.score > 0)
        assert ("99 in 100 shuffled targets stay below 0," in signal.sentence) == (
            signal.floor == 0
        )


def test_a_season_in_times_is_no_reason_to_miss_a_signal():
    random, n = np.random.default_rng(0), 1400
    season = -12 * np.cos(2 * np.pi * np.arange(n) / 365)
    low = season + np.convolve(random.normal(size=n + 4), np.ones(5), "valid")
    X = pd.DataFrame({"low": low, "wind": random.normal(size=n), "rain": random.normal(size=n)})
    noise = np.convolve(random.normal(size=n + 4), np.ones(5), "valid")
    for y, above in ((low + random.normal(size=n), True), (noise, False)):
        afs = AlternativeFeatures(n_features=1, n_alternatives=0)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            afs.fit(X, y, times=np.arange(n))
        assert afs.signal_.above_chance == above
        assert afs.signal_.floor < 1


@pytest.mark.parametrize(("deviation", "idle"), [(None, []), (lambda chosen: 0.02, ["c", "d"])])
def test_members_that_add_less_than_other_folds_change_add_nothing(deviation, idle):
    values = np.array([0.4, 0.3, 0.02, 0.02])
    box = BatchedBox(lambda sets: [values[[*s]].sum() for s in sets], 4, deviation=deviation)
    features = FeatureSet((0, 1, 2, 3), 0.74, Status.OPTIMAL, names=tuple("abcd"))
    assert idle_features(box, features, None) == idle
