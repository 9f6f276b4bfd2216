"""Measures of dependence: of a column on the target, and between columns."""

from altfs.kinds.streams.measures.base import Measure, Members
from altfs.kinds.streams.measures.counts import GSquare, SymmetricUncertainty
from altfs.kinds.streams.measures.fisher import FisherZ

__all__ = ["FisherZ", "GSquare", "Measure", "Members", "SymmetricUncertainty"]
