"""Ratios as integers, exactly: what floats cannot decide, in limbs of 30 bits."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit

from altfs._pair_quality import RATIO_BITS

IntArray = npt.NDArray[np.int64]

#: Ratios are compared as integers of this many more bits than the gains have.
MORE_BITS = 8
_LIMB = 30
_MASK = (1 << _LIMB) - 1
# gain**2 times this, in limbs of 0 and 2**_REST, over the cost: the square of the ratio.
_REST = RATIO_BITS + 2 * MORE_BITS - _LIMB


@njit(cache=True)
def ratio_floor(gain: int, cost: int, more: int, guess: int) -> int:
    """The largest m such that m / 2**MORE_BITS is at most the ratio.

    Parameters
    ----------
    gain : int
        From 0 to 2**60.
    cost, more : int
        The cost is cost + more * 2**30, above 0; both at least 0.
    guess : int
        Close to m; the further away the longer it takes.

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


@njit(cache=True)
def _limbs(x: int) -> IntArray:
    limbs = np.zeros(2, dtype=np.int64)
    limbs[0] = x & _MASK
    limbs[1] = x >> _LIMB
    return limbs


@njit(cache=True)
def _multiply(a: IntArray, b: IntArray, product: IntArray) -> None:
    """The product of two numbers of few limbs."""
    product[:] = 0
    for i in range(len(a)):
        carry = 0
        for j in range(len(b)):
            now = product[i + j] + a[i] * b[j] + carry
            product[i + j] = now & _MASK
            carry = now >> _LIMB
        if carry > 0:
            product[i + len(b)] += carry


@njit(cache=True)
def _is_below(m: int, costs: IntArray, target: IntArray) -> bool:
    """Whether m**2 times the cost is at most the target."""
    square = np.zeros(4, dtype=np.int64)
    _multiply(_limbs(m), _limbs(m), square)
    product = np.zeros(8, dtype=np.int64)
    _multiply(square, costs, product)
    for p in range(7, -1, -1):
        if product[p] != target[p]:
            return bool(product[p] < target[p])
    return True
