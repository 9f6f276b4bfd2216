"""The sets of many rows: those of a search of each row alone, found at once if that is possible."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from altfs._numbers import SCALE_BITS, BoolArray, FloatArray, IntArray
from altfs.errors import AltfsError
from altfs.kinds.rows._sequential import sequential_sets
from altfs.problem import Problem, Status
from altfs.quality import Linear
from altfs.searches.base import Search
from altfs.searches.request import Request
from altfs.searches.sequential import Sequential
from altfs.solvers import Limits

# The kinds of constraint that are honoured for all rows at once.
_CARRIES = {"include", "exclude"}


@dataclass(frozen=True)
class RowSets:
    """The sets of many rows."""

    #: The problem of a row, with values of 0.
    problem: Problem
    #: Shape (n_rows, n_sets, n_features). Columns, ascending; -1 fills a smaller set or the place
    #: of a missing one.
    sets: IntArray
    #: Shape (n_rows, n_sets). The :class:`~altfs.problem.results.Status` of each set.
    status: npt.NDArray[np.object_]
    #: Shape (n_rows, n_sets). The sum of a set's values; NaN if there is no set.
    objective: FloatArray

    @classmethod
    def empty(cls, problem: Problem, n_rows: int, status: Status) -> RowSets:
        """Return no sets for rows, all with a status."""
        shape = n_rows, problem.n_sets
        sets = np.full((*shape, problem.n_features), -1, dtype=np.int64)
        return cls(problem, sets, np.full(shape, status, dtype=object), np.full(shape, np.nan))

    def among(self, rows: BoolArray) -> RowSets:
        """Return the sets of some rows among all; nothing is known of the others."""
        every = RowSets.empty(self.problem, len(rows), Status.UNKNOWN)
        every.sets[rows], every.status[rows] = self.sets, self.status
        every.objective[rows] = self.objective
        return every


def search_rows(values: FloatArray, request: Request, search: Search, limits: Limits) -> RowSets:
    """Find the sets of every row, in which each feature has a value.

    Sequential search is exact for all rows at once, if sets have one size and constraints are
    included and excluded features alone. Else each row is searched alone, with these limits. Both
    give the same sets, also among equally good ones.

    >>> values = np.array([[0.4, 0.3, 0.2, 0.1], [0.1, 0.2, 0.3, 0.4]])
    >>> request = Request(n_features=2, n_alternatives=1, tau=1)
    >>> search_rows(values, request, Sequential(), Limits()).sets.tolist()
    [[[0, 1], [2, 3]], [[2, 3], [0, 1]]]
    """
    _check_values(values)
    n_rows, n_total = values.shape
    # Whatever is wrong with the request is said once, also if there is no row.
    problem = request.problem(Linear(np.zeros(n_total)))
    every = RowSets.empty(problem, n_rows, Status.INFEASIBLE)
    left = np.arange(n_rows)
    if _is_plain(problem, search):
        left = _search_at_once(values, problem, every)
    for row in left:
        result = search.search(request.problem(Linear(values[row])), limits)
        for i, chosen in enumerate(result):
            every.sets[row, i, : len(chosen)] = chosen.indices
            every.status[row, i] = chosen.status
            every.objective[row, i] = chosen.train_objective
    return every


def _check_values(values: FloatArray) -> None:
    """Check that the values of every row can be those of a linear quality."""
    largest = np.abs(values).max(axis=1, initial=0.0)
    # NaN is not between the two, and the quality names the entry.
    fits = (largest == 0) | ((largest >= 1e-290) & (largest <= 1e300))
    for row in np.flatnonzero(~fits):
        try:
            Linear(values[row])
        except AltfsError as error:
            raise AltfsError(*error.at(f"row {row}").args) from None


def _is_plain(problem: Problem, search: Search) -> bool:
    """Return True if all rows can be searched at once."""
    sequential = isinstance(search, Sequential) and search.solver is None
    one_size = len(problem.sizes) == 1 and not problem.average
    is_open = len(problem.constraints.include) < problem.n_features
    return sequential and one_size and is_open and _CARRIES.issuperset(problem.kinds)


def _search_at_once(values: FloatArray, problem: Problem, every: RowSets) -> IntArray:
    """Fill in the sets of rows, and return the rows that have to be searched alone."""
    include = np.array(sorted(problem.constraints.include), dtype=np.int64)
    able = np.ones(values.shape[1], dtype=bool)
    able[list(problem.constraints.exclude)] = False
    free = np.setdiff1d(np.flatnonzero(able), include)
    open_ = problem.n_features - len(include)
    room = min(problem.max_overlap - len(include), open_)
    sets, left = sequential_sets(_integers(values, able)[:, free], open_, problem.n_sets, room)
    rows, which = np.nonzero(sets[:, :, 0] >= 0)
    included = np.broadcast_to(include, (len(rows), len(include)))
    whole = np.sort(np.hstack([free[sets[rows, which]], included]), axis=1)
    every.sets[rows, which], every.status[rows, which] = whole, Status.OPTIMAL
    # One feature after the other, as for a single set.
    held = np.take_along_axis(values[rows], whole, axis=1)
    every.objective[rows, which] = np.cumsum(held, axis=1)[:, -1]
    return left


def _integers(values: FloatArray, able: BoolArray) -> IntArray:
    """Return the values in the integers of exact solvers, see `altfs.quality.Linear`."""
    largest = np.abs(values[:, able]).max(axis=1, initial=0.0, keepdims=True)
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        shares = np.clip(values / largest, -1.0, 1.0)
    shares[largest[:, 0] == 0] = 0
    return np.asarray(np.rint(shares * 2.0**SCALE_BITS), dtype=np.int64)
