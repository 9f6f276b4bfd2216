"""Measures of how much two columns depend on each other, which selectors can take."""

from altfs.scores.dependences.base import Dependence, dependences

__all__ = ["Dependence", "dependences"]
