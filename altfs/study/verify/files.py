"""Stored files, which have to be whole, current, and byte for byte as altfs wrote them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from altfs.errors import StaleResultError
from altfs.study.store import (
    SCHEMA_VERSION,
    TIME_COLUMNS,
    content_digest,
    digest_of,
    identity_of,
    layout_of,
    read_table,
)
from altfs.study.task import Task

_WRITER = re.compile(r"parquet-cpp-arrow version [0-9][0-9a-z.+-]*")


class FileProblem(NamedTuple):
    """A problem with a file."""

    path: str
    text: str


class BadFileError(Exception):
    """Error of a stored file that cannot be used; the message does not name the file."""


def open_file(task: Task) -> tuple[pa.Table, dict[str, Any]]:
    """Read the file of a task; raise `BadFileError` if it was damaged or changed."""
    kind, schema = task.kind, task.columns_of_file()
    table, metadata = _read(task.path, kind, schema)
    try:
        identity, digest = identity_of(table, metadata), digest_of(table, metadata)
    except (KeyError, TypeError, ValueError, pa.ArrowException):
        raise BadFileError(f"cannot be read as a file of kind '{kind}'") from None
    if identity != task.hash:
        raise BadFileError(task.other)
    described = metadata.get("task")
    if described is not None and described != task.content:
        raise BadFileError("has metadata that do not describe its task")
    if metadata.get("digest") != digest:
        raise BadFileError("was changed after it was made (its digest does not fit)")
    _compare_bytes(task.path, table, kind, schema)
    return table, metadata


def _read(path: str, kind: str, schema: pa.Schema | None) -> tuple[pa.Table, dict[str, Any]]:
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
    if schema is not None and not table.schema.equals(schema):
        raise BadFileError(f"does not have the columns of a file of kind '{kind}'")
    return table, metadata


def _compare_bytes(path: str, table: pa.Table, kind: str, schema: pa.Schema | None) -> None:
    """Check that altfs writes these bytes for this content.

    The digest covers values, but neither the header nor the statistics that some readers
    use. Another version of Arrow writes other bytes, which cannot be compared.
    """
    raw = Path(path).read_bytes()
    schema = (schema or table.schema).with_metadata(table.schema.metadata)
    sink = pa.BufferOutputStream()
    whole = table.cast(schema).combine_chunks()
    pq.write_table(whole, sink, **layout_of(kind))
    again = sink.getvalue()
    writer, mine = (pq.read_metadata(pa.BufferReader(x)).created_by for x in (raw, again))
    comparable = writer == mine or not _WRITER.fullmatch(writer)
    if comparable and again.to_pybytes() != raw:
        raise BadFileError("is damaged: its bytes are not those that altfs writes for its content")


def same(stored: pa.Table, again: pa.Table) -> bool:
    """Return True if a recomputed table has the same columns and values, times apart."""
    names = stored.column_names == again.column_names
    return names and content_digest(stored) == content_digest(again)


def differences(stored: pa.Table, again: pa.Table) -> list[str]:
    """Return the differences of a stored and a recomputed table, except those of times."""
    if content_digest(stored) == content_digest(again):
        return []
    if stored.num_rows != again.num_rows:
        return [f"has {stored.num_rows} rows, recomputed it has {again.num_rows}"]
    return [
        f"row {i}: {name} is {mine!r}, recomputed it is {other!r}"
        for name in stored.column_names
        if name not in TIME_COLUMNS
        for i, (mine, other) in enumerate(
            zip(stored[name].to_pylist(), again[name].to_pylist(), strict=True)
        )
        if repr(mine) != repr(other)
    ]
