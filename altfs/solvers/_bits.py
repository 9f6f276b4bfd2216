"""Feature sets as bits: who has a feature, and who goes with whom, 64 sets at a time."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit

IntArray = npt.NDArray[np.int64]
Bits = npt.NDArray[np.uint64]


@njit(cache=True)
def popcount(bits: Any) -> Any:
    """How many bits of a word are set."""
    odd, two, four = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333), np.uint64(4)
    x = bits - ((bits >> np.uint64(1)) & odd)
    x = (x & two) + ((x >> np.uint64(2)) & two)
    x = (x + (x >> four)) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((x * np.uint64(0x0101010101010101)) >> np.uint64(56))


@njit(cache=True)
def lowest(bits: Any) -> Any:
    """Position of the lowest bit of a word that is not zero."""
    return popcount((bits & (~bits + np.uint64(1))) - np.uint64(1))


@njit(cache=True)
def all_bits(n: int) -> Any:
    """The first n bits set, in words of 64."""
    mask = np.zeros((n + 63) // 64, dtype=np.uint64)
    for i in range(n):
        mask[i >> 6] |= np.uint64(1) << np.uint64(i & 63)
    return mask


@njit(cache=True)
def befriend(
    i: int, sets: IntArray, holders: Bits, max_overlap: int, friends: Bits, known: Any
) -> tuple[int, int]:
    """The row of `friends` with the sets that go with set i, and the nodes.

    Rows are remembered for the sets that have one, the best ones; the last row
    serves all others.
    """
    place = min(i, len(known))
    if place < len(known):
        if known[place]:
            return place, 1
        known[place] = True
    words = holders.shape[1]
    # Who has one feature in common with it, two, and so on.
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


def holders_of(bits: Bits) -> tuple[IntArray, Bits]:
    """The features of each set, without those that no set has, and the sets with each feature."""
    flags = np.unpackbits(bits.view(np.uint8), axis=1, bitorder="little")
    flags = flags[:, flags.any(axis=0)]
    sets = np.nonzero(flags)[1].reshape(len(bits), -1)
    words = (len(bits) + 63) // 64
    holders = np.zeros((flags.shape[1], words * 8), dtype=np.uint8)
    packed = np.packbits(flags.T, axis=1, bitorder="little")
    holders[:, : packed.shape[1]] = packed
    return sets, holders.view(np.uint64)
