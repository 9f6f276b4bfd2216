"""Confidence intervals of medians by a bootstrap over datasets, compiled.

Feature sets of one dataset resemble one another. So datasets are drawn with replacement,
each with all of its values (a cluster bootstrap, Field and Welsh 2007). The interval is
between percentiles of the medians.
"""

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from altfs._compiled import compiled
from altfs._numbers import FloatArray, IntArray

RESAMPLES = 1000  # The number of draws of datasets.
LEVEL = 0.95  # The interval holds 95 % of the medians.
_BLOCK = 64  # The number of values of a sorted group that are skipped at a time.
# Threads share the parts of many values, as compiled code and NumPy do not need the interpreter.
# There are more parts than threads, because some parts take longer.
_FEW = 10_000
_PARTS = 8
_THREADS = 2


@compiled(nogil=True)
def _medians(values: FloatArray, owners: IntArray, starts: IntArray, draws: IntArray) -> FloatArray:
    """Compute the median of each group (sorted values between two starts) in each draw."""
    # Short integers side by side, so that counts of many draws are added at once.
    counts = draws.astype(np.int32)
    of_owners = np.ascontiguousarray(counts.T)
    n_groups, n_draws, n_owners = len(starts) - 1, draws.shape[0], draws.shape[1]
    middles = np.full((n_groups, n_draws), np.nan)
    for group in range(n_groups):
        first, last = starts[group], starts[group + 1]
        n_blocks = (last - first + _BLOCK - 1) // _BLOCK
        # The number of values of each draw before each block, and in the end.
        before = np.zeros((n_blocks + 1, n_draws), np.int32)
        for block in range(n_blocks):
            start = first + block * _BLOCK
            drawn = np.zeros(n_owners, np.int32)
            for i in range(start, min(start + _BLOCK, last)):
                drawn[owners[i]] += 1
            before[block + 1] = before[block]
            for owner in range(n_owners):
                if drawn[owner]:
                    for draw in range(n_draws):
                        before[block + 1, draw] += drawn[owner] * of_owners[owner, draw]
        for draw in range(n_draws):
            total = before[n_blocks, draw]
            if total == 0:
                continue
            # The lower middle value is in the last block with too few values before it.
            block, end = 0, n_blocks
            while end - block > 1:
                middle = (block + end) // 2
                if before[middle, draw] > (total - 1) // 2:
                    end = middle
                else:
                    block = middle
            i, seen, low = first + block * _BLOCK, before[block, draw], np.nan
            while True:
                seen += counts[draw, owners[i]]
                if np.isnan(low) and seen > (total - 1) // 2:
                    low = values[i]
                if seen > total // 2:
                    middles[group, draw] = (low + values[i]) / 2
                    break
                i += 1
    return middles


def draw_datasets(n_datasets: int, seed: int, resamples: int = RESAMPLES) -> IntArray:
    """Count each dataset in each draw: an array of draws by datasets."""
    rng = np.random.default_rng(seed)
    share = np.full(n_datasets, 1 / n_datasets)
    return rng.multinomial(n_datasets, share, size=resamples).astype(np.int64)


def median_intervals(
    values: FloatArray, groups: IntArray, owners: IntArray, draws: IntArray
) -> tuple[FloatArray, FloatArray]:
    """Compute the 95 % intervals of the medians of groups of values.

    Parameters
    ----------
    values : ndarray of float of shape (n,)
        Values without NaN.
    groups : ndarray of int of shape (n,)
        The group of each value: every number from 0 to `n_groups` - 1 occurs.
    owners : ndarray of int of shape (n,)
        The dataset of each value, a column of `draws`.
    draws : ndarray of int of shape (n_draws, n_datasets)
        The draws of :func:`draw_datasets`.

    Returns
    -------
    low, high : ndarray of float of shape (n_groups,)
        NaN for groups of a single dataset.

    Examples
    --------
    >>> values, owners = np.array([1.0, 2.0, 9.0]), np.array([0, 1, 2])
    >>> draws = np.array([[1, 1, 1], [0, 1, 2], [3, 0, 0]])
    >>> low, high = median_intervals(values, np.zeros(3, int), owners, draws)
    >>> [float(x) for x in (*low, *high)]
    [1.05, 8.65]
    """
    if not len(values):
        return np.empty(0), np.empty(0)
    order = np.lexsort((values, groups))
    sizes = np.bincount(groups)
    starts = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
    owners = owners[order].astype(np.int64)
    values = values[order].astype(np.float64)
    # Parts are whole groups, with about the same number of values.
    n_parts = 1 if len(values) < _FEW else min(_PARTS, len(sizes))
    ends = np.searchsorted(starts, np.linspace(0, len(values), n_parts + 1))

    def part(i: int) -> FloatArray:
        return _tails(values, owners, starts[ends[i] : ends[i + 1] + 1], draws)

    with ThreadPoolExecutor(_THREADS) as pool:
        low, high = np.concatenate(list(pool.map(part, range(n_parts))), axis=1)
    return low, high


def _tails(values: FloatArray, owners: IntArray, starts: IntArray, draws: IntArray) -> FloatArray:
    """Return lower and upper ends of groups of sorted values; an array of shape (2, n_groups)."""
    quantiles = np.full((2, len(starts) - 1), np.nan)
    if len(starts) == 1:
        return quantiles
    # reduceat takes its last part to the end of its argument.
    of_groups = owners[: starts[-1]]
    several = np.minimum.reduceat(of_groups, starts[:-1]) < np.maximum.reduceat(
        of_groups, starts[:-1]
    )
    medians = _medians(values, owners, starts, draws)
    # Draws without any dataset of a group have no median. Most groups lack such a draw, and
    # nanquantile is slow.
    full = several & ~np.isnan(medians).any(axis=1)
    tails = ((1 - LEVEL) / 2, (1 + LEVEL) / 2)
    for rows, quantile in ((full, np.quantile), (several & ~full, np.nanquantile)):
        if rows.any():
            quantiles[:, rows] = quantile(medians[rows], tails, axis=1)
    return quantiles
