"""Agreement of feature sets that were selected on different folds.

There are three measures, each of many groups of sets at once:

- Nogueira's stability with its asymptotic confidence interval (Nogueira, Sechidis and Brown
  2018, "On the Stability of Feature Selection Algorithms", JMLR 18(174), Definition 4 and
  Theorem 7);
- the mean Jaccard index of all pairs (Kalousis et al. 2007);
- the mean of Kuncheva's consistency index of all pairs (Kuncheva 2007).
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from altfs._numbers import FloatArray
from altfs.evaluation.rules import ALPHA


class Agreement(NamedTuple):
    """The agreement of the sets of each group; every array has the shape (n_groups,)."""

    n: npt.NDArray[np.int64]  # The number of sets of a group.
    #: At most 1; 0 is the mean of random sets. Its interval may lie outside the possible values.
    nogueira: FloatArray
    nogueira_low: FloatArray
    nogueira_high: FloatArray
    jaccard: FloatArray  # From 0, if no pair shares a feature, to 1.
    kuncheva: FloatArray  # A special case of Nogueira's stability, for sets of one size only.


def agreement(chosen: npt.ArrayLike, n_total: float) -> Agreement:
    """Measure how much feature sets agree.

    Parameters
    ----------
    chosen : array-like of shape (n_groups, n_sets, n_columns)
        1 if a set has a feature, else 0. Features in none of the sets may be left out. A row
        without any feature does not count.
    n_total : float
        The number of all features; NaN if it is not known. Then only Jaccard's index has
        values.

    Returns
    -------
    Agreement
        NaN for groups of fewer than two sets. Nogueira's measure is also NaN if every set has
        all features, Kuncheva's also if sizes differ.

    Examples
    --------
    >>> sets = [[[1, 1, 1, 0, 0, 0, 0], [1, 1, 1, 1, 0, 0, 0], [1, 1, 1, 0, 1, 1, 1]]]
    >>> measured = agreement(sets, n_total=10)  # the example of R's package stabm
    >>> round(float(measured.jaccard[0]), 7), round(float(measured.nogueira[0]), 7)
    (0.5595238, 0.4570136)
    """
    z = np.asarray(chosen, dtype=np.float64)
    size = z.sum(axis=2)
    exists = size > 0
    m = exists.sum(axis=1)
    shared = z @ z.transpose(0, 2, 1)
    pairs = exists[:, :, None] & exists[:, None, :] & ~np.eye(z.shape[1], dtype=bool)
    n_pairs = pairs.sum(axis=(1, 2))
    with np.errstate(invalid="ignore", divide="ignore"):
        together = size[:, :, None] + size[:, None, :] - shared
        jaccard = np.where(pairs, shared / together, 0).sum(axis=(1, 2)) / n_pairs
        low, middle, high = _nogueira(z, size, n_total)
        largest = size.max(axis=1, initial=0)
        same = (np.where(exists, size, largest[:, None]) == largest[:, None]).all(axis=1)
        by_chance = largest**2 / n_total
        mean_shared = np.where(pairs, shared, 0).sum(axis=(1, 2)) / n_pairs
        kuncheva = (mean_shared - by_chance) / (largest - by_chance)
        kuncheva[~(same & (largest < n_total))] = np.nan
    return Agreement(m, middle, low, high, jaccard, kuncheva)


def _nogueira(
    z: FloatArray, size: FloatArray, d: float
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return lower end, estimate and upper end."""
    from scipy.special import ndtri

    exists = size > 0
    m = exists.sum(axis=1)
    share = z.sum(axis=1) / m[:, None]
    mean_size = size.sum(axis=1) / m / d
    spread = mean_size * (1 - mean_size)
    # Features in none of the sets add nothing to the sums over features.
    disagreement = m / (m - 1) * (share * (1 - share)).sum(axis=1) / d
    stability = 1 - disagreement / spread
    stability[(m < 2) | ~(spread > 0)] = np.nan
    density = size / d
    part = np.einsum("gsf,gf->gs", z, share) / d - density * mean_size[:, None]
    part += (
        stability[:, None]
        / 2
        * (2 * density * mean_size[:, None] - density - mean_size[:, None] + 1)
    )
    part = np.where(exists, part / spread[:, None], 0)
    centred = np.where(exists, part - (part.sum(axis=1) / m)[:, None], 0)
    variance = 4 / m**2 * (centred**2).sum(axis=1)
    half = ndtri(1 - ALPHA / 2) * np.sqrt(variance)
    return stability - half, stability, stability + half
