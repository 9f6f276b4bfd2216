"""What made answers not worth believing, each as a table that people have."""

import re
import warnings

import numpy as np
import pandas as pd
import pytest

from altfs import AlternativeFeatures
from altfs.errors import DataError, DataWarning, NoSignalWarning

N = 400


@pytest.fixture(scope="module")
def adult(pmlb_cache):
    table = pd.read_csv(pmlb_cache / "adult" / "adult.tsv.gz", sep="\t").head(4000)
    return table, table.pop("target")


def fitted(X, y, selector="mutual_information", **parameters):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return AlternativeFeatures(selector, n_shuffles=0, **parameters).fit(X, y)


def names(afs):
    return [frozenset(features.names) for features in afs.feature_sets_]


def test_noise_is_not_an_optimal_answer():
    random = np.random.default_rng(0)
    X = pd.DataFrame(random.normal(size=(N, 10))).add_prefix("f")
    with pytest.warns(NoSignalWarning, match="No signal"):
        afs = AlternativeFeatures("mutual_information").fit(X, random.integers(0, 2, N))
    # All of the little that there is, is no more than by chance.
    assert set(afs.feature_sets_[0].idle) == set(afs.feature_sets_[0].names)


def test_300_dates_know_nothing_of_a_random_target():
    random = np.random.default_rng(1)
    days = pd.Timestamp("2020-01-01") + pd.to_timedelta(random.permutation(300), "D")
    X = pd.DataFrame({"d": days.astype(str), "e": random.normal(size=300)})
    afs = fitted(X, random.integers(0, 2, 300), n_features=1)
    assert afs.quality_.values * afs.quality_.measure.size == pytest.approx(0, abs=0.05)


@pytest.mark.exhaustive
@pytest.mark.parametrize("selector", ["mutual_information", "fcbf", "mrmr", "cfs"])
def test_seeds_orders_and_codings_give_the_same_sets(adult, selector):
    X, y = adult
    X, y = X.head(1500), y.head(1500)
    random, expected = np.random.default_rng(0), names(fitted(X, y, selector, n_features=3))
    rows = random.permutation(len(X))
    for other in (
        fitted(X, y, selector, n_features=3, random_state=7),
        fitted(X.iloc[rows], y.iloc[rows], selector, n_features=3),
        fitted(X[list(X)[::-1]], y, selector, n_features=3),
        fitted(X, 1 - y, selector, n_features=3),
        fitted(np.exp(X / X.max()), y, selector, n_features=3),
    ):
        assert names(other) == expected


def test_a_leak_a_constant_a_copy_and_an_id_are_said(adult):
    X, y = adult
    X = X.assign(leak=y * 2, unit=1, copy=X["age"] * 12, number=np.arange(len(X)))
    with pytest.warns(DataWarning, match="leaks: leak; constants: unit; ids: number; copies: age"):
        AlternativeFeatures("mutual_information", n_shuffles=0).fit(X, y)


def test_conflicts_leave_no_room_for_what_is_worthless(adult):
    X, y = adult
    random = np.random.default_rng(2)
    text = pd.Series([f"t{i}" for i in random.integers(0, 3000, len(X))], index=X.index)
    afs = fitted(X.assign(unit=1, text=text), y, "fcbf", n_features=4, n_alternatives=0)
    assert not {"unit", "text"} & set(afs.feature_sets_[0].names)


def test_members_that_are_worth_nothing_are_named():
    y = np.arange(N) % 2
    X = pd.DataFrame({"a": y * 1.0, "b": np.ones(N), "c": np.zeros(N), "d": np.ones(N)})
    afs = fitted(X, y, "model_gain", n_features=3, n_alternatives=0)
    assert set(afs.feature_sets_[0].idle) == set(afs.feature_sets_[0].names) - {"a"}


@pytest.mark.exhaustive
def test_nothing_is_lost_where_a_copy_is_in_the_set(adult):
    X, y = adult
    X = X.assign(relation=X["relationship"].map("abcdefgh".__getitem__))
    afs = fitted(X, y)
    assert {"relation", "relationship"} <= set(afs.feature_sets_[0])
    row = afs.explain().substitutes.set_index("feature").loc["relationship"]
    assert (row["stand_in"], row["left"]) == ("relation", 0)
    assert row["score_without"] == pytest.approx(row["score_of_original"], abs=0.01)
    assert "Without relationship: nothing is lost, as relation" in str(afs.explain())


def test_samples_of_rows_do_not_depend_on_their_order(adult):
    X, y = adult
    order = np.random.default_rng(3).permutation(len(X))
    two = [
        fitted(X, y, n_features=2, n_alternatives=1),
        fitted(X.iloc[order], y.iloc[order], n_features=2, n_alternatives=1),
    ]
    scores = [afs.evaluate("decision_tree", cv=2, max_rows=300).scores["score"] for afs in two]
    assert scores[0].tolist() == scores[1].tolist()


def test_a_map_of_redundancy_can_be_read():
    random = np.random.default_rng(0)
    X = pd.DataFrame(random.normal(size=(N, 3)), columns=["a", "b", "<c>"])
    X["copy"] = 2 * X["a"]
    answers = fitted(X, (X["a"] > 0).astype(int), n_features=2).explain()
    assert (
        repr(answers.redundancy) == "<RedundancyMap of 4 features; the same is said by: a = copy>"
    )
    assert "<th>copy</th>" in answers.redundancy._repr_html_()
    assert "<c>" not in answers.redundancy._repr_html_()


def test_advice_to_leave_categories_out_can_be_followed():
    random = np.random.default_rng(0)
    y = random.integers(0, 2, N)
    X = pd.DataFrame(random.normal(size=(N, 4)), columns=list("abcd")).assign(
        t=list("xy") * (N // 2)
    )
    with pytest.raises(DataError, match=r"does not take categories \('t'\), leave these"):
        fitted(X, y, "f_statistic")
    left = fitted(X, y, "f_statistic", n_features=2, constraints={"exclude": ["t"]})
    alone = fitted(X.drop(columns="t"), y, "f_statistic", n_features=2)
    assert names(left) == names(alone)


def test_a_bound_that_is_noise_is_not_written_out():
    X = np.zeros((2, 200))
    afs = AlternativeFeatures(np.arange(200.0), n_features=8, tau=0.2).fit(X)
    assert "possibly more than 100 million" in str(afs.explain())


def test_a_tau_of_0_gives_other_sets_and_is_not_recommended():
    afs = fitted(np.eye(6), np.arange(6) % 2, "f_statistic", n_features=2, tau=0, n_alternatives=4)
    assert len(set(names(afs))) == 5
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        few = AlternativeFeatures(
            np.arange(1.0, 5), n_features=2, n_alternatives=3, tau=1, n_shuffles=0
        ).fit([[0] * 4] * 2)
    assert not re.search(r"tau(=| up to )0(?!\.\d)", str(few.explain()))
