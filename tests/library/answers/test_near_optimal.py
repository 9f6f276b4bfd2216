from itertools import combinations

import numpy as np
import pytest

from altfs import AlternativeFeatures
from altfs.errors import AltfsError, UnsupportedProblemError

SCORES = [0.4, 0.3, 0.25, 0.2, 0.1, 0.0]
TABLE = np.zeros((2, 6))


def fitted(selector=SCORES, **request):
    return AlternativeFeatures(selector, **{"n_features": 3, "tau": 0.6, **request}).fit(TABLE)


def qualities():
    return {s: sum(SCORES[j] for j in s) for s in combinations(range(6), 3)}


@pytest.mark.parametrize("limit", [1000, 4])
def test_the_sets_within_a_share_of_the_best(limit):
    near = fitted().nearly_optimal(0.25, limit=limit)
    expected = {s for s, q in qualities().items() if q >= 0.75 * 0.95 - 1e-9}
    assert near.exact and near.number == near.at_least == len(expected) == 6
    assert {s.indices for s in near} <= expected and len(near) == min(limit, 6)
    values = [s.train_objective for s in near]
    assert values == sorted(values, reverse=True)
    assert near.how == ("all" if limit == 1000 else "uniform")
    assert str(near).startswith("6 sets have a quality from 0.7125 to 0.95.")
    assert near.to_frame()["train_objective"].tolist() == values


def test_what_the_sets_hold():
    features = fitted().nearly_optimal(0.25).features.set_index("feature")
    expected = [s for s, q in qualities().items() if q >= 0.75 * 0.95 - 1e-9]
    for j in range(6):
        row = features.loc[f"x{j}"]
        assert row["share"] == pytest.approx(np.mean([j in s for s in expected]))
        if row["share"]:
            assert row["least_importance"] == pytest.approx(SCORES[j])
            assert row["most_importance"] == pytest.approx(SCORES[j])
    assert features.loc["x0", "held"] == "in some" and features.loc["x5", "held"] == "in none"
    few = fitted().nearly_optimal(loss=0.06).features.set_index("feature")
    assert few["held"].to_dict() == {
        "x0": "in all", "x1": "in all", "x2": "in some", "x3": "in some", "x4": "in none",
        "x5": "in none",
    }  # fmt: skip


def test_alternatives_differ_from_the_original():
    afs = fitted(max_overlap=1, tau=None)
    near = afs.nearly_optimal(0.5, alternatives=True)
    original = {*afs.feature_sets_[0].indices}
    floor = 0.5 * 0.95 - 1e-9
    expected = {s for s, q in qualities().items() if q >= floor and len({*s} & original) <= 1}
    assert {s.indices for s in near} == expected


def test_a_model_judges_sets_that_are_few():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 6))
    y = (X[:, 0] + X[:, 1] > 0).astype(int)
    afs = AlternativeFeatures("forest", n_features=2).fit(X, y)
    near = afs.nearly_optimal(0.05)
    assert near.exact and afs.feature_sets_[0].indices in {s.indices for s in near}
    assert near.features["least_importance"].isna().all()
    few = AlternativeFeatures(
        {"type": "forest", "options": {"max_iterations": 12}}, n_features=2
    ).fit(X, y)
    with pytest.raises(UnsupportedProblemError, match="15 sets would have to be evaluated"):
        few.nearly_optimal()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"share": 1.5}, "share: 1.5 is not allowed, use a number from 0 to 1"),
        ({"loss": -1}, "loss: -1 is not allowed, use a number from 0"),
        ({"share": 0.1, "loss": 0.1}, "share, loss: both are given, give one of the two"),
        ({"limit": 0}, "limit: 0"),
    ],
)
def test_nonsense_is_refused(arguments, said):
    with pytest.raises(AltfsError, match=said):
        fitted().nearly_optimal(**arguments)


def test_sizes_and_constraints_that_leave_nothing():
    with pytest.raises(UnsupportedProblemError, match="one n_features"):
        fitted(n_features=(1, 3)).nearly_optimal()


def test_the_picture_shows_shares():
    chart = fitted().nearly_optimal(0.25).plot(theme="dark").to_dict()
    assert chart["encoding"]["x"]["field"] == "share"
