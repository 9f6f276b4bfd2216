from itertools import combinations, permutations

import numpy as np
import pandas as pd
import pytest
from people import people

from altfs import AlternativeFeatures, Constraints, WeightedSum
from altfs.errors import AltfsError
from altfs.prediction.disparities import disparities
from altfs.scores.attributes import chance_bits, chance_disparities
from altfs.scores.base import Part


@pytest.fixture(scope="module")
def table():
    return people()


@pytest.fixture(scope="module")
def told(table):
    X, y, sex = table
    afs = AlternativeFeatures("mutual_information", n_features=2, n_alternatives=1, tau=1)
    return afs.fit(X, y).sensitive(sex, "logistic_regression")


def test_the_table_says_what_each_set_tells(told):
    rows = told.table.set_index("set")
    # One of the two sets holds a.
    most, least = rows["tells"].idxmax(), rows["tells"].idxmin()
    assert rows.loc[most, "tells"] > 0.9 and rows.loc[least, "tells"] < 0.65
    for column in ("information", "parity", "odds"):
        assert rows.loc[most, column] > rows.loc[least, column]
    assert rows.loc["empty set"].tolist() == [0.5, 0, 0, 0, 0, 0, 0]
    assert rows.loc[most, "parity"] > 3 * rows.loc[most, "chance_parity"]
    assert told.groups == {"f": 221, "m": 179} and told.name == "sex"
    assert told.sentence.startswith("A forest tells sex from ") and "best (AUC 0.9" in told.sentence
    assert told.information.idxmax() == "a" and told.information["c"] < 0.03


@pytest.mark.exhaustive
def test_an_attribute_that_nothing_tells_has_what_chance_gives(table):
    X, y, _ = table
    rng = np.random.default_rng(1)
    afs = AlternativeFeatures("mutual_information", n_features=4, n_alternatives=0).fit(X, y)
    tables = [
        afs.sensitive(rng.integers(0, 3, len(y)), "decision_tree", cv=2).table for _ in range(12)
    ]
    rows = pd.concat(tables).query("set == 'original'").mean(numeric_only=True)
    for name in ("information", "parity", "odds"):
        assert rows[name] > 0.005
        assert rows[name] == pytest.approx(rows[f"chance_{name}"], rel=0.5)


def test_disparities_by_chance_are_means_over_all_orders_of_groups():
    rng = np.random.default_rng(0)
    y, predicted = rng.integers(0, 2, 7), rng.integers(0, 2, 7)
    groups = np.array([0, 0, 0, 1, 1, 1, 1])
    every = [disparities(predicted, y, np.array(g), "binary") for g in permutations(groups)]
    by_chance = chance_disparities(predicted, y, groups, "binary")
    assert by_chance == pytest.approx(np.mean(every, axis=0), abs=0.15)
    order = rng.permutation(7)
    assert chance_disparities(predicted[order], y[order], groups[order], "binary") == by_chance


def test_the_front_has_no_set_that_another_one_beats(table, told):
    X, y, _ = table
    afs = AlternativeFeatures("mutual_information", n_features=2, n_alternatives=0).fit(X, y)
    worth = dict(zip(afs.feature_names_in_, afs.quality_.values, strict=True))
    sets = {
        pair: (worth[pair[0]] + worth[pair[1]], told.information[list(pair)].sum())
        for pair in combinations(X, 2)
    }
    expected = {
        pair
        for pair, (q, i) in sets.items()
        if not any(q2 >= q and i2 <= i and (q2, i2) != (q, i) for q2, i2 in sets.values())
    }
    assert {tuple(names) for names in told.front["feature_names"]} == expected
    assert told.front["optimal"].all() and told.front["quality"].is_monotonic_decreasing


def test_what_features_tell_is_a_constraint(table, told):
    X, y, _ = table
    limited = Constraints(sums=[WeightedSum(told.information, at_most=0.1)])
    afs = AlternativeFeatures("mutual_information", n_features=2, constraints=limited).fit(X, y)
    assert all(told.information[list(s.names)].sum() <= 0.1 for s in afs.feature_sets_)


def test_a_quality_of_whole_sets_has_a_front_too(table):
    X, y, sex = table
    afs = AlternativeFeatures("forest", n_features=2, n_alternatives=1, tau=1).fit(X, y)
    front = afs.sensitive(sex, "decision_tree").front
    assert len(front) >= 2 and front["information"].is_monotonic_decreasing


def test_numbers_have_a_difference_of_means():
    parity, odds = disparities(
        np.array([1.0, 3.0, 2.0, 2.0]), np.zeros(4), np.array([0, 0, 1, 1]), "regression"
    )
    assert parity == 0 and np.isnan(odds)
    several = disparities(
        np.array(["x", "y", "z", "z"]), np.array(["x", "y", "z", "x"]), np.array([0, 0, 1, 1]),
        "multiclass",
    )  # fmt: skip
    assert several == (1.0, 1.0)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (lambda n: np.zeros(n), "has 1 value, use 2 to 20 groups"),
        (lambda n: np.arange(n), "has 400 values, use 2 to 20 groups"),
        (lambda n: np.zeros(n - 1), "399 values for 400 rows"),
        (lambda n: [0] * (n - 1) + [1], "the group 1 of the attribute has one row"),
    ],
)
def test_nonsense_is_refused(table, values, said):
    X, y, _ = table
    afs = AlternativeFeatures("f_statistic", n_features=2).fit(X, y)
    with pytest.raises(AltfsError, match=f"sensitive: .*{said}"):
        afs.sensitive(values(len(y)))


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (lambda X, y: np.where(y == 1, "ill", "well"), "the attribute is the target"),
        (lambda X, y: X["even"].map({0: "x", 1: "y"}), "even has the values of the feature 'even'"),
        (lambda X, y: "even", "'even' is one text, give a value for each row, or name the column"),
        (lambda X, y: None, "there are no values, give one for each row, or name the column"),
        (
            lambda X, y: pd.Series(["missing", None, "x", "x"] * 100),
            "'missing' is a value of the attribute beside missing values",
        ),
    ],
)
def test_the_target_and_features_are_no_attributes(table, values, said):
    X, y, _ = table
    X = X.assign(even=np.arange(len(X)) % 2)
    afs = AlternativeFeatures("f_statistic", n_features=2).fit(X, y)
    with pytest.raises(AltfsError, match=f"sensitive: {said}"):
        afs.sensitive(values(X, y))


def test_a_column_of_the_table_is_a_limit_and_no_feature(table, told):
    X, y, sex = table
    limited = {"sensitive": "sex", "most_information": 0.1}
    afs = AlternativeFeatures("mutual_information", n_features=2, n_alternatives=1, tau=0.5)
    afs.set_params(constraints=limited).fit(X.assign(sex=sex), y)
    again = afs.sensitive(model="logistic_regression")
    assert again.name == "sex" and again.groups == {"f": 221, "m": 179}
    for features in afs.feature_sets_:
        assert "sex" not in features.names
        assert again.information[list(features.names)].sum() <= 0.1
    assert again.information.drop("sex").tolist() == told.information.tolist()
    # Limits hold in every fold of a nested evaluation, and after a prescreen.
    assert len(afs.evaluate("decision_tree", nested=True, cv=3).scores)
    few = AlternativeFeatures(
        "mutual_information", n_features=2, n_alternatives=0, prescreen=3, constraints=limited
    ).fit(X.assign(sex=sex, noise=0.0), y)
    assert "a" not in few.feature_sets_[0].names
    # A limit that every set exceeds.
    strict = Constraints(sensitive="sex", most_information=0, include=("a",))
    with pytest.raises(AltfsError, match="most_information"):
        afs.set_params(constraints=strict).fit(X.assign(sex=sex), y)


@pytest.mark.parametrize("search", ["sequential", "simultaneous", "local_search", "pareto"])
def test_a_prescreen_does_not_let_the_column_in(search, table):
    X, _, sex = table
    X = X.assign(sex=sex, e=np.arange(len(X)) % 7)
    # Of all columns, the sensitive one says most of the target.
    y = (sex == "f") ^ (np.arange(len(X)) % 10 == 0)
    for limits in ({}, {"most_information": 0.2}):
        rules = {"sensitive": "sex", "prescreen": 4, **limits}
        afs = AlternativeFeatures("mutual_information", search, n_features=2, n_alternatives=1,
                                  tau=0.5, constraints=rules, n_shuffles=0)  # fmt: skip
        assert not any("sex" in features.names for features in afs.fit(X, y).feature_sets_)
        assert len(afs.sensitive(model="decision_tree").table) == 3


def test_the_column_may_have_gaps_and_is_neither_the_target_nor_judged_as_a_feature(table):
    X, y, sex = table
    rules = {"sensitive": "sex", "exclude": ["sex"]}
    afs = AlternativeFeatures("mutual_information", n_features=2, n_alternatives=0)
    gaps = X.assign(sex=sex.mask(sex.index < 30))
    afs.set_params(constraints=rules).fit(gaps, y)
    assert afs.sensitive(model="decision_tree").groups["missing"] == 30
    copy = X.assign(sex=sex, gender=sex.map({"f": 0, "m": 1}))
    told = afs.fit(copy, y).sensitive(model="decision_tree").information
    assert told["gender"] > 0.9
    with pytest.raises(AltfsError, match="sensitive: 'sex' is the target"):
        afs.fit(X.assign(sex=np.where(y == 1, "a", "b")), y)


def test_rows_of_a_group_are_shuffled_together():
    rng = np.random.default_rng(0)
    groups = np.repeat(np.arange(40), 10)
    # All rows of a group are alike, so that 400 rows are 40 cases.
    feature, attribute = rng.normal(size=40)[groups], rng.integers(0, 2, 40)[groups]
    part = Part(feature[:, None], attribute, "binary", 0)
    together = Part(feature[:, None], attribute, "binary", 0, groups=groups)
    later = Part(feature[:, None], attribute, "binary", 0, times=groups.astype(float))
    apart = chance_bits(part)[0]
    assert chance_bits(together)[0] > 3 * apart < chance_bits(later)[0]
    predicted, y = (feature > 0).astype(int), rng.integers(0, 2, 400)
    judged = predicted, y, attribute, "binary"
    assert chance_disparities(*judged, groups)[0] > 2 * chance_disparities(*judged)[0]
    order = rng.permutation(400)
    moved = (*(values[order] for values in judged[:3]), "binary", groups[order])
    assert chance_disparities(*moved) == chance_disparities(*judged, groups)


def test_missing_values_are_a_group_of_their_own(table):
    X, y, sex = table
    afs = AlternativeFeatures("f_statistic", n_features=2, n_alternatives=0).fit(X, y)
    told = afs.sensitive(sex.mask(sex.index < 30), "decision_tree", cv=2)
    assert told.groups["missing"] == 30
