"""The columns that ``altfs find`` leaves out, and those with missing values."""

from __future__ import annotations

from collections.abc import Collection
from shlex import quote
from typing import TYPE_CHECKING

from altfs.errors import DataError

if TYPE_CHECKING:
    import pandas as pd


def useless_columns(X: pd.DataFrame, named: Collection[str]) -> dict[str, str]:
    """Return the columns that tell nothing about new rows, but those that are named, and why."""
    from altfs.datasets.columns import ColumnOptions, encode
    from altfs.datasets.table import check_ids

    useless = {}
    for name in X.columns.difference([*named], sort=False):
        if X[name].nunique(dropna=False) < 2:
            useless[name] = f"'{name}' has the same value in every row and is left out."
            continue
        try:
            column = encode(X[[name]], ColumnOptions(missing="impute"))
        except DataError:
            # The fit says what is wrong with it.
            continue
        try:
            check_ids([name], column)
        except DataError:
            useless[name] = f"'{name}' has another text in every row, as ids have, and is left out."
    return useless if len(useless) < X.shape[1] else {}


def row_numbers(X: pd.DataFrame, named: Collection[str]) -> dict[str, str]:
    """Return the columns that count the rows from 0 or 1, but those that are named, and why."""
    import numpy as np

    from altfs.datasets.columns import ROWS_OF_IDS

    order = np.arange(len(X))
    numbers = {}
    for name in X.select_dtypes("integer").columns.difference([*named], sort=False):
        values = X[name]
        if values.isna().any() or values.iloc[0] not in (0, 1):
            continue
        if len(X) >= ROWS_OF_IDS and (values.to_numpy() - values.iloc[0] == order).all():
            option = f"--at-most 1 {quote(name)}"
            numbers[name] = f"'{name}' numbers the rows and is left out; {option} allows it."
    return numbers if len(numbers) < X.shape[1] else {}


def missing_words(X: pd.DataFrame, unused: Collection[object]) -> str:
    """Say which of the used columns have missing values, and what is done; empty if none has."""
    from altfs.datasets.columns import have, listed

    shares = X[[name for name in X.columns if name not in unused]].isna().mean()
    gaps = {str(name): f"{share:.1%} of the rows" for name, share in shares.items() if share > 0}
    if not gaps:
        return ""
    named = listed(gaps, gaps)
    return (
        f"{named[:1].upper()}{named[1:]} {have(gaps)} missing values. Trees learn from the gaps, "
        "other methods get the median or the most frequent category of their training rows "
        "(--missing impute). --missing as_category makes them a category, --missing refuse stops."
    )
