"""The split of the rows of a part into training and validation rows of a model."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from altfs.errors import DataError

#: The share of the validation rows.
VALIDATION_SHARE = 0.2

Rows = npt.NDArray[np.int64]


def inner_split(y: npt.NDArray[Any], target_type: str, seed: int) -> tuple[Rows, Rows]:
    """Split row numbers into 80 % for training and 20 % for validation, by class if there are any.

    It is a DataError if there are too few rows, or too few of a class.

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
