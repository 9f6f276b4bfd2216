"""The chart of the way of a search."""

import numpy as np
import pytest

from altfs import AlternativeFeatures, quality, search_sequentially, search_simultaneously
from altfs.errors import UnsupportedProblemError
from altfs.problem import Problem
from altfs.quality import BlackBox

VALUES = np.array([4.0, 3.0, 2.5, 2.0, 1.0, 0.5])
ASKED = {"n_features": 2, "n_alternatives": 1, "max_overlap": 1}


def box(n_total):
    return BlackBox(lambda s: float(VALUES[list(s)].sum()) / 10, n_total, 1.0)


def rows_of(chart):
    return [row for data in chart.to_dict()["datasets"].values() for row in data]


@pytest.mark.parametrize("solver", ["forward", "stepwise", "evolution", "annealing", None])
def test_a_trace_leads_to_the_answer(solver):
    result = search_sequentially(box(6), solver=solver, **ASKED)
    for features in result:
        counts = [step.evaluations for step in features.steps]
        assert counts == sorted(counts) and counts[-1] <= features.work
        assert features.steps[-1].sets == (features.indices,)
        assert features.steps[-1].objective == features.train_objective
        for step in features.steps:
            assert step.objective == pytest.approx(VALUES[list(step.sets[0])].sum() / 10)


def test_the_trace_of_a_family_is_that_of_all_sets():
    result = search_simultaneously(box(6), solver="annealing", **ASKED)
    problem = Problem(box(6), 2, 1, 2)
    assert all(problem.violation(step.sets) is None for step in result[0].steps)
    assert max(step.objective for step in result[0].steps) == result.run_objective
    assert result[1].steps == ()


def test_the_chart_shows_objectives_and_features_over_the_evaluations():
    afs = AlternativeFeatures(box(6), solver="forward", **ASKED).fit([[0] * 6] * 2)
    rows = rows_of(afs.plot("progress"))
    steps = [(r["evaluations"], r["features"]) for r in rows if "features" in r]
    # Six sets of one feature come first, then five of two.
    assert steps[:2] == [(6, "x0"), (11, "x0, x1")]
    held = [r for r in rows if "feature" in r and r["set"] == "original"]
    # The walk is at its first feature until the first valid set is known.
    assert {(r["feature"], r["from"], r["to"]) for r in held} == {
        ("x0", 6, 11), ("x0", 11, 12), ("x1", 11, 12)
    }  # fmt: skip


def test_the_lattice_of_few_features_shows_the_way():
    afs = AlternativeFeatures(box(5), solver="forward", **ASKED).fit([[0] * 5] * 2)
    rows = rows_of(afs.plot("progress"))
    nodes = {r["features"] for r in rows if "quality" in r}
    worth = {r["features"] for r in rows if r.get("quality") is not None}
    assert worth == {"x0", "x0, x1", "x0, x2"}
    assert len(nodes) == 2**5 and {"none", "x0, x1, x2, x3, x4"} <= nodes
    ways = [(r["set"], r["step"], r["size"]) for r in rows if "step" in r]
    names = ("original", "alternative 1")
    assert ways == [(name, step, step + 1) for name in names for step in (0, 1)]


def test_solvers_without_a_trace_are_refused():
    afs = AlternativeFeatures(quality.Linear(VALUES), **ASKED).fit([[0] * 6] * 2)
    message = "'progress' needs a solver that notes its way, 'histograms|branch_and_bound' does not"
    with pytest.raises(UnsupportedProblemError, match=message):
        afs.plot("progress")
