"""Numbers that users give: checked, copied and made into integers."""

from __future__ import annotations

from collections.abc import Iterable
from math import isfinite
from numbers import Integral, Real

import numpy as np
import numpy.typing as npt

from altfs.errors import AltfsError

IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]
#: Flags as bits, in words of 64.
Bits = npt.NDArray[np.uint64]

# Sums of values of this size, and what the integer 1 stands for, are ordinary floats.
_SMALLEST, _LARGEST = 1e-290, 1e300

#: Integers that stand for qualities in exact solvers: the largest value becomes
#: 2**SCALE_BITS, so sums of a million values still fit into 63 bits.
SCALE_BITS = 38

#: More sets of one search than these are taken for a slip; each takes an entry.
MOST_ALTERNATIVES = 1_000_000


def scale(values: npt.NDArray[np.float64], largest: float) -> npt.NDArray[np.int64]:
    """Return values as integers of which ``2**38`` stands for `largest`; clip larger ones."""
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
    """Return True for a whole number, judged by its type; True and False are not numbers."""
    return isinstance(value, Integral) and not isinstance(value, bool)


def is_collection(value: object) -> bool:
    """Return True for a collection; text is not one, nor is an array without axes."""
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        return False
    return getattr(value, "ndim", 1) > 0


def _as_floats(values: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Return a copy; raise TypeError or ValueError if something in it is not a number."""
    array = np.asanyarray(values)
    # Of complex numbers and times a float would keep a part; a masked value would come back.
    if array.dtype.kind in "cmM" or np.ma.is_masked(array):
        raise TypeError
    if array.dtype.kind in "USO" and any(isinstance(v, str | bytes) for v in array.ravel()):
        raise TypeError
    return np.array(array, dtype=np.float64)


def _check_size(name: str, array: npt.NDArray[np.float64]) -> None:
    largest = float(np.abs(array).max(initial=0.0))
    if largest and not _SMALLEST <= largest <= _LARGEST:
        raise AltfsError(
            f"{name}: {largest} as the largest absolute value is not allowed, multiply all "
            f"numbers so that it is from {_SMALLEST} to {_LARGEST}."
        )


def finite_vector(name: str, values: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Return a copy of one number per feature.

    Raises
    ------
    AltfsError
        If it is something else, or a number is not finite, or all are too large or small.
    """
    try:
        vector = _as_floats(values)
    except (TypeError, ValueError, OverflowError):
        raise AltfsError(f"{name}: only numbers are allowed, give one per feature.") from None
    if vector.ndim != 1 or vector.size == 0:
        raise AltfsError(
            f"{name}: shape {vector.shape} is not allowed, give one value per feature."
        )
    if not np.isfinite(vector).all():
        bad = int(np.flatnonzero(~np.isfinite(vector))[0])
        raise AltfsError(f"{name}: entry {bad} is {vector[bad]}, only finite numbers are allowed.")
    _check_size(name, vector)
    return vector


def finite_square(name: str, values: npt.ArrayLike, n_total: int) -> npt.NDArray[np.float64]:
    """Return a copy of one number per pair of features; errors as in `finite_vector`."""
    try:
        matrix = _as_floats(values)
    except (TypeError, ValueError, OverflowError):
        raise AltfsError(f"{name}: only numbers are allowed, give one per pair.") from None
    if matrix.shape != (n_total, n_total):
        raise AltfsError(
            f"{name}: shape {matrix.shape} is not allowed, it has to be ({n_total}, {n_total})."
        )
    if not np.isfinite(matrix).all():
        i, j = np.argwhere(~np.isfinite(matrix))[0]
        raise AltfsError(
            f"{name}: entry ({i}, {j}) is {matrix[i, j]}, only finite numbers are allowed."
        )
    _check_size(name, matrix)
    return matrix
