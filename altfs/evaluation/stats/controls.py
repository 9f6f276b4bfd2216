"""Two controls: the floor of random sets, and the ceiling of original sets.

The floor is the mean over random valid feature sets, the ceiling the quality of the original
feature set. Both are of the same dataset, fold, selector and size. Relative quality is 0 at
the floor and 1 at the ceiling.
"""

from typing import Any

import numpy as np
import pandas as pd

from altfs.evaluation.results import SET_KEY, Results
from altfs.evaluation.rules import ratio
from altfs.evaluation.stats.roles import CASE, is_random, originals, random_searches

#: The two controls, as columns, and the standard deviation of the random sets of a case.
CONTROLS = ("floor", "ceiling")
NOISE = "noise"


def controls_of(results: Results, rows: pd.DataFrame) -> pd.DataFrame:
    """Compute the floor and the ceiling of a measure.

    Parameters
    ----------
    results : Results
    rows : DataFrame
        All feature sets of the study with their ``value``, also those of random searches.

    Returns
    -------
    DataFrame
        By dataset, fold, selector and size: ``floor`` and ``noise``, the mean and the standard
        deviation over all sets of random searches; ``ceiling``, the value of the original set.
        NaN if there is no such set.
    """
    found = rows[rows["value"].notna()]
    drawn = found[is_random(results, found)]
    draws = drawn.groupby(CASE, observed=True)["value"]
    # Merging is slow, and most rows have other ranks.
    first = found[found["set_index"] == 0]
    best = first.merge(originals(results), on=SET_KEY).set_index(CASE)["value"]
    floor, noise = draws.mean().rename("floor"), draws.std().rename(NOISE)
    return pd.concat([floor, best.rename("ceiling"), noise], axis=1).astype(float)


def compared_with_controls(results: Results, rows: pd.DataFrame) -> pd.DataFrame:
    """Return the feature sets that are not random, with ``floor`` and ``ceiling``.

    If the study has a control, sets without it do not count. A control that the study does
    not have is NaN.
    """
    limits = controls_of(results, rows)
    own = rows[rows["value"].notna() & ~is_random(results, rows)].join(limits, on=CASE)
    there = [c for c in CONTROLS if limits[c].notna().any()]
    return own.dropna(subset=there)


def relative_quality(value: Any, floor: Any, ceiling: Any, noise: Any) -> Any:
    """Scale quality to 0 at the floor and 1 at the ceiling.

    Parameters
    ----------
    value, floor, ceiling : Series or ndarray of float
    noise : Series or ndarray of float
        The standard deviation of random sets. A smaller span is not divided by.

    Returns
    -------
    ndarray of float
        NaN if the ceiling is not above the floor by more than the noise.

    Examples
    --------
    >>> values = np.array([0.9, 0.9]), np.array([0.5, 0.5]), np.array([1.0, 0.51])
    >>> [round(float(x), 3) for x in relative_quality(*values, np.array([0.1, 0.1]))]
    [0.8, nan]
    """
    # Means of equal numbers may differ in the last digits.
    least = np.maximum(noise, 1e-9 * np.maximum(np.abs(ceiling), np.abs(floor)))
    return ratio(value - floor, ceiling - floor, least)


def missing_controls(results: Results) -> list[str]:
    """Return sentences about the controls that the study lacks, for a figure or the notes."""
    said = []
    if not random_searches(results):
        said.append("The study has no search of type random, so there is no floor.")
    if originals(results).empty:
        said.append("No search ranks the sets of a run, so there is no ceiling.")
    return said
