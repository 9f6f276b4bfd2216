"""The absolute correlation of Pearson."""

from altfs.scores.dependences._correlation import Correlations
from altfs.scores.dependences.base import dependences


@dependences.register("pearson")
class Pearson(Correlations):
    """Absolute linear correlation; see :class:`Correlations` for categories."""
