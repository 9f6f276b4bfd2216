"""SAOLA and Group-SAOLA, judged by plain loops."""

import numpy as np
import plain
import pytest
from plain import begun, data, numbers_between, sets_of

from altfs.kinds.streams.measures import FisherZ, SymmetricUncertainty


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("slides", [False, True])
@pytest.mark.parametrize("kind", [FisherZ, SymmetricUncertainty])
def test_saola_is_the_plain_loop(seed, slides, kind):
    X, y = data(seed)
    measure = kind(y, "binary")
    functions = numbers_between(measure, X)
    equal = kind is FisherZ and not slides
    expected = plain.saola(X.shape[1], *functions, equal_loses=equal, touching=slides)
    names = {FisherZ: "fisher_z", SymmetricUncertainty: "symmetric_uncertainty"}
    options = {"measure": names[kind], "rule": "slides" if slides else "code"}
    assert sets_of(begun("saola", y, **options), X) == [expected]
    assert expected


def test_a_threshold_drops_weak_features():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 3, size=(200, 8)).astype(float)
    y = (X @ np.arange(8) + rng.normal(size=200) > 28).astype(int)
    weak = numbers_between(SymmetricUncertainty(y, "binary", threshold=0.05), X)
    expected = plain.saola(8, *weak, equal_loses=False, touching=True)
    options = {"measure": "symmetric_uncertainty", "rule": "slides"}
    assert sets_of(begun("saola", y, threshold=0.05, **options), X) == [expected]
    assert expected == [j for j in range(8) if plain.uncertainty(X[:, j], y) > 0.05]
    assert len(expected) < len(sets_of(begun("saola", y, **options), X)[0])


def plain_groups(groups, relevance, between, slides):
    kept = []
    for group in groups:
        new = []
        for f in filter(relevance, group):
            for g in list(new):
                r, least = between(f, g), min(relevance(f), relevance(g))
                close = r >= least if slides else r > least
                if not (r and close):
                    continue
                if relevance(g) > relevance(f) or (relevance(g) == relevance(f) and not slides):
                    break
                if relevance(f) > relevance(g):
                    new.remove(g)
            else:
                new.append(f)
        refused = set()
        for old in kept:
            gone = set()
            for f in new:
                if slides and f in refused:
                    continue
                for g in old:
                    r, least = between(f, g), min(relevance(f), relevance(g))
                    if not r or not (r >= least if slides else r > least):
                        continue
                    if relevance(g) > relevance(f):
                        refused.add(f)
                        break
                    if relevance(f) > relevance(g) or not slides:
                        gone.add(g)
            old[:] = [g for g in old if g not in gone]
        kept = [old for old in [*kept, [f for f in new if f not in refused]] if old]
    return [f for group in kept for f in group]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("slides", [False, True])
@pytest.mark.parametrize("size", [1, 5])
def test_group_saola_is_the_plain_loop(seed, slides, size):
    X, y = data(seed, width=24)
    measure = FisherZ(y, "binary", alpha=0.1)
    groups = [range(a, min(a + size, 24)) for a in range(0, 24, size)]
    expected = plain_groups(groups, *numbers_between(measure, X), slides)
    options = {"alpha": 0.1, "rule": "slides" if slides else "code"}
    grouped = begun("group_saola", y, group_size=size, **options)
    assert sets_of(grouped, X) == [expected]
    assert expected
    if size == 1:
        # Columns without a group, which are judged as often.
        alone = begun("group_saola", y, **options)
        assert sets_of(alone, X) == [expected] and alone.tests == grouped.tests == X.shape[1]
