"""Selectors: what makes a feature set good, one file each."""

from altfs.scores.base import Part, ScoreKey
from altfs.selectors.base import Qualities, Selector, SelectorOptions, selectors

__all__ = ["Part", "Qualities", "ScoreKey", "Selector", "SelectorOptions", "selectors"]
