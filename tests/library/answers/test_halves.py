"""The stability of sets over halves of the rows, judged by Kuncheva's index and by hand."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from altfs import AlternativeFeatures
from altfs.errors import AltfsError
from altfs.library.answers.stability import agreement

RNG = np.random.default_rng(0)
N = 200
Y = RNG.integers(0, 2, N)
X = RNG.normal(size=(N, 6))
X[:, 0] += 3 * Y
X[:, 1] += Y
X[:, 2] += Y


@given(st.integers(2, 12), st.integers(4, 9), st.integers(1, 3), st.integers(0, 99))
def test_sets_of_one_size_have_the_mean_of_kunchevas_index(n_sets, n_total, size, seed):
    random = np.random.default_rng(seed)
    sets = [set(random.choice(n_total, size, replace=False)) for _ in range(n_sets)]
    chosen = np.array([[j in s for j in range(n_total)] for s in sets])
    by_chance = size**2 / n_total
    pairs = [(len(a & b) - by_chance) / (size - by_chance) for a, b in combinations(sets, 2)]
    value, low, high = agreement(chosen)
    assert value == pytest.approx(np.mean(pairs))
    assert low <= value <= high


def test_sets_by_chance_have_a_stability_of_about_0():
    random = np.random.default_rng(1)
    chosen = random.random((200, 30)) < 0.3
    value, low, high = agreement(chosen)
    assert value == pytest.approx(0, abs=0.01)
    assert low < 0.005 < high + 0.01


def test_features_and_sets_are_counted_over_the_halves():
    afs = AlternativeFeatures("mutual_information", n_features=1, n_alternatives=2, tau=1).fit(X, Y)
    stable = afs.stability(20)
    shares = stable.features.set_index("feature")["share"]
    assert shares["x0"] == 1 and shares.sum() == pytest.approx(1)
    assert stable.value == 1
    assert list(stable.sets["same"]) == [1, 0, 0]
    assert list(stable.sets["beaten"][1:]) == [1, 1]
    assert stable.unordered == []
    again = afs.stability(20)
    assert again.sets.equals(stable.sets) and again.features.equals(stable.features)


def test_sets_that_the_rows_cannot_order_are_named():
    afs = AlternativeFeatures("mutual_information", n_features=1, n_alternatives=1, tau=1).fit(
        X[:, 1:3], Y
    )
    stable = afs.stability(30)
    assert stable.unordered == ["alternative 1"]
    assert "the original and alternative 1 cannot be ordered by 200 rows" in str(stable)
    assert stable.sets["same"].sum() == 1


def test_a_feature_that_halves_prefer_to_a_member_is_named():
    afs = AlternativeFeatures("mutual_information", n_features=2, n_alternatives=0).fit(X, Y)
    stable = afs.stability(10)
    rows = stable.features.set_index("feature")
    first = rows[~rows["original"]]["share"].idxmax()
    for more in (0, 1):
        share = rows["share"].where(rows.index != first, more).reset_index(drop=True)
        other = replace(stable, features=stable.features.assign(share=share))
        said = f" Halves take {first} (100%) more often than "
        assert (said in other.sentence) == bool(more)


def test_threads_and_the_order_of_rows_do_not_matter():
    alone = AlternativeFeatures("mutual_information", n_features=2).fit(X, Y).stability(10)
    threads = (
        AlternativeFeatures("mutual_information", n_features=2, n_jobs=2).fit(X, Y).stability(10)
    )
    order = np.random.default_rng(2).permutation(N)
    turned = (
        AlternativeFeatures("mutual_information", n_features=2)
        .fit(X[order], Y[order])
        .stability(10)
    )
    for other in (threads, turned):
        assert other.sentence == alone.sentence
        assert other.sets.equals(alone.sets) and other.features.equals(alone.features)
    assert alone.sentence.endswith("within their error.")


def test_a_prescreen_is_repeated_in_each_half():
    afs = AlternativeFeatures("mutual_information", n_features=1, tau=1, prescreen=2).fit(X, Y)
    assert afs.stability(5).features["feature"].tolist()[0] == "x0"


def test_arguments_out_of_range_are_refused():
    afs = AlternativeFeatures("mutual_information", n_features=1).fit(X, Y)
    with pytest.raises(AltfsError, match="n_halves: 1 is not allowed"):
        afs.stability(1)
