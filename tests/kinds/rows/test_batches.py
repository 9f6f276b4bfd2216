"""Searches of many rows at once against a search of each row alone, and against brute force."""

from dataclasses import replace

import brute_force
import numpy as np
import pytest
from marks import exhaustive

from altfs.errors import AltfsError
from altfs.kinds.rows import _sequential
from altfs.kinds.rows.batches import search_rows
from altfs.problem import Constraints, Group, Status
from altfs.quality import Linear
from altfs.searches.request import Request
from altfs.searches.sequential import Sequential
from altfs.searches.simultaneous import Simultaneous
from altfs.solvers import Limits


def rows_of(rng, n_rows, n_total):
    """Return values with ties: of whole numbers, many of them 0, and some negative."""
    values = rng.integers(-1, 4, (n_rows, n_total)).astype(float)
    values[: n_rows // 3] = np.abs(rng.standard_normal((n_rows // 3, n_total)))
    values[-1] = 0
    return values


def requests(rng, n_total):
    """Yield requests of any size, overlap and number of sets, some with constraints."""
    for _ in range(8):
        k = int(rng.integers(1, min(n_total, 5) + 1))
        marks = rng.permutation(n_total)[:3].tolist()
        constraints = Constraints(
            include=marks[: rng.integers(2)], exclude=marks[1:][: rng.integers(3)]
        )
        yield Request(
            n_features=k,
            n_alternatives=int(rng.integers(0, 4)),
            max_overlap=int(rng.integers(0, k + 1)),
            constraints=constraints,
        )


def as_tuples(result):
    return [[tuple(s[s >= 0].tolist()) for s in row] for row in result.sets]


def same_as_alone(values, request, search):
    result = search_rows(values, request, search, Limits())
    alone = [search.search(request.problem(Linear(row)), Limits()) for row in values]
    assert as_tuples(result) == [one.sets for one in alone]
    assert result.status.tolist() == [one.status for one in alone]
    for found, one in zip(result.objective, alone, strict=True):
        assert found == pytest.approx(one.objectives, nan_ok=True)


# 10,000 rows take some 5 s of CPU time; the quick case 0.5 s.
@pytest.mark.parametrize(("seed", "n_rows"), [(0, 20), *exhaustive((1, 1250))])
def test_all_rows_at_once_have_the_sets_of_each_row_alone(seed, n_rows):
    rng = np.random.default_rng(seed)
    n_total = 9
    for request in requests(rng, n_total):
        same_as_alone(rows_of(rng, n_rows, n_total), request, Sequential())


def test_every_step_is_the_first_of_the_best_sets_by_brute_force():
    rng = np.random.default_rng(2)
    for n_total in (3, 6, 8):
        values = rows_of(rng, 6, n_total)
        for request in list(requests(rng, n_total))[:4]:
            result = as_tuples(search_rows(values, request, Sequential(), Limits()))
            for row, sets in zip(values, result, strict=True):
                problem = replace(request.problem(Linear(row)), n_sets=1)
                for i, chosen in enumerate(sets):
                    best = brute_force.best_sets(
                        replace(problem, given=tuple(filter(None, sets[:i])))
                    )
                    assert (chosen,) == best if chosen else best is None or not all(sets[:i])


def test_rows_that_would_take_too_long_at_once_are_searched_alone(monkeypatch):
    values = rows_of(np.random.default_rng(3), 5, 8)
    request = Request(n_features=3, n_alternatives=2, max_overlap=1)
    expected = search_rows(values, request, Sequential(), Limits())
    monkeypatch.setattr(_sequential, "_TRIALS_PER_ROW", 1)
    _, left = _sequential.sequential_sets(values.astype(np.int64), 3, 3, 1)
    assert len(left)
    result = search_rows(values, request, Sequential(), Limits())
    assert (result.sets == expected.sets).all()


@pytest.mark.parametrize(
    ("search", "more"),
    [
        (Simultaneous(), {}),
        (Simultaneous(), {"aggregation": "min"}),
        (Simultaneous(), {"constraints": Constraints(groups=(Group((0, 1), at_most=1),))}),
        (Sequential(), {"constraints": Constraints(groups=(Group((0, 1), at_most=1),))}),
        (Sequential(), {"given": ((0, 1),)}),
    ],
)
def test_other_searches_and_constraints_are_those_of_each_row_alone(search, more):
    values = rows_of(np.random.default_rng(4), 3, 6)
    request = Request(n_features=2, n_alternatives=1, tau=1, **more)
    same_as_alone(values, request, search)


def test_a_row_with_values_that_cannot_be_compared_is_named():
    values = np.ones((3, 2))
    values[1, 0] = np.nan
    request = Request(n_features=1, n_alternatives=0, tau=1)
    with pytest.raises(AltfsError, match=r"^row 1: values: entry 0 is nan, only finite"):
        search_rows(values, request, Sequential(), Limits())
    with pytest.raises(AltfsError, match=r"^n_features: 3 is not allowed"):
        search_rows(np.ones((0, 2)), replace(request, n_features=3), Sequential(), Limits())
    assert search_rows(np.ones((0, 2)), request, Sequential(), Limits()).sets.shape == (0, 1, 1)


@pytest.mark.parametrize("search", [Sequential(), Simultaneous()])
@pytest.mark.parametrize(("include", "exclude"), [((0, 1, 2), ()), ((0,), (1, 2, 3))])
def test_too_many_included_or_excluded_features_leave_no_set(search, include, exclude):
    constraints = Constraints(include=include, exclude=exclude)
    request = Request(n_features=2, n_alternatives=1, tau=1, constraints=constraints)
    result = search_rows(np.ones((2, 4)), request, search, Limits())
    assert (result.status == Status.INFEASIBLE).all() and (result.sets == -1).all()
    assert np.isnan(result.objective).all()
