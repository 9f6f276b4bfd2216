"""Clipped columns."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt


def clipped(X: npt.NDArray[np.float64], share: float) -> npt.NDArray[np.float64]:
    """Return columns whose smallest and largest values are moved to a quantile.

    Parameters
    ----------
    X : ndarray of shape (n_rows, n_columns)
    share : float
        The share of values that are moved at either end.
    """
    low, high = np.quantile(X, [share, 1 - share], axis=0)
    return np.clip(X, low, high)
