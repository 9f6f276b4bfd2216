"""Random numbers that depend on a seed and on numbers of what is drawn, and on nothing else.

Every subset, pair and group of features has a generator of its own. So the division of work
among threads and workers does not change a value.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from altfs._compiled import compiled

#: What a generator is for. Different purposes have different numbers.
SUBSETS, SLICES, PAIRS, GROUPS, GROUP_SLICES, SETS, CHANCE, SETS_WITHIN = range(1, 9)

_STEP = np.uint64(0x9E3779B97F4A7C15)
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_30, _27, _31, _11 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(11)

State = npt.NDArray[np.uint64]


@compiled(nogil=True)
def mixed(state: Any, number: int) -> Any:
    """Return a state of 64 bits that depends on a state and a number (splitmix64).

    Source: Steele, Lea and Flood, *Fast Splittable Pseudorandom Number Generators*,
    OOPSLA 2014.
    """
    z = state + np.uint64(number) * _STEP + _STEP
    z = (z ^ (z >> _30)) * _FIRST
    z = (z ^ (z >> _27)) * _SECOND
    return z ^ (z >> _31)


@compiled(nogil=True)
def begin(state: State, seed: int, purpose: int, number: int) -> None:
    """Set the state of a generator, an array of shape (1,), to its first one."""
    state[0] = mixed(mixed(mixed(np.uint64(0), seed), purpose), number)


@compiled(nogil=True)
def below(state: State, bound: int) -> int:
    """Draw a whole number from 0 to bound - 1."""
    state[0] += _STEP
    z = state[0]
    z = (z ^ (z >> _30)) * _FIRST
    z = (z ^ (z >> _27)) * _SECOND
    z = z ^ (z >> _31)
    return int(np.float64(z >> _11) * 2.0**-53 * bound)


@compiled(nogil=True)
def draw_subsets(
    numbers: npt.NDArray[np.int64], seed: int, n_total: int, least: int, most: int
) -> npt.NDArray[np.int64]:
    """Draw the subsets of some numbers: of any size from `least` to `most`, equally likely.

    The result has a row of shape (most,) for each number: the features in ascending order, and
    -1 in place of further ones.
    """
    state = np.zeros(1, dtype=np.uint64)
    drawn = np.full((len(numbers), most), -1, dtype=np.int64)
    for i in range(len(numbers)):
        begin(state, seed, SUBSETS, numbers[i])
        size = least + below(state, most - least + 1)
        row = drawn[i]
        # Floyd's algorithm: each new number from a longer range, or the end of that range.
        for place in range(size):
            end = n_total - size + place
            number = below(state, end + 1)
            for other in row[:place]:
                if other == number:
                    number = end
                    break
            at = place
            while at > 0 and row[at - 1] > number:
                row[at] = row[at - 1]
                at -= 1
            row[at] = number
    return drawn


@compiled(nogil=True)
def shuffled(values: npt.NDArray[np.int64], seed: int, purpose: int, number: int) -> None:
    """Shuffle values in place."""
    state = np.zeros(1, dtype=np.uint64)
    begin(state, seed, purpose, number)
    for left in range(len(values), 1, -1):
        other = below(state, left)
        values[left - 1], values[other] = values[other], values[left - 1]
