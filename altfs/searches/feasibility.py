"""The number of sets that exist, and the nearest request with as many as wanted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from altfs.errors import AltfsError
from altfs.problem import Aggregation, Overlap, Problem
from altfs.problem.constraints import NO_CONSTRAINTS, Constraints
from altfs.problem.overlap import Dissimilarity, Tau, attainable
from altfs.problem.results import Status
from altfs.quality import Quality
from altfs.searches.request import Request, checked_limits
from altfs.solvers import Limits, solve
from altfs.solvers.floor import with_floor

# Sets beyond this number are not counted.
_MOST_SETS = 64


@dataclass(frozen=True)
class Feasibility:
    """The number of sets that exist.

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
    """Count the sets that exist, and find the largest tau at which there are as many as wanted.

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
    asked = Request(
        n_features=n_features, n_alternatives=n_alternatives, tau=tau, max_overlap=max_overlap,
        dissimilarity=dissimilarity, given=given, constraints=constraints,
    )  # fmt: skip
    return feasibility(asked, quality, checked_limits(limits))


def feasibility(asked: Request, quality: Quality, limits: Limits) -> Feasibility:
    """Return the answer of `explain_feasibility` to a request."""
    problem = with_floor(asked.problem(quality), limits)
    # Values of single features tell which sets reach a floor; other qualities do not.
    blind = problem.constraints.quality_floor is not None and not quality.additive
    if len(problem.sizes) > 1:
        raise AltfsError(
            f"n_features: {asked.n_features!r} is not allowed, sets are counted for one size, use "
            "a whole number from 1."
        )
    wanted, overlap, k = problem.n_sets, problem.max_overlap, problem.n_features
    problem = problem.without_values()
    count, exact = _count(problem, limits, blind)
    size = f"{k} feature{'' if k == 1 else 's'}"
    what = f"{wanted} sets of {size} with at most {overlap} in common"
    exist, do, are = "exist", "do", "are"
    if wanted == 1:
        what, exist, do, are = f"a set of {size}", "exists", "does", "is"
    if count >= wanted:
        more = "64 or more" if count >= _MOST_SETS else str(count) + ("" if exact else " or more")
        return Feasibility(count, exact, overlap, f"{what} {exist}: there are {more}.")
    there = f"there are {count}" if exact else f"{count} are known"
    none = exact or _exist(problem, wanted, limits, blind) is False
    missing = f"{what} {f'{do} not exist' if none else f'{are} not known to exist'}: {there}"
    taus = attainable(k, asked.dissimilarity)

    above = range(overlap + 1, k + 1)
    answers = {}
    for other in above:
        at = Overlap(max_overlap=other)
        if asked.max_overlap is None:
            # What tau asks of given sets of another size depends on it, too.
            at = Overlap(taus[other], None, asked.dissimilarity)
        answers[other] = _exist(replace(problem, overlap=at), wanted, limits, blind)
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
    largest = Fraction(k - enough, k)
    if asked.dissimilarity == "jaccard":
        largest = Fraction(2 * (k - enough), 2 * k - enough)
    return Feasibility(
        count,
        exact,
        enough,
        f"{missing}; {wanted} {exist if settled else f'{are} known to exist'} for tau up to "
        f"{_decimal(largest)}.",
    )


def families_exist(problem: Problem, n_sets: int, limits: Limits) -> bool | None:
    """Return True if so many sets exist, whatever their quality.

    Parameters
    ----------
    problem : Problem
        Of sets of one size.
    n_sets : int
        At least 1.
    limits : Limits

    Returns
    -------
    bool or None
        None if that could not be settled.

    Examples
    --------
    >>> from altfs.quality import Linear
    >>> families_exist(Problem(Linear([1.0] * 5), 2, overlap=0), 3, Limits())
    False
    """
    if problem.constraints.quality_floor is not None and not problem.quality.additive:
        return None
    return _exist(problem.without_values(), n_sets, limits, blind=False)


def _exist(problem: Problem, n_sets: int, limits: Limits, blind: bool) -> bool | None:
    """Tell whether so many sets exist; None if that could not be settled.

    With `blind`, sets have to reach a floor besides, of which nothing is known here.
    """
    floor = problem.constraints.quality_floor is not None
    aggregation: Aggregation = "min" if floor else "sum"
    status = solve(replace(problem, n_sets=n_sets, aggregation=aggregation), limits).status
    if status is Status.UNKNOWN:
        return None
    if status is Status.INFEASIBLE:
        return False
    return None if blind else True


def _count(problem: Problem, limits: Limits, blind: bool) -> tuple[int, bool]:
    """Return the largest number of sets known to exist, and whether no more exist."""
    answer = _exist(problem, 1, limits, blind)
    if answer is not True:
        return 0, answer is False
    if problem.max_overlap >= problem.n_features:
        return _MOST_SETS, False
    low, high, exact = 1, 2, True
    while high < _MOST_SETS and _exist(problem, high, limits, blind) is True:
        low, high = high, 2 * high
    high = min(high, _MOST_SETS)
    while high - low > 1:
        middle = (low + high) // 2
        answer = _exist(problem, middle, limits, blind)
        exact = exact and answer is not None
        low, high = (middle, high) if answer else (low, middle)
    return low, exact and _exist(problem, low + 1, limits, blind) is False


def _decimal(number: Fraction) -> str:
    # Rounded down: a tau that is a little too large would ask for more again.
    thousandths = number.numerator * 1000 // number.denominator
    return f"{thousandths / 1000:g}"
