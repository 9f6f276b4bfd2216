"""Alternative feature selection: several good feature sets, provably different."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from altfs import quality
    from altfs.kinds.acquisition.alternative_acquisition import AlternativeAcquisition
    from altfs.kinds.rows.alternative_explanations import AlternativeExplanations
    from altfs.kinds.streams.feature_stream import FeatureStream
    from altfs.kinds.streams.online import OnlineAlternatives
    from altfs.library.estimator import AlternativeFeatures
    from altfs.problem.conditions import Group, Implication, SharedWeight, WeightedSum, Wish
    from altfs.problem.constraints import Constraints
    from altfs.problem.results import FeatureSet
    from altfs.searches.feasibility import explain_feasibility
    from altfs.searches.random import search_randomly
    from altfs.searches.sequential import search_sequentially
    from altfs.searches.simultaneous import search_simultaneously

# Imported on the first access, so that importing altfs is fast.
_LAZY = {
    "AlternativeAcquisition": "altfs.kinds.acquisition.alternative_acquisition",
    "AlternativeExplanations": "altfs.kinds.rows.alternative_explanations",
    "AlternativeFeatures": "altfs.library.estimator",
    "Constraints": "altfs.problem.constraints",
    "FeatureSet": "altfs.problem.results",
    "FeatureStream": "altfs.kinds.streams.feature_stream",
    "Group": "altfs.problem.conditions",
    "Implication": "altfs.problem.conditions",
    "OnlineAlternatives": "altfs.kinds.streams.online",
    "SharedWeight": "altfs.problem.conditions",
    "WeightedSum": "altfs.problem.conditions",
    "Wish": "altfs.problem.conditions",
    "explain_feasibility": "altfs.searches.feasibility",
    "search_randomly": "altfs.searches.random",
    "search_sequentially": "altfs.searches.sequential",
    "search_simultaneously": "altfs.searches.simultaneous",
}

__all__ = [
    "AlternativeAcquisition",
    "AlternativeExplanations",
    "AlternativeFeatures",
    "Constraints",
    "FeatureSet",
    "FeatureStream",
    "Group",
    "Implication",
    "OnlineAlternatives",
    "SharedWeight",
    "WeightedSum",
    "Wish",
    "__version__",
    "explain_feasibility",
    "quality",
    "search_randomly",
    "search_sequentially",
    "search_simultaneously",
]


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return getattr(importlib.import_module(_LAZY[name]), name)
    if name == "quality":
        return importlib.import_module("altfs.quality")
    raise AttributeError(f"module 'altfs' has no attribute '{name}'")
