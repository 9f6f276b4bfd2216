"""Groups of the features of rows."""

from itertools import product

import numpy as np
import pytest

from altfs import AlternativeFeatures
from altfs.errors import AltfsError
from altfs.kinds.rows.feature_groups import FeatureGroups, groups_by_value


def spread(values, labels):
    return sum(
        ((values[labels == one] - values[labels == one].mean()) ** 2).sum() for one in set(labels)
    )


@pytest.mark.parametrize("n_groups", [1, 2, 3, 4])
def test_groups_by_value_have_the_least_squared_distance(n_groups):
    X = np.random.default_rng(n_groups).integers(0, 6, size=(40, 6)).astype(float)
    groups = groups_by_value(X, n_groups, tuple("abcdef"))
    for values, labels, distances in zip(X, groups.labels, groups.distances, strict=True):
        best = min(
            spread(values, np.array(one)) for one in product(range(n_groups), repeat=len(values))
        )
        assert spread(values, labels) == pytest.approx(best, abs=1e-9)
        assert (distances**2).sum() == pytest.approx(best, abs=1e-9)


def test_alternatives_have_one_feature_of_each_group():
    rng = np.random.default_rng(0)
    true = rng.standard_normal((400, 2))
    # Each of the first two has a copy.
    X = np.hstack([true, true, rng.standard_normal((400, 2))])
    y = (true.sum(axis=1) > 0).astype(int)
    groups = groups_by_value(X, 4, tuple(f"x{j}" for j in range(6)))
    constraints = groups.constraints(share=0.9)
    assert sorted(group.features for group in constraints.groups) == [("x0", "x2"), ("x1", "x3")]
    afs = AlternativeFeatures(
        "mutual_information", n_features=2, n_alternatives=3, tau=0.5, constraints=constraints
    ).fit(X, y)
    assert {frozenset(sets.indices) for sets in afs.feature_sets_} == {
        frozenset(one) for one in ((0, 1), (0, 3), (1, 2), (2, 3))
    }


def test_the_others_of_a_group_are_the_substitutes_of_its_feature():
    rng = np.random.default_rng(0)
    true = rng.standard_normal((400, 2))
    X = np.hstack([true, true, rng.standard_normal((400, 2))])
    y = (true.sum(axis=1) > 0).astype(int)
    constraints = groups_by_value(X, 4, tuple(f"x{j}" for j in range(6))).constraints(share=0.9)
    afs = AlternativeFeatures(
        "mutual_information", n_features=2, constraints=constraints, n_shuffles=0
    ).fit(X, y)
    substitutes = afs.explain().substitutes
    assert substitutes["feature"].tolist() == ["x0", "x1"]
    assert substitutes["comes_in"].tolist() == [["x2"], ["x3"]]
    assert (substitutes["loss"] == 0).all()
    assert (substitutes["status"] == "optimal").all()


def test_one_feature_of_an_important_group_is_worth_more_than_its_stand_ins():
    groups = FeatureGroups(
        np.array([[0, 1, 0, 1]]), np.array([[0.8, 0.2, 0.8, 0.2]]),
        np.array([[0.5, 0.0, 0.1, 0.3]]), tuple("abcd"),
    )  # fmt: skip
    assert groups.values.tolist() == [[0.4, 0.2, 0.8, 0.1]]
    assert groups.to_frame()["feature"].tolist() == list("abcd")


def test_numbers_outside_their_range_are_refused():
    groups = groups_by_value(np.zeros((2, 3)), 2, tuple("abc"))
    with pytest.raises(AltfsError, match="share: 0 is not allowed"):
        groups.constraints(share=0)
    with pytest.raises(AltfsError, match="n_groups: 4"):
        groups_by_value(np.zeros((2, 3)), 4, tuple("abc"))
