"""The result of a search: a record for each feature set."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeVar, overload

import numpy as np
import numpy.typing as npt

from altfs.problem.front import Front
from altfs.problem.problem import Family, FeatureIndices

NAN = float("nan")
# The largest number of names in a representation.
_SHOWN = 10


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


@dataclass(frozen=True, repr=False)
class FeatureSet:
    """A feature set: its features, its quality, and how it was found.

    It is a collection of the names of its features. A set that does not exist, or was not
    found, has no features. Two sets are equal if their features, quality and status are equal.

    Attributes
    ----------
    indices : tuple of int
        Column numbers, ascending.
    train_objective : float
        The quality of the set on the data that it was searched with; NaN without features.
    status : Status
        "optimal" (proven) or "feasible" (not proven). Sets of a simultaneous search have the
        status of all together.
    bound : float
        Proven upper bound of the quality of all sets that were allowed in its place. It is NaN
        for infeasible sets, and in simultaneous search, which bounds the sets together
        (:attr:`SearchResult.run_bound`). An optimal set is its own bound: no set is better by
        more than the rounding of the scaled integers (docs/exact_search.md).
    names : tuple of str
        The names of the features, in the order of the columns; "x0", "x1", ... if columns have
        no names. Empty in the result of a search that knows no names.
    n_total : int
        The number of columns from which features were chosen; 0 without names.
    among : int or None
        The number of features that a prescreen left to choose from; None without one.
    solver : str
        The solver or search that gave the set; empty if there is none.
    work : int
        Deterministic effort: search nodes, or iterations of a hill climber. The work of all
        sets adds up to that of the search. A search without steps, which is any but the
        sequential one, has all of it in the first set.
    seconds : float
        Wall time, divided as `work`. Imports and compiling on a first call do not count. No
        other attribute differs between two runs.
    steps : tuple of Step
        The way of the solver, divided as `work`; empty if it does not note its way.
    counts : mapping of str to int
        Of a stream of features, the numbers of its decisions.
    floor : float
        The quality that the best set exceeds with one in a hundred shuffled targets; NaN if it is
        unknown.
    p_value : float
        The share of shuffled targets whose best set is as good; NaN if it is unknown.
    idle : tuple of str
        The features that add nothing by the quality, or not more than by chance.
    """

    indices: FeatureIndices
    train_objective: float
    status: Status
    # NaN is not equal to itself.
    bound: float = field(default=NAN, compare=False)
    names: tuple[str, ...] = ()
    n_total: int = field(default=0, compare=False)
    among: int | None = field(default=None, compare=False)
    solver: str = field(default="", compare=False)
    work: int = field(default=0, compare=False)
    seconds: float = field(default=0.0, compare=False)
    steps: tuple[Step, ...] = field(default=(), compare=False)
    counts: Mapping[str, int] = field(default_factory=dict, compare=False)
    floor: float = field(default=NAN, compare=False)
    p_value: float = field(default=NAN, compare=False)
    idle: tuple[str, ...] = field(default=(), compare=False)

    @property
    def mask(self) -> npt.NDArray[np.bool_]:
        """True for the columns of its features, of shape (n_total,)."""
        return np.isin(np.arange(self.n_total), self.indices)

    def __len__(self) -> int:
        return len(self.indices)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __contains__(self, name: object) -> bool:
        return name in self.names

    def __repr__(self) -> str:
        features = self.names or tuple(map(str, self.indices))
        more = len(self) - _SHOWN
        listed = ", ".join(features[:_SHOWN]) + (f" and {more} more" if more > 0 else "")
        among = "" if self.among is None else f" among {self.among:,} prescreened features"
        return f"<FeatureSet {listed}; quality {self.train_objective:.4g}, {self.status}{among}>"


S = TypeVar("S", bound="FeatureSets")


class FeatureSets(Sequence[FeatureSet]):
    """The base class of answers that are sequences of feature sets.

    Attributes
    ----------
    feature_sets : sequence of FeatureSet
    """

    feature_sets: Sequence[FeatureSet]

    def __len__(self) -> int:
        return len(self.feature_sets)

    @overload
    def __getitem__(self, i: int) -> FeatureSet: ...
    @overload
    def __getitem__(self, i: slice) -> Sequence[FeatureSet]: ...
    def __getitem__(self, i: int | slice) -> FeatureSet | Sequence[FeatureSet]:
        return self.feature_sets[i]


@dataclass(frozen=True)
class SearchResult(FeatureSets):
    """The feature sets that a search found: a sequence with an entry for each requested set.

    Attributes
    ----------
    feature_sets : tuple of FeatureSet
    n_features : int
        The requested size of a set; of a range the largest.
    aggregation : str
        "sum" or "min"; "none" for sequential search.
    run_objective, run_bound : float
        Simultaneous search: aggregated objective and its bound; else NaN.
    front : Front or None
        The front that a search with several objectives found.
    """

    feature_sets: tuple[FeatureSet, ...]
    n_features: int
    aggregation: str
    run_objective: float = NAN
    run_bound: float = NAN
    front: Front | None = field(default=None, compare=False)

    @property
    def n_alternatives(self) -> int:
        """The requested number of sets beyond the first."""
        return len(self.feature_sets) - 1

    @property
    def sets(self) -> list[FeatureIndices]:
        """The sorted indices of each set; empty if there is no set."""
        return [s.indices for s in self.feature_sets]

    @property
    def objectives(self) -> list[float]:
        """The quality of each set; NaN if there is no set."""
        return [s.train_objective for s in self.feature_sets]

    @property
    def status(self) -> list[Status]:
        """The status of each set."""
        return [s.status for s in self.feature_sets]

    @property
    def bound(self) -> list[float]:
        """The bound of each set."""
        return [s.bound for s in self.feature_sets]
