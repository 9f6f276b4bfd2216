"""The optimisation problem: sizes, overlap, constraints and results."""

from altfs.problem.conditions import Group, Implication, SharedWeight, WeightedSum, Wish
from altfs.problem.constraints import NO_CONSTRAINTS, Constraints
from altfs.problem.overlap import Dissimilarity, Overlap, Tau
from altfs.problem.problem import (
    AGGREGATIONS,
    Aggregation,
    Family,
    FeatureIndices,
    Problem,
    check_constraints,
    in_order,
    overlap_violation,
)
from altfs.problem.results import NAN, FeatureSet, FeatureSets, SearchResult, Status

__all__ = [
    "AGGREGATIONS",
    "NAN",
    "NO_CONSTRAINTS",
    "Aggregation",
    "Constraints",
    "Dissimilarity",
    "Family",
    "FeatureIndices",
    "FeatureSet",
    "FeatureSets",
    "Group",
    "Implication",
    "Overlap",
    "Problem",
    "SearchResult",
    "SharedWeight",
    "Status",
    "Tau",
    "WeightedSum",
    "Wish",
    "check_constraints",
    "in_order",
    "overlap_violation",
]
