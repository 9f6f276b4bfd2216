"""The result of a search."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from altfs.problem.front import Front
from altfs.problem.problem import Family, FeatureIndices


class Status(StrEnum):
    """The status of a feature set.

    ``optimal``: proven best (gap 0 in scaled integers). ``feasible``: valid, not proven best.
    ``infeasible``: proven not to exist. ``unknown``: a limit was reached before any valid
    set was found.
    """

    OPTIMAL = "optimal"
    FEASIBLE = "feasible"
    INFEASIBLE = "infeasible"
    UNKNOWN = "unknown"


NAN = float("nan")


@dataclass(frozen=True)
class Step:
    """A step on the way of a solver.

    Attributes
    ----------
    evaluations : int
        The number of sets that had been evaluated; of a hill climber, its iterations.
    objective : float
        The objective of the sets.
    sets : tuple of tuple of int
        The place of the solver. Greedy solvers pass through sets that are not valid yet.
    """

    evaluations: int
    objective: float
    sets: Family


@dataclass(frozen=True)
class SearchResult:
    """Feature sets found by one search, one entry per set in every list.

    Attributes
    ----------
    sets : list of tuple of int
        Sorted feature indices; empty if there is no set.
    objectives : list of float
        Quality of each set; NaN if there is no set.
    status : list of Status
        Simultaneous search repeats the status of the run.
    bound : list of float
        Proven upper bound of the set's quality, in sequential search given the sets before
        it. It is NaN for infeasible sets, and in simultaneous search, which bounds the run as
        a whole (`run_bound`). An optimal set is its own bound: no set is better by more than
        the rounding of the scaled integers (docs/exact_search.md).
    n_features, n_alternatives : int
        The requested size of a set, and the requested number of sets beyond the first.
    aggregation : str
        "sum" or "min"; "none" for sequential search.
    run_objective, run_bound : float
        Simultaneous search: aggregated objective and its bound; else NaN.
    work : list of int
        Deterministic effort: search nodes, or iterations of a hill climber. The entries add
        up to the effort of the search. A search without steps, which is any but the
        sequential one, has all of it in the first entry.
    solvers : list of str
        The solver that gave the set; empty if no solver was called.
    counts : mapping of str to list of int
        Of a stream of features, the numbers of its decisions (:class:`altfs.quality.Stream`).
    traces : list of tuple of Step
        The way of the solver, divided as `work`; empty if it does not note its way.
    front : Front or None
        The front that a search with several objectives found.
    seconds : list of float
        Wall time, divided as `work`. Imports and compiling on a first call do not count.
        It is the only entry that differs between two runs.
    """

    sets: list[FeatureIndices]
    objectives: list[float]
    status: list[Status]
    bound: list[float]
    n_features: int
    n_alternatives: int
    aggregation: str
    run_objective: float = NAN
    run_bound: float = NAN
    work: list[int] = field(default_factory=list)
    solvers: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    counts: Mapping[str, list[int]] = field(default_factory=dict)
    traces: list[tuple[Step, ...]] = field(default_factory=list)
    front: Front | None = field(default=None, compare=False)
