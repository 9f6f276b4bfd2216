"""All sets of the best value."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

import pandas as pd

from altfs.errors import AltfsError, UnsupportedProblemError
from altfs.library.answers.fitted import FittedRequest, check_without_prices
from altfs.library.answers.within_error import WithinError
from altfs.library.feature_sets import named
from altfs.problem import FeatureIndices, Problem
from altfs.problem.results import FeatureSet, FeatureSets, Status
from altfs.quality import BlackBox
from altfs.searches._counted import subset
from altfs.solvers import solve
from altfs.solvers.all_best import all_best, differ_in_value_only, number_of_ties


@dataclass(frozen=True)
class OptimalSets(FeatureSets):
    """Sets of equal best value, in canonical order.

    Attributes
    ----------
    feature_sets : list of FeatureSet
        The listed sets.
    n_sets : int
        The number of sets that exist; a lower bound of it unless `exact`.
    exact : bool
        True if `n_sets` is exact.
    how : {"all", "uniform", "first", "some"}
        The choice of the listed sets: all sets, a sample that is drawn uniformly, the first
        ones in canonical order, or any of them.
    sentence : str
        The same in words.
    """

    feature_sets: list[FeatureSet]
    n_sets: int
    exact: bool
    how: str
    sentence: str

    def __str__(self) -> str:
        return "\n".join([self.sentence, *(f"  {', '.join(s.names)}" for s in self)])

    def to_frame(self) -> pd.DataFrame:
        """Return a row per set: feature_names, selected (indices), train_objective."""
        rows = [[list(s.names), list(s.indices), s.train_objective] for s in self]
        return pd.DataFrame(rows, columns=["feature_names", "selected", "train_objective"])


def optima(
    fitted: FittedRequest, limit: int, seed: int, near: WithinError | None = None
) -> OptimalSets:
    """List all sets that are as good as the best one, at most `limit` of each size.

    The seed is that of a sample. The sentence says how many sets are `near`, if it is known.
    """
    check_without_prices(fitted, "all_optimal")
    if isinstance(fitted.quality, BlackBox):
        reason = "the quality is known only by evaluating sets, so no set is proven to be the best"
        advice = "use a selector that gives values to features or pairs of them"
        raise UnsupportedProblemError("all_optimal", reason, advice)
    if fitted.request.averages and fitted.request.constraints.given:
        raise UnsupportedProblemError(
            "all_optimal", "with given sets it is for overlap='pairwise'", "use it or no given sets"
        )
    try:
        solved = [(problem, solve(problem, fitted.request.limits)) for problem in fitted.singles()]
    except UnsupportedProblemError:
        kinds = ", ".join(fitted.singles()[0].kinds)
        raise UnsupportedProblemError(
            "all_optimal",
            f"no exact solver handles constraints ({kinds}) with a "
            f"{type(fitted.quality).__name__} quality",
            "leave them out; of the search 'enumeration' the original set is one of the best",
        ) from None
    if any(answer.status in (Status.FEASIBLE, Status.UNKNOWN) for _, answer in solved):
        raise AltfsError(
            "work", f"the best set is not proven within {fitted.request.limits.work:g}", "raise it"
        )
    best = [
        (problem.quality.exact_values(answer.sets[:1]), problem, answer.sets[0])
        for problem, answer in solved
        if answer.sets
    ]
    if not best:
        return OptimalSets([], 0, True, "all", "There is no set that satisfies all constraints.")
    largest = max(value for value, _, _ in best)
    parts = [
        _of_size(fitted, problem, features, limit, seed)
        for value, problem, features in best
        if value == largest
    ]
    if len(parts) > 1:
        return _join_sizes(parts)
    if near is None or parts[0].how != "all":
        return parts[0]
    return replace(parts[0], sentence=near.sentence)


def _join_sizes(parts: list[OptimalSets]) -> OptimalSets:
    """Join sets of several sizes, the smallest first."""
    sets = [features for part in parts for features in part]
    exact = all(part.exact for part in parts)
    how = "all" if all(part.how == "all" for part in parts) else "some"
    count = sum(part.n_sets for part in parts)
    words = " ".join(f"Of {len(part[0])} features: {part.sentence}" for part in parts)
    return OptimalSets(sets, count, exact, how, words)


def _of_size(
    fitted: FittedRequest, problem: Problem, best: FeatureIndices, limit: int, seed: int
) -> OptimalSets:
    if differ_in_value_only(problem):
        count, fixed, tied = number_of_ties(problem, best)
        if count > limit:
            drawn = _draw_ties(fixed, tied, problem.n_features - len(fixed), limit, seed)
            sentence = (
                f"{count:,} sets are equally good; {limit} of them were drawn uniformly: they hold "
                f"{', '.join(fitted.label(fixed)) or 'no feature'} and "
                f"{problem.n_features - len(fixed)} of {len(tied)} features of equal value."
            )
            return OptimalSets(_named_optima(fitted, drawn), count, True, "uniform", sentence)
    ties = all_best(problem, best, limit, fitted.request.limits.work)
    sets = _named_optima(fitted, ties.sets)
    if ties.complete:
        said = "One set is" if len(sets) == 1 else f"{len(sets)} sets are equally good and"
        sentence = f"{said} the best by this quality, there are no others."
        return OptimalSets(sets, len(sets), True, "all", sentence)
    how = "first" if ties.first else "some"
    which = "the first ones in canonical order" if ties.first else "some of them"
    sentence = f"At least {len(sets)} sets are equally good; these are {which}."
    return OptimalSets(sets, len(sets), False, how, sentence)


def _draw_ties(
    fixed: FeatureIndices, tied: list[int], size: int, number: int, seed: int
) -> list[FeatureIndices]:
    """Draw different sets; each choice of `number` sets is equally likely."""
    chance = random.Random(seed)
    chosen: set[FeatureIndices] = set()
    while len(chosen) < number:
        chosen.add(tuple(sorted((*fixed, *subset(tied, size, chance)))))
    return sorted(chosen)


def _named_optima(fitted: FittedRequest, sets: list[FeatureIndices]) -> list[FeatureSet]:
    best = (FeatureSet(s, fitted.quality.evaluate(s), Status.OPTIMAL) for s in sets)
    return [fitted.shown(named(features, fitted.names)) for features in best]
