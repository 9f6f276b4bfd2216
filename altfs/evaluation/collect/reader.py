"""Reading of files: whole ones, of exactly the task that their place says."""

import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from altfs.errors import StaleResultError
from altfs.study.ledger import Ledger, Stamp, stamp_of
from altfs.study.store import SCHEMA_VERSION, content_digest

Progress = Callable[[int, int], None]
# So many files are read between two reports of progress.
_BATCH = 50


class Wanted(NamedTuple):
    """A file that there has to be.

    Attributes
    ----------
    path : str
    expected : str
        The task hash that it has to have; of a dataset, the digest.
    kind : str
        What it has to be: ``shard``, ``predictions`` or ``dataset``.
    known : tuple or None
        Size and times of change with which it was found whole.
    """

    path: str
    expected: str
    kind: str
    known: Stamp | None = None


class File(NamedTuple):
    """A file that was read.

    Attributes
    ----------
    stamp : tuple
        Size and times of change, from before it was read.
    n_rows : int
    metadata : dict
    """

    stamp: Stamp
    n_rows: int
    metadata: dict[str, Any]


class Found(NamedTuple):
    """The content of some files.

    Attributes
    ----------
    table : Table or None
        Their rows, one file after the other; None if no file is there.
    files : list of File or None
        None for a file that is not there.
    """

    table: pa.Table | None
    files: list[File | None]


def read_files(wanted: Sequence[Wanted], allow_missing: bool) -> Found:
    """Read files, each of them whole and of exactly the task that its place says.

    Raises
    ------
    StaleResultError
        Names the first that is not, or is missing and must not be.
    """
    tables: list[pa.Table] = []
    files: list[File | None] = []
    for one in wanted:
        stamp = stamp_of(one.path)
        if stamp is None:
            if not allow_missing:
                raise StaleResultError(f"'{one.path}' is missing, run the study again.")
            files.append(None)
            continue
        table, metadata = _read(one, known=stamp == one.known)
        tables.append(table)
        files.append(File(stamp, len(table), metadata))
    # Thousands of small tables take ten times the room of a large one.
    return Found(pa.concat_tables(tables).combine_chunks() if tables else None, files)


def _read(one: Wanted, known: bool) -> tuple[pa.Table, dict[str, Any]]:
    try:
        # Small files: much cheaper than pyarrow.parquet.read_table, or a read for each column.
        content = pa.BufferReader(Path(one.path).read_bytes())
        with pq.ParquetFile(content) as source:
            table = source.read(use_threads=False)
        metadata = json.loads(table.schema.metadata[b"altfs"])
        version, found = metadata["schema_version"], metadata.get("task_hash")
        whole = (
            known or one.kind == "dataset" or content_digest(table) == metadata["digest"]
        ) and metadata["kind"] == one.kind
    except (OSError, pa.ArrowException, KeyError, TypeError, ValueError):
        raise StaleResultError(
            f"'{one.path}' is damaged or foreign, delete it and run the study again."
        ) from None
    if version != SCHEMA_VERSION:
        raise StaleResultError(
            f"'{one.path}' has schema version {version}, this version of altfs reads "
            f"{SCHEMA_VERSION}, delete the file and run the study again."
        )
    if not whole:
        raise StaleResultError(
            f"'{one.path}' was changed after it was made, delete it and run the study again."
        )
    if (metadata["digest"] if one.kind == "dataset" else found) != one.expected:
        raise StaleResultError(
            f"'{one.path}' was made for another task than its place says, or with other settings, "
            "data or code than the study has now, run the study again."
        )
    return table.replace_schema_metadata(None), metadata


class Reader:
    """Reader of the files of a study, which notes what is missing."""

    def __init__(self, ledger: Ledger, allow_missing: bool) -> None:
        self._ledger = ledger
        self._allow_missing = allow_missing
        self.missing: list[dict[str, Any]] = []

    def read(self, wanted: Iterable[Wanted], progress: Progress | None = None) -> Found:
        """Read many files; `progress` is called with how many were read, and of how many.

        Raises
        ------
        StaleResultError
            Names the first that is not whole, not of its place, or missing and must not be.
        """
        asked = [one._replace(known=self._ledger.known(one.path)) for one in wanted]
        batches = [asked[i : i + _BATCH] for i in range(0, len(asked), _BATCH)]
        tables: list[pa.Table] = []
        files: list[File | None] = []
        for batch in batches:
            found = read_files(batch, self._allow_missing)
            tables += [] if found.table is None else [found.table]
            files += found.files
            if progress:
                progress(len(files), len(asked))
        for one, file in zip(asked, files, strict=True):
            if file is not None and file.stamp != one.known:
                self._ledger.remember(one.path, file.stamp, one.expected)
        return Found(pa.concat_tables(tables).combine_chunks() if tables else None, files)

    def read_dataset(self, path: str, digest: str, identity: str) -> Found:
        """Read a dataset, and refuse one whose values are not those of the plan."""
        if self._ledger.state(path, identity) not in ("done", "missing"):
            raise StaleResultError(
                f"'{path}' does not hold the data that the study was planned with, "
                "delete the file and run the study again."
            )
        return read_files([Wanted(path, digest, "dataset")], self._allow_missing)

    def say(self, kind: str, dataset: str, fold: int, **detail: str) -> None:
        """Note something that has not been computed."""
        blank = {"selector": "", "search": "", "model": "", "n": 1}
        self.missing.append({"kind": kind, "dataset": dataset, "fold": fold, **blank, **detail})

    def lacking(self, dataset: str, fold: int, model: str, n: int) -> None:
        """Note feature sets without a prediction; an error in a study that should be complete."""
        if any(
            (m["kind"], m["dataset"], m["fold"], m["model"]) == ("prediction", dataset, fold, model)
            for m in self.missing
        ):
            return
        if not self._allow_missing:
            raise StaleResultError(
                f"predictions of dataset '{dataset}', fold {fold}, model '{model}' lack a feature "
                "set, run the study again."
            )
        self.missing.append(
            {"kind": "prediction of a feature set", "dataset": dataset, "fold": fold,
             "selector": "", "search": "", "model": model, "n": n}
        )  # fmt: skip


def missing_table(noted: list[dict[str, Any]]) -> pd.DataFrame:
    """Count what is not there: how many files, or feature sets, in which folds."""
    columns = ["kind", "dataset", "selector", "search", "model"]
    listed = pd.DataFrame(noted, columns=[*columns, "fold", "n"])
    groups = listed.groupby(columns, sort=False)
    table = groups.agg(n=("n", "sum")).astype({"n": int})
    folds = groups["fold"].agg(lambda folds: " ".join(map(str, sorted(set(folds)))))
    table["folds"] = folds.astype(str)
    return table.reset_index()
