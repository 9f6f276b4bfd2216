"""The contrast of a set as its quality."""

from itertools import combinations

import numpy as np
import pytest

from altfs import AlternativeFeatures
from altfs.errors import AltfsError, DataError, DataWarning
from altfs.scores._contrast import Contrasts, SliceSettings
from altfs.selectors import Part
from altfs.selectors.contrast import Contrast, ContrastOptions

RNG = np.random.default_rng(0)
X = RNG.random((400, 5))
# Neither feature tells anything alone.
Y = (X[:, 1] > 0.5) ^ (X[:, 3] > 0.5)


def quality(target_type="binary", **options):
    y = Y.astype(int) if target_type == "binary" else Y + X[:, 0] / 9
    return Contrast(ContrastOptions(slice_share=0.05, **options)).quality(
        Part(X, y, target_type, 3)
    )


@pytest.mark.parametrize("target_type", ["binary", "regression"])
def test_the_pair_that_tells_only_together_is_the_best(target_type):
    judge = quality(target_type)
    pairs = sorted(combinations(range(5), 2), key=judge.evaluate)
    assert pairs[-1] == (1, 3)


def test_alternatives_of_it_are_enumerated():
    selector = Contrast(ContrastOptions(slice_share=0.05))
    afs = AlternativeFeatures(selector, "enumeration", n_features=2, n_alternatives=1, tau=1)
    first, second = afs.fit(X, Y.astype(int)).feature_sets_
    assert first.indices == (1, 3)
    assert not set(first.indices) & set(second.indices)


def test_a_set_has_one_value_whatever_its_order():
    part = Part(X, Y.astype(int), "binary", 3)
    contrasts = Contrasts(part, SliceSettings(share=0.05))
    assert quality().evaluate((3, 1)) == contrasts.of_set((1, 3)) == contrasts.of_set([3, 1])
    assert contrasts.of_set(np.array([1, 3])) == contrasts.of_set((1, 3))
    # Numbers of numpy would overflow.
    assert contrasts.of_set(tuple(np.arange(5))) == contrasts.of_set(range(5))
    assert contrasts.of_set(()) == 0
    assert contrasts.of_set((1, 3)) != contrasts.of_set((1, 2))


@pytest.mark.parametrize("divergence", ["slice", "all", "jensen_shannon"])
@pytest.mark.parametrize("target_type", ["binary", "regression"])
def test_no_set_exceeds_the_bound(divergence, target_type):
    judge = quality(target_type, divergence=divergence)
    values = [judge.evaluate(s) for k in (1, 2, 5) for s in combinations(range(5), k)]
    assert max(values) <= judge.upper_bound
    # A slice of one row of the rarer class comes near it.
    if target_type == "binary" and divergence == "slice":
        assert judge.upper_bound == pytest.approx(-np.log(min(Y.mean(), 1 - Y.mean())), abs=1e-3)


def test_features_that_depend_on_each_other_contrast_without_the_target():
    rng = np.random.default_rng(1)
    table = rng.normal(size=(400, 5))
    table[:, 4] = table[:, 0] * table[:, 2]
    selector = Contrast(ContrastOptions(of="features", slice_share=0.05))
    judges = [selector.quality(Part(table, rng.permutation(Y), "binary", 3)) for _ in range(2)]
    values = [{s: judge.evaluate(s) for s in combinations(range(5), 3)} for judge in judges]
    assert max(values[0], key=values[0].get) == (0, 2, 4)
    assert values[0] == values[1]
    assert judges[0].evaluate((1,)) == 0
    assert max(values[0].values()) <= judges[0].upper_bound == 1


def test_the_contrast_of_two_features_is_the_mean_of_both_directions():
    # More slices than two features have, so that both estimates are near the same mean.
    part = Part(X[:60, :2], Y[:60].astype(int), "binary", 0)
    contrasts = Contrasts(part, SliceSettings(20000, 0.1))
    both = contrasts.of_pairs(0)[1], contrasts.of_pairs(1)[0]
    assert contrasts.within_set((0, 1)) == pytest.approx(np.mean(both), abs=0.005)


def test_too_few_rows_are_refused_before_a_study():
    with pytest.raises(DataError, match="9 rows are too few for contrasts"):
        Contrast().check_target(np.arange(9) % 2, "binary", 0)


def test_without_a_target_the_sets_are_those_of_any_target():
    rng = np.random.default_rng(0)
    X = rng.random((200, 6))
    X[:, 3] = X[:, 0] + rng.normal(0, 0.05, 200)
    X[:, 5] = X[:, 4]
    options = {"n_features": 2, "n_alternatives": 1, "tau": 0.5}
    afs = AlternativeFeatures({"type": "contrast", "options": {"of": "features"}}, **options)
    with pytest.warns(DataWarning, match="copies: x4 = x5"):
        afs.fit(X)
    assert afs.target_type_ == "none"
    assert afs.signal_ is None
    assert [note.kind for note in afs.notes_] == ["copies"]
    with pytest.raises(AltfsError, match="evaluate: fit had no target"):
        afs.evaluate()
    sets = [s.indices for s in afs.feature_sets_]
    afs.set_params(n_shuffles=0).fit(X, rng.integers(0, 2, 200))
    assert [s.indices for s in afs.feature_sets_] == sets
    assert afs.target_type_ == "binary"


def test_a_contrast_of_the_target_needs_one():
    with pytest.raises(ValueError, match="requires y"):
        AlternativeFeatures("contrast", n_features=2).fit(np.eye(30))
