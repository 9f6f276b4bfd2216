"""Words of `explain` about features that share something."""

import numpy as np
import pytest

from altfs import AlternativeFeatures, quality
from altfs.selectors.rar import Rar, RarOptions

PAIRS = np.array([[0, 4, 1, 0], [2, 0, 1, 0], [1, 1, 0, 6], [0, 2, 0, 0]]) / 10


@pytest.mark.parametrize("kind", [quality.Pairwise, quality.Ratio])
def test_shared_is_the_mean_of_both_directions_within_each_set(kind):
    afs = AlternativeFeatures(kind([0.9, 0.8, 0.3, 0.2], PAIRS), n_features=3, n_alternatives=0)
    table = afs.fit(np.zeros((2, 4))).explain().shared
    chosen = afs.feature_sets_[0].indices
    both = (PAIRS + PAIRS.T) / 2
    assert table["feature"].tolist() == [f"x{j}" for j in chosen]
    for row, j in zip(table.itertuples(), chosen, strict=True):
        rest = [i for i in chosen if i != j]
        assert row.set_index == 0
        assert row.relevance == [0.9, 0.8, 0.3, 0.2][j]
        assert row.redundancy == pytest.approx(both[j, rest].mean())
        assert row.most == both[j, rest].max()
        assert both[j, int(row.most_with[1:])] == row.most


def test_a_set_of_one_feature_shares_nothing():
    worth = quality.Pairwise([1.0, 2.0], np.zeros((2, 2)))
    afs = AlternativeFeatures(worth, n_features=1, n_alternatives=0).fit(np.zeros((2, 2)))
    (row,) = afs.explain().shared.itertuples()
    assert (row.feature, row.redundancy, row.most_with, row.most) == ("x1", 0, None, 0)


@pytest.mark.exhaustive
def test_rar_says_with_what_a_feature_is_shared_and_others_say_nothing():
    rng = np.random.default_rng(0)
    a, b = rng.random((2, 120))
    X = np.column_stack([a, a**2, b])
    y = (a + b > 1).astype(int)
    selector = Rar(RarOptions(redundancy="pairs", n_subsets=50))
    answers = AlternativeFeatures(selector, n_features=3, n_alternatives=0).fit(X, y).explain()
    first, second, third = answers.shared.itertuples()
    assert (first.most_with, second.most_with) == ("x1", "x0")
    assert first.most == second.most > 0.7 > third.most
    said = str(answers)
    assert "What the features share" in said
    assert f"The original set, x0: relevance {first.relevance:.4g}, redundancy" in said
    assert f"most with x1 ({first.most:.4g})." in said
    for sampling in ("whole", "leave_one_out"):
        selector = Rar(RarOptions(sampling=sampling, n_subsets=200))
        afs = AlternativeFeatures(selector, n_features=3, n_alternatives=0).fit(X, y)
        table = afs.explain().shared.set_index("feature")
        first = table["relevance"].idxmax() if sampling == "whole" else table["redundancy"].idxmin()
        assert table.loc[first, "most_with"] is None
        copy = table.loc[["x0", "x1"]].sort_values("redundancy").iloc[-1]
        assert copy["redundancy"] > 0.4
        assert set(copy["most_with"].split(", ")) & {"x0", "x1"}
        both = table["relevance"] + 1 - table["redundancy"]
        score = 2 * table["relevance"] * (1 - table["redundancy"]) / both
        assert score.sum() == pytest.approx(afs.feature_sets_[0].train_objective)
    plain = AlternativeFeatures([1.0, 2, 3], n_features=1, n_alternatives=0).fit(X).explain()
    assert plain.shared.empty
    assert "What the features share" not in str(plain)
