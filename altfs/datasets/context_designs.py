"""Made data in which the value of one column decides which others tell something.

Source of `cube`: Rückstiess, Osendorfer, van der Smagt, *Minimizing data consumption with
sequential online feature selection*, 2013.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from altfs._numbers import FloatArray

_Drawn = tuple[FloatArray, npt.NDArray[np.int64]]
_ROWS = 600
# Of `xor_decoys`: how often a decoy is right, and the label wrong. Of `cube`: the spread of bits,
# and mean and spread of all other values.
_RIGHT, _WRONG, _SPREAD, _NOISE = 0.6, 0.05, 0.1, (0.5, 0.3)


def _xor_context(random: np.random.RandomState, n: int) -> _Drawn:
    X = random.randint(0, 2, (n, 8))
    return X.astype(np.float64), np.where(X[:, 0] == 0, X[:, 1] ^ X[:, 2], X[:, 3] ^ X[:, 4])


def _xor_decoys(random: np.random.RandomState, n: int) -> _Drawn:
    X = random.randint(0, 2, (n, 10))
    y = X[:, 0] ^ X[:, 1]
    right = random.random_sample((n, 6)) < _RIGHT
    X[:, 2:8] = np.where(right, y[:, None], 1 - y[:, None])
    return X.astype(np.float64), np.where(random.random_sample(n) < _WRONG, 1 - y, y)


def _cube(random: np.random.RandomState, n: int) -> _Drawn:
    X, y = random.normal(*_NOISE, (n, 20)), random.randint(0, 8, n)
    for bit in range(3):
        X[np.arange(n), y + bit] = (y >> bit & 1) + _SPREAD * random.standard_normal(n)
    return X.round(9), y


_DRAW: dict[str, Callable[[np.random.RandomState, int], _Drawn]] = {
    "xor_context": _xor_context, "xor_decoys": _xor_decoys, "cube": _cube,
}  # fmt: skip
#: The number of columns, from the first one, that are not noise, by the name of the design.
RELEVANT = {"xor_context": 5, "xor_decoys": 2, "cube": 10}


def draw_in_context(name: str, rows: int | None, seed: int) -> _Drawn:
    """Draw rows of a design and their classes.

    Parameters
    ----------
    name : str
        One of `RELEVANT`.
    rows : int or None
        600 by default.
    seed : int

    Returns
    -------
    X : ndarray of shape (rows, features)
    y : ndarray of int of shape (rows,)

    Examples
    --------
    >>> X, y = draw_in_context("xor_context", 4, 0)
    >>> X.shape, y.tolist()
    ((4, 8), [0, 0, 0, 0])
    """
    return _DRAW[name](np.random.RandomState(seed), _ROWS if rows is None else rows)
