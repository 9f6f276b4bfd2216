"""Each exact solver, and each costly part of one, against what is left without it.

    python benchmarks/exact_search_solvers.py [NAME ...]

Names are those of `COMPARISONS`, all by default; they take some ten minutes. Both sides solve
every n-th instance of a class of benchmarks/exact_search.yaml in turn, in one process, after a
warm-up. A row of the table has CPU seconds with and without, the median and the total ratio over
what both prove, and the numbers of proofs.
"""

from __future__ import annotations

import statistics
import sys
import time
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any
from unittest import mock

from _search_grid import Instance, instances
from _search_ours import make_quality

from altfs.problem import Overlap, Problem
from altfs.problem.results import Status
from altfs.quality import Linear
from altfs.solvers import Limits, Solution, solve, solvers
from altfs.solvers.best_minimum import _tree
from altfs.solvers.cp_sat.cp_sat import best_by_cp_sat
from altfs.solvers.pair_costs import _joint, _source
from altfs.solvers.pair_costs.listed._bits import bits_of
from altfs.solvers.pair_costs.listed._tuples import best_tuple
from altfs.solvers.sizes import vectors


@dataclass(frozen=True)
class Comparison:
    """Every n-th instance of a class, and the two sides that solve it."""

    group: str
    every: int
    #: Names of solvers. None calls the one of the highest rank.
    names: tuple[str | None, str | None] = (None, None)
    #: Attributes of modules and classes that the second side replaces.
    changes: tuple[tuple[Any, str, Any], ...] = ()
    aggregation: str = "sum"
    #: The number of steps to which values are rounded, so that sets tie.
    steps: int = 0
    several_sizes: bool = False
    #: CP-SAT may need all of it, which is about a second a unit.
    work: float = 20.0

    def problems(self) -> list[Problem]:
        """Return the problems that both sides solve."""
        every = instances(self.group)[self.every // 2 :: self.every]
        return [self._problem(instance) for instance in every]

    def _problem(self, instance: Instance) -> Problem:
        quality: Any = make_quality(instance)
        if self.steps:
            values = quality.values * self.steps / max(quality.values)
            quality = Linear(values.round() / self.steps, quality.conflicts)
        sizes: Any = instance.n_features
        overlap: Any = instance.max_overlap
        if self.several_sizes:
            sizes, overlap = range(sizes - 2, sizes + 1), Overlap(tau=instance.tau)
        return Problem(quality, sizes, overlap, instance.n_alternatives + 1, self.aggregation)


def _by_values(search: Any, listing: Any, lower: int, dolls: Any, _: Any, __: Any, n: int) -> Any:
    """Pick from a list by prices as from one without prices."""
    found = best_tuple(
        listing.values, bits_of(listing.sets, search.source.n), (len(dolls), search.max_overlap),
        False, n, lower - 1, dolls,
    )  # fmt: skip
    value = lower if found.members is None else found.value
    return found.complete, found.first, value, found.members


def _by_cp_sat(search: Any, sizes: Any, least: int | None) -> Any:
    """Solve sizes with CP-SAT, those of one size, too."""
    part = search.problem.of_sizes(set(sizes))
    return best_by_cp_sat(part, search.limits, least, sizes)[0], True


_MIN: Any = {"aggregation": "min"}
_SHORT: Any = {"work": 3.0}
_ASK = (_tree.Tree, "_first_by_questions", lambda *_: (None, 0))
_SIZES: Any = _SHORT | {
    "several_sizes": True,
    "changes": ((vectors._Vectors, "_family", _by_cp_sat),),
}
COMPARISONS = {
    "histograms: CP-SAT": Comparison("linear_sum", 30, ("histograms", "cp_sat"), **_SHORT),
    "pattern_tree: CP-SAT": Comparison(
        "linear_min", 30, ("pattern_tree", "cp_sat"), **_MIN, **_SHORT
    ),
    "exchanges": Comparison(
        "linear_min", 6, changes=((_tree.Tree, "balanced", lambda _, start: start),), **_MIN
    ),
    "sums of the last features": Comparison(
        "linear_min", 6, changes=((_tree, "_TAIL", 0),), **_MIN
    ),
    "first family by questions, 4 steps": Comparison(
        "linear_min", 12, changes=(_ASK,), steps=4, **_MIN
    ),
    "cliques: CP-SAT": Comparison("fcbf_sum", 12, ("cliques", "cp_sat"), **_SHORT),
    "cliques: CP-SAT, min": Comparison("fcbf_sum", 12, ("cliques", "cp_sat"), **_MIN, **_SHORT),
    "prices of pairs": Comparison(
        "mrmr_sum", 7, changes=((_joint, "_MOST_PRICED_HISTOGRAMS", -1),)
    ),
    "near tuples": Comparison("mrmr_sum", 7, changes=((_joint._Search, "_near", _by_values),)),
    "walks": Comparison(
        "mrmr_sum", 7, changes=((_source.PairSource, "walk", lambda _, family, __: family),)
    ),
    "size_vectors: CP-SAT": Comparison("linear_sum", 60, **_SIZES),
    "size_vectors: CP-SAT, min": Comparison("linear_min", 60, **_SIZES, **_MIN),
    "bounds of sizes": Comparison(
        "linear_sum", 30, several_sizes=True,
        changes=((vectors._Vectors, "_table", lambda *_: None),),
    ),
}  # fmt: skip


def _solved(problem: Problem, name: str | None, work: float) -> tuple[Solution, float]:
    start = time.process_time()
    found = solve(replace(problem), Limits(work), None if name is None else solvers.get(name)())
    return found, time.process_time() - start


def compare(name: str) -> None:
    """Print a row of the table."""
    case = COMPARISONS[name]
    problems, rows = case.problems(), []
    for problem in [problems[0], *problems]:
        first = _solved(problem, case.names[0], case.work)
        with ExitStack() as stack:
            for change in case.changes:
                stack.enter_context(mock.patch.object(*change))
            rows.append((first, _solved(problem, case.names[1], case.work)))
    rows = rows[1:]
    ends = (Status.OPTIMAL, Status.INFEASIBLE)
    proofs = [sum(row[side][0].status in ends for row in rows) for side in (0, 1)]
    both = [row for row in rows if row[0][0].status in ends and row[1][0].status in ends]
    seconds = [sum(row[side][1] for row in rows) for side in (0, 1)]
    totals = [sum(row[side][1] for row in both) for side in (0, 1)]
    median = statistics.median(without[1] / first[1] for first, without in both)
    print(
        f"| {name} | {len(rows)} | {seconds[0]:.2f}, {seconds[1]:.2f} | {median:.1f} "
        f"| {totals[1] / totals[0]:.1f} | {proofs[0]}, {proofs[1]} |",
        flush=True,
    )


if __name__ == "__main__":
    print("| part | searches | seconds | median | total | proven |\n|---|---|---|---|---|---|")
    for name in sys.argv[1:] or COMPARISONS:
        compare(name)
