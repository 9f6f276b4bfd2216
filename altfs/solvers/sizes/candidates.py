"""Families of sets of several sizes that are found without a proof."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from altfs.errors import AltfsError
from altfs.problem import Family, Problem
from altfs.problem.results import Status
from altfs.solvers.base import Limits, solve
from altfs.solvers.sizes.each_size import sets_in_turn
from altfs.solvers.sizes.vectors import any_family


def candidate_families(problem: Problem, limits: Limits) -> list[Family]:
    """Return the best families of each size, and the sets of a sequential search.

    If none of them has `n_sets` sets, a family of any quality is added.
    """
    families = [solve(problem.of_size(k), limits).sets for k in problem.sizes]
    families.append(sets_in_turn(problem, limits))
    if all(len(family) < problem.n_sets for family in families):
        # If there are too many ways to choose the sizes, nothing is known.
        with suppress(AltfsError):
            families.append(any_family(problem, limits).sets)
    return families


def number_of_sets(problem: Problem, limits: Limits) -> tuple[int, bool]:
    """Count how many of the `n_sets` sets exist together, of any quality.

    Parameters
    ----------
    problem : Problem
    limits : Limits
        For each number of sets that is tried.

    Returns
    -------
    count : int
    exact : bool
        True if it is proven that no more exist.
    """
    for count in range(problem.n_sets):
        try:
            solution = any_family(replace(problem, n_sets=count + 1), limits)
        except AltfsError:
            return count, False
        if not solution.sets:
            return count, solution.status is Status.INFEASIBLE
    return problem.n_sets, False
