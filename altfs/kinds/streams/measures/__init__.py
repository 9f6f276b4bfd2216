"""Measures of dependence: of a column on the target, and between columns."""

from altfs.kinds.streams.measures.counts import GSquare, SymmetricUncertainty
from altfs.kinds.streams.measures.fisher import FisherZ

Measure = FisherZ | SymmetricUncertainty

__all__ = ["FisherZ", "GSquare", "Measure", "SymmetricUncertainty"]
