"""The entropy trees and forests of scikit-learn on many feature sets, to the last bit, compiled.

Rows that are equal in a set are one *pattern*; its rows are counted by class once. A node has the
patterns with rows that the tree is grown on, and *passengers*: those without, which only follow
the cuts. So a tree is grown and asked in one pass, and is not kept.

Every cut of a node is first weighed by a sum of c log c, from a table. It equals what
scikit-learn compares but for rounding. Only cuts that rounding cannot tell apart are compared by
scikit-learn's own formula, in its order of operations. Features are drawn as there, with its
generator. The tricks and their gains are measured by ``benchmarks/trees.py``.

Counts of classes are packed: two classes, of 32 bits each, are a word of 64 bits. Where functions
count with unsigned numbers, numba leaves out its tests for negative indices, which is a third of
the time on large data.

Importing this module imports numba.
"""

from __future__ import annotations

from math import sqrt
from typing import Any, NamedTuple

import numpy as np

from altfs._compiled import compiled
from altfs._numbers import FloatArray, IntArray
from altfs.prediction.set_trees._cuts import (
    CUTS,
    HALF,
    LEAF,
    LOW,
    NEAR,
    ONE_LEVEL,
    SEEN,
    RankedColumns,
    Tables,
    U,
    Words,
    chosen_cut,
    compiled_part,
    count_few,
    count_ranks,
    last_rank,
    loses,
    rows_in,
    weigh,
)

# The columns before the counts, of nodes that wait and of those that are recorded.
_STACK, _NODES = 6, 5


class Growth(NamedTuple):
    """The parameters of trees, the same for all sets."""

    #: How often each training row counts, of shape (n_trees, n_train).
    weights: Any
    #: The state of each tree's generator.
    states: IntArray
    #: Whether the square root of the number of features is drawn at each node, or all are.
    draws: bool
    tables: Tables


class _Scratch(NamedTuple):
    """Memory that all sets share."""

    #: The patterns of the nodes, and the passengers; spare room for cutting both.
    inside: Any
    outside: Any
    spare: Any
    #: Counts by rank, in words; which ranks occur, and which words of these bits are not 0.
    histogram: IntArray
    bits: Any
    tops: Any
    #: Keys to sort; the ranks of a feature in a node, each with its counts.
    keys: IntArray
    seen: IntArray
    #: The order in which features are drawn, and those that are constant.
    order: IntArray
    constants: IntArray
    #: Nodes that wait: begins and ends of patterns and passengers, constants, parent, counts.
    stack: IntArray
    #: The best cuts of a node: feature, ranks on both sides, counts on the left.
    cuts: IntArray
    #: The counts of a node, and those on one side of a cut.
    counts: IntArray


@compiled_part
def _part(
    codes: Any, feature: int, last: int, patterns: Any, spare: Any, start: int, end: int
) -> int:
    """Move the patterns of a node up to a rank to its begin, in their order; return where."""
    at, n_right = U(start), U(0)
    for i in range(U(start), U(end)):
        pattern = patterns[i]
        right = U(U(codes[feature, pattern]) > U(last))
        patterns[at] = pattern
        spare[n_right] = pattern
        at += U(1) - right
        n_right += right
    for i in range(n_right):
        patterns[at + i] = spare[i]
    # A signed number, in the types of numba.
    return np.int64(at)  # type: ignore[return-value]


@compiled_part
def _add_shares(
    words: Words,
    counts: IntArray,
    rows: int,
    patterns: Any,
    start: int,
    end: int,
    probabilities: FloatArray,
) -> None:
    """Add the shares of a leaf's classes to those of its patterns or passengers."""
    for v in range(len(words)):
        for half in range(2):
            count = (counts[0, v] >> (half * HALF)) & LOW
            if count > 0:
                share = count / float(rows)
                for i in range(U(start), U(end)):
                    probabilities[patterns[i], 2 * v + half] += share


@compiled_part
def _push(
    words: Words,
    stack: IntArray,
    top: int,
    node: tuple[int, ...],
    table: IntArray,
    row: int,
    first: int,
) -> None:
    for i in range(_STACK):
        stack[top, i] = node[i]
    for v in range(len(words)):
        stack[top, _STACK + v] = table[row, first + v]


@compiled_part
def _record(
    words: Words,
    nodes: IntArray,
    n_nodes: int,
    parent: int,
    cuts: IntArray,
    cut: int,
    counts: IntArray,
) -> None:
    """Write a node: feature, ranks on both sides of the cut, children, counts."""
    if parent >= 0:
        nodes[parent >> 1, 3 + (parent & 1)] = n_nodes
    for i in range(3):
        nodes[n_nodes, i] = cuts[cut, i]
    nodes[n_nodes, 3] = nodes[n_nodes, 4] = -1
    for v in range(len(words)):
        nodes[n_nodes, _NODES + v] = counts[0, v]


@compiled_part
def _grow(
    words: Words,
    columns: RankedColumns,
    weights: Any,
    tables: Tables,
    scratch: _Scratch,
    root: tuple[int, int, int],
    most: int,
    probabilities: Any,
    nodes: Any,
) -> int:
    """Grow one tree; add the shares of its leaves to the probabilities of the patterns.

    At most `most` features with several values are drawn at a node, and others until there is
    one. The root has a number of patterns, of passengers, and the state of the generator; its
    counts are on the stack. Nodes are recorded where there is room for them. Returns their number.
    """
    # Numba counts the references to an array wherever it is read from a tuple, and for each
    # view. So the loop uses names of whole arrays only.
    codes, n_codes, values, nears = columns
    c_log_c, terms = tables
    inside, outside, spare, histogram, bits, tops, keys, seen = scratch[:8]
    order, constants, stack, cuts, counts = scratch[8:]
    n_inside, n_outside, state = root
    n_features = len(order)
    for j in range(n_features):
        order[j] = j
    stack[0, 0] = stack[0, 2] = stack[0, 4] = 0
    stack[0, 1], stack[0, 3], stack[0, 5] = n_inside, n_outside, -1
    total = rows_in(words, stack, 0, _STACK)
    waiting, n_nodes = 1, 0
    while waiting > 0:
        waiting -= 1
        start, end = stack[waiting, 0], stack[waiting, 1]
        p_start, p_end = stack[waiting, 2], stack[waiting, 3]
        known, parent = stack[waiting, 4], stack[waiting, 5]
        n_classes: Any = 0
        for v in range(len(words)):
            word = stack[waiting, _STACK + v]
            counts[0, v] = word
            n_classes += np.int64((word & LOW) > 0) + np.int64((word >> HALF) > 0)
        rows = rows_in(words, counts, 0, 0)
        top, n_cuts, pick, n_constant = -1e300, 0, 0, known
        left_to_draw, visited, new, old = n_features, 0, 0, 0
        if n_classes == 1:
            left_to_draw = 0
        while left_to_draw > n_constant and (visited < most or visited <= new + old):
            visited += 1
            state ^= (state << 13) & LOW
            state ^= state >> 17
            state ^= (state << 5) & LOW
            place: Any = old + np.int64(U(state & 0x7FFFFFFF) % U(left_to_draw - new - old))
            if place < known:
                order[old], order[place] = order[place], order[old]
                old += 1
                continue
            place += new
            feature = order[place]
            near = nears[feature]
            if end - start <= 2 or n_codes[feature] > ONE_LEVEL * (end - start):
                n_ranks = count_few(words, codes, feature, weights, inside, keys, seen, start, end)
            else:
                n_ranks = count_ranks(
                    words, codes, feature, n_codes[feature], weights, inside, histogram, bits, tops,
                    seen, start, end,
                )  # fmt: skip
            if n_ranks == 1 or (
                near and values[feature, seen[n_ranks - 1, 0]] <= values[feature, seen[0, 0]] + NEAR
            ):
                order[place], order[n_constant] = order[n_constant], order[place]
                new += 1
                n_constant += 1
                continue
            left_to_draw -= 1
            order[left_to_draw], order[place] = order[place], order[left_to_draw]
            top, n_cuts = weigh(
                words, c_log_c, values, (feature, near), seen, n_ranks, counts, cuts, (top, n_cuts),
                rows,
            )  # fmt: skip
        if visited > 0:
            for j in range(known):
                order[j] = constants[j]
            for j in range(known, known + new):
                constants[j] = order[j]
        if n_cuts > 0:
            pick = chosen_cut(terms, words, counts, cuts, n_cuts, rows)
            if loses(tables, words, counts, cuts, pick, top, rows, total):
                n_cuts = 0
        if n_cuts == 0:
            cuts[pick, 0] = LEAF
            _add_shares(words, counts, rows, inside, start, end, probabilities)
            _add_shares(words, counts, rows, outside, p_start, p_end, probabilities)
        if len(nodes) > 0:
            _record(words, nodes, n_nodes, parent, cuts, pick, counts)
        if n_cuts > 0:
            feature, last, following = cuts[pick, 0], cuts[pick, 1], cuts[pick, 2]
            middle = _part(codes, feature, last, inside, spare, start, end)
            if following - last > 1 and p_end > p_start:
                # Passengers may have values that the node lacks.
                last = last_rank(values, feature, last, following)
            p_middle = _part(codes, feature, last, outside, spare, p_start, p_end)
            for v in range(len(words)):
                counts[0, v] -= cuts[pick, CUTS + v]
            right = (middle, end, p_middle, p_end, n_constant, 2 * n_nodes + 1)
            _push(words, stack, waiting, right, counts, 0, 0)
            left = (start, middle, p_start, p_middle, n_constant, 2 * n_nodes)
            _push(words, stack, waiting + 1, left, cuts, pick, CUTS)
            waiting += 2
        n_nodes += 1
    return n_nodes


@compiled(nogil=True, error_model="numpy")
def _label_patterns(
    columns: RankedColumns, chosen: Any, label: Any, first: Any, table: Any, most: int
) -> int:
    """Give the distinct rows of some columns numbers; return how many there are.

    `label` gets the number of each row, and `first` a row of each number. If there are `most` or
    more, every row is a pattern of its own.
    """
    n_rows, size = len(label), len(table)
    n_patterns = 1
    label[:] = 0
    first[0] = 0
    for feature in chosen:
        codes, n_codes = columns.codes[feature], columns.n_codes[feature]
        direct = n_patterns * n_codes <= size
        for i in range(n_patterns * n_codes if direct else size):
            table[U(i), 0] = -1
        n_patterns = 0
        for i in range(U(n_rows)):
            key = np.int64(label[i]) * n_codes + codes[i]
            at = U(key)
            if not direct:
                at = U((key * 0x9E3779B97F4A7C1) >> 20) & U(size - 1)
                while table[at, 0] != -1 and table[at, 0] != key:
                    at = (at + U(1)) & U(size - 1)
            if table[at, 0] == -1:
                table[at, 0] = key
                table[at, 1] = n_patterns
                first[U(n_patterns)] = i
                n_patterns += 1
            label[i] = table[at, 1]
        if n_patterns >= most:
            for i in range(n_rows):
                label[i] = first[i] = i
            return n_rows
    return n_patterns


@compiled(nogil=True, error_model="numpy")
def _begin_tree(
    words: Words, classes: Any, drawn: Any, label: Any, weights: Any, scratch: _Scratch
) -> tuple[int, int]:
    """Count the classes of each pattern's drawn rows; return numbers of patterns and passengers."""
    stack, inside, outside = scratch.stack, scratch.inside, scratch.outside
    n_words = len(words)
    for v in range(n_words):
        stack[0, _STACK + v] = 0
        for p in range(len(weights)):
            weights[p, v] = 0
    for i in range(U(len(drawn))):
        v, half = (0, classes[i]) if n_words == 1 else (classes[i] >> 1, classes[i] & 1)
        weights[label[i], v] += np.int64(drawn[i]) << (half * HALF)
    n_inside: Any = 0
    n_outside: Any = 0
    for p in range(len(weights)):
        some = np.int64(0)
        for v in range(n_words):
            word = weights[p, v]
            stack[0, _STACK + v] += word
            some |= word
        inside[U(n_inside)] = outside[U(n_outside)] = p
        n_inside += np.int64(some != 0)
        n_outside += np.int64(some == 0)
    return n_inside, n_outside


@compiled(nogil=True, error_model="numpy")
def _scratch(n_rows: int, n_codes: int, n_features: int, n_words: int) -> _Scratch:
    n_bits = (n_codes + 63) // 64
    return _Scratch(
        np.empty(n_rows + 1, dtype=np.uint32),
        np.empty(n_rows + 1, dtype=np.uint32),
        np.empty(n_rows + 1, dtype=np.uint32),
        np.zeros((n_codes, n_words), dtype=np.int64),
        np.zeros(n_bits, dtype=np.uint64),
        np.zeros((n_bits + 63) // 64, dtype=np.uint64),
        np.empty(n_rows + 1, dtype=np.int64),
        np.empty((max(n_rows, n_codes) + 1, SEEN + n_words), dtype=np.int64),
        np.empty(n_features, dtype=np.int64),
        np.empty(n_features, dtype=np.int64),
        np.empty((n_rows + 2, _STACK + n_words), dtype=np.int64),
        np.empty((n_features * n_rows + 1, CUTS + n_words), dtype=np.int64),
        np.empty((2, n_words), dtype=np.int64),
    )


@compiled(nogil=True, error_model="numpy")
def _most_probable(shares: Any, n_trees: int) -> int:
    """Return the first class with the largest mean share."""
    best = 0
    for k in range(1, len(shares)):
        # The means may be equal where the sums are not.
        if shares[k] / n_trees > shares[best] / n_trees:
            best = k
    return best


@compiled(nogil=True, error_model="numpy")
def grow_and_predict(
    words: Words,
    columns: RankedColumns,
    classes: Any,
    n_classes: int,
    sets: Any,
    growth: Growth,
    nodes: Any,
) -> tuple[Any, Any]:
    """Return the predicted classes of all rows by the trees of each set.

    Parameters
    ----------
    columns : RankedColumns
        All features; the training rows are the first ones.
    classes : ndarray of int64 of shape (n_rows,)
        Numbers from 0 to `n_classes` - 1.
    n_classes : int
    sets : ndarray of int64 of shape (n_sets, n_features)
        Column numbers in the order of the model's features.
    growth : Growth
    nodes : ndarray of int64 of shape (n_trees, n_nodes, 5 + n_words)
        The nodes of the last set's trees are recorded in it, unless it has none.

    Returns
    -------
    predicted : ndarray of uint16 of shape (n_sets, n_rows)
    n_nodes : ndarray of int64 of shape (n_trees,)
        The number of nodes of the last set's trees.
    """
    n_sets, n_features = sets.shape
    n_rows, n_trees = len(classes), len(growth.states)
    n_words = len(words)
    most_codes = columns.n_codes.max()
    scratch = _scratch(n_rows, most_codes, n_features, n_words)
    most = int(sqrt(n_features)) if growth.draws else n_features
    # A single tree is not worth more than finding few patterns.
    most_patterns = n_rows if n_trees > 1 else (n_rows + 1) // 2
    size = 1
    while size < 2 * n_rows:
        size *= 2
    table = np.empty((size, 2), dtype=np.int64)
    label, first = np.empty(n_rows, dtype=np.uint32), np.empty(n_rows, dtype=np.int64)
    codes = np.empty((n_features, n_rows), dtype=columns.codes.dtype)
    n_codes, near = np.empty(n_features, dtype=np.int64), np.empty(n_features, dtype=np.bool_)
    values = np.empty((n_features, most_codes), dtype=np.float32)
    predicted = np.empty((n_sets, n_rows), dtype=np.uint16)
    n_nodes = np.zeros(n_trees, dtype=np.int64)
    for q in range(n_sets):
        n_patterns = _label_patterns(columns, sets[q], label, first, table, most_patterns)
        for j in range(n_features):
            feature = sets[q, j]
            n_codes[j], near[j] = columns.n_codes[feature], columns.near[feature]
            for c in range(n_codes[j]):
                values[j, c] = columns.values[feature, c]
            for p in range(n_patterns):
                codes[j, p] = columns.codes[feature, first[p]]
        chosen = RankedColumns(codes, n_codes, values, near)
        weights = np.empty((n_patterns, n_words), dtype=np.int64)
        probabilities = np.zeros((n_patterns, n_classes))
        for t in range(n_trees):
            drawn = growth.weights[t]
            n_inside, n_outside = _begin_tree(words, classes, drawn, label, weights, scratch)
            root = (n_inside, n_outside, growth.states[t])
            record = nodes[t if len(nodes) > 0 else 0]
            n_nodes[t] = _grow(
                words, chosen, weights, growth.tables, scratch, root, most, probabilities, record
            )
        for p in range(n_patterns):
            first[p] = _most_probable(probabilities[p], n_trees)
        for i in range(n_rows):
            predicted[q, i] = first[label[i]]
    return predicted, n_nodes
