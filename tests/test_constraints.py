import numpy as np
import pytest

from altfs import search_sequentially, search_simultaneously
from altfs.constraints import Constraints, Group
from altfs.errors import AltfsError, UnsupportedProblemError
from altfs.quality import BlackBox, Linear, Pairwise, Ratio


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"include": (9,)}, "include: 9 is no feature"),
        ({"exclude": (1, 1)}, "exclude: feature 1 is there twice"),
        ({"include": (1,), "exclude": (1,)}, "feature 1 is in both"),
        ({"groups": (Group((1, 2), at_least=2, at_most=1),)}, "at_least 2 and at_most 1"),
        ({"costs": (1.0,) * 5}, "give both or neither"),
        ({"costs": (1.0,) * 4, "budget": 1.0}, "4 values"),
        ({"costs": (float("nan"),) * 5, "budget": 1.0}, "nan is not allowed"),
        ({"quality_floor": float("inf")}, "quality_floor: inf"),
    ],
)
def test_nonsense_is_refused(arguments, said):
    with pytest.raises(AltfsError, match=said):
        search_sequentially(
            Linear(np.ones(5)), n_features=2, n_alternatives=1, tau=1,
            constraints=Constraints(**arguments),
        )  # fmt: skip


def test_every_search_honours_them():
    quality = Linear(np.arange(8.0))
    constraints = Constraints(
        include=(0,), exclude=(7,), groups=(Group((5, 6), at_most=1), Group((1, 2), at_least=1))
    )
    shared = {"n_features": 3, "n_alternatives": 1, "max_overlap": 2, "constraints": constraints}
    assert search_sequentially(quality, **shared).sets == [(0, 2, 6), (0, 1, 6)]
    result = search_simultaneously(quality, **shared)
    assert result.sets == [(0, 1, 6), (0, 2, 6)]
    assert set(result.solvers) == {"cp_sat"}


def test_a_budget_is_exact_in_decimals():
    quality = Linear([3.0, 2.0, 1.0])
    limited = Constraints(costs=(0.1, 0.2, 0.1), budget=0.3)
    found = search_sequentially(quality, n_features=2, n_alternatives=0, tau=1, constraints=limited)
    assert found.sets == [(0, 1)]


def test_a_floor_makes_worse_sets_infeasible():
    quality = Linear([3.0, 2.0, 1.0, 0.5])
    shared = {"n_features": 2, "n_alternatives": 1, "tau": 1}
    low = search_sequentially(quality, **shared, constraints=Constraints(quality_floor=1.5))
    assert low.sets == [(0, 1), (2, 3)]
    high = search_sequentially(quality, **shared, constraints=Constraints(quality_floor=1.6))
    assert [str(s) for s in high.status] == ["optimal", "infeasible"]
    both = search_simultaneously(quality, **shared, constraints=Constraints(quality_floor=2.5))
    assert both.sets == [(0, 2), (1, 3)]
    best = search_simultaneously(quality, **shared, constraints=Constraints(quality_floor=2.6))
    assert best.sets == [(0, 3), (1, 2)]


def test_given_sets_count():
    found = search_sequentially(
        Linear([3.0, 2.0, 1.0, 0.5]), n_features=2, n_alternatives=0, tau=1, given=[(1, 0)]
    )
    assert found.sets == [(2, 3)]
    with pytest.raises(AltfsError, match="given"):
        search_sequentially(Linear([1.0]), n_features=1, n_alternatives=0, tau=1, given=[(4,)])


@pytest.mark.parametrize(
    "quality",
    [
        BlackBox(lambda s: 0.0, 4),
        Pairwise(np.ones(4), np.ones((4, 4))),
        Ratio(np.ones(4), np.ones((4, 4))),
    ],
)
def test_what_no_solver_carries_is_an_error_that_names_it(quality):
    with pytest.raises(UnsupportedProblemError, match="budget"):
        search_sequentially(
            quality, n_features=2, n_alternatives=1, tau=1,
            constraints=Constraints(costs=(1.0,) * 4, budget=2.0),
        )  # fmt: skip
