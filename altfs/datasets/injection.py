"""Columns that are known to tell nothing new, added to a table to see who is fooled by them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from pydantic import Field, model_validator

from altfs._options import StrictModel
from altfs.errors import DataError


class Injection(StrictModel):
    """Numbers of columns to add.

    Parameters
    ----------
    noise : int, default=0
        Normal numbers, which tell nothing.
    shuffled : int, default=0
        Features with their rows in a drawn order, from the first one on. Each has the values of a
        feature and tells nothing.
    copies : int, default=0
        Copies of features, from the first one on.
    ids : int, default=0
        The numbers of the rows in a drawn order.
    seed : int, default=0
    """

    noise: int = Field(default=0, ge=0)
    shuffled: int = Field(default=0, ge=0)
    copies: int = Field(default=0, ge=0)
    ids: int = Field(default=0, ge=0)
    seed: int = Field(default=0, ge=0)

    @model_validator(mode="after")
    def _adds_something(self) -> Injection:
        if not self.noise + self.shuffled + self.copies + self.ids:
            raise ValueError("inject adds no column, give noise, shuffled, copies or ids")
        return self

    def add_to(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Return a table of features with the columns.

        Their names are ``noise_1``, ``shuffled_NAME``, ``copy_NAME`` and ``id_1``.

        Raises
        ------
        DataError
            If there are fewer features than shuffled ones or copies, or a name is taken.

        Examples
        --------
        >>> table = pd.DataFrame({"age": [3, 1, 2]})
        >>> Injection(noise=1, copies=1).add_to(table).columns.tolist()
        ['age', 'noise_1', 'copy_age']
        """
        n_rows, random = len(frame), np.random.default_rng(self.seed)
        for key in ("shuffled", "copies"):
            if getattr(self, key) > frame.shape[1]:
                number = f"{getattr(self, key)} of {frame.shape[1]} features"
                raise DataError(f"inject asks for {key} of {number}, use at most their number")
        columns: dict[str, Any] = {}
        for i in range(self.noise):
            columns[f"noise_{i + 1}"] = random.normal(size=n_rows)
        for name in frame.columns[: self.shuffled]:
            drawn = frame[name].iloc[random.permutation(n_rows)]
            columns[f"shuffled_{name}"] = drawn.set_axis(frame.index)
        for name in frame.columns[: self.copies]:
            columns[f"copy_{name}"] = frame[name]
        for i in range(self.ids):
            columns[f"id_{i + 1}"] = random.permutation(n_rows)
        taken = [name for name in columns if name in frame.columns]
        if taken:
            raise DataError(f"column '{taken[0]}' has the name of an injected one, rename it")
        return pd.concat([frame, pd.DataFrame(columns, index=frame.index)], axis="columns")

    def categories(self, categorical: tuple[str, ...]) -> tuple[str, ...]:
        """Return the columns of categories, and the injected ones that hold their values.

        >>> Injection(shuffled=2).categories(("sex",))
        ('sex', 'shuffled_sex', 'copy_sex')
        """
        made = [f"{kind}_{name}" for name in categorical for kind in ("shuffled", "copy")]
        return (*categorical, *made)
