"""Types of arrays; checks of numbers that users give, and their conversion to integers."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from math import inf, isfinite
from numbers import Integral, Real

import numpy as np
import numpy.typing as npt

from altfs.errors import AltfsError

IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]
#: Flags as bits, in words of 64.
Bits = npt.NDArray[np.uint64]

# Sums of values in this range, and the worth of the integer 1, are ordinary floats.
_SMALLEST, _LARGEST = 1e-290, 1e300

#: Exact solvers use integers, in which the largest value is 2**SCALE_BITS. So sums of a
#: million values fit into 63 bits.
SCALE_BITS = 38

#: The largest number of alternatives of one search. Each takes an entry of the result.
MOST_ALTERNATIVES = 1_000_000


def scale(values: FloatArray, largest: float) -> IntArray:
    """Return values as integers in which `largest` is ``2**38``; clip larger ones."""
    if largest == 0:
        return np.zeros(values.shape, dtype=np.int64)
    # Dividing first keeps values near the largest float finite.
    with np.errstate(over="ignore"):
        shares = np.clip(values / largest, -1.0, 1.0)
    return np.rint(shares * 2.0**SCALE_BITS).astype(np.int64)


def is_number(value: object) -> bool:
    """Return True for a real number; text, True and False are not numbers."""
    return isinstance(value, Real) and not isinstance(value, bool | np.bool_)


def is_finite(value: object) -> bool:
    """Return True for a real number that a float can hold."""
    try:
        return is_number(value) and isfinite(value)  # type: ignore[arg-type]
    except OverflowError:
        return False


def is_whole(value: object) -> bool:
    """Return True for a number of an integer type; True and False are not numbers."""
    return isinstance(value, Integral) and not isinstance(value, bool)


def check_whole(name: str, value: object, smallest: int, largest: int | None = None) -> None:
    """Check that an argument is a whole number in a range.

    >>> check_whole("limit", True, 1)
    Traceback (most recent call last):
    ...
    altfs.errors.AltfsError: limit: True is not allowed, use a whole number from 1.
    """
    most = inf if largest is None else largest
    if not is_whole(value) or not smallest <= value <= most:  # type: ignore[operator]
        to = "" if largest is None else f" to {largest}"
        raise AltfsError(
            f"{name}: {value!r} is not allowed, use a whole number from {smallest}{to}."
        )


def check_word(name: str, value: object, allowed: Collection[str]) -> None:
    """Check that an argument is one of some words.

    >>> check_word("task", "rank", ("auto", "classification"))
    Traceback (most recent call last):
    ...
    altfs.errors.AltfsError: task: 'rank' is unknown, allowed are: auto, classification.
    """
    if not isinstance(value, str) or value not in allowed:
        raise AltfsError(f"{name}: {value!r} is unknown, allowed are: {', '.join(allowed)}.")


def is_collection(value: object) -> bool:
    """Return True for a collection; text and arrays without axes are not collections."""
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        return False
    return getattr(value, "ndim", 1) > 0


def finite_vector(name: str, values: npt.ArrayLike) -> FloatArray:
    """Return a copy of one number per feature.

    It is an AltfsError if it is something else, if a number is not finite, or if all are too
    large or too small.
    """
    vector = _as_floats(name, values, "feature")
    if vector.ndim != 1 or vector.size == 0:
        raise AltfsError(
            f"{name}: shape {vector.shape} is not allowed, give one value per feature."
        )
    _check_entries(name, vector)
    return vector


def finite_square(name: str, values: npt.ArrayLike, n_total: int) -> FloatArray:
    """Return a copy of one number per pair of features; errors as in `finite_vector`."""
    matrix = _as_floats(name, values, "pair")
    if matrix.shape != (n_total, n_total):
        raise AltfsError(
            f"{name}: shape {matrix.shape} is not allowed, it has to be ({n_total}, {n_total})."
        )
    _check_entries(name, matrix)
    return matrix


def _as_floats(name: str, values: npt.ArrayLike, each: str) -> FloatArray:
    try:
        array = np.asanyarray(values)
        # A float would keep only a part of complex numbers and times, and show masked values.
        if array.dtype.kind in "cmM" or np.ma.is_masked(array):
            raise TypeError
        if array.dtype.kind in "USO" and any(isinstance(v, str | bytes) for v in array.ravel()):
            raise TypeError
        return np.array(array, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise AltfsError(f"{name}: only numbers are allowed, give one per {each}.") from None


def _check_entries(name: str, array: FloatArray) -> None:
    if not np.isfinite(array).all():
        place = tuple(map(int, np.argwhere(~np.isfinite(array))[0]))
        entry = place[0] if array.ndim == 1 else place
        raise AltfsError(
            f"{name}: entry {entry} is {array[place]}, only finite numbers are allowed."
        )
    largest = float(np.abs(array).max(initial=0.0))
    if largest and not _SMALLEST <= largest <= _LARGEST:
        raise AltfsError(
            f"{name}: {largest} as the largest absolute value is not allowed, multiply all "
            f"numbers so that it is from {_SMALLEST} to {_LARGEST}."
        )
