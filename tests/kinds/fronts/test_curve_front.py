"""Dominance with a factor, and fronts, judged by comparing all with all."""

from itertools import combinations
from math import inf
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from marks import examples

import altfs.kinds.fronts.curve_front
from altfs.errors import AltfsError
from altfs.kinds.fronts.curve import Curve
from altfs.kinds.fronts.curve_front import Archive, CurveFront, front_of
from altfs.kinds.fronts.dominance import Dominance
from altfs.kinds.fronts.evolved_sets import SetEvolution
from altfs.kinds.fronts.searches.many_objective import ManyObjectiveOptions
from altfs.kinds.fronts.selectors.naive_bayes_curve import column_sums
from altfs.kinds.fronts.valid_sets import ValidSets
from altfs.problem import Problem
from altfs.selectors import Part, selectors

FACTORS = [1, 1.1, 2, 5, 10, 50, inf]


def quality_of(n_positive=3, kind="specificity"):
    rows = np.arange(n_positive + 6.0)
    return Curve(lambda s: rows, rows < n_positive, 8, kind)


RULES = st.sampled_from([Dominance.of(f, quality_of(3, kind)) for f in FACTORS
                         for kind in ("specificity", "confidence")])  # fmt: skip
CURVES = st.lists(st.integers(0, 6), min_size=3, max_size=3).map(lambda c: sorted(c)[::-1])


def plain(curves, rule):
    """The places of curves that no curve dominates."""
    curves = np.asarray(curves)
    kept = []
    for i, one in enumerate(curves):
        difference = curves - one
        red, green = (np.maximum(sign * difference, 0).sum(1) for sign in (1, -1))
        if rule.denominator == 0:
            beaten = (red > 0) & (green == 0)
        else:
            beaten = rule.denominator * red - rule.numerator * green > rule.margin
        if not beaten.any():
            kept.append(i)
    return kept


@given(RULES, CURVES, CURVES, CURVES, st.integers(1, 2**30))
@examples(400)
def test_dominance_is_transitive_and_anti_symmetric(rule, a, b, c, unit):
    a, b, c = (np.array(one) * unit for one in (a, b, c))
    assert not rule.dominating(a, a)
    assert not (rule.dominating(a, b) and rule.dominating(b, a))
    if rule.dominating(a, b) and rule.dominating(b, c):
        assert rule.dominating(a, c)
    if rule.dominating(a, b):
        assert a.sum() > b.sum()


def test_the_factor_is_exact():
    rule = Dominance.of(1.1, quality_of())
    assert rule.numbers == (11, 10, 0)
    assert not rule.dominating([11, 0, 0], [0, 10, 0])
    assert rule.dominating([12, 0, 0], [0, 10, 0])
    assert Dominance.of(2.5, quality_of()).numbers == (5, 2, 0)
    # Of thirds, sixths and halves in rounded levels, red is twice green: not more.
    of_confidence = quality_of(3, "confidence")
    third, sixth = round(of_confidence.top / 3), round(of_confidence.top / 6)
    twice = Dominance.of(2, of_confidence)
    assert not twice.dominating([third, 0, 0], [0, sixth, 0])
    assert not twice.dominating([third, 0, 0], [0, sixth - 1, 0])
    assert twice.dominating([third + 9, 0, 0], [0, sixth, 0])


@pytest.mark.parametrize("factor", [0.9, -inf, float("nan"), "5", True, None])
def test_a_factor_below_one_is_refused(factor):
    with pytest.raises(ValueError, match="dominance_factor"):
        ManyObjectiveOptions(dominance_factor=factor)


def test_a_factor_of_too_many_digits_is_refused():
    with pytest.raises(AltfsError, match="has too many digits for curves of 3 positive rows"):
        Dominance.of(1.2345678901, quality_of(3, "confidence"))


@given(RULES, st.lists(CURVES, min_size=1, max_size=12))
@examples(100)
def test_the_archive_has_the_sets_that_nobody_dominates(rule, curves):
    archive = Archive(3, rule)
    for i, curve in enumerate(curves * 9):
        archive.offer((i,), np.array(curve))
    front = archive.front(len(curves), proven=True)
    kept = plain(curves * 9, rule)
    assert sorted(s[0] for s in front.sets) == kept
    areas = front.levels.sum(axis=1).tolist()
    assert areas == sorted(areas, reverse=True)
    envelope = np.max([curves[i % len(curves)] for i in kept], 0)
    assert front.levels.max(axis=0).tolist() == envelope.tolist()


@pytest.fixture(scope="module")
def ionosphere(pmlb_cache):
    table = pd.read_csv(pmlb_cache / "ionosphere" / "ionosphere.tsv.gz", sep="\t")
    X = table.drop(columns="target").to_numpy(float)
    return Part(X, table["target"].to_numpy(), "binary", 0)


def curve_of(part, name="naive_bayes_curve", **options):
    component = selectors.get(name)
    return component(component.Options(**options)).quality(part)


def some(part, n):
    return Part(part.X[:, 2 : 2 + n], part.y, "binary", 0)


@pytest.mark.parametrize("curve", ["specificity", "confidence"])
@pytest.mark.parametrize("sizes", [range(1, 4), range(2, 3)])
def test_enumeration_compares_all_sets(ionosphere, curve, sizes):
    quality = curve_of(some(ionosphere, 7), curve=curve)
    sets = [s for k in sizes for s in combinations(range(7), k)]
    curves = [quality.levels(s) for s in sets]
    valid = ValidSets(Problem(quality, sizes, 1))
    assert [*valid] == sets and valid.number == len(sets)
    for factor in FACTORS:
        rule = Dominance.of(factor, quality)
        front = front_of(quality, valid, rule)
        assert sorted(front.sets) == sorted(sets[i] for i in plain(curves, rule))
        assert front.work == len(sets) and front.proven
        assert [quality.levels(s).tolist() for s in front.sets] == front.levels.tolist()
        listed = front_of(quality, sets[::-1], rule)
        assert listed.sets == front.sets and (listed.levels == front.levels).all()


# The members of the front of ionosphere's sets of at most four features, by factor.
MEMBERS = {1: 1, 2: 6, 5: 30, 10: 66, 20: 161, 50: 320, inf: 919}


@pytest.mark.exhaustive
def test_all_sets_of_at_most_four_of_ionosphere(ionosphere):
    # Some 7 seconds of CPU.
    quality = curve_of(ionosphere)
    valid = ValidSets(Problem(quality, range(1, 5), 1))
    for factor, n_members in MEMBERS.items():
        front = front_of(quality, valid, Dominance.of(factor, quality))
        assert front.work == valid.number == 52_955 and len(front.sets) == n_members


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", range(3))
def test_pymoo_finds_the_same_front(ionosphere, seed, monkeypatch):
    # Some 15 seconds of CPU each, nearly all of them pymoo's. A benchmark has its loop.
    monkeypatch.syspath_prepend(Path(__file__).parents[3] / "benchmarks")
    from _pymoo_loop import evolved, unbeaten

    quality = curve_of(ionosphere)
    rule = Dominance.of(5, quality)
    candidates = ValidSets(Problem(quality, range(1, 5), 4))
    front = SetEvolution(quality, candidates, rule, ManyObjectiveOptions(), seed).front()
    assert set(front.sets) == set(unbeaten(evolved(quality, 4, rule, 500, seed), rule))


def test_alternatives_raise_the_envelope_most():
    sets = ((0, 1), (0, 2), (2, 3), (4,))
    levels = np.array([[9, 3, 3], [9, 3, 2], [2, 2, 2], [3, 3, 0]])
    front = CurveFront(sets, levels, 9, True)

    def apart(chosen, family):
        return all(not set(chosen) & set(other) for other in family)

    assert front.alternatives(1, apart) == ((0, 1),)
    # Nothing raises the envelope of the first set, so areas decide.
    assert front.alternatives(9, apart) == ((0, 1), (2, 3), (4,))
    last = np.array([0, 0, 0, 1])
    raised = CurveFront(sets, levels + last[:, None] * [0, 1, 0], 9, True)
    assert raised.alternatives(2, apart) == ((0, 1), (4,))
    assert raised.alternatives(2, lambda chosen, family: False) == ((0, 1),)


def test_two_sets_together_can_raise_the_envelope_more_than_the_best_one(monkeypatch):
    sets = tuple((j,) for j in range(4))
    # The second set adds most, 6, and the next two have 10 together.
    levels = np.array([[9, 9, 0, 0, 0, 0], [0, 0, 3, 3, 0, 0], [0, 0, 5, 0, 0, 0],
                       [0, 0, 0, 5, 0, 0]])  # fmt: skip
    front = CurveFront(sets, levels, 9, True)
    assert front.alternatives(2, lambda chosen, family: True) == ((0,), (1,))
    assert front.alternatives(3, lambda chosen, family: True) == ((0,), (2,), (3,))

    def fits(chosen, family):
        # The second set fits the first one alone.
        return (1,) not in (chosen, *family) or {chosen, *family} == {(0,), (1,)}

    # More sets are better than fewer, although the second one has more area than both.
    wide = CurveFront(sets, levels + np.array([[0], [9], [0], [0]]), 9, True)
    assert wide.alternatives(2, fits) == ((0,), (1,))
    assert wide.alternatives(3, fits) == ((0,), (2,), (3,))
    # Of a large front they are chosen one by one.
    monkeypatch.setattr(altfs.kinds.fronts.curve_front, "_MOST_CHOICES", 5)
    assert front.alternatives(3, lambda chosen, family: True) == ((0,), (1,), (2,))


def test_sums_of_columns_are_added_in_order():
    scores = np.array([[1e16], [1.0], [-1e16]]), np.array([0.0])
    assert column_sums(*scores, (0, 1, 2)) == [0.0] and column_sums(*scores, (0, 2, 1)) == [1.0]
