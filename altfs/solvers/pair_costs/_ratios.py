"""Ratios: sum of gains over the root of a sum of costs.

A set beats the ratio v if gain - v sqrt(cost) > 0. In a node the cost lies in a known
interval, in which the root is at least its secant. With the secant the condition has gains
and pair costs only, and is bounded accordingly. Bounds are floats with room for their
rounding. The value of a set is an exact integer.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from altfs._compiled import compiled
from altfs._numbers import FloatArray, IntArray
from altfs.quality.pairs import MORE_BITS, RATIO_BITS

# Exact ratios are integers in limbs of 30 bits, for cases that floats cannot decide.
_LIMB = 30
_MASK = (1 << _LIMB) - 1
# gain**2 times this, in limbs of 0 and 2**_REST, over the cost: the square of the ratio.
_REST = RATIO_BITS + 2 * MORE_BITS - _LIMB


class Exact(NamedTuple):
    """The numbers of ratios as integers."""

    #: Shape (n,). At least 0.
    gains: IntArray
    #: Shape (n, n). Symmetric, at least 0, in multiples of 2**-30.
    costs: IntArray
    base_gain: int
    #: Shape (2,). The second number counts 2**30 times.
    base_cost: IntArray
    #: Shape (n,). Deducted from the ratio for each feature; of any sign.
    prices: IntArray


@compiled()
def scores_by_secant(
    terms: FloatArray, worth: FloatArray, some: IntArray, sums: tuple[float, float, float],
    prices: IntArray, most_paid: int, rest: int, threshold: int,
) -> tuple[float, float]:  # fmt: skip
    """Replace the least cost of some features by the most that each can add to the ratio.

    `sums` are the gain, cost and price of the features chosen before. Returns the part of
    these in a bound, and the size of the numbers of which a bound is made.
    """
    gain, cost, price = sums
    low = cost + np.sort(terms)[:rest].sum()
    high_gain = gain + _largest(worth[some], rest)
    refund = _largest(-1.0 * prices[some], rest) - price
    # The ratio needed if prices cost as little as possible.
    v = threshold - refund
    root = np.sqrt(low)
    spare = 2 * (max(v, 0.0) + high_gain / root + most_paid)
    if v <= 0:
        # Any cost is low enough: the root is at least that of the lowest.
        for p in range(len(some)):
            terms[p] = worth[some[p]] / root - prices[some[p]]
        return gain / root - price, spare
    high = max((high_gain / v) ** 2, low)
    slope = 1.0 / (np.sqrt(low) + np.sqrt(high))
    # ratio <= v + (gain - v root of the cost) / root if that is positive.
    for p in range(len(some)):
        j = some[p]
        terms[p] = (worth[j] - v * slope * terms[p]) / root - prices[j]
    return v + (gain - v * (slope * (cost - low) + root)) / root - price, spare


@compiled()
def _largest(numbers: Any, count: int) -> float:
    """Return the sum of the largest numbers."""
    ordered = np.sort(numbers)
    return float(ordered[len(ordered) - count :].sum())


@compiled()
def exact_value(chosen: IntArray, exact: Exact, ratio: float, part: float) -> int:
    """Return the ratio of a set, rounded down, less its prices.

    The error of `ratio` is at most a `part` of it. The integers decide if rounding could.
    """
    value = int(ratio)
    if abs(ratio - np.rint(ratio)) <= part * ratio:
        gain, cost, more = exact.base_gain, exact.base_cost[0], exact.base_cost[1]
        for p in range(len(chosen)):
            i = chosen[p]
            gain += exact.gains[i]
            for q in range(p + 1):
                cost += exact.costs[i, chosen[q]] & _MASK
                more += exact.costs[i, chosen[q]] >> RATIO_BITS
        value = ratio_floor(gain, cost, more, value)
    return value - int(exact.prices[chosen].sum())


@compiled()
def ratio_floor(gain: int, cost: int, more: int, guess: int) -> int:
    """Return the largest m such that m / 2**MORE_BITS is at most the ratio.

    Parameters
    ----------
    gain : int
        From 0 to 2**60.
    cost, more : int
        The cost is cost + more * 2**30, above 0; both at least 0.
    guess : int
        A number close to m. The search takes longer from further away.

    Examples
    --------
    >>> ratio_floor(3, 4 << 30, 0, 300), 3 * 2**8 // 2
    (384, 384)
    """
    square = np.zeros(8, dtype=np.int64)
    _multiply(_limbs(gain), _limbs(gain), square)
    target = np.zeros(8, dtype=np.int64)
    shift = np.zeros(2, dtype=np.int64)
    shift[1] = 1 << _REST
    _multiply(square[:4], shift, target)
    costs = np.zeros(4, dtype=np.int64)
    costs[0] = cost & _MASK
    carry = (cost >> _LIMB) + (more & _MASK)
    costs[1] = carry & _MASK
    carry = (carry >> _LIMB) + (more >> _LIMB)
    costs[2] = carry & _MASK
    costs[3] = carry >> _LIMB
    m = max(guess, 0)
    while m > 0 and not _is_below(m, costs, target):
        m -= 1
    while _is_below(m + 1, costs, target):
        m += 1
    return m


@compiled()
def _limbs(x: int) -> IntArray:
    limbs = np.zeros(2, dtype=np.int64)
    limbs[0] = x & _MASK
    limbs[1] = x >> _LIMB
    return limbs


@compiled()
def _multiply(a: IntArray, b: IntArray, product: IntArray) -> None:
    """Multiply two numbers of few limbs."""
    product[:] = 0
    for i in range(len(a)):
        carry = 0
        for j in range(len(b)):
            now = product[i + j] + a[i] * b[j] + carry
            product[i + j] = now & _MASK
            carry = now >> _LIMB
        if carry > 0:
            product[i + len(b)] += carry


@compiled()
def _is_below(m: int, costs: IntArray, target: IntArray) -> bool:
    """Return True if m**2 times the cost is at most the target."""
    square = np.zeros(4, dtype=np.int64)
    _multiply(_limbs(m), _limbs(m), square)
    product = np.zeros(8, dtype=np.int64)
    _multiply(square, costs, product)
    for p in range(7, -1, -1):
        if product[p] != target[p]:
            return bool(product[p] < target[p])
    return True
