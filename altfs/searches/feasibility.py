"""How many sets there are, and what to ask for instead where there are too few."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from altfs.constraints import NO_CONSTRAINTS, Constraints
from altfs.dissimilarity import Dissimilarity, Tau, attainable
from altfs.problem import FeatureIndices, Problem
from altfs.quality import Linear, Quality
from altfs.results import Status
from altfs.searches._arguments import checked_given, checked_limits, overlap_of, pairs_overlap
from altfs.searches._floor import with_floor
from altfs.solvers import Limits, solve

# Sets beyond this number are not counted.
_MOST_SETS = 64


@dataclass(frozen=True)
class Feasibility:
    """What exists.

    Attributes
    ----------
    n_sets : int
        So many sets exist with the asked overlap.
    exact : bool
        Whether it is proven that there are no more (False too where there are
        64 or more, which is as far as is counted).
    max_overlap : int or None
        The smallest overlap at which the wanted number exists, as far as
        proven; None if it is known to exist at none.
    sentence : str
        The same in words, which tell what does not exist from what is not known.
    """

    n_sets: int
    exact: bool
    max_overlap: int | None
    sentence: str


def explain_feasibility(
    quality: Quality,
    *,
    n_features: int,
    n_alternatives: int,
    tau: Tau | None = None,
    max_overlap: int | None = None,
    dissimilarity: Dissimilarity = "dice",
    given: Sequence[Sequence[int]] = (),
    constraints: Constraints = NO_CONSTRAINTS,
    limits: Limits | None = None,
) -> Feasibility:
    """Say how many sets exist, and at which tau there are as many as wanted.

    Parameters
    ----------
    quality : Quality
        Only its number of features and its conflicts matter, and its values if
        there is a quality floor. Who reaches a floor is known of linear qualities
        only; of others no set is then known to exist.
    n_features, n_alternatives, tau, max_overlap, dissimilarity, given, constraints, limits
        As in :func:`altfs.search_simultaneously`.

    Returns
    -------
    Feasibility

    Raises
    ------
    AltfsError
        If an argument is outside its range.

    Examples
    --------
    >>> from altfs.quality import Linear
    >>> asked = dict(n_features=5, n_alternatives=2, tau=1)
    >>> found = explain_feasibility(Linear([1.0] * 12), **asked)
    >>> found.n_sets, found.exact
    (2, True)
    >>> print(found.sentence)  # doctest: +ELLIPSIS
    3 sets of 5 features with at most 0 in common do not exist: ... 3 exist for tau up to 0.8.
    """
    overlap = overlap_of(n_features, n_alternatives, tau, max_overlap, dissimilarity)
    pairs = pairs_overlap(tau, max_overlap, dissimilarity)
    checked, wanted_of_all = checked_given(given, constraints, quality, n_features, pairs)
    allowed = checked_limits(limits)
    floored = with_floor(quality, int(n_features), wanted_of_all, allowed, overlap, checked)
    # Who reaches a floor is told by values of features alone; others may leave fewer sets.
    blind = floored.quality_floor is not None and not isinstance(quality, Linear)
    if blind:
        floored = replace(floored, quality_floor=None)
    asked = _Asked(_bare(quality, floored), int(n_features), checked, floored, allowed, blind)
    wanted = int(n_alternatives) + 1
    count, exact = asked.count(overlap)
    size = f"{n_features} feature{'' if n_features == 1 else 's'}"
    what = f"{wanted} sets of {size} with at most {overlap} in common"
    exist, do, are = "exist", "do", "are"
    if wanted == 1:
        what, exist, do, are = f"a set of {size}", "exists", "does", "is"
    if count >= wanted:
        more = "64 or more" if count >= _MOST_SETS else str(count) + ("" if exact else " or more")
        return Feasibility(count, exact, overlap, f"{what} {exist}: there are {more}.")
    there = f"there are {count}" if exact else f"{count} are known"
    none = exact or asked.exist(wanted, overlap) is False
    missing = f"{what} {f'{do} not exist' if none else f'{are} not known to exist'}: {there}"
    taus = attainable(int(n_features), dissimilarity)

    def at(other: int) -> _Asked:
        # What tau asks of given sets of another size depends on it, too.
        if max_overlap is not None:
            return asked
        pairs = pairs_overlap(taus[other], None, dissimilarity)
        left, judged = checked_given(given, constraints, quality, n_features, pairs)
        return replace(asked, given=left, constraints=replace(floored, groups=judged.groups))

    above = range(overlap + 1, int(n_features) + 1)
    answers = {}
    for other in above:
        answers[other] = at(other).exist(wanted, other)
        if answers[other]:
            break
    # What could not be settled may exist.
    settled = none and None not in answers.values()
    enough = next((other for other, answer in answers.items() if answer), None)
    if enough is None and settled and exact and not count:
        alone = f"no set of {size} has all that is asked for, whatever tau is."
        sentence = alone if wanted == 1 else f"{what} do not exist: {alone}"
        return Feasibility(0, True, None, sentence)
    if enough is None:
        rest = f"at no tau {are} {wanted} known"
        if settled:
            rest = f"and {wanted} {exist} at no tau"
        return Feasibility(count, exact, None, f"{missing}, {rest}.")
    largest = Fraction(n_features - enough, n_features)
    if dissimilarity == "jaccard":
        largest = Fraction(2 * (n_features - enough), 2 * n_features - enough)
    return Feasibility(
        count,
        exact,
        enough,
        f"{missing}; {wanted} {exist if settled else f'{are} known to exist'} for tau up to "
        f"{_decimal(largest)}.",
    )


def families_exist(problem: Problem, n_sets: int, limits: Limits) -> bool | None:
    """Whether there are so many sets, whatever their quality.

    Parameters
    ----------
    problem : Problem
        Of one set: what every set has to satisfy, and their overlap.
    n_sets : int
        At least 1.
    limits : Limits

    Returns
    -------
    bool or None
        None if that could not be settled.

    Examples
    --------
    >>> families_exist(Problem(Linear([1.0] * 5), n_features=2, max_overlap=0), 3, Limits())
    False
    """
    asked = _Asked(
        _bare(problem.quality, problem.constraints), problem.n_features, problem.given,
        problem.constraints, limits,
    )  # fmt: skip
    if problem.constraints.quality_floor is not None and not isinstance(problem.quality, Linear):
        # Sets of zeros would not reach a floor, though others might.
        return None
    return asked.exist(n_sets, problem.max_overlap)


@dataclass(frozen=True)
class _Asked:
    quality: Linear
    n_features: int
    given: tuple[FeatureIndices, ...]
    constraints: Constraints
    limits: Limits
    # Whether sets have to reach a floor besides, which nobody can tell here.
    blind: bool = False

    def exist(self, n_sets: int, overlap: int) -> bool | None:
        """Whether so many sets exist; None if that could not be settled."""
        floor = self.constraints.quality_floor is not None
        problem = Problem(
            self.quality, self.n_features, overlap, n_sets, "min" if floor else "sum",
            self.given, self.constraints,
        )  # fmt: skip
        status = solve(problem, self.limits).status
        if status is Status.UNKNOWN:
            return None
        if status is Status.INFEASIBLE:
            return False
        return None if self.blind else True

    def count(self, overlap: int) -> tuple[int, bool]:
        """The largest number of sets that is known to exist, and whether it is the largest."""
        answer = self.exist(1, overlap)
        if answer is not True:
            return 0, answer is False
        if overlap >= self.n_features:
            return _MOST_SETS, False
        low, high, exact = 1, 2, True
        while high < _MOST_SETS and self.exist(high, overlap) is True:
            low, high = high, 2 * high
        high = min(high, _MOST_SETS)
        while high - low > 1:
            middle = (low + high) // 2
            answer = self.exist(middle, overlap)
            exact = exact and answer is not None
            low, high = (middle, high) if answer else (low, middle)
        return low, exact and self.exist(low + 1, overlap) is False


def _bare(quality: Quality, constraints: Constraints) -> Linear:
    conflicts = quality.conflicts if isinstance(quality, Linear) else None
    if constraints.quality_floor is not None and isinstance(quality, Linear):
        return quality
    return Linear(np.zeros(quality.n_total), conflicts)


def _decimal(number: Fraction) -> str:
    # Rounded down: a tau that is a little too large would ask for more again.
    thousandths = number.numerator * 1000 // number.denominator
    return f"{thousandths / 1000:g}"
