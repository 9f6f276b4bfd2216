"""Features that alone tell something about the target."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
from scipy.special import log_ndtr
from scipy.stats import chi2, rankdata

from altfs._numbers import BoolArray, FloatArray, IntArray
from altfs.scores.base import Part, dense
from altfs.scores.independence import TargetCodes, coded, codes, standardised

#: So many shuffled targets are compared, and at most so many rows.
N_SHUFFLES, MOST_ROWS = 200, 10_000
# Of so many shuffled targets, one has a feature above chance.
_ONE_OF = 20
# Rare levels are one, as the distribution of the statistic needs some rows in each.
_MOST_LEVELS, _FEWEST_OF_LEVEL = 20, 5
_COLUMNS_AT_ONCE, _NUMBERS_AT_ONCE = 64, 8_000_000
_SEED = 0


def above_chance(part: Part) -> BoolArray:
    """Return which features alone tell more about the target than by chance.

    The evidence of a feature is the smaller one of two p-values: that of its rank correlation with
    a target of numbers or two classes, and that of Pearson's chi-squared statistic of its levels.
    The largest evidence of all features is above chance for one of twenty shuffled targets,
    however many features there are (Westfall and Young 1993, single-step maximum). Rows are taken
    as independent.

    Parameters
    ----------
    part : Part
        Of more than 10,000 rows, a sample is used.

    Returns
    -------
    ndarray of bool of shape (n_features,)

    Examples
    --------
    >>> random = np.random.default_rng(0)
    >>> X = random.normal(size=(200, 4))
    >>> above_chance(Part(X, (X[:, 2] > 0).astype(int), "binary", 0))
    array([False, False,  True, False])
    """
    order, random = part.canonical_rows(), np.random.default_rng(_SEED)
    rows = random.permutation(order)[:MOST_ROWS]
    classes = TargetCodes(part.y, part.target_type).of(part.y[rows]).values
    ranks = None
    if part.target_type != "multiclass":
        ranks = classes if part.target_type == "binary" else rankdata(part.y[rows])
    orders = [random.permutation(len(rows)) for _ in range(N_SHUFFLES)]
    orders.insert(0, np.arange(len(rows)))
    observed, largest = [], np.zeros(N_SHUFFLES)
    for columns in _chunks(part, rows):
        evidence = _of_levels(columns, classes, orders)
        if ranks is not None:
            np.maximum(evidence, _of_ranks(columns, ranks, orders), out=evidence)
        observed.append(evidence[:, 0])
        np.maximum(largest, evidence[:, 1:].max(axis=0), out=largest)
    least = np.sort(largest)[-((N_SHUFFLES + 1) // _ONE_OF)]
    above: BoolArray = np.concatenate(observed) > least
    return above


#: Columns, and which of them are categories.
_Chunk = tuple[FloatArray, BoolArray]


def _chunks(part: Part, rows: IntArray) -> Iterator[_Chunk]:
    for start in range(0, part.X.shape[1], _COLUMNS_AT_ONCE):
        places = slice(start, start + _COLUMNS_AT_ONCE)
        yield dense(part.X[:, places])[rows], part.categorical[places]


def _of_ranks(chunk: _Chunk, target: npt.NDArray[np.generic], orders: list[IntArray]) -> FloatArray:
    """Return less the logarithm of the p-values of rank correlations; 0 for categories."""
    X, categorical = chunk
    x, y = standardised(rankdata(X, axis=0).T), standardised(target[None, :].astype(np.float64))[0]
    r = x @ np.array([y[order] for order in orders]).T
    evidence: FloatArray = -np.minimum(np.log(2) + log_ndtr(-np.abs(r) * np.sqrt(len(y) - 1)), 0.0)
    evidence[categorical] = 0.0
    return evidence


def _of_levels(chunk: _Chunk, classes: IntArray, orders: list[IntArray]) -> FloatArray:
    """Return less the logarithm of the p-values of the levels' chi-squared statistics."""
    X, categorical = chunk
    n = len(classes)
    levels = [_levels(x, bool(c)) for x, c in zip(X.T, categorical, strict=True)]
    n_levels = np.array([one.max() + 1 for one in levels])
    starts = np.concatenate([[0], np.cumsum(n_levels)])
    members = np.zeros((n, starts[-1]))
    for start, one in zip(starts, levels, strict=False):
        members[np.arange(n), start + one] = 1.0
    members /= np.sqrt(members.sum(axis=0))
    of_class = np.eye(classes.max() + 1)[classes]
    of_class /= np.sqrt(np.maximum(of_class.sum(axis=0), 1.0))
    statistics = []
    at_once = max(1, _NUMBERS_AT_ONCE // of_class.size)
    for first in range(0, len(orders), at_once):
        targets = np.stack([of_class[order] for order in orders[first : first + at_once]], axis=1)
        counts = (members.T @ targets.reshape(n, -1)).reshape(len(members.T), *targets.shape[1:])
        of_level = (counts**2).sum(axis=2)
        statistics.append(n * (np.add.reduceat(of_level, starts[:-1], axis=0) - 1.0))
    freedom = (n_levels - 1) * (len(np.unique(classes)) - 1)
    values = np.concatenate(statistics, axis=1)
    evidence: FloatArray = -chi2.logsf(values, np.maximum(freedom, 1)[:, None])
    evidence[freedom == 0] = 0.0
    return evidence


def _levels(values: FloatArray, categorical: bool) -> IntArray:
    """Return the level of each row; levels of few rows are one."""
    level = (codes if categorical else coded)(values).values
    counts = np.bincount(level)
    rank = np.argsort(np.argsort(-counts, kind="stable"))
    kept = (counts >= _FEWEST_OF_LEVEL) & (rank < _MOST_LEVELS)
    return codes(np.where(kept, rank, len(counts))[level]).values
