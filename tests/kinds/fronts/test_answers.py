"""The front of a fitted estimator, judged by its curves."""

import re

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_iris

from altfs import AlternativeFeatures
from altfs.errors import AltfsError, UnsupportedProblemError
from altfs.kinds.fronts.searches.many_objective import ManyObjective, ManyObjectiveOptions
from altfs.library.feature_sets import feature_set
from altfs.problem.results import Status

X, Y = load_breast_cancer(return_X_y=True, as_frame=True)
X, Y = X.iloc[::3, :8], Y[::3]


def fitted(**changes):
    asked = {"selector": "naive_bayes_curve", "search": "many_objective", "n_features": 2} | changes
    return AlternativeFeatures(**asked).fit(X, Y)


@pytest.fixture(scope="module")
def afs():
    return fitted(tau=0.5, n_alternatives=2)


def test_the_front_is_a_table(afs):
    front, quality = afs.front_, afs.quality_
    assert front["point"].tolist() == list(range(len(front)))
    areas = front["train_objective"].tolist()
    assert areas == sorted(areas, reverse=True)
    for row in front.itertuples():
        assert row.feature_names == X.columns[row.selected].tolist()
        assert row.curve == quality.curve(row.selected).tolist()
        assert row.train_objective == quality.evaluate(row.selected)
    chosen = front.dropna(subset="set_index").sort_values("set_index")
    assert chosen["set_index"].tolist() == [0, 1, 2]
    assert chosen["selected"].map(tuple).tolist() == [s.indices for s in afs.feature_sets_]


@pytest.mark.parametrize("sensitivity", [0, 0.3, 0.9, np.float64(0.95), 1])
def test_the_set_that_is_best_at_a_sensitivity(afs, sensitivity):
    found, n = afs.front_set(sensitivity), afs.quality_.n_positive
    place = max(int(np.ceil(sensitivity * n - 1e-9)) - 1, 0)
    heights = [curve[place] for curve in afs.front_["curve"]]
    best = afs.front_.iloc[int(np.argmax(heights))]
    assert list(found.indices) == best["selected"]
    assert (found.status, found.bound) == (Status.OPTIMAL, found.train_objective)
    kept = afs.set_output(transform="pandas").transform(X, alternative=found)
    assert list(kept.columns) == list(found.names)
    assert afs.get_support(alternative=found).tolist() == found.mask.tolist()
    assert (X[list(found.names)] == kept).all(axis=None)


def test_sets_of_a_front_that_is_not_proven():
    search = {"type": "many_objective", "options": {"generations": 4, "population": 8}}
    found = fitted(search=search, work=0.001).front_set(0.9)
    assert (found.status, found.bound) == (Status.FEASIBLE, 1.0)


@pytest.mark.parametrize("sensitivity", [-0.1, 1.1, "0.9", None, float("nan"), True])
def test_a_sensitivity_out_of_range(afs, sensitivity):
    with pytest.raises(AltfsError, match=r"sensitivity: .* is not allowed, use 0 to 1\."):
        afs.front_set(sensitivity)


def test_other_searches_have_no_front(afs):
    other = AlternativeFeatures("naive_bayes_curve", n_features=1).fit(X, Y)
    assert not hasattr(other, "front_") and not hasattr(AlternativeFeatures(), "front_")
    with pytest.raises(AltfsError, match="front_set: this search has no front of curves, use"):
        other.front_set(0.5)
    for kind in ("front", "curves"):
        with pytest.raises(UnsupportedProblemError, match=f"plot: '{kind}' needs a front"):
            other.plot(kind)
    narrow = feature_set((0,), "ab", 1.0, 1.0, Status.OPTIMAL)
    said = "alternative: the set is one of 2 columns, not of 8, use a set of this estimator."
    with pytest.raises(AltfsError, match=re.escape(said)):
        afs.transform(X, alternative=narrow)


def rows_of(chart):
    return [row for data in chart.to_dict()["datasets"].values() for row in data]


def test_the_curves_of_the_sets_and_their_envelope(afs):
    rows = rows_of(afs.plot("curves"))
    by_set = {}
    for row in rows:
        by_set.setdefault(row["set"], []).append(row["height"])
    assert by_set.pop("envelope of the front") == np.max(list(afs.front_["curve"]), 0).tolist()
    assert list(by_set) == ["original", "alternative 1", "alternative 2"]
    for one, heights in zip(afs.feature_sets_, by_set.values(), strict=True):
        assert heights == afs.quality_.curve(one.indices).tolist()


@pytest.mark.exhaustive
def test_the_front_is_drawn_at_two_sensitivities(afs, tmp_path):
    chart = afs.plot("front")
    rows = [row for row in rows_of(chart) if "curve" in row]
    assert [row["curve"] for row in rows] == afs.front_["curve"].tolist()
    # The sliders are at 0.5 and 0.9; the marks of the points say where they are drawn.
    chart.save(tmp_path / "front.svg")
    drawn = (tmp_path / "front.svg").read_text()
    n = afs.quality_.n_positive
    first, second = (max(int(np.ceil(s * n - 1e-9)) - 1, 0) for s in (0.5, 0.9))
    for row in rows:
        place = [f"{axis} sensitivity: {row['curve'][k]:.9f}".rstrip("0").rstrip(".")
                 for axis, k in (("first", first), ("second", second))]  # fmt: skip
        assert all(text[:-3] in drawn for text in place)


def test_what_explains_alternatives_explains_those_of_a_front(afs):
    shown = str(afs.explain())
    assert all(name in shown for name in afs.feature_sets_[0].names)


def test_options_are_kept_in_json(afs):
    search = {"type": "many_objective", "options": {"dominance_factor": "inf"}}
    wide = fitted(search=search)
    assert len(wide.front_) > len(afs.front_)
    read = AlternativeFeatures.from_json(wide.to_json())
    assert read.get_params()["search"] == search
    assert read.feature_sets_ == wide.feature_sets_
    # An infinite number, and an object.
    endless = {"type": "many_objective", "options": {"dominance_factor": float("inf")}}
    wide.set_params(search=endless)
    assert AlternativeFeatures.from_json(wide.to_json()).get_params()["search"] == search
    wide.set_params(search=ManyObjective(0, ManyObjectiveOptions(dominance_factor="inf")))
    read = AlternativeFeatures.from_json(wide.to_json()).get_params()["search"]
    assert read["options"]["dominance_factor"] == "inf"
    assert read["options"]["population"] == 100


@pytest.mark.parametrize(
    ("search", "said"),
    [
        ({"options": {}}, "search: {'options': {}} is not allowed, use a name, or a mapping with"),
        ({"type": "many_objectives"}, "search: 'many_objectives' is not a known search, did "),
        ({"type": "random", "option": {}}, "search.option: this key is unknown, did you mean 'opt"),
    ],
)
def test_searches_that_are_none(search, said):
    with pytest.raises(AltfsError, match=re.escape(said)):
        fitted(search=search)


def test_each_class_has_a_curve_and_an_envelope():
    flowers, kinds = load_iris(return_X_y=True, as_frame=True)
    kinds = kinds.map(dict(enumerate(["setosa", "versicolor", "virginica"])))
    selector = {"type": "naive_bayes_curve", "options": {"target": "each"}}
    afs = AlternativeFeatures(
        selector, "many_objective", n_features=2, n_alternatives=1, n_shuffles=0
    ).fit(flowers, kinds)
    curves = afs.front_.filter(like="curve of ")
    assert [*curves] == ["curve of setosa", "curve of versicolor", "curve of virginica"]
    # All classes have as many rows, so that the mean is that of each height.
    for mean, each in zip(afs.front_["curve"], curves.to_numpy(), strict=True):
        np.testing.assert_allclose(mean, np.mean([*each], axis=0), atol=1e-9)
    rows = pd.DataFrame(rows_of(afs.plot("curves")))
    assert [*rows["of"].unique()] == ["mean of the classes", "setosa", "versicolor", "virginica"]
    of_class = rows[(rows["of"] == "virginica") & (rows["set"] == "envelope of the front")]
    highest = np.max([*curves["curve of virginica"]], axis=0)
    assert of_class["height"].tolist() == highest.tolist()
