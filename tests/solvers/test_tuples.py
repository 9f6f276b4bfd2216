"""The best of listed feature sets: by bits, with bounds; judged by brute force."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from marks import examples

from altfs.solvers.pair_costs.listed import _tuples
from altfs.solvers.pair_costs.listed._bits import bits_of
from altfs.solvers.pair_costs.listed._tuples import best_tuple

NOTHING = -(1 << 61)


@st.composite
def listings(draw):
    """Some feature sets in lexicographic order with their values, and what is asked for."""
    size = draw(st.integers(1, 3))
    # Two words of features now and then.
    features = sorted(draw(st.sets(st.integers(0, draw(st.sampled_from([8, 80]))), min_size=size)))
    possible = list(combinations(features[:8], size))
    chosen = draw(st.sets(st.integers(0, len(possible) - 1), min_size=1, max_size=22))
    sets = np.array([possible[i] for i in sorted(chosen)])
    largest = draw(st.sampled_from([2, 1 << 38]))
    weights = np.zeros(81, dtype=np.int64)
    drawn = st.lists(st.integers(-1, largest), min_size=len(features), max_size=len(features))
    weights[features] = draw(drawn)
    values = weights[sets].sum(axis=1) + draw(st.integers(-3, 3))
    return sets, values, draw(st.integers(1, 4)), draw(st.integers(0, size - 1))


def judge(sets, values, n_sets, max_overlap, minimum=False):
    """The best value and the first rows that have it; None if there are no such rows."""
    best = None
    for rows in combinations(range(len(sets)), n_sets):
        if all(len({*sets[i]} & {*sets[h]}) <= max_overlap for i, h in combinations(rows, 2)):
            value = (min if minimum else sum)(int(values[i]) for i in rows)
            if best is None or value > best[0]:
                best = value, list(rows)
    return best


def check(found, expected):
    """The answer, or a bound if the search did not end."""
    if not found.complete:
        assert expected is None or found.bound >= expected[0]
        assert found.members is None or found.value <= expected[0]
    elif expected is None:
        assert found.members is None
    else:
        assert found.value == expected[0]


@examples(300)
@given(listings(), st.booleans(), st.integers(1, 40), st.sampled_from([1, 3, 1 << 23]))
def test_the_best_tuple_of_a_list_is_found(listing, minimum, limit, memory):
    sets, values, n_sets, max_overlap = listing
    expected = judge(sets, values, n_sets, max_overlap, minimum)
    question = (values, bits_of(sets, 81), (n_sets, max_overlap), minimum)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_tuples, "_MEMORY", memory)
        short = best_tuple(*question, limit)
        check(short, expected)
        floor = NOTHING if short.members is None else short.value - 1
        for found in (
            best_tuple(*question, 10**6),
            best_tuple(*question, 10**6, floor, short.dolls[:n_sets]),
        ):
            assert found.complete
            assert (found.members is None) == (expected is None)
            assert expected is None or found.members.tolist() == expected[1]


@pytest.mark.exhaustive
@examples(300)
@given(listings())
def test_tuples_with_known_bounds_are_the_best_ones(listing):
    sets, values, n_sets, _ = listing
    expected = judge(sets, values, n_sets, 0)
    dolls = [r * int(values.max()) for r in range(n_sets)]
    found = best_tuple(values, bits_of(sets, 81), (n_sets, 0), False, 10**6, NOTHING, dolls)
    assert found.complete
    assert (found.members is None) == (expected is None)
    assert expected is None or found.members.tolist() == expected[1]


def test_an_empty_list_has_no_tuple():
    nothing = np.empty(0, dtype=np.int64)
    found = best_tuple(nothing, np.empty((0, 1), dtype=np.uint64), (2, 0), False, 10)
    assert found.complete and found.members is None
