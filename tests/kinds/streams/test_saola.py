"""SAOLA and Group-SAOLA, judged by plain loops."""

import numpy as np
import plain
import pytest
from plain import begun, data, dependences, numbers_between, sets_of

from altfs.kinds.streams.measures import FisherZ, SymmetricUncertainty
from altfs.kinds.streams.selectors.group_saola import GroupSaola
from altfs.kinds.streams.selectors.saola import Saola


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
    assert sets_of(begun(Saola, y, **options), X) == [expected]
    assert expected


def test_saola_with_one_group_for_each_column_needs_no_groups():
    X, y = data(1, n_rows=203)
    ungrouped, one_each = begun(GroupSaola, y), begun(GroupSaola, y, group_size=1)
    assert sets_of(ungrouped, X, n_sets=3) == sets_of(one_each, X, n_sets=3)
    assert ungrouped.tests == one_each.tests == X.shape[1]


@pytest.mark.parametrize("seed", range(4))
def test_no_two_features_of_saola_exclude_each_other_in_fcbf(seed):
    """Neither tells more about the other than about the target, by the same measure."""
    X, y = data(seed, width=20)
    measure = SymmetricUncertainty(y, "binary")
    relevance, between = numbers_between(measure, X)
    (chosen,) = sets_of(begun(Saola, y, measure="symmetric_uncertainty"), X)
    for f in chosen:
        for g in chosen:
            if f != g and relevance(f) != relevance(g):
                assert between(f, g) <= min(relevance(f), relevance(g))


@pytest.mark.parametrize("seed", range(3))
def test_a_group_of_each_column_is_saola(seed):
    X, y = data(seed)
    # Between groups, the new one of two equal features stays.
    relevance = dependences(SymmetricUncertainty(y, "binary"), X)
    distinct = np.unique(relevance, return_index=True)[1]
    X = X[:, np.sort(distinct)]
    options = {"measure": "symmetric_uncertainty"}
    one_each = begun(GroupSaola, y, group_size=1, **options)
    assert sets_of(one_each, X) == sets_of(begun(Saola, y, **options), X)


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


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("slides", [False, True])
def test_group_saola_is_the_plain_loop(seed, slides):
    X, y = data(seed, width=24)
    measure = FisherZ(y, "binary", alpha=0.1)
    groups = [range(a, min(a + 5, 24)) for a in range(0, 24, 5)]
    expected = plain_groups(groups, *numbers_between(measure, X), slides)
    options = {"alpha": 0.1, "group_size": 5, "rule": "slides" if slides else "code"}
    assert sets_of(begun(GroupSaola, y, **options), X) == [expected]
    assert expected
