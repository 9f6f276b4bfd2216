"""Fronts: the feature sets that no other one dominates.

Nothing here knows searches, solvers or selectors: a front is made of the curves of a quality.
"""

from altfs.fronts.dominance import Dominance
from altfs.problem.front import Front

__all__ = ["Dominance", "Front"]
