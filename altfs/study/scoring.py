"""Tasks that compute what selectors share, once per dataset and fold."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from altfs.selectors.part import Part, ScoreKey, whole
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
    """Compute some columns of a score of feature pairs on one part of a fold."""
    train, test = _parts(arguments)
    side = arguments["side"]
    part = train if side == "train" else test
    n_total = part.X.shape[1]
    columns = range(arguments["part"], n_total, arguments["parts"])
    names = _feature_names(arguments)
    notes: dict[str, str] = {}
    try:
        values = part.compute(_key(arguments), columns)
    except ValueError as error:
        if side == "train":
            raise
        values = np.full((n_total, len(columns)), np.nan)
        notes[side] = str(error)
    _write(arguments, pa.table({names[j]: values[:, c] for c, j in enumerate(columns)}), notes)


def join_score_parts(arguments: Mapping[str, Any]) -> None:
    """Put the columns of a score of feature pairs together."""
    parts = [read_table(Path(path)) for path in arguments["files"]["parts"]]
    notes = {side: note for _, metadata in parts for side, note in metadata["notes"].items()}
    columns = {name: table[name].to_numpy() for table, _ in parts for name in table.column_names}
    # The parts know their columns; the first one knows most of their order.
    named = [table.column_names for table, _ in parts]
    order = [names[i] for i in range(len(named[0])) for names in named if i < len(names)]
    values = np.column_stack([columns[name] for name in order])
    if not notes:
        values = whole(_key(arguments), values)
    _write(arguments, pa.table({name: values[:, j] for j, name in enumerate(order)}), notes)


def read_scores(part: Part, files: Mapping[str, str], side: str) -> None:
    """Give a part the scores that lie in files; `side` is "train" or "test"."""
    for name, path in files.items():
        key, only = parse_score(name)
        if key.of_pairs and only != side:
            continue
        table, metadata = read_table(Path(path))
        if side in metadata["notes"]:
            continue
        if key.of_pairs:
            part.known[key] = np.column_stack([c.to_numpy() for c in table.columns])
        else:
            part.known[key] = table[side].to_numpy()


def score_name(key: ScoreKey, side: str = "train") -> str:
    """What the file of a score is called.

    Single features have one file for both parts; pairs of features have one for
    each, as few selectors ask for the test part's.

    Examples
    --------
    >>> score_name(ScoreKey("conflicts", "regression"))
    'conflicts-regression'
    >>> score_name(ScoreKey("redundancy"), "test"), score_name(ScoreKey("relevance"), "test")
    ('redundancy.test', 'relevance')
    """
    return f"{key}.test" if key.of_pairs and side == "test" else str(key)


def parse_score(name: str) -> tuple[ScoreKey, str]:
    """The score that :func:`score_name` named, and the part if it is for one only.

    Examples
    --------
    >>> parse_score("redundancy.test")
    (ScoreKey(kind='redundancy', variant='auto'), 'test')
    """
    base, _, side = name.partition(".")
    kind, _, variant = base.partition("-")
    return ScoreKey(kind, variant or "auto"), side or "train"  # type: ignore[arg-type]


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
