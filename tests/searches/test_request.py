"""The sizes that ``n_features`` allows, and the requests that are made of it."""

from fractions import Fraction

import numpy as np
import pytest

from altfs import quality, search_randomly, search_sequentially, search_simultaneously
from altfs.errors import AltfsError
from altfs.searches.request import Request, sizes_of

RANGE = "use a whole number from 1, or a range such as '1-3'"
REFUSED = {
    0: "use a whole number from 1.",
    -2: "use a whole number from 1.",
    True: "use a whole number from 1.",
    2.0: "use a whole number from 1.",
    None: "use a whole number from 1.",
    Fraction(5, 2): "use a whole number from 1.",
    "3-1": RANGE,
    "0-2": RANGE,
    "-1-2": RANGE,
    "1-": RANGE,
    "1-2-3": RANGE,
    "a": RANGE,
    "3": RANGE,
    "": RANGE,
    (): RANGE,
    (3,): RANGE,
    (3, 1): RANGE,
    (0, 2): RANGE,
    (1, 2, 3): RANGE,
    (1.0, 3): RANGE,
    (True, 2): RANGE,
    ("1", "3"): RANGE,
}
UNHASHABLE = [[1, 3], [2], {1, 3}, {1: 3}, range(1, 4), np.array([1, 3]), np.array(3), np.bool_(1)]


@pytest.mark.parametrize(
    ("n_features", "sizes"),
    [
        (3, [3]),
        (np.int64(3), [3]),
        ((2, 2), [2]),
        ("2-2", [2]),
        ("1-3", [1, 2, 3]),
        (" 1 - 3 ", [1, 2, 3]),
        ((1, 3), [1, 2, 3]),
        ((np.int32(1), np.int64(3)), [1, 2, 3]),
        ("9-11", [9, 10, 11]),
    ],
)
def test_a_size_and_a_range_have_one_meaning(n_features, sizes):
    result = sizes_of(n_features)
    assert list(result) == sizes
    assert all(type(k) is int for k in result)
    request = Request(n_features=n_features, n_alternatives=np.int64(1), tau=0.5)
    problem = request.problem(quality.Linear(np.arange(12.0)))
    assert (problem.sizes, problem.n_sets) == (tuple(sizes), 2)


@pytest.mark.parametrize("n_features", REFUSED, ids=repr)
def test_what_is_neither_a_size_nor_a_range_is_refused(n_features):
    with pytest.raises(AltfsError) as refused:
        sizes_of(n_features)
    assert str(refused.value).startswith(f"n_features: {n_features!r} is not allowed, use ")
    assert REFUSED[n_features] in str(refused.value)


@pytest.mark.parametrize("n_features", UNHASHABLE, ids=repr)
@pytest.mark.parametrize("search", [search_sequentially, search_simultaneously, search_randomly])
def test_a_list_is_no_range_for_any_search(search, n_features):
    with pytest.raises(AltfsError, match=r"^n_features: .* is not allowed, use a whole number"):
        search(quality.Linear([3, 2, 1]), n_features=n_features, n_alternatives=1, tau=0.5)


def test_no_size_is_no_problem_yet():
    request = Request(n_features=None, n_alternatives=1, tau=0.5)
    with pytest.raises(AltfsError, match=r"^n_features: None is not allowed"):
        request.problem(quality.Linear([3, 2, 1]))


def test_pair_and_text_give_the_same_sets():
    values = quality.Linear([5, 4, 3, 2, 1])
    for search in (search_sequentially, search_simultaneously):
        result = [
            search(values, n_features=n, n_alternatives=2, tau=0.6, dissimilarity="jaccard").sets
            for n in ((2, 3), "2-3")
        ]
        assert result[0] == result[1]
        assert {len(s) for s in result[0]} <= {2, 3}
