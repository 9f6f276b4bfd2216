"""Made data in which each row has relevant features of its own.

Sources: Chen et al., *Learning to explain*, ICML 2018, Section 4.1 (orange_skin, xor,
nonlinear_additive, switch); Yoon et al., *INVASE*, ICLR 2019, Section 4.1 (syn1 to syn6).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from altfs._numbers import BoolArray, FloatArray
from altfs.errors import AltfsError, DataError

# A rule: the logarithm of the odds of class 0, from the columns of the rule.
_Rule = Callable[[FloatArray], FloatArray]


class _RowDesign(NamedTuple):
    """Columns, numbered from 0, and the rules for them; the sign of `decides` chooses the rule."""

    least_features: int
    rules: tuple[tuple[range, _Rule], ...]
    decides: int | None = None


def _product(z: FloatArray) -> FloatArray:
    return np.asarray(z[:, 0] * z[:, 1])


def _squares(z: FloatArray) -> FloatArray:
    return np.asarray((z**2).sum(axis=1) - 4)


def _additive(factor: float) -> _Rule:
    def rule(z: FloatArray) -> FloatArray:
        waves = -factor * np.sin(0.2 * z[:, 0])
        return np.asarray(waves + np.abs(z[:, 1]) + z[:, 2] + np.exp(-z[:, 3]) - 2.4)

    return rule


_SYN1, _SYN2 = (range(2), _product), (range(2, 6), _squares)
_SYN3 = (range(6, 10), _additive(10))
#: The designs by name; of two rules, the first holds where the deciding column is below 0.
DESIGNS = {
    "orange_skin": _RowDesign(10, ((range(4), _squares),)),
    "xor": _RowDesign(10, ((range(2), _product),)),
    "nonlinear_additive": _RowDesign(10, ((range(4), _additive(100)),)),
    "switch": _RowDesign(10, ((range(4, 8), _additive(100)), (range(4), _squares)), 9),
    "syn1": _RowDesign(11, (_SYN1,)),
    "syn2": _RowDesign(11, (_SYN2,)),
    "syn3": _RowDesign(11, (_SYN3,)),
    "syn4": _RowDesign(11, (_SYN1, _SYN2), 10),
    "syn5": _RowDesign(11, (_SYN1, _SYN3), 10),
    "syn6": _RowDesign(11, (_SYN2, _SYN3), 10),
}
_ROWS = 10_000
# The mean of the column that decides in `switch`, with either sign.
_FAR = 3.0


def draw_rows(
    name: str, rows: int | None, features: int | None, seed: int
) -> tuple[FloatArray, npt.NDArray[np.int64]]:
    """Draw rows of normal columns and their classes.

    Parameters
    ----------
    name : str
        One of `DESIGNS`.
    rows, features : int or None
        The default is 10,000 rows, and the fewest columns that the design has.
    seed : int

    Returns
    -------
    X : ndarray of shape (rows, features)
    y : ndarray of int of shape (rows,)

    Raises
    ------
    DataError
        If there are too few columns.
    """
    design = DESIGNS[name]
    n_total = design.least_features if features is None else features
    if n_total < design.least_features:
        reason = f"{n_total} is too few for {name}"
        raise DataError("features", reason, f"use at least {design.least_features}")
    random = np.random.RandomState(seed)
    X = random.standard_normal((_ROWS if rows is None else rows, n_total))
    if name == "switch":
        assert design.decides is not None
        signs = random.permutation(np.arange(len(X)) % 2) * 2 - 1
        X[:, design.decides] += _FAR * signs
    # The last digits of functions differ between machines.
    X = X.round(9)
    log_odds = np.empty(len(X))
    for chosen, (columns, rule) in zip(_rows_by_rule(design, X), design.rules, strict=True):
        log_odds[chosen] = rule(X[chosen][:, list(columns)])
    return X, (random.random_sample(len(X)) >= expit(log_odds)).astype(np.int64)


def truth_of_rows(name: str, X: npt.ArrayLike) -> BoolArray:
    """Return the features that made the class of each row.

    Parameters
    ----------
    name : str
        The design.
    X : array-like of shape (n_rows, n_total)
        The columns x1, x2, ... in their order.

    Returns
    -------
    ndarray of bool of shape (n_rows, n_total)

    Raises
    ------
    AltfsError
        If it is not a design whose rows have truths of their own.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.zeros((2, 11))
    >>> X[0, 10] = -1
    >>> [np.flatnonzero(row).tolist() for row in truth_of_rows("syn4", X)]
    [[0, 1, 10], [2, 3, 4, 5, 10]]
    """
    if name not in DESIGNS:
        raise AltfsError("design", f"{name!r} has no truth of rows", f"use {', '.join(DESIGNS)}")
    design, rows = DESIGNS[name], np.asarray(X, dtype=np.float64)
    truth = np.zeros(rows.shape, dtype=bool)
    for chosen, (columns, _) in zip(_rows_by_rule(design, rows), design.rules, strict=True):
        truth[np.flatnonzero(chosen)[:, None], list(columns)] = True
    if design.decides is not None:
        truth[:, design.decides] = True
    return truth


def relevant_columns(name: str) -> list[int]:
    """Return the columns that are true for any row.

    >>> relevant_columns("syn4")
    [0, 1, 2, 3, 4, 5, 10]
    """
    design = DESIGNS[name]
    decides = [] if design.decides is None else [design.decides]
    return sorted({j for columns, _ in design.rules for j in columns} | set(decides))


def _rows_by_rule(design: _RowDesign, X: FloatArray) -> list[BoolArray]:
    """Return the rows of each rule."""
    if design.decides is None:
        return [np.ones(len(X), dtype=bool)]
    below = np.asarray(X[:, design.decides] < 0)
    return [below, ~below]
