"""A table of people with an attribute that one of the features tells."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pandas as pd


def people(n_rows: int = 400) -> tuple[pd.DataFrame, npt.NDArray[np.int64], pd.Series]:
    """Return features, the target, and sex.

    The target depends on a and b, a is a noisy copy of sex; c is noise, d repeats b.
    """
    rng = np.random.default_rng(0)
    sex = rng.integers(0, 2, n_rows)
    X = pd.DataFrame({"a": sex + rng.normal(0, 0.3, n_rows), "b": rng.normal(size=n_rows)})
    X["c"] = rng.normal(size=n_rows)
    X["d"] = X["b"] + rng.normal(0, 0.6, n_rows)
    y = (X["a"] + X["b"] + rng.normal(0, 0.3, n_rows) > 0.5).astype(int)
    return X, y.to_numpy(), pd.Series(np.where(sex == 1, "f", "m"), name="sex")
