"""Stored files, which have to be whole, current, and byte for byte as altfs wrote them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from altfs.errors import StaleResultError
from altfs.study.folds import dataset_of
from altfs.study.store import (
    EXPLANATION_SCHEMA,
    FRONT_SCHEMA,
    PREDICTION_SCHEMA,
    SCHEMA_VERSION,
    SHARD_SCHEMA,
    content_digest,
    layout_of,
    read_table,
    task_hash,
)

_WRITER = re.compile(r"parquet-cpp-arrow version [0-9][0-9a-z.+-]*")
_SCHEMAS = {
    "shard": SHARD_SCHEMA, "explanations": EXPLANATION_SCHEMA, "predictions": PREDICTION_SCHEMA,
}  # fmt: skip


class Finding(NamedTuple):
    """A problem with a file."""

    path: str
    text: str


class BadFileError(Exception):
    """Error of a stored file that cannot be used; the message does not name the file."""


def open_file(path: str, kind: str, expected_hash: str) -> tuple[pa.Table, dict[str, Any]]:
    """Read a file of the task with a hash; raise `BadFileError` if it was damaged or changed."""
    table, metadata = _read(path, kind)
    if metadata.get("task_hash") != expected_hash:
        raise BadFileError("was made with other settings, data or code than the study has now")
    task = metadata.get("task")
    if kind in ("shard", "explanations") and (
        not isinstance(task, dict) or task_hash(task) != expected_hash
    ):
        raise BadFileError("has metadata that do not describe its task")
    if metadata.get("digest") != content_digest(table):
        raise BadFileError("was changed after it was made (its digest does not fit)")
    _compare_bytes(path, table, kind)
    return table, metadata


def check_dataset(path: str, identity: str) -> None:
    """Raise `BadFileError` if a file is not the dataset that the study was planned with."""
    table, metadata = _read(path, "dataset")
    try:
        found = dataset_of(table, metadata).identity
    except (KeyError, TypeError, ValueError, pa.ArrowException):
        raise BadFileError("cannot be read as a dataset") from None
    if found != identity:
        raise BadFileError("does not hold the data that the study was planned with")
    _compare_bytes(path, table, "dataset")


def _read(path: str, kind: str) -> tuple[pa.Table, dict[str, Any]]:
    try:
        table, metadata = read_table(Path(path))
        # Damaged pages can hold invalid texts, which only reading shows.
        table.validate(full=True)
    except (StaleResultError, TypeError, ValueError, MemoryError, pa.ArrowException):
        raise BadFileError("is truncated, damaged or foreign, it cannot be read") from None
    if metadata.get("kind") != kind:
        raise BadFileError(f"is not a file of kind '{kind}'")
    if metadata.get("schema_version") != SCHEMA_VERSION:
        raise BadFileError(
            f"has schema version {metadata.get('schema_version')}, "
            f"this version of altfs reads {SCHEMA_VERSION}"
        )
    if not table.schema.equals(_schema_of(kind, table)):
        raise BadFileError(f"does not have the columns of a file of kind '{kind}'")
    return table, metadata


def _schema_of(kind: str, table: pa.Table) -> pa.Schema:
    """Return the schema that a file of a kind has to have; any is allowed for some kinds."""
    if kind == "shard" and "point" in table.column_names:
        return FRONT_SCHEMA
    return _SCHEMAS.get(kind, table.schema)


def _compare_bytes(path: str, table: pa.Table, kind: str) -> None:
    """Check that altfs writes these bytes for this content.

    The digest covers values, but neither the header nor the statistics that some readers
    use. Another version of Arrow writes other bytes, which cannot be compared.
    """
    raw = Path(path).read_bytes()
    schema = _schema_of(kind, table).with_metadata(table.schema.metadata)
    sink = pa.BufferOutputStream()
    whole = table.cast(schema).combine_chunks()
    pq.write_table(whole, sink, **layout_of(kind))
    again = sink.getvalue()
    writer, mine = (pq.read_metadata(pa.BufferReader(x)).created_by for x in (raw, again))
    comparable = writer == mine or not _WRITER.fullmatch(writer)
    if comparable and again.to_pybytes() != raw:
        raise BadFileError("is damaged: its bytes are not those that altfs writes for its content")
