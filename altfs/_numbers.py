"""Types of arrays; checks of numbers that users give, and their conversion to integers."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from math import inf, isfinite
from numbers import Integral, Real

import numpy as np
import numpy.typing as npt

from altfs.errors import AltfsError, DataError

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


def quantiles(values: FloatArray, parts: int) -> FloatArray:
    """Return the distinct quantiles 1/parts, 2/parts and so on, linear between neighbours.

    Places are counted in whole numbers, so a quantile that is a value is exactly this value.

    >>> float(quantiles(np.arange(351.0), 10)[6]), 0.7 * 350
    (245.0, 244.99999999999997)
    """
    places, rest = np.divmod(np.arange(1, parts) * (len(values) - 1), parts)
    ordered = np.sort(values)
    # A single value is every quantile.
    lower, upper = ordered[places], ordered[np.minimum(places + 1, len(values) - 1)]
    # Rounding must not reach the upper neighbour, which is above the cut.
    cuts = np.minimum(lower + (upper - lower) * (rest / parts), np.nextafter(upper, lower))
    return np.unique(cuts)


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
        raise AltfsError.of_value(name, value, f"use a whole number from {smallest}{to}")


def check_word(name: str, value: object, allowed: Collection[str]) -> None:
    """Check that an argument is one of some words.

    >>> check_word("task", "rank", ("auto", "classification"))
    Traceback (most recent call last):
    ...
    altfs.errors.AltfsError: task: 'rank' is unknown, allowed are: auto, classification.
    """
    if not isinstance(value, str) or value not in allowed:
        raise AltfsError(name, f"{value!r} is unknown", f"allowed are: {', '.join(allowed)}")


def check_value(holds: bool, name: str, value: object, advice: str) -> None:
    """Check that a condition holds of the value of an argument.

    >>> check_value(isinstance(1, bool), "nested", 1, "use True or False")
    Traceback (most recent call last):
    ...
    altfs.errors.AltfsError: nested: 1 is not allowed, use True or False.
    """
    if not holds:
        raise AltfsError.of_value(name, value, advice)


def check_place(name: str, value: object, n: int, why: str = "") -> None:
    """Check that an argument is the number of one of `n` things, which are counted from 0."""
    if not is_whole(value) or not 0 <= value < n:  # type: ignore[operator]
        advice = f"use 0 to {n - 1}" if n > 1 else "use 0"
        raise AltfsError(name, f"{value!r} is not there", advice + why)


def check_at_most(name: str, value: int, most: int, of: str, otherwise: str = "") -> None:
    """Check that an option is at most a number of what there is, or raise a DataError."""
    if value > most:
        reason = f"{value} is more than the {most} {of}"
        raise DataError(name, reason, f"use at most {most}{otherwise}")


def check_rows(n_rows: int, least: int, what: str) -> None:
    """Check that there are enough rows for a method, or raise a DataError."""
    if n_rows < least:
        raise DataError(f"{n_rows} rows are too few for {what}, {least} are needed")


def check_matrix(name: str, shape: tuple[int, ...]) -> None:
    """Check that an argument has rows and columns."""
    if len(shape) != 2:
        raise AltfsError(name, f"shape {shape} is not allowed", "use (n_rows, n_columns)")


def check_lengths(name: str, n_values: int, n_rows: int) -> None:
    """Check that an argument has a value for each row."""
    if n_values != n_rows:
        raise AltfsError(name, f"{n_values} values for {n_rows} rows", "give one for each")


def check_not_empty(name: str, n_rows: int) -> None:
    """Check that an argument has rows."""
    if not n_rows:
        raise AltfsError(name, "there are no rows", "give at least one")


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
        raise AltfsError(name, f"shape {vector.shape} is not allowed", "give one value per feature")
    _check_entries(name, vector)
    return vector


def finite_square(name: str, values: npt.ArrayLike, n_total: int) -> FloatArray:
    """Return a copy of one number per pair of features; errors as in `finite_vector`."""
    matrix = _as_floats(name, values, "pair")
    if matrix.shape != (n_total, n_total):
        raise AltfsError(
            name, f"shape {matrix.shape} is not allowed", f"it has to be ({n_total}, {n_total})"
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
        raise AltfsError(name, "only numbers are allowed", f"give one per {each}") from None


def _check_entries(name: str, array: FloatArray) -> None:
    if not np.isfinite(array).all():
        place = tuple(map(int, np.argwhere(~np.isfinite(array))[0]))
        entry = place[0] if array.ndim == 1 else place
        raise AltfsError(
            name, f"entry {entry} is {array[place]}", "only finite numbers are allowed"
        )
    largest = float(np.abs(array).max(initial=0.0))
    if largest and not _SMALLEST <= largest <= _LARGEST:
        advice = f"multiply all numbers so that it is from {_SMALLEST} to {_LARGEST}"
        raise AltfsError(name, f"{largest} as the largest absolute value is not allowed", advice)
