"""The split of a part's rows into rows to fit a model and rows to judge it."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from altfs.errors import DataError

#: Share of the rows on which a model is judged; it is fitted on the others.
VALIDATION_SHARE = 0.2

Rows = npt.NDArray[np.int64]


def inner_split(y: npt.NDArray[Any], target_type: str, seed: int) -> tuple[Rows, Rows]:
    """Split rows into those to fit on and those to judge on, by class where there are classes.

    Parameters
    ----------
    y : ndarray of shape (n_rows,)
    target_type : {"binary", "multiclass", "regression"}
    seed : int

    Returns
    -------
    fitting, validation : ndarrays of int
        80 % and 20 % of the row numbers.

    Raises
    ------
    DataError
        If there are too few rows for it, or too few of a class.

    Examples
    --------
    >>> import numpy as np
    >>> [len(rows) for rows in inner_split(np.arange(10) % 2, "binary", 0)]
    [8, 2]
    """
    from sklearn.model_selection import train_test_split

    try:
        fitting, validation = train_test_split(
            np.arange(len(y)),
            test_size=VALIDATION_SHARE,
            random_state=seed,
            stratify=None if target_type == "regression" else y,
        )
    except ValueError:
        raise DataError(
            f"y: {len(y)} rows cannot be split 80:20{_why(y, target_type)}, use more rows, leave "
            "the rarest class out, or use a selector that holds no rows out."
        ) from None
    return fitting, validation


def _why(y: npt.NDArray[Any], target_type: str) -> str:
    if target_type == "regression":
        return ""
    counts = np.unique(y, return_counts=True)[1]
    if counts.min() < 2:
        return " by class, as a class has only one of them"
    return f" by class, as there are {len(counts)} classes"
