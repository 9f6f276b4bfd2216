"""A dataset in the study's folder, and its folds."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from altfs.datasets import Dataset
from altfs.errors import StaleResultError
from altfs.scores.base import Part
from altfs.study.store import SCHEMA_VERSION, dataset_of, read_table, write_table

Rows = npt.NDArray[np.int64]


def save_dataset(path: Path, dataset: Dataset, cpu_seconds: float | None = None) -> None:
    """Store a dataset: a column per feature, the target, and its metadata."""
    columns = {name: dataset.X[:, i] for i, name in enumerate(dataset.feature_names)}
    metadata = {"kind": "dataset", "schema_version": SCHEMA_VERSION, "cpu_seconds": cpu_seconds}
    for name in ("name", "target", "target_type", "digest", "info"):
        metadata[name] = getattr(dataset, name)
    write_table(path, pa.table({**columns, dataset.target: dataset.y}), metadata)


def read_dataset(path: Path) -> Dataset:
    """Read a dataset that :func:`save_dataset` wrote."""
    return dataset_of(*read_table(path))


# Workers run many tasks of one dataset after another.
@lru_cache(maxsize=2)
def load_planned_dataset(path: str, digest: str) -> Dataset:
    """Read a dataset, and check that it is the one with which the study was planned."""
    dataset = read_dataset(Path(path))
    if dataset.digest != digest:
        raise StaleResultError(
            f"'{path}' does not hold the data that the study was planned with, delete the file "
            "and run the study again"
        )
    return dataset


@lru_cache(maxsize=2)
def _splits(path: str, digest: str, folds: int, seed: int) -> list[tuple[Rows, Rows]]:
    return split_rows(load_planned_dataset(path, digest), folds, seed)


def split_rows(dataset: Dataset, folds: int, seed: int) -> list[tuple[Rows, Rows]]:
    """Return training and test rows of every fold, stratified by the classes if there are any."""
    from sklearn.model_selection import KFold, StratifiedKFold

    splitter = KFold if dataset.target_type == "regression" else StratifiedKFold
    cut: Any = splitter(folds, shuffle=True, random_state=seed)
    return list(cut.split(dataset.X, dataset.y))


def fold_parts(path: str, digest: str, fold: int, folds: int, seed: int) -> tuple[Part, Part]:
    """Return training and test part of a fold of a planned dataset."""
    dataset = load_planned_dataset(path, digest)
    train, test = (
        Part(
            dataset.X[rows],
            dataset.y[rows],
            dataset.target_type,
            seed,
            names=dataset.feature_names,
            categorical=dataset.categorical,
        )
        for rows in _splits(path, digest, folds, seed)[fold]
    )
    return train, test
