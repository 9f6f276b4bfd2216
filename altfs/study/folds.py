"""A dataset in the study's folder, and its folds."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa

from altfs._numbers import FloatArray, IntArray
from altfs.datasets import Dataset
from altfs.errors import StaleResultError
from altfs.scores.attributes import about, attribute_bits
from altfs.scores.base import Part
from altfs.scores.row_groups import Split
from altfs.study.cross_validation import Folds
from altfs.study.store import SCHEMA_VERSION, dataset_of, read_table, write_table


def save_dataset(path: Path, dataset: Dataset, cpu_seconds: float | None = None) -> None:
    """Store a dataset: a column per feature, the target, and its metadata."""
    columns = {name: dataset.X[:, i] for i, name in enumerate(dataset.feature_names)}
    metadata = {"kind": "dataset", "schema_version": SCHEMA_VERSION, "cpu_seconds": cpu_seconds}
    for name in ("name", "target", "target_type", "digest", "info"):
        metadata[name] = getattr(dataset, name)
    columns[dataset.target] = dataset.y
    if dataset.fold_labels is not None:
        metadata["fold_column"] = dataset.fold_column
        columns[dataset.fold_column] = dataset.fold_labels
    if dataset.attributes:
        metadata["attributes"] = [*dataset.attributes]
        columns |= dataset.attributes
    write_table(path, pa.table(columns), metadata)


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
def split_rows(path: str, digest: str, folds: Folds, seed: int) -> list[Split]:
    """Return training and test rows of every fold of a planned dataset."""
    return folds.split(load_planned_dataset(path, digest), seed)


def fold_parts(path: str, digest: str, fold: int, folds: Folds, seed: int) -> tuple[Part, Part]:
    """Return training and test part of a fold of a planned dataset."""
    dataset = load_planned_dataset(path, digest)
    rows_of_sides = split_rows(path, digest, folds, seed)[fold]
    train, test = (part_of(dataset, rows_of_sides[side], folds, seed, side == 1) for side in (0, 1))
    return train, test


def attribute_codes(
    path: str, digest: str, fold: int, folds: Folds, seed: int, column: str
) -> tuple[IntArray, IntArray]:
    """Return the number of each row's value of an attribute, in both parts of a fold."""
    texts = load_planned_dataset(path, digest).attributes[column]
    train, test = (
        pd.factorize(texts[rows], sort=True)[0].astype(np.int64)
        for rows in split_rows(path, digest, folds, seed)[fold]
    )
    return train, test


# Shards of a fold share it.
@lru_cache(maxsize=4)
def information_about(
    path: str, digest: str, fold: int, folds: Folds, seed: int, column: str
) -> FloatArray:
    """Return what each feature tells about an attribute in the training part, in bits."""
    train, _ = fold_parts(path, digest, fold, folds, seed)
    codes, _ = attribute_codes(path, digest, fold, folds, seed, column)
    # Nothing is told about a value that all rows have.
    return attribute_bits(about(train, codes)) if codes.any() else np.zeros(train.X.shape[1])


def part_of(dataset: Dataset, rows: IntArray, folds: Folds, seed: int, test: bool) -> Part:
    """Return one side of a fold, whose inner folds respect groups and time as the folds do."""
    labels = None if dataset.fold_labels is None else dataset.fold_labels[rows]
    return Part(
        dataset.X[rows],
        dataset.y[rows],
        dataset.target_type,
        seed,
        names=dataset.feature_names,
        categorical=dataset.categorical,
        **folds.rows_of_part(labels, test),
    )
