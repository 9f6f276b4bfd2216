"""Judging by listing: every answer to a small problem, one by one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import combinations
from math import comb, inf

import numpy as np
import numpy.typing as npt

from altfs.problem import FeatureIndices, Problem
from altfs.quality import BlackBox, Quality

#: Feature sets, or families of them, that are listed where no other solver can judge.
_MOST_LISTED = 200_000

Best = tuple[float, tuple[FeatureIndices, ...] | None]


def few_enough(problem: Problem) -> bool:
    """Whether all answers to a problem can be listed.

    A black box may have to be evaluated for each set, which its search may do
    no more often than `max_iterations` says.
    """
    quality = problem.quality
    n_single = comb(quality.n_total, problem.n_features)
    if isinstance(quality, BlackBox) and n_single > quality.max_iterations:
        return False
    return comb(n_single + problem.n_sets - 1, problem.n_sets) <= _MOST_LISTED


def best_listed(problem: Problem) -> Best:
    """The best answer and what it is worth; None where there is none."""
    return _best_single(problem) if problem.n_sets == 1 else _best_family(problem)


def any_listed(problem: Problem) -> tuple[FeatureIndices, ...] | None:
    """The first answer there is; None where there is none."""
    return next(_families(problem), None)


@lru_cache(maxsize=4)
def _listed(
    quality: Quality, n_features: int
) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.float64]]:
    """All feature sets of a size, and what they are worth; all steps of a search ask for them."""
    every = combinations(range(quality.n_total), n_features)
    chosen = [s for s in every if quality.allows(s)]
    member = np.zeros((len(chosen), quality.n_total), dtype=np.bool_)
    for row, s in zip(member, chosen, strict=True):
        row[list(s)] = True
    return member, np.array([quality.evaluate(s) for s in chosen])


def _best_single(problem: Problem) -> Best:
    member, values = _listed(problem.quality, problem.n_features)
    valid = np.ones(len(values), dtype=np.bool_)
    for given in problem.given:
        valid &= member[:, list(given)].sum(axis=1) <= problem.max_overlap
    if problem.constraints.kinds():
        sets = (tuple(np.flatnonzero(row).tolist()) for row in member)
        broken = (problem.constraints.violation(s, problem.quality) for s in sets)
        valid &= np.array([why is None for why in broken], dtype=np.bool_)
    if not valid.any():
        return -inf, None
    place = int(np.where(valid, values, -inf).argmax())
    return float(values[place]), (tuple(np.flatnonzero(member[place]).tolist()),)


def _best_family(problem: Problem) -> Best:
    best: Best = -inf, None
    for family in _families(problem):
        value = problem.objective(family)
        if best[1] is None or value > best[0]:
            best = value, family
    return best


def _families(problem: Problem) -> Iterator[tuple[FeatureIndices, ...]]:
    """All answers to a problem, one by one."""
    single = replace(problem, n_sets=1)
    every = combinations(range(problem.quality.n_total), problem.n_features)
    candidates = [s for s in every if single.violation((s,)) is None]
    again = problem.max_overlap >= problem.n_features

    def extend(
        start: int, chosen: tuple[FeatureIndices, ...]
    ) -> Iterator[tuple[FeatureIndices, ...]]:
        if len(chosen) == problem.n_sets:
            yield chosen
            return
        for i in range(start, len(candidates)):
            mine = set(candidates[i])
            if all(len(mine & set(s)) <= problem.max_overlap for s in chosen):
                yield from extend(i if again else i + 1, (*chosen, candidates[i]))

    return extend(0, ())
