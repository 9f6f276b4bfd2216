"""Bins between quantiles that are exact fractions, as a judge."""

from fractions import Fraction
from math import ceil, floor

import numpy as np


def binned(values, learned, bins):
    """The bins of values: how many of the cuts of those learned from are below each."""
    ordered = [Fraction(value) for value in sorted(learned)]
    cuts = set()
    for k in range(1, bins):
        place = Fraction(k * (len(ordered) - 1), bins)
        lower, upper = ordered[floor(place)], ordered[ceil(place)]
        cuts.add(lower + (upper - lower) * (place - floor(place)))
    return np.array([sum(Fraction(value) > cut for cut in cuts) for value in values])
