"""The number of sets that exist, and the largest tau at which enough sets exist."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import floor
from typing import Unpack

from altfs.errors import AltfsError
from altfs.problem import Problem
from altfs.problem.overlap import attainable
from altfs.quality import Quality
from altfs.searches.conflicts import conflict_words, smallest_conflict
from altfs.searches.existence import sets_exist
from altfs.searches.request import Arguments, Request, checked_limits, request_of
from altfs.solvers import Limits
from altfs.solvers.floor import with_floor

# The largest number that is counted.
_MOST_SETS = 64


@dataclass(frozen=True)
class Feasibility:
    """The number of sets that exist.

    Attributes
    ----------
    n_sets : int
        The number of sets that are known to exist with the requested overlap.
    exact : bool
        True if it is proven that there are no more. It is False for 64 sets, as no more
        are counted.
    max_overlap : int or None
        The smallest overlap at which the requested number is known to exist; None if there
        is none.
    sentence : str
        The same in words.
    conflict : str
        Where no set exists: the fewest constraints that cannot be satisfied together, in words;
        empty if there are none, or if they were not determined.
    """

    n_sets: int
    exact: bool
    max_overlap: int | None
    sentence: str
    conflict: str = ""


def explain_feasibility(
    quality: Quality, *, limits: Limits | None = None, **arguments: Unpack[Arguments]
) -> Feasibility:
    """Count the sets that exist, and find the largest tau at which the requested number exists.

    Parameters
    ----------
    quality : Quality
        Its number of features and its conflicts matter. Its values matter only if there is a
        quality floor. A floor can be decided for linear qualities only. For others no
        set is then known to exist.
    limits : Limits, optional
        The work that may be done for each answer of a solver.
    n_features, n_alternatives, tau, max_overlap, overlap, dissimilarity, given, constraints
        As in :func:`altfs.search_sequentially`; `n_features` has to be one number, and
        `overlap` has to be "pairwise".

    Returns
    -------
    Feasibility

    Raises
    ------
    AltfsError
        As :func:`altfs.search_sequentially`, or if sets may have several sizes.

    Examples
    --------
    >>> from altfs.quality import Linear
    >>> arguments = dict(n_features=5, n_alternatives=2, tau=1)
    >>> answer = explain_feasibility(Linear([1.0] * 12), **arguments)
    >>> answer.n_sets, answer.exact
    (2, True)
    >>> print(answer.sentence)  # doctest: +ELLIPSIS
    3 sets of 5 features with at most 0 in common do not exist: ... 3 exist for tau up to 0.8.
    """
    request = request_of(arguments)
    if request.averages:
        raise AltfsError("overlap", "sets are counted for 'pairwise'", "use it")
    return feasibility(request, quality, checked_limits(limits))


def feasibility(
    request: Request,
    quality: Quality,
    limits: Limits,
    at_least: int = 0,
    names: Sequence[str] | None = None,
) -> Feasibility:
    """Return the answer of `explain_feasibility` to a request, of which some sets are there.

    The words of a conflict have the names of features, by default their numbers.
    """
    problem = with_floor(request.problem(quality), limits)
    # Only values of single features show which sets reach a floor.
    blind = problem.evaluated_floor is not None
    if len(problem.sizes) > 1:
        reason = f"{request.n_features!r} is not allowed, sets are counted for one size"
        raise AltfsError("n_features", reason, "use a whole number from 1")
    n_sets, overlap, k = problem.n_sets, problem.max_overlap, problem.n_features
    problem = problem.without_values()
    count, exact = _count(problem, limits, blind)
    count, exact = max(count, at_least), exact and count >= at_least
    size = f"{k} feature{'' if k == 1 else 's'}"
    what = f"{n_sets} sets of {size} with at most {overlap} in common"
    exist, do, are = "exist", "do", "are"
    if n_sets == 1:
        what, exist, do, are = f"a set of {size}", "exists", "does", "is"
    if count >= n_sets:
        more = "64 or more" if count >= _MOST_SETS else str(count) + ("" if exact else " or more")
        return Feasibility(count, exact, overlap, f"{what} {exist}: there are {more}.")
    there = f"there are {count}" if exact else f"{count} are known"
    none = exact or sets_exist(problem, n_sets, limits, blind) is False
    missing = f"{what} {f'{do} not exist' if none else f'{are} not known to exist'}: {there}"
    enough, settled = None, none
    for other in range(overlap + 1, k + 1):
        answer = sets_exist(problem.at(other), n_sets, limits, blind)
        if answer:
            enough = other
            break
        settled = settled and answer is False
    if enough is None and settled and exact and not count:
        alone = f"no set of {size} satisfies the request at any tau"
        parts = smallest_conflict(replace(problem, n_sets=1), limits)
        conflict = conflict_words(problem, parts, names) if parts else ""
        because = f", because of {conflict}" if conflict else ""
        sentence = (
            f"{alone}{because}." if n_sets == 1 else f"{what} do not exist: {alone}{because}."
        )
        return Feasibility(0, True, None, sentence, conflict)
    if enough is None:
        rest = f"and {n_sets} {exist} at no tau" if settled else f"at no tau {are} {n_sets} known"
        return Feasibility(count, exact, None, f"{missing}, {rest}.")
    # Rounded down, as a larger tau may allow one feature less.
    tau = floor(Fraction(attainable(k, request.dissimilarity)[enough]) * 1000) / 1000
    exist = exist if settled else f"{are} known to exist"
    sentence = f"{missing}; {n_sets} {exist} for tau up to {tau:g}."
    return Feasibility(count, exact, enough, sentence)


def _count(problem: Problem, limits: Limits, blind: bool) -> tuple[int, bool]:
    """Return the largest number of sets known to exist, and whether no more exist."""
    answer = sets_exist(problem, 1, limits, blind)
    if answer is not True:
        return 0, answer is False
    if problem.max_overlap >= problem.n_features:
        return _MOST_SETS, False
    low, high, exact = 1, 2, True
    while high < _MOST_SETS and sets_exist(problem, high, limits, blind) is True:
        low, high = high, 2 * high
    high = min(high, _MOST_SETS)
    while high - low > 1:
        middle = (low + high) // 2
        answer = sets_exist(problem, middle, limits, blind)
        exact = exact and answer is not None
        low, high = (middle, high) if answer else (low, middle)
    return low, exact and sets_exist(problem, low + 1, limits, blind) is False
