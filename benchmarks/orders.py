"""How often seeds, orders, codes and scales of a table change the sets that are found.

    python benchmarks/orders.py --runs 20 --selector forest

Ten tables of PMLB are searched as they are, and then with another seed, order of rows and of
columns, codes of classes and growing change of each column. `ALTFS_PMLB_CACHE` names the cache of
PMLB.
"""

from __future__ import annotations

import argparse
import os
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from worthless import few_sets, real

from altfs import AlternativeFeatures


def sets_of(X: pd.DataFrame, y: npt.NDArray[Any], selector: Any, seed: int) -> list[frozenset[str]]:
    """Return the original set and an alternative."""
    afs = AlternativeFeatures(selector, n_features=5, random_state=seed, n_shuffles=0)
    return [frozenset(features.names) for features in afs.fit(X, y).feature_sets_]


def changed(
    X: pd.DataFrame, y: npt.NDArray[Any], random: np.random.Generator
) -> tuple[pd.DataFrame, npt.NDArray[Any]]:
    """Return a table that says the same in another order and other numbers."""
    classes = np.unique(y)
    if len(classes) <= 10:
        y = random.permutation(len(classes))[np.searchsorted(classes, y)]
    rows, columns = random.permutation(len(X)), random.permutation(X.columns)
    scales = random.integers(1, 9, len(X.columns))
    return (X * scales + scales).iloc[rows][columns], y[rows]


def main() -> None:
    """Print for each table how many runs had the same sets."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--selector", default="forest")
    chosen = parser.parse_args()
    selector = few_sets(chosen.selector)
    cache, same = Path(os.environ["ALTFS_PMLB_CACHE"]), 0
    warnings.simplefilter("ignore")
    tables = list(real(cache, np.random.default_rng(0), False))
    for name, X, y in tables:
        random = np.random.default_rng(1)
        first = sets_of(X, y, selector, 0)
        alike = [
            sets_of(*changed(X, y, random), selector, seed) == first
            for seed in range(1, chosen.runs + 1)
        ]
        same += sum(alike)
        print(f"{name:20} the same sets in {sum(alike)} of {len(alike)} runs", flush=True)
    print(f"{same} of {chosen.runs * len(tables)}")


if __name__ == "__main__":
    main()
