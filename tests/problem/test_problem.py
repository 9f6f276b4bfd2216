import pytest

from altfs.errors import AltfsError
from altfs.problem import Problem
from altfs.quality import Linear

QUALITY = Linear([1, 2, 3, 4])


@pytest.mark.parametrize(
    "arguments",
    [
        {"sizes": 0, "overlap": 0},
        {"sizes": 5, "overlap": 0},
        {"sizes": 2, "overlap": -1},
        {"sizes": 2, "overlap": 3},
        {"sizes": 2, "overlap": 1, "n_sets": 0},
        {"sizes": 2, "overlap": 1, "aggregation": "mean"},
    ],
)
def test_arguments_outside_their_range_are_refused(arguments):
    with pytest.raises(AltfsError):
        Problem(QUALITY, **arguments)


def test_violations_are_named():
    problem = Problem(QUALITY, 2, 1, n_sets=2, given=((0, 1),))
    assert problem.violation(((0, 2), (1, 2))) is None
    assert "instead of 2" in problem.violation(((0, 2),))
    assert "does not have" in problem.violation(((0, 2), (1,)))
    assert "not a feature" in problem.violation(((0, 2), (1, 9)))
    assert "overlap" in problem.violation(((0, 1), (2, 3)))


def test_an_objective_is_the_sum_or_the_minimum():
    sets = ((0, 1), (2, 3))
    assert Problem(QUALITY, 2, 1, n_sets=2).objective(sets) == 10
    assert Problem(QUALITY, 2, 1, n_sets=2, aggregation="min").objective(sets) == 3
