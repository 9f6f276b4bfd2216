from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from marks import examples
from solvers.strategies import SIGNED

from altfs import Constraints, search_sequentially
from altfs.errors import UnsupportedProblemError
from altfs.problem import Problem
from altfs.problem.results import Status
from altfs.quality import BlackBox, Linear
from altfs.searches import searches
from altfs.solvers import Limits

NAMES = ("greedy_replacement", "greedy_balancing")
VALUES = [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2]


def run(name, quality, k, a, overlap, **changes):
    return searches.get(name)().search(Problem(quality, k, overlap, a + 1, **changes), Limits())


def test_replacement_fills_set_after_set():
    result = run("greedy_replacement", Linear(VALUES), 3, 3, 1)
    assert result.sets == [(0, 1, 2), (0, 3, 4), (0, 5, 6), ()]
    assert result.status == [Status.FEASIBLE] * 3 + [Status.UNKNOWN]
    assert result.bound == [pytest.approx(2.4)] * 4


def test_balancing_gives_the_next_best_to_the_worst():
    result = run("greedy_balancing", Linear(VALUES), 3, 1, 1)
    assert result.sets == [(0, 1, 4), (0, 2, 3)]
    assert run("greedy_balancing", Linear(VALUES), 3, 3, 1).sets == [()] * 4


def test_equals_are_taken_by_index():
    assert run("greedy_replacement", Linear([1.0] * 4), 2, 1, 0).sets == [(0, 1), (2, 3)]
    assert run("greedy_balancing", Linear([1.0] * 4), 2, 1, 0).sets == [(0, 2), (1, 3)]


@pytest.mark.parametrize("name", NAMES)
@examples(60)
@given(st.lists(SIGNED, min_size=3, max_size=12), st.integers(1, 3), st.data())
def test_sets_are_valid_and_replacement_starts_with_the_best(name, values, k, data):
    overlap, a = data.draw(st.integers(0, k)), data.draw(st.integers(0, 4))
    quality = Linear(values)
    result = run(name, quality, k, a, overlap)
    found = [set(s) for s in result.sets if s]
    assert all(len(s) == k for s in found)
    assert all(len(x & y) <= overlap for x, y in combinations(found, 2))
    if name == "greedy_replacement":
        best = search_sequentially(quality, n_features=k, n_alternatives=0, max_overlap=overlap)
        assert result.objectives[0] == pytest.approx(best.objectives[0], abs=1e-9)
        assert len(found) == (
            a + 1 if overlap == k else min(a + 1, (len(values) - overlap) // (k - overlap))
        )
    else:
        assert len(found) in (0, a + 1)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("quality", "changes", "what"),
    [
        (BlackBox(len, 4, 4.0), {}, "BlackBox"),
        (Linear([1.0] * 4, np.ones((4, 4))), {}, "features that exclude each other"),
        (Linear([1.0] * 4), {"given": ((0, 1),)}, r"constraints \(given\)"),
        (
            Linear([1.0] * 4),
            {"constraints": Constraints(include=(0,))},
            r"constraints \(include\)",
        ),
    ],
)
def test_what_they_cannot_handle_is_refused(name, quality, changes, what):
    with pytest.raises(UnsupportedProblemError, match=f"^search: '{name}' cannot handle {what}"):
        run(name, quality, 2, 1, 0, **changes)
