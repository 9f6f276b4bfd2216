"""Measures of dependence: of a column on the target, and between columns."""

from altfs.streams.measures.base import Measure
from altfs.streams.measures.counts import GSquare, SymmetricUncertainty
from altfs.streams.measures.fisher import FisherZ

__all__ = ["FisherZ", "GSquare", "Measure", "SymmetricUncertainty"]
