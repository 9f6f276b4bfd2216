"""Stored results: Parquet schemas, metadata, and writes that are whole or absent."""

from __future__ import annotations

import hashlib
import json
import os
import platform
from collections.abc import Callable, Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from altfs.errors import StaleResultError

SCHEMA_VERSION = 5
#: A table, and its metadata besides the kind, the task and the digest.
Result = tuple[pa.Table, dict[str, Any]]
_KEY = b"altfs"
_LIBRARIES = ("altfs", "numpy", "numba", "scikit-learn", "ortools", "pandas", "pyarrow")

_f, _i, _s = pa.float64(), pa.int32(), pa.string()
# The columns of shards and explanations.
_RUN_COLUMNS = [
    ("dataset", _s),
    ("fold", _i),
    ("selector", _s),
    ("tau", _s),
    ("search", _s),
    ("n_features", _i),
    ("n_alternatives", _i),
    ("aggregation", _s),
]
_SET_COLUMNS = [
    ("set_index", _i),
    ("max_overlap", _i),
    ("selected", pa.list_(_i)),
    ("feature_names", pa.list_(_s)),
]
SHARD_SCHEMA = pa.schema(
    [
        *_RUN_COLUMNS,
        *_SET_COLUMNS,
        ("train_objective", _f),
        ("test_objective", _f),
        ("bound", _f),
        ("run_objective", _f),
        ("run_bound", _f),
        ("status", _s),
        ("solver", _s),
        ("work", pa.int64()),
        ("seconds", _f),
        ("startup_seconds", _f),
        ("offered", _i),
        ("kept", _i),
        ("passed_on", _i),
        ("dropped", _i),
        ("trace_seen", pa.list_(_i)),
        ("trace_sizes", pa.list_(_i)),
        ("trace_objectives", pa.list_(_f)),
    ]
)
#: Columns that a shard has only if it has a front. Rows of its sets have nulls there.
FRONT_COLUMNS = [
    pa.field("point", _i),
    pa.field("objectives", pa.list_(_f)),
    pa.field("test_objectives", pa.list_(_f)),
]
FRONT_SCHEMA = pa.schema([*SHARD_SCHEMA, *FRONT_COLUMNS])
PREDICTION_SCHEMA = pa.schema(
    [
        ("dataset", _s),
        ("fold", _i),
        ("model", _s),
        ("selected", pa.list_(_i)),
        ("metric", _s),
        ("train_score", _f),
        ("test_score", _f),
        ("seconds", _f),
    ]
)
EXPLANATION_SCHEMA = pa.schema(
    [
        *_RUN_COLUMNS,
        ("row", _i),
        *_SET_COLUMNS,
        ("values", pa.list_(_f)),
        ("objective", _f),
        ("share", _f),
        ("answer", _f),
        ("answer_alone", _f),
        ("same_prediction", pa.bool_()),
        ("fidelity", _f),
        ("n_true", _i),
        ("truth_found", _i),
        ("truth_wrong", _i),
        ("truth_rank", _f),
        ("status", _s),
        ("seconds", _f),
    ]
)
#: Columns that may differ between two runs of the same task.
TIME_COLUMNS = ("seconds", "startup_seconds")


def task_hash(arguments: Mapping[str, Any]) -> str:
    """Hash the arguments on which the result of a task depends; places of files do not count."""
    content = {k: v for k, v in arguments.items() if k not in {"output", "files", "study"}}
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:32]


def content_digest(table: pa.Table) -> str:
    """Return the SHA-256 of a table's values without times."""
    kept = table.drop_columns([c for c in TIME_COLUMNS if c in table.column_names])
    text = json.dumps(kept.to_pydict(), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def library_versions() -> dict[str, str]:
    """Return the versions of the libraries that results depend on."""
    found = {}
    for library in _LIBRARIES:
        try:
            found[library] = version(library)
        except PackageNotFoundError:
            found[library] = "unknown"
    return found


def write_atomically(path: Path, write: Callable[[Path], object]) -> None:
    """Let `write` fill a temporary file beside `path`, then move it there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    # Two machines may make the same file at the same time.
    begin = f".{path.name}.{platform.node()}."
    _remove_left(path.parent, begin)
    partial = path.with_name(f"{begin}{os.getpid()}.partial")
    try:
        write(partial)
        os.replace(partial, path)
    finally:
        partial.unlink(missing_ok=True)


def _remove_left(folder: Path, begin: str) -> None:
    """Remove what killed processes of this machine have left of a file."""
    for name in os.listdir(folder):
        if not (name.startswith(begin) and name.endswith(".partial")):
            continue
        try:
            os.kill(int(name.removeprefix(begin).removesuffix(".partial")), 0)
        except ProcessLookupError:
            (folder / name).unlink(missing_ok=True)
        except (PermissionError, ValueError):
            pass


def write_text(path: Path, text: str) -> None:
    """Write a text file that is whole or absent."""
    write_atomically(path, lambda partial: partial.write_bytes(text.encode()))


def layout_of(kind: str) -> dict[str, Any]:
    """Return the options of Parquet for the files of a kind."""
    if kind not in ("shard", "explanations"):
        return {"compression": "zstd"}
    # There are thousands of small shards. Setting up zstd takes as long as reading one without
    # it, and dictionaries and statistics of a few rows cost more time and place than they save.
    return {"compression": "snappy", "use_dictionary": False, "write_statistics": False}


def write_table(path: Path, table: pa.Table, metadata: Mapping[str, Any]) -> None:
    """Write a Parquet file that is whole or absent, with metadata as JSON."""
    text = json.dumps(dict(metadata), sort_keys=True).encode()
    tagged = table.replace_schema_metadata({_KEY: text})
    layout = layout_of(metadata["kind"])
    write_atomically(path, lambda partial: pq.write_table(tagged, partial, **layout))


def write_result(
    arguments: Mapping[str, Any], kind: str, result: Result, cpu_seconds: float | None = None
) -> None:
    """Write the table that a task with these arguments made, in `cpu_seconds` if that is known."""
    table, described = result
    metadata = {
        "kind": kind,
        "schema_version": SCHEMA_VERSION,
        "task_hash": task_hash(arguments),
        "digest": content_digest(table),
    }
    spent = {} if cpu_seconds is None else {"cpu_seconds": cpu_seconds}
    write_table(Path(arguments["output"]), table, {**metadata, **spent, **described})


def read_table(path: Path) -> tuple[pa.Table, dict[str, Any]]:
    """Read a file of :func:`write_table`.

    Raises
    ------
    StaleResultError
        If the file is not a whole Parquet file of altfs.
    """
    try:
        with open(path, "rb") as source:
            table = pq.read_table(source)
        metadata = json.loads((table.schema.metadata or {})[_KEY])
    except (OSError, pa.ArrowException, KeyError, ValueError) as error:
        reason = "is missing" if isinstance(error, FileNotFoundError) else "is damaged or foreign"
        raise StaleResultError(f"'{path}' {reason}, delete it and run the study again.") from None
    return table, dict(metadata)


def read_metadata(path: Path) -> dict[str, Any]:
    """Read the metadata of a file of :func:`write_table`, without its values.

    Raises
    ------
    StaleResultError
        If the file is not a Parquet file of altfs.
    """
    try:
        return dict(json.loads((pq.read_schema(path).metadata or {})[_KEY]))
    except (OSError, pa.ArrowException, KeyError, TypeError, ValueError):
        raise StaleResultError(
            f"'{path}' is missing, damaged or foreign, delete it and run the study again."
        ) from None


def sets_of(shard: pa.Table) -> pa.Table:
    """Return the rows of the feature sets of a shard, without those of its front."""
    if "point" not in shard.column_names:
        return shard
    rows = shard.filter(pc.is_null(shard["point"]))
    return rows.drop_columns([field.name for field in FRONT_COLUMNS])


def front_of(shard: pa.Table) -> pa.Table:
    """Return the rows of the front of a shard; none if it has no front."""
    if "point" not in shard.column_names:
        return FRONT_SCHEMA.empty_table()
    return shard.filter(pc.is_valid(shard["point"]))


def read_shard(path: Path, expected_hash: str | None = None) -> tuple[pa.Table, dict[str, Any]]:
    """Read the feature sets of a shard, and check that the expected task made it."""
    table, metadata = read_table(path)
    if metadata.get("kind") != "shard" or metadata.get("schema_version") != SCHEMA_VERSION:
        raise StaleResultError(
            f"'{path}' has schema version {metadata.get('schema_version')}, this version of altfs "
            f"reads {SCHEMA_VERSION}, delete the file and run the study again."
        )
    if expected_hash is not None and metadata.get("task_hash") != expected_hash:
        raise StaleResultError(
            f"'{path}' was made with other settings, data or code than the study has now, "
            "run the study again."
        )
    return sets_of(table), metadata


def is_whole(table: pa.Table, metadata: Mapping[str, Any]) -> bool:
    """Return True if this version of altfs wrote a result, which was not changed since."""
    known = metadata.get("schema_version") == SCHEMA_VERSION
    return known and metadata.get("digest") == content_digest(table)


def read_current(path: Path, expected_hash: str) -> pa.Table | None:
    """Read a whole result of exactly this task; None if there is no such file."""
    try:
        table, metadata = read_table(path)
        current = metadata.get("task_hash") == expected_hash and is_whole(table, metadata)
    except (StaleResultError, TypeError, ValueError, pa.ArrowException):
        # Readers raise these errors for damaged pages.
        return None
    return table if current else None
