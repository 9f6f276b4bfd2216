"""Qualities of feature sets, as data.

Qualities do not depend on selectors, searches or solvers. Solvers declare which kinds of
quality they handle.
"""

from altfs._numbers import SCALE_BITS
from altfs.quality.base import Quality
from altfs.quality.batched_box import BatchedBox
from altfs.quality.black_box import BlackBox
from altfs.quality.linear import Linear
from altfs.quality.pairs import Pairwise, Ratio
from altfs.quality.stored import from_table
from altfs.quality.tree_training import TreeTraining

__all__ = [
    "SCALE_BITS",
    "BatchedBox",
    "BlackBox",
    "Linear",
    "Pairwise",
    "Quality",
    "Ratio",
    "TreeTraining",
    "from_table",
]
