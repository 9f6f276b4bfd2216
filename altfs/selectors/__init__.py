"""Selectors: what makes a feature set good, one file each."""

from altfs.selectors.base import Qualities, Selector, SelectorOptions, selectors
from altfs.selectors.part import Part, ScoreKey

__all__ = ["Part", "Qualities", "ScoreKey", "Selector", "SelectorOptions", "selectors"]
