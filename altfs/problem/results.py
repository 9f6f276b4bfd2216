"""The result of a search."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from altfs.problem.problem import FeatureIndices


class Status(StrEnum):
    """The status of a feature set.

    ``optimal``: proven best (gap 0 in scaled integers). ``feasible``: valid,
    not proven best. ``infeasible``: proven not to exist. ``unknown``: a limit
    was reached before any valid set was found.
    """

    OPTIMAL = "optimal"
    FEASIBLE = "feasible"
    INFEASIBLE = "infeasible"
    UNKNOWN = "unknown"


NAN = float("nan")


@dataclass(frozen=True)
class SearchResult:
    """Feature sets found by one search, one entry per set in every list.

    Attributes
    ----------
    sets : list of tuple of int
        Sorted feature indices; empty where there is no set.
    objectives : list of float
        Quality of each set; NaN where there is no set.
    status : list of Status
        Simultaneous search: the status of the run, repeated.
    bound : list of float
        Proven upper bound on the set's quality. Sequential search: given the
        sets before it. NaN where the set is infeasible, and in simultaneous
        search, which bounds the run as a whole (`run_bound`). An optimal set is
        its own bound: none is better in the scaled integers, hence none by more
        than their rounding (docs/exact_search.md).
    n_features, n_alternatives : int
        What was asked for: size of a set, and sets beyond the first.
    aggregation : str
        "sum" or "min"; "none" for sequential search.
    run_objective, run_bound : float
        Simultaneous search: aggregated objective and its bound; else NaN.
    work : list of int
        Deterministic effort: search nodes, or iterations of a hill climber.
    solvers : list of str
        Which solver gave the set; empty where none was asked.
    seconds : list of float
        Wall time; the only entry that differs between two runs.
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
