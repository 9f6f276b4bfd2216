"""Checks of what selectors, scores, searches and solvers have to satisfy, for tests of packages.

They raise an AssertionError. Those of altfs itself pass them, too.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from time import perf_counter
from typing import Any, get_args

import numpy as np

from altfs.errors import AltfsError, UnsupportedProblemError
from altfs.problem import (
    NO_CONSTRAINTS,
    Constraints,
    Group,
    Implication,
    Problem,
    SharedWeight,
    Status,
    WeightedSum,
)
from altfs.problem.constraints import KINDS
from altfs.problem.problem import Aggregation
from altfs.quality import BatchedBox, BlackBox, Linear, Pairwise, Quality, Ratio, from_table
from altfs.quality.pairs import PairQuality
from altfs.registry import Registry
from altfs.scores import Part, Score, ScoreKey, scores
from altfs.searches import Search, searches
from altfs.selectors import Selector, selectors
from altfs.solvers import Limits, Solver, solvers

_VALUES = np.array([0.3, 0.1, 0.25, 0.2, 0.15, 0.05, 0.0, 0.0])
#: The qualities that searches and solvers are checked with; all take the first.
QUALITIES: dict[str, Quality] = {
    "linear": Linear(_VALUES),
    "conflicts": Linear(_VALUES, np.eye(8, k=1, dtype=bool)),
    "black box": BlackBox(lambda s: float(_VALUES[list(s)].sum()), 8, 2.0),
    "batches": BatchedBox(lambda sets: [float(_VALUES[list(s)].sum()) for s in sets], 8, 2.0),
    "pairwise": Pairwise(_VALUES, np.outer(_VALUES, _VALUES)),
    "ratio": Ratio(_VALUES, np.outer(_VALUES, _VALUES)),
}


def check_selector(selector: Selector) -> None:
    """Check that a selector learns from the scores that it names, and stores what it says.

    Parameters
    ----------
    selector : Selector
        With options that suit 30 rows of four features and two classes.

    Examples
    --------
    >>> check_selector(selectors.make("mrmr"))
    """
    _check_described(selectors, selector)
    rng = np.random.default_rng(0)
    X, y = rng.random((60, 4)), rng.integers(0, 2, 60)
    train, test = (Part(X[i::2], y[i::2], "binary", 0) for i in range(2))
    learned = selector.learn(train, test).train
    assert learned.n_total == 4
    assert selector.of_pairs == isinstance(learned, PairQuality)
    keys = selector.train_scores + selector.test_scores
    assert all(key.variant in key.score.variants for key in keys)
    if selector.stores:
        assert from_table(learned.to_table()).evaluate((0, 2)) == learned.evaluate((0, 2))
    else:
        assert "cannot be stored" in _refusal(learned.to_table, AltfsError)
    assert set(train.scores) == set(selector.train_scores)
    assert set(test.scores) == set(selector.test_scores)
    if not selector.needs_rows:
        blind = [Part(np.zeros_like(p.X), p.y, "binary", 0, dict(p.scores)) for p in (train, test)]
        assert selector.learn(*blind).train.evaluate((0, 2)) == learned.evaluate((0, 2))


def check_score(
    score: Score,
    variants: Sequence[str] | None = None,
    target_types: Sequence[str] = ("binary", "multiclass", "regression"),
) -> None:
    """Check that the values of a score do not depend on how the work is divided.

    Parameters
    ----------
    score : Score
    variants : sequence of str, optional
        By default all that it lists.
    target_types : sequence of str
        The types of target that it is for.
    """
    _check_described(scores, score)
    # A file's name is made of both.
    assert re.fullmatch("[a-z][a-z0-9_]*", score.name)
    X = np.random.default_rng(0).random((40, 5))
    targets = {"binary": np.arange(40) % 2, "multiclass": np.arange(40) % 3}
    for variant in score.variants if variants is None else variants:
        assert re.fullmatch("[a-z_]+", variant)
        key = ScoreKey(score.name, variant)
        for target_type in target_types:
            y = targets.get(target_type, X.sum(axis=1))
            whole, divided = (Part(X.copy(), y.copy(), target_type, 0) for _ in range(2))
            values = whole.score(key)
            assert values.shape[1:] == ((5,) if score.of_pairs else ())
            assert score.toy(5).shape == values.shape
            assert set(whole.scores) == {key, *key.starts_from}
            for first in key.starts_from:
                divided.score(first)
            if score.of_pairs:
                columns = [divided.compute(key, range(j, j + 1)) for j in range(5)]
                joined = score.whole(np.column_stack(columns))
                assert np.array_equal(joined, values, equal_nan=True)
    score.check_rows(40)


def check_search(
    search: Search,
    qualities: Sequence[str] = tuple(QUALITIES),
    overlaps: Sequence[int] = (0, 1, 2),
) -> None:
    """Check that a search gives an honest entry to each set, or says that it cannot.

    Parameters
    ----------
    search : Search
    qualities : sequence of str
        Names in :data:`QUALITIES`.
    overlaps : sequence of int
        The largest allowed overlaps, of sets with two features.
    """
    _check_described(searches, search)
    for name in qualities:
        quality = QUALITIES[name]
        for max_overlap, aggregation in product(overlaps, search.aggregations):
            objective: Aggregation = "min" if aggregation == "min" else "sum"
            problem = Problem(quality, 2, max_overlap, 5, objective)
            refusal = _refusal(partial(_check_search, search, problem), UnsupportedProblemError)
            if refusal:
                assert name != "linear", "each search takes linear qualities"
                assert search.name in refusal
                assert refusal.endswith(".")


def _refusal(call: Callable[[], object], kind: type[AltfsError]) -> str:
    """Return the message of an error of a call; empty if it raises none."""
    try:
        call()
    except kind as error:
        return str(error)
    return ""


def _check_search(search: Search, problem: Problem) -> None:
    start = perf_counter()
    result = search.search(problem, Limits())
    # The entries of a run add up to its cost.
    assert sum(entry.seconds for entry in result) <= perf_counter() - start
    assert len(result) == problem.n_sets
    sets = [s for s in result.sets if s]
    for indices, objective, status in zip(
        result.sets, result.objectives, result.status, strict=True
    ):
        assert status in search.statuses
        if indices:
            assert objective == problem.quality.evaluate(indices)
            assert status in (Status.OPTIMAL, Status.FEASIBLE)
            others = [s for s in sets if s is not indices]
            assert all(len(set(indices) & set(s)) <= problem.max_overlap for s in others)
        else:
            assert np.isnan(objective)
            assert status in (Status.INFEASIBLE, Status.UNKNOWN)


def check_solver(
    solver: Solver,
    qualities: Sequence[str] = tuple(QUALITIES),
    n_sets: Sequence[int] = (1, 3),
    limits: Limits | None = None,
) -> None:
    """Check that the answers of a solver are valid, repeatable, bounded and as it says.

    Parameters
    ----------
    solver : Solver
    qualities : sequence of str
        Names in :data:`QUALITIES`; those that it does not support are left out.
    n_sets : sequence of int
        The numbers of sets of a problem.
    limits : Limits, optional
        Those of one call, by default the usual ones.
    """
    _check_described(solvers, solver)
    limits = limits or Limits()
    for quality in (QUALITIES[name] for name in qualities):
        constraints = _constraints(quality)
        for number in n_sets:
            for aggregation in get_args(Aggregation):
                _check_answer(
                    solver, Problem(quality, 2, 1, number, aggregation, ((0, 1),)), limits
                )
            for kind in KINDS:
                given = ((0, 2),) if kind == "given" else ()
                problem = Problem(quality, 2, 1, number, "sum", given, constraints[kind])
                assert solver.supports(problem) <= (kind in solver.carries)
                if solver.supports(problem):
                    _check_constrained(solver, problem, limits)


def _constraints(quality: Quality) -> dict[str, Constraints]:
    """Return constraints of each kind; of the best sets, (0, 2) above all, each excludes some."""
    return {
        "include": Constraints(include=(5,)),
        "exclude": Constraints(exclude=(0, 6)),
        "at_most": Constraints(groups=(Group((0, 2, 3), at_most=1),)),
        "at_least": Constraints(groups=(Group((1, 4, 7), at_least=1),)),
        "all_or_none": Constraints(groups=(Group((2, 6), all_or_none=True),)),
        "budget": Constraints(costs=(0.2, 0.1, 0.2, 0.1, 0.1, 0.0, 0.0, 0.0), budget=0.3),
        "implications": Constraints(implications=(Implication((0,), (5, 6), 1),)),
        "sums": Constraints(
            sums=(
                WeightedSum({0: 1, 5: -1}, (SharedWeight((2, 3), 2),), -1, 3),
                # The number of some features.
                WeightedSum({0: 1, 2: 1, 6: 1}, at_most=1),
            )
        ),
        "quality_floor": Constraints(quality_floor=quality.evaluate((0, 2)) / 2),
        "given": NO_CONSTRAINTS,
    }


def _check_answer(solver: Solver, problem: Problem, limits: Limits) -> None:
    if not solver.supports(problem):
        return
    solution = solver.solve(problem, limits)
    assert problem.violation(solution.sets) is None
    assert list(solution.sets) == sorted(solution.sets)
    assert solution.bound >= problem.objective(solution.sets) - 1e-12
    assert (solution.status is Status.OPTIMAL) <= solver.proves
    assert solver.solve(problem, limits) == solution
    supported = [p for p in _impossible(problem) if solver.supports(p)]
    assert supported
    for impossible in supported:
        assert solver.solve(impossible, limits).status is Status.INFEASIBLE


def _impossible(problem: Problem) -> Iterator[Problem]:
    quality, aggregation = problem.quality, problem.aggregation
    yield Problem(quality, 5, 0, 2, aggregation)
    yield Problem(quality, 5, 0, 1, aggregation, given=((0, 1, 2, 3, 4),))


def _check_constrained(solver: Solver, problem: Problem, limits: Limits) -> None:
    plain = replace(problem, given=(), constraints=NO_CONSTRAINTS)
    solution = solver.solve(problem, limits)
    assert solution.sets
    assert problem.violation(solution.sets) is None
    if solver.proves and solver.supports(plain):
        best = solver.solve(plain, limits)
        assert problem.objective(solution.sets) <= problem.objective(best.sets) + 1e-9
    # Two features that have to be there together with a third one do not exist.
    groups = (Group((0, 1), 1), Group((2, 3), 1))
    three = problem.constraints.model_copy(update={"include": (5,), "groups": groups})
    impossible = replace(problem, constraints=three)
    if solver.supports(impossible):
        assert solver.solve(impossible, limits).status is Status.INFEASIBLE


def _check_described(registry: Registry[Any], component: Any) -> None:
    """Check that a class is registered, and that it and its module have docstrings."""
    assert registry.get(component.name) is type(component)
    assert type(component).__doc__
    module = inspect.getmodule(type(component))
    assert module is not None
    assert module.__doc__
