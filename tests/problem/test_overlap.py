from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from altfs.errors import AltfsError
from altfs.problem.overlap import (
    Overlap,
    attainable_taus,
    canonical_tau,
    dissimilarity_of,
    most_sets,
    parse_tau,
)


def max_overlap(tau, k, dissimilarity="dice"):
    return Overlap(tau, None, dissimilarity)(k, k)


@given(k=st.integers(1, 40), different=st.integers(0, 40))
def test_float_taus_allow_the_overlap_that_they_say(k, different):
    different = min(different, k)
    assert max_overlap(different / k, k) == k - different


def test_floating_point_noise_does_not_lose_an_overlap():
    assert max_overlap(0.8, 5) == 1
    assert max_overlap(0.1 + 0.2, 10) == 7


@pytest.mark.parametrize("measure", ["dice", "jaccard"])
@given(tau=st.fractions(0, 1), k=st.integers(1, 8))
def test_largest_overlap_is_exactly_the_last_that_is_dissimilar_enough(measure, tau, k):
    overlap = max_overlap(tau, k, measure)
    first = range(k)
    for common in range(k + 1):
        second = range(k - common, 2 * k - common)
        assert (dissimilarity_of(first, second, measure) >= tau) == (common <= overlap)


@given(st.integers(1, 60))
def test_attainable_taus_are_all_overlaps(k):
    assert list(attainable_taus(k).values()) == list(range(k - 1, -1, -1))
    assert all(canonical_tau(tau) == tau for tau in attainable_taus(k))


def test_attainable_taus_of_the_paper():
    assert list(attainable_taus(10)) == [canonical_tau(i / 10) for i in range(1, 11)]
    union = {*attainable_taus(5), *attainable_taus(10)}
    assert len(union) == 10


@pytest.mark.parametrize("tau", [-0.1, 1.1, "x", None, float("nan"), float("inf"), True, [0.5]])
def test_what_is_no_threshold_is_refused(tau):
    with pytest.raises(AltfsError, match="tau"):
        parse_tau(tau)


def test_unknown_measure_is_refused():
    with pytest.raises(AltfsError, match="dice, jaccard"):
        max_overlap(0.5, 3, "cosine")


def test_dissimilarity_is_a_fraction():
    for a, b in combinations([(), (0,), (0, 1), (1, 2, 3)], 2):
        assert isinstance(dissimilarity_of(a, b), Fraction)
    assert dissimilarity_of((), ()) == 0


def test_a_tiny_threshold_keeps_sets_from_being_the_same():
    assert 0 < parse_tau(1e-13) < 1e-12
    assert max_overlap(1e-13, 5) == 4
    assert max_overlap(0.0, 5) == 5


def largest_family(n_total, n_features, overlap):
    """The largest number of sets that differ enough, by trying all families."""
    every = [frozenset(s) for s in combinations(range(n_total), n_features)]

    def grow(rest):
        best = 0
        for i, one in enumerate(rest):
            if len(rest) - i > best:
                fits = [other for other in rest[i + 1 :] if len(one & other) <= overlap]
                best = max(best, 1 + grow(fits))
        return best

    # All families can be renamed to have the first set.
    return 1 + grow([s for s in every[1:] if len(s & every[0]) <= overlap])


@pytest.mark.parametrize("n_total", range(1, 7))
def test_no_family_has_more_sets_than_counting_allows(n_total):
    for n_features in range(1, n_total + 1):
        for overlap in range(n_features):
            bound = most_sets(n_total, n_features, overlap)
            assert largest_family(n_total, n_features, overlap) <= bound


def test_the_bound_is_quick_where_there_are_very_many_sets():
    assert most_sets(100_000, 5, 4) > 10**22
    assert most_sets(100_000, 1000, 9) <= 991


def test_pairs_of_sets_bound_their_number():
    # Two sets of five that share one feature use nine of ten.
    assert most_sets(10, 5, 1) == 2 and most_sets(13, 5, 1) == 3
    assert most_sets(7, 3, 1) == largest_family(7, 3, 1) == 7
