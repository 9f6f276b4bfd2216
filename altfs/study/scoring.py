"""Tasks that compute what selectors share, once per dataset and fold."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from altfs.selectors.part import Part, ScoreKey
from altfs.study.folds import fold_parts, load_planned_dataset
from altfs.study.store import (
    SCHEMA_VERSION,
    content_digest,
    read_table,
    task_hash,
    write_table,
)

Values = npt.NDArray[np.float64]


def make_score(arguments: Mapping[str, Any]) -> None:
    """Compute a score of single features on both parts of a fold."""
    train, test = _parts(arguments)
    key = _key(arguments)
    table: dict[str, Any] = {"feature": _feature_names(arguments)}
    notes: dict[str, str] = {}
    for name, part in (("train", train), ("test", test)):
        try:
            table[name] = part.compute(key, range(part.X.shape[1]))
        except ValueError as error:
            # A class with a single test row is too few for the estimator.
            if name == "train":
                raise
            table[name] = np.full(part.X.shape[1], np.nan)
            notes[name] = str(error)
    _write(arguments, pa.table(table), notes)


def make_score_part(arguments: Mapping[str, Any]) -> None:
    """Compute some columns of a score of feature pairs on the training part."""
    train, _ = _parts(arguments)
    columns = range(arguments["part"], train.X.shape[1], arguments["parts"])
    names = _feature_names(arguments)
    values = train.compute(_key(arguments), columns)
    _write(arguments, pa.table({names[j]: values[:, c] for c, j in enumerate(columns)}), {})


def join_score_parts(arguments: Mapping[str, Any]) -> None:
    """Put the columns of a score of feature pairs together."""
    columns: dict[str, Any] = {}
    for path in arguments["files"]["parts"]:
        table, _ = read_table(Path(path))
        columns.update({name: table[name] for name in table.column_names})
    # The parts know their columns; the first one knows most of their order.
    parts = [read_table(Path(path))[0].column_names for path in arguments["files"]["parts"]]
    order = [names[i] for i in range(len(parts[0])) for names in parts if i < len(names)]
    _write(arguments, pa.table({name: columns[name] for name in order}), {})


def read_scores(part: Part, files: Mapping[str, str], side: str) -> None:
    """Give a part the scores that lie in files; `side` is "train" or "test"."""
    for name, path in files.items():
        kind, _, variant = name.partition("-")
        key = ScoreKey(kind, variant or "auto")  # type: ignore[arg-type]
        table, metadata = read_table(Path(path))
        if kind == "redundancy":
            if side == "train":
                part.known[key] = np.column_stack([c.to_numpy() for c in table.columns])
        elif side not in metadata["notes"]:
            part.known[key] = table[side].to_numpy()


def _parts(arguments: Mapping[str, Any]) -> tuple[Part, Part]:
    names = ("digest", "fold", "folds", "seed")
    return fold_parts(arguments["files"]["data"], *(arguments[name] for name in names))


def _key(arguments: Mapping[str, Any]) -> ScoreKey:
    return ScoreKey(arguments["kind"], arguments["variant"])


def _feature_names(arguments: Mapping[str, Any]) -> tuple[str, ...]:
    return load_planned_dataset(arguments["files"]["data"], arguments["digest"]).feature_names


def _write(arguments: Mapping[str, Any], table: pa.Table, notes: Mapping[str, str]) -> None:
    metadata = {
        "kind": "score",
        "schema_version": SCHEMA_VERSION,
        "task_hash": task_hash(arguments),
        "digest": content_digest(table),
        "notes": dict(notes),
    }
    write_table(Path(arguments["output"]), table, metadata)
