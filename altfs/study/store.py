"""Stored results: Parquet schemas, metadata, and writes that are whole or absent."""

from __future__ import annotations

import hashlib
import json
import os
import platform
from collections.abc import Callable, Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from altfs._files import is_file, parse_json
from altfs.datasets import Dataset
from altfs.errors import StaleResultError

if TYPE_CHECKING:
    import pandas as pd

SCHEMA_VERSION = 6
#: A table, and its metadata besides the kind, the task and the digest.
Result = tuple[pa.Table, dict[str, Any]]
#: Size, time of change, and time of change of the status of a file.
Stamp = tuple[int, int, int]
_KEY = b"altfs"
# A text that begins with one of them is a formula for spreadsheets.
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
_LIBRARIES = ("altfs", "numpy", "numba", "scikit-learn", "ortools", "pandas", "pyarrow")

_f, _i, _s = pa.float64(), pa.int32(), pa.string()
#: The columns of a run, and of a set, in all files of sets.
RUN_COLUMNS = [
    ("dataset", _s),
    ("fold", _i),
    ("selector", _s),
    ("tau", _s),
    ("search", _s),
    ("n_features", _i),
    ("n_alternatives", _i),
    ("aggregation", _s),
]
SET_COLUMNS = [
    ("set_index", _i),
    ("max_overlap", _i),
    ("selected", pa.list_(_i)),
    ("feature_names", pa.list_(_s)),
]
SHARD_SCHEMA = pa.schema(
    [
        *RUN_COLUMNS,
        *SET_COLUMNS,
        ("train_objective", _f),
        ("test_objective", _f),
        ("floor", _f),
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
#: Columns that may differ between two runs of the same task.
TIME_COLUMNS = ("seconds", "startup_seconds")


def content_digest(table: pa.Table) -> str:
    """Return the SHA-256 of a table's values without times."""
    kept = table.drop_columns([c for c in TIME_COLUMNS if c in table.column_names])
    text = json.dumps(kept.to_pydict(), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def library_versions() -> dict[str, str]:
    """Return the versions of the libraries that results depend on."""
    versions = {}
    for library in _LIBRARIES:
        try:
            versions[library] = version(library)
        except PackageNotFoundError:
            versions[library] = "unknown"
    return versions


def stamp_of(path: str) -> Stamp | None:
    """Return size and times of change of a file; None if it does not exist."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_size, status.st_mtime_ns, status.st_ctime_ns


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


def csv_text(frame: pd.DataFrame) -> str:
    """Return a table as CSV, in which no text is a formula of a spreadsheet.

    Texts that a spreadsheet would compute get an apostrophe, which it does not show.

    Examples
    --------
    >>> import pandas as pd
    >>> print(csv_text(pd.DataFrame({"name": ["=1+1", "age"], "change": [-0.5, 1.0]})), end="")
    name,change
    '=1+1,-0.5
    age,1.0
    """

    def plain(value: Any) -> Any:
        return f"'{value}" if isinstance(value, str) and value[:1] in _FORMULA_STARTS else value

    texts = frame.select_dtypes(exclude="number").columns
    quoted = frame.assign(**{name: frame[name].astype(object).map(plain) for name in texts})
    return str(quoted.rename(columns=plain).to_csv(index=False))


def write_table(path: Path, table: pa.Table, metadata: Mapping[str, Any]) -> None:
    """Write a Parquet file that is whole or absent, with metadata as JSON."""
    text = json.dumps(dict(metadata), sort_keys=True).encode()
    tagged = table.replace_schema_metadata({_KEY: text})
    layout = layout_of(metadata["kind"])
    write_atomically(path, lambda partial: pq.write_table(tagged, partial, **layout))


def write_result(
    path: Path, kind: str, task_hash: str, result: Result, cpu_seconds: float | None = None
) -> None:
    """Write the table that a task with a hash made, in `cpu_seconds` if that is known."""
    table, described = result
    metadata = {
        "kind": kind,
        "schema_version": SCHEMA_VERSION,
        "task_hash": task_hash,
        "digest": content_digest(table),
    }
    spent = {} if cpu_seconds is None else {"cpu_seconds": cpu_seconds}
    write_table(path, table, {**metadata, **spent, **described})


def stale(path: str | Path, why: str) -> StaleResultError:
    """Return the error of a file that has to be made again."""
    return StaleResultError(f"'{path}' {why}, delete it and run the study again")


def read_table(path: Path) -> tuple[pa.Table, dict[str, Any]]:
    """Read a file of :func:`write_table`."""
    if not is_file(path):
        raise stale(path, "is damaged or foreign" if path.exists() else "is missing")
    try:
        # Arrow's threads release a file of Python after the last line of a program, and abort it.
        with pa.OSFile(str(path)) as source:
            # Less than half of the time of `read_table`, which counts for thousands of small files.
            table = pq.ParquetFile(source).read(use_threads=False)
        metadata = dict(parse_json((table.schema.metadata or {})[_KEY]))
    except (OSError, pa.ArrowException, KeyError, TypeError, ValueError):
        raise stale(path, "is damaged or foreign") from None
    return table, metadata


def read_metadata(path: Path) -> dict[str, Any]:
    """Read the metadata of a file of :func:`write_table`, without its values."""
    try:
        return dict(parse_json((pq.read_schema(path).metadata or {})[_KEY]))
    except (OSError, pa.ArrowException, KeyError, TypeError, ValueError):
        raise stale(path, "is missing, damaged or foreign") from None


def cpu_seconds_and_rows(path: str) -> tuple[float, int] | None:
    """Return the CPU seconds that a result took, and its rows; None without such a result."""
    try:
        file = pq.read_metadata(path)
        return float(parse_json(file.metadata[_KEY])["cpu_seconds"]), file.num_rows
    except (OSError, pa.ArrowException, KeyError, TypeError, ValueError):
        return None


def sets_of(shard: pa.Table) -> pa.Table:
    """Return the rows of the feature sets of a shard, without those that a kind of answer adds."""
    more = [name for name in shard.column_names if name not in SHARD_SCHEMA.names]
    if not more:
        return shard
    return shard.filter(pc.is_null(shard[more[0]])).drop_columns(more)


def others_of(shard: pa.Table) -> pa.Table | None:
    """Return the rows that a kind of answer adds to a shard; None if its search adds none."""
    more = [name for name in shard.column_names if name not in SHARD_SCHEMA.names]
    return shard.filter(pc.is_valid(shard[more[0]])) if more else None


def read_shard(path: Path, expected_hash: str) -> tuple[pa.Table, dict[str, Any]]:
    """Read the feature sets of a shard, and check that the expected task made it."""
    table, metadata = read_table(path)
    check_version(path, metadata, "shard")
    if metadata.get("task_hash") != expected_hash:
        raise StaleResultError(
            f"'{path}' was made with other settings, data or code than the study has now, run the "
            "study again"
        )
    return sets_of(table), metadata


def check_version(path: str | Path, metadata: Mapping[str, Any], kind: str | None = None) -> None:
    """Refuse a file of another schema version, or of another kind."""
    if kind is not None and metadata.get("kind") != kind:
        raise stale(path, "is damaged or foreign")
    if metadata.get("schema_version") != SCHEMA_VERSION:
        raise StaleResultError(
            f"'{path}' has schema version {metadata.get('schema_version')}, this version of altfs "
            f"reads {SCHEMA_VERSION}, delete the file and run the study again"
        )


def read_whole(path: Path, kind: str | None = None) -> tuple[pa.Table, dict[str, Any]]:
    """Read a file that this version of altfs wrote, and that was not changed since."""
    table, metadata = read_table(path)
    check_version(path, metadata, kind)
    try:
        whole = metadata["digest"] == digest_of(table, metadata)
    except (KeyError, TypeError, ValueError, pa.ArrowException):
        # Readers raise these errors for damaged pages.
        raise stale(path, "is damaged or foreign") from None
    if not whole:
        raise stale(path, "was changed after it was made")
    return table, metadata


def dataset_of(table: pa.Table, metadata: Mapping[str, Any]) -> Dataset:
    """Return the dataset in a table and metadata of :func:`altfs.study.folds.save_dataset`."""
    target, folds = metadata["target"], metadata.get("fold_column", "")
    attributes = metadata.get("attributes", [])
    others = {target, folds, *attributes}
    features = tuple(c for c in table.column_names if c not in others)
    return Dataset(
        name=metadata["name"],
        X=np.column_stack([table[c].to_numpy() for c in features]),
        y=table[target].to_numpy(),
        feature_names=features,
        target=target,
        target_type=metadata["target_type"],
        info=metadata["info"],
        fold_column=folds,
        fold_labels=table[folds].to_numpy() if folds else None,
        attributes={name: table[name].to_numpy() for name in attributes},
    )


def digest_of(table: pa.Table, metadata: Mapping[str, Any]) -> str:
    """Return the digest that a whole file has in its metadata."""
    if metadata["kind"] == "dataset":
        return dataset_of(table, metadata).digest
    return content_digest(table)


def identity_of(table: pa.Table, metadata: Mapping[str, Any]) -> str:
    """Return the task hash of a whole file; of a dataset its identity."""
    if metadata["kind"] == "dataset":
        return dataset_of(table, metadata).identity
    return str(metadata["task_hash"])


def read_current(path: Path, expected_hash: str) -> pa.Table | None:
    """Read a whole result of exactly this task; None if there is no such file."""
    try:
        table, metadata = read_whole(path)
        return table if identity_of(table, metadata) == expected_hash else None
    except (StaleResultError, KeyError):
        return None
