"""The lexicographically first of all optimal answers, by questions to a solver.

An answer is a sequence of indices: the features of a set, the features of
several sets one after the other, or the rows of sets in a list. The next
smallest index is tried, and the solver is asked whether an optimum with this
prefix still exists. An optimum that it finds shows where to go on.

Some solvers decide among equals in another way that costs less.
`best_sum._families` builds families in lexicographic order.
`one_set._subset` asks in compiled code.
`cp_sat.first_of_many` asks CP-SAT about 20 features at once.
`pair_costs.listed._near_tuples` compares the optima that it meets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable


class OutOfWorkError(Exception):
    """The limit of nodes is reached."""


def first_optimum(
    optimum: list[int],
    candidates: Callable[[list[int], int], Iterable[int]],
    ask: Callable[[list[int]], list[int] | None],
) -> tuple[list[int], bool]:
    """Return the lexicographically first optimum.

    Parameters
    ----------
    optimum : list of int
        An optimum.
    candidates : callable
        Returns the indices that can follow a prefix of the first optimum and are
        below some index, ascending.
    ask : callable
        Returns an optimum with this prefix, None if there is none. Raises
        `OutOfWorkError` if a limit ends the search.

    Returns
    -------
    optimum : list of int
        The best one found.
    first : bool
        True if it is proven to be the first.

    Examples
    --------
    >>> optima = [[1, 3], [0, 4], [0, 2]]
    >>> def ask(prefix):
    ...     return next((s for s in optima if s[: len(prefix)] == prefix), None)
    >>> first_optimum([1, 3], lambda prefix, below: range(below), ask)
    ([0, 2], True)
    """
    for level in range(len(optimum)):
        prefix = optimum[:level]
        try:
            for index in candidates(prefix, optimum[level]):
                better = ask([*prefix, index])
                if better is not None:
                    optimum = better
                    break
        except OutOfWorkError:
            return optimum, False
    return optimum, True
