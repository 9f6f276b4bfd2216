"""Mutual information of columns of numbers, of categories, and of both in one column.

The estimate knows the order of numbers alone, needs no noise, and is the same in any order of
the rows. Less its mean over permutations, a column that knows nothing has about 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from altfs._numbers import FloatArray, IntArray
from altfs.scores._levels import Levels
from altfs.scores.base import Part

#: The number of nearest neighbours of every row.
NEIGHBOURS = 3
# Of this number of permutations, half are the reverse of the others.
_PERMUTATIONS = 20
# Chance needs no more rows than this; its bias falls with their number.
_ROWS_OF_CHANCE = 2000
_SEED = 0
# The largest number of terms in memory at a time.
_VALUES_AT_ONCE = 1 << 20
# Python counts the neighbours of so many values in the time that compiling takes.
_INTERPRETED_VALUES = 60_000


def information(x: Levels, y: Levels) -> float:
    """Estimate the mutual information of two columns, in nats; see :func:`informations`.

    >>> y = Levels.of(np.repeat([0, 1], 50), True)
    >>> x = Levels.of(np.arange(100.0), False)
    >>> round(information(y, y), 2), round(information(x, y), 2)
    (0.69, 0.68)
    """
    return float(informations([x], y)[0])


def informations(columns: Sequence[Levels], y: Levels) -> FloatArray:
    """Estimate the mutual information of columns with a target, in nats, with its bias.

    Both discrete: from their frequencies. One discrete: Ross, *Mutual Information between
    Discrete and Continuous Data Sets*, PLoS ONE 2014, on ranks. None: Kraskov et al. 2004, on
    ranks. Rows that are equal to their neighbours count as in Gao, Kannan, Oh, Viswanath,
    *Estimating Mutual Information for Discrete-Continuous Mixtures*, NeurIPS 2017. A class with a
    single row tells nothing.
    """
    values = np.zeros(len(columns))
    numbers = []
    for j, x in enumerate(columns):
        if min(len(x.counts), len(y.counts)) < 2:
            continue
        if x.discrete and y.discrete:
            values[j] = _of_frequencies(x, y)
        elif x.discrete:
            values[j] = _with_classes([y], x)[0]
        else:
            numbers.append(j)
    step = max(1, _VALUES_AT_ONCE // len(y.codes))
    for a in range(0, len(numbers), step):
        block = numbers[a : a + step]
        estimate = _with_classes if y.discrete else _of_numbers
        values[block] = estimate([columns[j] for j in block], y)
    return values


def chance(x: Levels, y: Levels) -> float:
    """Return the mean of :func:`information` over permutations of one column.

    It is exact if both are discrete: Vinh, Epps, Bailey, *Information Theoretic Measures for
    Clusterings Comparison*, JMLR 2010. Otherwise it is a mean over 20 permutations of at most
    2,000 rows, the same in any order of the rows.

    >>> y = Levels.of(np.repeat([0, 1], 5), True)
    >>> ids = Levels.of(np.arange(10), True)
    >>> abs(chance(ids, y) - information(ids, y)) < 1e-12
    True
    """
    if min(len(x.counts), len(y.counts)) < 2:
        return 0.0
    if x.discrete and y.discrete:
        return _expected(*(np.sort(c.counts).tobytes() for c in (x, y)))
    n = len(x.codes)
    x, y = x.thinned(_ROWS_OF_CHANCE), _in_order_of_size(y).thinned(_ROWS_OF_CHANCE)
    # A feature without ties has the chance of all of these.
    mean = _mean_of_permutations(x.counts.tobytes(), x.discrete, y.counts.tobytes(), y.discrete)
    return mean * len(x.codes) / n


@lru_cache(maxsize=256)
def _mean_of_permutations(
    x_counts: bytes, x_discrete: bool, y_counts: bytes, y_discrete: bool
) -> float:
    """Return the mean information of columns of some numbers of equal rows."""
    x, y = (
        Levels.sorted(np.frombuffer(counts, dtype=np.int64), discrete)
        for counts, discrete in ((x_counts, x_discrete), (y_counts, y_discrete))
    )
    random, values = np.random.default_rng(_SEED), []
    for _ in range(_PERMUTATIONS // 2):
        codes = random.permutation(y.codes)
        # With the reverse of each permutation, a falling column has the values of a rising one.
        values += [information(x, y.arranged(c)) for c in (codes, codes[::-1].copy())]
    return float(np.mean(values))


def _in_order_of_size(y: Levels) -> Levels:
    """Return classes in order of their sizes, whatever their coding; numbers stay."""
    if not y.discrete:
        return y
    order = np.argsort(y.counts, kind="stable")
    return Levels(np.argsort(order)[y.codes], y.counts[order], True)


def _of_frequencies(x: Levels, y: Levels) -> float:
    from scipy.special import entr

    n = len(x.codes)
    pairs = x.codes * len(y.counts) + y.codes
    both = np.sort(np.unique(pairs, return_counts=True)[1])
    entropies = [entr(np.sort(counts) / n).sum() for counts in (x.counts, y.counts, both)]
    return float(entropies[0] + entropies[1] - entropies[2])


def _with_classes(columns: Sequence[Levels], classes: Levels) -> FloatArray:
    from scipy.special import digamma

    from altfs._compiled import run
    from altfs.scores.mixed._counts import neighbours_with_classes

    of_class, of_all = run(
        neighbours_with_classes, len(columns) * len(classes.codes), _INTERPRETED_VALUES,
        *_stacked(columns), classes.codes, classes.first, NEIGHBOURS,
    )  # fmt: skip
    n = len(classes.codes)
    sizes = np.repeat(classes.counts, classes.counts)
    several = sizes > 1
    terms = digamma(of_class[:, several]) - digamma(of_all[:, several])
    shared = float(digamma(n)) * int(several.sum()) - digamma(np.sort(sizes[several])).sum()
    values: FloatArray = (shared + _sums(terms)) / n
    return values


def _of_numbers(columns: Sequence[Levels], y: Levels) -> FloatArray:
    from scipy.special import digamma

    from altfs.scores.mixed._counts import neighbours_of_numbers
    from altfs.scores.mixed._neighbours import stripes

    n = len(y.codes)
    spreads = [np.array([_spread(x) for x in columns]), np.full(len(columns), _spread(y))]
    both, of_x, of_y = neighbours_of_numbers(
        *_stacked(columns),
        (y.codes, y.places, y.first, y.order.astype(np.int32)),
        stripes(n, *spreads),
        np.array([_equal_rows(x, y) for x in columns]),
        NEIGHBOURS,
    )
    terms = digamma(both) - digamma(of_x) - digamma(of_y)
    return float(digamma(n)) + _sums(terms) / n


def _sums(terms: FloatArray) -> FloatArray:
    """Return the sum of each row of a matrix, the same in any order of its columns."""
    sums: FloatArray = np.sort(terms, axis=1).sum(axis=1)
    return sums


def _stacked(
    columns: Sequence[Levels],
) -> tuple[IntArray, IntArray, IntArray, IntArray, IntArray]:
    """Return order, codes, places, first and offsets of columns for the kernels."""
    offsets = np.cumsum([0, *(len(x.counts) for x in columns)])
    return (
        np.array([x.order for x in columns]),
        np.array([x.codes for x in columns]),
        np.concatenate([x.places for x in columns]),
        np.concatenate([x.first for x in columns]),
        offsets,
    )


def _spread(x: Levels) -> int:
    """Return the number of levels; with large groups of equal rows as if they were few."""
    return max(2, int(len(x.codes) ** 2 / (x.counts.astype(np.float64) ** 2).sum()))


def _equal_rows(x: Levels, y: Levels) -> IntArray:
    """Return the number of rows that are equal in both columns, for each row."""
    if x.distinct or y.distinct:
        return np.ones(len(x.codes), dtype=np.int64)
    pairs = x.codes * len(y.counts) + y.codes
    _, places, counts = np.unique(pairs, return_inverse=True, return_counts=True)
    equal: IntArray = counts[places].astype(np.int64)
    return equal


@lru_cache(maxsize=1 << 15)
def _expected(x_counts: bytes, y_counts: bytes) -> float:
    """Return the mean information of two discrete columns over all permutations.

    Their numbers of equal rows are in ascending order, so the value does not depend on the coding.
    """
    from scipy.sparse import coo_matrix
    from sklearn.metrics.cluster import expected_mutual_information

    places = [
        np.repeat(np.arange(len(counts)), counts)
        for counts in (np.frombuffer(some, dtype=np.int64) for some in (x_counts, y_counts))
    ]
    n = len(places[0])
    table = coo_matrix((np.ones(n, dtype=np.int64), places)).tocsr()
    return float(expected_mutual_information(table, n))


def with_target(levels: Sequence[Levels], y: Levels) -> FloatArray:
    """Return the information of columns about a target in nats, less chance.

    A column that tells less than by chance has a negative value, a constant has 0.
    """
    # Columns without ties have the same chance, and so have those with the same ties.
    chances: dict[bytes, float] = {}
    for x in levels:
        if x.pattern not in chances:
            chances[x.pattern] = chance(x, y)
    values: FloatArray = informations(levels, y)
    values -= [chances[x.pattern] for x in levels]
    return values


class MixedPairs:
    """Mutual information of pairs of the features of a part, the same in both directions.

    Discrete features have it less chance. That of others has hardly any bias.
    """

    def __init__(self, part: Part, columns: Sequence[int]) -> None:
        self._levels, self._columns = part.levels, columns

    def __call__(self, features: npt.ArrayLike, targets: npt.ArrayLike) -> FloatArray:
        """Estimate I(feature, target) in nats; `targets` are places in the columns."""
        pairs = zip(np.asarray(features).tolist(), np.asarray(targets).tolist(), strict=True)
        return np.array([self._value(j, self._columns[place]) for j, place in pairs])

    def _value(self, i: int, j: int) -> float:
        x, y = self._levels[min(i, j)], self._levels[max(i, j)]
        both = x.discrete and y.discrete
        return information(x, y) - (chance(x, y) if both else 0.0)
