"""Feature sets as bits: the sets that hold a feature, and pairs of compatible sets."""

from __future__ import annotations

from typing import Any

import numpy as np

from altfs._compiled import compiled
from altfs._numbers import Bits, BoolArray, IntArray


@compiled()
def popcount(bits: Any) -> Any:
    """Count the bits of a word that are set."""
    odd, two, four = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333), np.uint64(4)
    x = bits - ((bits >> np.uint64(1)) & odd)
    x = (x & two) + ((x >> np.uint64(2)) & two)
    x = (x + (x >> four)) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((x * np.uint64(0x0101010101010101)) >> np.uint64(56))


@compiled()
def lowest(bits: Any) -> Any:
    """Return the position of the lowest bit of a word that is not zero."""
    return popcount((bits & (~bits + np.uint64(1))) - np.uint64(1))


@compiled()
def all_bits(n: int) -> Any:
    """Return words of 64 bits of which the first n bits are set."""
    mask = np.zeros((n + 63) // 64, dtype=np.uint64)
    for i in range(n):
        mask[i >> 6] |= np.uint64(1) << np.uint64(i & 63)
    return mask


@compiled()
def clear(bits: Bits, positions: IntArray) -> None:
    """Remove positions from a set of bits."""
    for p in positions:
        bits[p >> 6] &= ~(np.uint64(1) << np.uint64(p & 63))


@compiled()
def befriend(
    i: int, sets: IntArray, holders: Bits, max_overlap: int, friends: Bits, ready: Any
) -> tuple[int, int]:
    """Return the row of `friends` with the sets compatible with set i, and the nodes.

    The best sets have a row each, which is computed once. The last row serves all others.
    """
    place = min(i, len(ready))
    if place < len(ready):
        if ready[place]:
            return place, 1
        ready[place] = True
    words = holders.shape[1]
    # The sets that share one feature with it, two, and so on.
    shared = np.zeros((max_overlap + 1, words), dtype=np.uint64)
    for f in sets[i]:
        for t in range(max_overlap, 0, -1):
            for w in range(words):
                shared[t, w] |= shared[t - 1, w] & holders[f, w]
        for w in range(words):
            shared[0, w] |= holders[f, w]
    for w in range(words):
        friends[place, w] = ~shared[max_overlap, w]
    return place, 1 + sets.shape[1] * (max_overlap + 1) * words // 128


def as_bits(flags: BoolArray) -> Bits:
    """Return flags along the last axis as bits, in words of 64.

    Examples
    --------
    >>> as_bits(np.array([True, False, True])).tolist()
    [5]
    """
    packed = np.packbits(flags, axis=-1, bitorder="little")
    words = (flags.shape[-1] + 63) // 64
    padded = np.zeros((*flags.shape[:-1], words * 8), dtype=np.uint8)
    padded[..., : packed.shape[-1]] = packed
    return padded.view(np.uint64)


def bits_of(sets: IntArray, n: int) -> Bits:
    """Return feature sets as bits: feature j is bit j % 64 of word j // 64.

    Examples
    --------
    >>> bits_of(np.array([[0, 2]]), 3).tolist()
    [[5]]
    """
    bits = np.zeros((len(sets), (n + 63) // 64), dtype=np.uint64)
    rows = np.arange(len(sets))
    for column in sets.T:
        bits[rows, column >> 6] |= np.uint64(1) << (column & 63).astype(np.uint64)
    return bits


def holders_of(bits: Bits) -> tuple[IntArray, Bits]:
    """Return the features of each set, without unused ones, and the sets with each feature."""
    flags = np.unpackbits(bits.view(np.uint8), axis=1, bitorder="little").view(np.bool_)
    flags = flags[:, flags.any(axis=0)]
    # One memory layout of all arrays, so that each function is compiled once.
    sets = np.ascontiguousarray(np.nonzero(flags)[1]).reshape(len(bits), -1)
    return sets, as_bits(flags.T)
