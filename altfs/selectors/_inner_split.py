"""The rows that a model learns on, and those that it is judged on, within a part."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from altfs.errors import DataError
from altfs.selectors.part import Part

#: Share of the rows that are held out.
VALIDATION_SHARE = 0.2


def inner_split(part: Part) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """Split a part's rows 80:20, by class where there are classes.

    Parameters
    ----------
    part : Part

    Returns
    -------
    fitting, validation : ndarrays of int
        Row numbers.

    Raises
    ------
    DataError
        If a class has a single row, or there are too few rows.
    """
    from sklearn.model_selection import train_test_split

    has_classes = part.target_type != "regression"
    if has_classes:
        smallest = int(np.unique(part.y, return_counts=True)[1].min())
        if smallest < 2:
            raise DataError(
                "y: a class has only 1 row, a split of the rows needs 2 of every class, leave "
                "that class out or use a selector without held-out rows."
            )
    try:
        fitting, validation = train_test_split(
            np.arange(len(part.y)),
            test_size=VALIDATION_SHARE,
            random_state=part.seed,
            stratify=part.y if has_classes else None,
        )
    except ValueError:
        raise DataError(
            f"y: {len(part.y)} rows are too few to hold out {VALIDATION_SHARE:.0%} of them with "
            "every class, use more rows or a selector without held-out rows."
        ) from None
    return fitting, validation
