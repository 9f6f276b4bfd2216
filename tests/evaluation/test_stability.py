"""Measures of stability, against published and hand-worked examples and a second implementation."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from altfs.evaluation.stats.agreement import agreement


def incidence(sets, width):
    return np.array([[[float(j in s) for j in range(width)] for s in sets]])


def naive(sets, n, z=1.959963984540054):
    """As the formulas are printed, set by set and feature by feature."""
    m = len(sets)
    share = [sum(j in s for s in sets) / m for j in range(n)]
    mean = sum(len(s) for s in sets) / m
    spread = mean / n * (1 - mean / n)
    phi = 1 - sum(m / (m - 1) * p * (1 - p) for p in share) / n / spread
    parts = []
    for s in sets:
        k = len(s)
        inner = sum(share[j] for j in s) / n - k * mean / n**2
        inner += phi / 2 * (2 * mean * k / n**2 - k / n - mean / n + 1)
        parts.append(inner / spread)
    middle = sum(parts) / m
    variance = 4 / m**2 * sum((p - middle) ** 2 for p in parts)
    jaccard = [len(a & b) / len(a | b) for a, b in combinations(sets, 2)]
    return phi, phi - z * variance**0.5, phi + z * variance**0.5, sum(jaccard) / len(jaccard)


sizes = st.integers(2, 9)
families = sizes.flatmap(
    lambda n: st.tuples(
        st.lists(st.sets(st.integers(0, n - 1), min_size=1), min_size=2, max_size=6), st.just(n)
    )
)


@given(families)
def test_a_naive_implementation_says_the_same(family):
    sets, n = family
    assume(any(len(s) < n for s in sets))
    found = agreement(incidence(sets, n), n)
    values = (found.nogueira, found.nogueira_low, found.nogueira_high, found.jaccard)
    assert [v[0] for v in values] == pytest.approx(naive(sets, n))


@given(families)
def test_sets_of_one_size_have_kunchevas_index_as_nogueiras(family):
    sets, n = family
    k = min(len(s) for s in sets)
    assume(k < n)
    cut = [set(sorted(s)[:k]) for s in sets]
    found = agreement(incidence(cut, n), n)
    pairs = [(len(a & b) * n - k * k) / (k * (n - k)) for a, b in combinations(cut, 2)]
    assert found.kuncheva[0] == pytest.approx(np.mean(pairs))
    assert found.kuncheva[0] == pytest.approx(found.nogueira[0])


@given(families, st.permutations(range(6)))
def test_neither_order_nor_absent_sets_nor_unused_features_count(family, order):
    sets, n = family
    whole = agreement(incidence(sets, n), n)
    shuffled = [sets[i] for i in order if i < len(sets)]
    padded = incidence([*shuffled, set()], n)
    used = padded.any(axis=(0, 1))
    cut = agreement(padded[:, :, used], n)
    for one, other in zip(whole, cut, strict=True):
        assert one == pytest.approx(other, nan_ok=True)


@given(st.integers(1, 8), st.integers(2, 6))
def test_equal_sets_agree_wholly(k, m):
    found = agreement(incidence([set(range(k))] * m, 9), 9)
    assert [v[0] for v in found[1:]] == pytest.approx([1] * 5)


def test_two_sets_agree_as_computed_by_hand():
    # They share one of two features each, of four: as much as chance would give.
    found = agreement(incidence([{0, 1}, {1, 2}], 4), 4)
    assert found.jaccard[0] == pytest.approx(1 / 3)
    assert found.kuncheva[0] == pytest.approx(0)
    assert found.nogueira[0] == pytest.approx(0)
    # Disjoint halves: as different as sets of this size can be.
    apart = agreement(incidence([{0, 1}, {2, 3}], 4), 4)
    assert (apart.jaccard[0], apart.kuncheva[0]) == (0, pytest.approx(-1))


def test_the_published_example_of_stabm():
    # Bommert and Lang (2021), vignette of the R package stabm.
    sets = [{0, 1, 2}, {0, 1, 2, 3}, {0, 1, 2, 4, 5, 6}]
    found = agreement(incidence(sets, 7), 10)
    assert found.jaccard[0] == pytest.approx(0.5595238, abs=5e-8)
    assert found.nogueira[0] == pytest.approx(0.4570136, abs=5e-8)
    assert np.isnan(found.kuncheva[0])


@pytest.mark.exhaustive
def test_the_interval_is_that_of_the_bootstrap():
    # Theorem 7 is asymptotic: of many sets, the bootstrap's deviation is near to it.
    rng = np.random.default_rng(0)
    chosen = (rng.random((1, 400, 12)) < np.linspace(0.05, 0.9, 12)).astype(float)
    found = agreement(chosen, 12)
    half = (found.nogueira_high - found.nogueira_low)[0] / 2 / 1.96
    draws = chosen[0][rng.integers(0, 400, (500, 400))]
    assert agreement(draws, 12).nogueira.std() == pytest.approx(half, rel=0.12)


def test_what_is_not_defined_is_missing():
    alone = agreement(incidence([{0}, set()], 3), 3)
    assert alone.n[0] == 1
    assert all(np.isnan(v[0]) for v in alone[1:])
    everything = agreement(incidence([{0, 1}, {0, 1}], 2), 2)
    assert everything.jaccard[0] == 1
    assert np.isnan([everything.nogueira[0], everything.kuncheva[0]]).all()
    unknown = agreement(incidence([{0}, {0}], 1), float("nan"))
    assert unknown.jaccard[0] == 1
    assert np.isnan(unknown.nogueira[0])
