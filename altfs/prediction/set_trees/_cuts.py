"""The cuts of a node of an entropy tree, compiled: counted, weighed and chosen.

Importing this module imports numba.
"""

from __future__ import annotations

from math import inf, log
from typing import Any, NamedTuple

import numpy as np

from altfs._compiled import compiled
from altfs._numbers import BoolArray, FloatArray, IntArray

#: Half of the bits of a word of counts, and the mask of its lower half.
HALF, LOW = 32, (1 << 32) - 1
U = np.uint64
#: Neighbouring values with a smaller difference are equal (scikit-learn's FEATURE_THRESHOLD).
NEAR = np.float32(1e-7)
_EPSILON = float(np.finfo(np.float64).eps)
_LN2 = log(2.0)
# Cuts whose weights differ by less, relatively, are told apart by scikit-learn's formula.
_ROUNDING = 1e-13
# Impurities of at most so many rows are read from a table.
_FEW = 64
# Up to so many values are counted in a plain histogram.
_PLAIN = 16
#: Up to so many are found with one level of bits.
ONE_LEVEL = 512
# A sequence of 64 bits in which each run of six bits occurs once (de Bruijn), and the place in it
# of each run, so that a multiplication finds the place of a single bit.
_SEQUENCE = U(0x03F79D71B4CB0A89)
_PLACES = np.argsort(
    [(int(_SEQUENCE) << place & (1 << 64) - 1) >> 58 for place in range(64)]
).astype(np.uint64)
#: A leaf, in place of the feature of a recorded node.
LEAF = -2


class RankedColumns(NamedTuple):
    """Features as the ranks of their values, without gaps."""

    #: The ranks, of shape (n_columns, n_rows), and how many there are.
    codes: Any
    n_codes: IntArray
    #: The values in float32, of shape (n_columns, the largest number of ranks).
    values: Any
    #: Whether two neighbouring values count as equal.
    near: BoolArray


#: A number for each word of counts. It is a tuple of one number for two classes, so that numba
#: knows its length when it compiles.
Words = tuple[int, ...] | IntArray


class Tables(NamedTuple):
    """Logarithms that are looked up."""

    #: c log2 c of each count.
    c_log_c: FloatArray
    #: The summand of the impurity of `w` rows with `c` of a class, by (w, c).
    terms: FloatArray

    @classmethod
    def of(cls, n_rows: int) -> Tables:
        """Make the tables for trees on a number of rows."""
        counts = np.arange(1.0, n_rows + 1)
        c_log_c = np.concatenate([[0.0], counts * np.log2(counts)])
        terms = np.zeros((_FEW + 1, _FEW + 1))
        for rows in range(1, _FEW + 1):
            for count in range(1, rows + 1):
                share = count / rows
                # NumPy's logarithm may differ from that of C in the last bit.
                terms[rows, count] = share * (log(share) / _LN2)
        return cls(c_log_c, terms)


#: The columns before the counts, of the ranks that a node has, and of its cuts.
SEEN, CUTS = 1, 3


#: Compiles functions that become a part of the machine code of a tree.
compiled_part = compiled(nogil=True, forceinline=True, error_model="numpy")


@compiled_part
def _lowest_bit(word: Any) -> Any:
    """Return the place of the lowest bit of a word that is not 0."""
    return _PLACES[((word & (~word + U(1))) * _SEQUENCE) >> U(58)]


@compiled_part
def _impurity(
    terms: FloatArray, words: Words, table: IntArray, row: int, first: int, rows: int
) -> float:
    """Return the entropy of counts in a row, in scikit-learn's order of operations."""
    entropy = 0.0
    for v in range(len(words)):
        for half in range(2):
            count = (table[row, first + v] >> (half * HALF)) & LOW
            if count == 0:
                continue
            if rows <= _FEW:
                entropy -= terms[U(rows), U(count)]
            else:
                share = count / float(rows)
                entropy -= share * (log(share) / _LN2)
    return entropy


@compiled_part
def rows_in(words: Words, table: IntArray, row: int, first: int) -> int:
    rows = 0
    for v in range(len(words)):
        word = table[row, first + v]
        rows += (word & LOW) + (word >> HALF)
    return rows


@compiled_part
def count_few(
    words: Words,
    codes: Any,
    feature: int,
    weights: Any,
    inside: Any,
    keys: IntArray,
    seen: IntArray,
    start: int,
    end: int,
) -> int:
    """Sort the ranks of a few patterns; return how many differ."""
    for i in range(end - start):
        pattern = inside[U(start + i)]
        key = (np.int64(codes[feature, pattern]) << HALF) | np.int64(pattern)
        j = i
        while j > 0 and keys[U(j - 1)] > key:
            keys[U(j)] = keys[U(j - 1)]
            j -= 1
        keys[U(j)] = key
    n_ranks = 0
    last: Any = np.int64(-1)
    for i in range(end - start):
        code, pattern = keys[U(i)] >> HALF, U(keys[U(i)] & LOW)
        if code != last:
            seen[U(n_ranks), 0] = code
            for v in range(len(words)):
                seen[U(n_ranks), SEEN + v] = 0
            n_ranks, last = n_ranks + 1, code
        for v in range(len(words)):
            seen[U(n_ranks - 1), SEEN + v] += weights[pattern, v]
    return n_ranks


@compiled_part
def _take_bits(
    words: Words, word: Any, base: Any, histogram: IntArray, seen: IntArray, n_ranks: int
) -> int:
    """Move the counts of the ranks of a word of bits to the sorted ones."""
    while word != 0:
        code = base + _lowest_bit(word)
        word &= word - U(1)
        seen[U(n_ranks), 0] = code
        for v in range(len(words)):
            seen[U(n_ranks), SEEN + v] = histogram[code, v]
            histogram[code, v] = 0
        n_ranks += 1
    return n_ranks


@compiled_part
def count_ranks(
    words: Words,
    codes: Any,
    feature: int,
    n_codes: int,
    weights: Any,
    inside: Any,
    histogram: IntArray,
    bits: Any,
    tops: Any,
    seen: IntArray,
    start: int,
    end: int,
) -> int:
    """Count the classes of each rank of a feature in a node; return how many ranks occur."""
    n_words = len(words)
    n_ranks = 0
    if n_codes <= _PLAIN:
        for i in range(U(start), U(end)):
            pattern = inside[i]
            for v in range(n_words):
                histogram[U(codes[feature, pattern]), v] += weights[pattern, v]
        for code in range(n_codes):
            some = np.int64(0)
            seen[U(n_ranks), 0] = code
            for v in range(n_words):
                word = histogram[U(code), v]
                seen[U(n_ranks), SEEN + v] = word
                histogram[U(code), v] = 0
                some |= word
            n_ranks += int(some != 0)
        return n_ranks
    two_levels = n_codes > ONE_LEVEL
    for i in range(U(start), U(end)):
        pattern = inside[i]
        c = U(codes[feature, pattern])
        for v in range(n_words):
            histogram[c, v] += weights[pattern, v]
        bits[c >> U(6)] |= U(1) << (c & U(63))
        if two_levels:
            tops[c >> U(12)] |= U(1) << ((c >> U(6)) & U(63))
    if not two_levels:
        for u in range(U((n_codes + 63) >> 6)):
            n_ranks = _take_bits(words, bits[u], u << U(6), histogram, seen, n_ranks)
            bits[u] = 0
        return n_ranks
    for t in range(U((n_codes + 4095) >> 12)):
        high = tops[t]
        tops[t] = 0
        while high != 0:
            u = (t << U(6)) + _lowest_bit(high)
            high &= high - U(1)
            n_ranks = _take_bits(words, bits[u], u << U(6), histogram, seen, n_ranks)
            bits[u] = 0
    return n_ranks


@compiled_part
def weigh(
    words: Words,
    c_log_c: FloatArray,
    values: Any,
    column: tuple[int, bool],
    seen: IntArray,
    n_ranks: int,
    counts: IntArray,
    cuts: IntArray,
    best: tuple[float, int],
    rows: int,
) -> tuple[float, int]:
    """Weigh the cuts of a feature in a node; keep those that rounding cannot tell from the best.

    Returns the largest weight, and the number of cuts that are kept.
    """
    feature, near = column
    top, n_cuts = best
    margin = _ROUNDING * (c_log_c[rows] + rows)
    n_words = len(words)
    for v in range(n_words):
        counts[1, v] = 0
    # The first word is in a register.
    word = np.int64(0)
    for i in range(U(n_ranks - 1)):
        weight, n_left = 0.0, np.int64(0)
        for v in range(n_words):
            word = (word if n_words == 1 else counts[1, v]) + seen[i, SEEN + v]
            if n_words > 1:
                counts[1, v] = word
            rest = counts[0, v] - word
            low, high = word & LOW, word >> HALF
            n_left += low + high
            weight += (c_log_c[U(low)] + c_log_c[U(high)]) + (
                c_log_c[U(rest & LOW)] + c_log_c[U(rest >> HALF)]
            )
        weight -= c_log_c[U(n_left)] + c_log_c[U(rows - n_left)]
        if weight > top - margin:
            rank, following = seen[i, 0], seen[i + U(1), 0]
            if near and values[feature, following] <= values[feature, rank] + NEAR:
                continue
            if weight > top + margin:
                n_cuts = 0
            top = max(top, weight)
            cuts[n_cuts, 0] = feature
            cuts[n_cuts, 1] = rank
            cuts[n_cuts, 2] = following
            for v in range(n_words):
                cuts[n_cuts, CUTS + v] = word if n_words == 1 else counts[1, v]
            n_cuts += 1
    return top, n_cuts


@compiled_part
def _impurities(
    terms: FloatArray, words: Words, counts: IntArray, cuts: IntArray, cut: int, rows: int
) -> tuple[float, float, float, float]:
    """Return the rows and impurity on the left of a cut, and those on the right."""
    n_left = rows_in(words, cuts, cut, CUTS)
    for v in range(len(words)):
        counts[1, v] = counts[0, v] - cuts[cut, CUTS + v]
    n_right = rows - n_left
    left = _impurity(terms, words, cuts, cut, CUTS, n_left)
    return float(n_left), left, float(n_right), _impurity(terms, words, counts, 1, 0, n_right)


@compiled_part
def chosen_cut(
    terms: FloatArray, words: Words, counts: IntArray, cuts: IntArray, n_cuts: int, rows: int
) -> int:
    """Return the first of the best cuts by scikit-learn's formula."""
    pick, best = 0, -inf
    for cut in range(n_cuts if n_cuts > 1 else 0):
        n_left, left, n_right, right = _impurities(terms, words, counts, cuts, cut, rows)
        gain = -n_right * right - n_left * left
        if gain > best:
            pick, best = cut, gain
    return pick


@compiled_part
def loses(
    tables: Tables,
    words: Words,
    counts: IntArray,
    cuts: IntArray,
    cut: int,
    weight: float,
    rows: int,
    total: int,
) -> bool:
    """Return True if rounding lets a cut lose purity, which makes a leaf."""
    c_log_c, terms = tables
    for v in range(len(words)):
        weight -= c_log_c[counts[0, v] & LOW] + c_log_c[counts[0, v] >> HALF]
    if weight + c_log_c[rows] > 2 * _ROUNDING * (c_log_c[rows] + rows):
        return False
    whole = _impurity(terms, words, counts, 0, 0, rows)
    n_left, left, n_right, right = _impurities(terms, words, counts, cuts, cut, rows)
    gain = (rows / float(total)) * (whole - (n_right / rows * right) - (n_left / rows * left))
    return gain + _EPSILON < 0.0


@compiled_part
def last_rank(values: Any, feature: int, below: int, above: int) -> int:
    """Return the largest rank on the left of a threshold between two ranks of a node."""
    threshold = np.float64(values[feature, below]) / 2.0 + np.float64(values[feature, above]) / 2.0
    while above - below > 1:
        middle = (below + above) >> 1
        if np.float64(values[feature, middle]) <= threshold:
            below = middle
        else:
            above = middle
    return below
