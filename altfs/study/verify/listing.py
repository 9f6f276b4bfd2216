"""Listing of every answer to a small problem, to judge claims."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import chain, combinations
from math import comb, inf

import numpy as np
import numpy.typing as npt

from altfs.problem import Family, FeatureIndices, Problem
from altfs.quality import Quality

# The largest number of feature sets, or families, that are listed.
_MOST_LISTED = 200_000

Best = tuple[float, Family | None]


def few_enough(problem: Problem) -> bool:
    """Return True if all answers to a problem can be listed."""
    quality = problem.quality
    n_single = sum(comb(quality.n_total, k) for k in problem.sizes)
    # A black box may have to be evaluated for each set.
    if quality.max_evaluations is not None and n_single > quality.max_evaluations:
        return False
    return comb(n_single + problem.n_sets - 1, problem.n_sets) <= _MOST_LISTED


def best_listed(problem: Problem) -> Best:
    """Return the value of the best answer, and the answer or None."""
    if problem.n_sets == 1:
        return _best_single(problem)
    # The first of equally good answers.
    best: Best = -inf, None
    for family in families(problem):
        value = problem.objective(family)
        if best[1] is None or value > best[0]:
            best = value, family
    return best


@lru_cache(maxsize=4)
def _listed(
    quality: Quality, sizes: tuple[int, ...]
) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.float64]]:
    """Return all feature sets of some sizes and their qualities, for all steps of a search."""
    chosen = [s for s in _subsets(quality.n_total, sizes) if quality.allows(s)]
    member = np.zeros((len(chosen), quality.n_total), dtype=np.bool_)
    for row, s in zip(member, chosen, strict=True):
        row[list(s)] = True
    return member, np.array([quality.evaluate(s) for s in chosen])


def _subsets(n_total: int, sizes: tuple[int, ...]) -> Iterator[FeatureIndices]:
    return chain.from_iterable(combinations(range(n_total), k) for k in sizes)


def _best_single(problem: Problem) -> Best:
    member, values = _listed(problem.quality, problem.sizes)
    valid = np.ones(len(values), dtype=np.bool_)
    of_size = member.sum(axis=1)
    if problem.average:
        excess = np.zeros(len(values), dtype=object)
        for given in problem.given:
            excesses = np.array(problem.overlap.excesses(problem.n_features, len(given)))
            excess += excesses[member[:, list(given)].sum(axis=1)]
        valid &= excess <= 0
    for given in () if problem.average else problem.given:
        most = np.array([problem.overlap(k, len(given)) for k in range(of_size.max(initial=0) + 1)])
        valid &= member[:, list(given)].sum(axis=1) <= most[of_size]
    if problem.constraints.kinds():
        sets = (tuple(np.flatnonzero(row).tolist()) for row in member)
        broken = (problem.constraints.violation(s, problem.quality) for s in sets)
        valid &= np.array([why is None for why in broken], dtype=np.bool_)
    if not valid.any():
        return -inf, None
    place = int(np.where(valid, values, -inf).argmax())
    return float(values[place]), (tuple(np.flatnonzero(member[place]).tolist()),)


def families(problem: Problem) -> Iterator[Family]:
    """Yield all answers to a problem."""
    # A set alone may be nearer to the given ones than the mean of a family.
    given = () if problem.average else problem.given
    single = replace(problem, n_sets=1, given=given)
    every = _subsets(problem.quality.n_total, problem.sizes)
    candidates = [s for s in every if single.violation((s,)) is None]
    # If sets need not differ, a family may hold a set twice.
    again = problem.average or problem.max_overlap >= problem.n_features

    def extend(start: int, chosen: Family) -> Iterator[Family]:
        if len(chosen) == problem.n_sets:
            if not problem.average or problem.violation(chosen) is None:
                yield chosen
            return
        for i in range(start, len(candidates)):
            mine = set(candidates[i])
            if problem.average or all(
                len(mine & set(s)) <= problem.overlap(len(mine), len(s)) for s in chosen
            ):
                yield from extend(i if again else i + 1, (*chosen, candidates[i]))

    return extend(0, ())
