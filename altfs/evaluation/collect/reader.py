"""Reader of files, which checks that each is whole and of the task that its place says."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from altfs.errors import StaleResultError
from altfs.study.ledger import Ledger, stamp_of
from altfs.study.store import SCHEMA_VERSION, content_digest, front_of, sets_of

Progress = Callable[[int, int], None]
# The number of files between two reports of progress.
_BATCH = 50


class File(NamedTuple):
    """The number of rows and the metadata of a file that was read."""

    n_rows: int
    metadata: dict[str, Any]


#: The rows of all files, None if no file exists; each file, None for a file that is missing.
Found = tuple[pa.Table | None, list[File | None]]


class Reader:
    """Reader of the files of a study, which notes what is missing.

    Parameters
    ----------
    ledger : Ledger
    allow_missing : bool, default=False
    progress : callable, optional
        Called with the number of shards read and of all shards that are asked for.
    """

    def __init__(
        self, ledger: Ledger, allow_missing: bool = False, progress: Progress | None = None
    ) -> None:
        self._ledger = ledger
        self._allow_missing = allow_missing
        self._progress = progress
        self.missing: list[dict[str, Any]] = []
        #: The rows of the front of each shard that has one.
        self.fronts: list[pa.Table] = []

    def read(self, kind: str, wanted: Sequence[tuple[str, str]]) -> Found:
        """Read files, each of them whole and of exactly the task that its place says.

        Parameters
        ----------
        kind : {"shard", "explanations", "predictions", "dataset"}
        wanted : sequence of (str, str)
            The path of each file, and the task hash that it must have; of a dataset, the digest.

        Raises
        ------
        StaleResultError
            Names the first file that is not whole, not of its place, or missing and must not be.
        """
        tables: list[pa.Table] = []
        files: list[File | None] = []
        for start in range(0, len(wanted), _BATCH):
            found = [self._read(kind, *one) for one in wanted[start : start + _BATCH]]
            files += [None if one is None else File(len(one[0]), one[1]) for one in found]
            # Thousands of small tables need ten times the memory of a large one.
            tables += _joined([one[0] for one in found if one])
            if self._progress and kind == "shard":
                self._progress(len(files), len(wanted))
        return next(iter(_joined(tables)), None), files

    def read_dataset(self, path: str, digest: str, identity: str) -> Found:
        """Read a dataset, and refuse one whose values are not those of the plan."""
        if self._ledger.state(path, identity) not in ("done", "missing"):
            raise StaleResultError(
                f"'{path}' does not hold the data that the study was planned with, "
                "delete the file and run the study again."
            )
        return self.read("dataset", [(path, digest)])

    def _read(self, kind: str, path: str, expected: str) -> tuple[pa.Table, dict[str, Any]] | None:
        stamp = stamp_of(path)
        if stamp is None:
            if not self._allow_missing:
                raise StaleResultError(f"'{path}' is missing, run the study again.")
            return None
        known = stamp == self._ledger.known(path)
        try:
            # Small files: much cheaper than pyarrow.parquet.read_table, or a read for each column.
            content = pa.BufferReader(Path(path).read_bytes())
            with pq.ParquetFile(content) as source:
                table = source.read(use_threads=False)
            metadata = json.loads(table.schema.metadata[b"altfs"])
            version, digest = metadata["schema_version"], metadata["digest"]
            whole = metadata["kind"] == kind and (known or content_digest(table) == digest)
        except (OSError, pa.ArrowException, KeyError, TypeError, ValueError):
            raise StaleResultError(
                f"'{path}' is damaged or foreign, delete it and run the study again."
            ) from None
        if version != SCHEMA_VERSION:
            raise StaleResultError(
                f"'{path}' has schema version {version}, this version of altfs reads "
                f"{SCHEMA_VERSION}, delete the file and run the study again."
            )
        if not whole:
            raise StaleResultError(
                f"'{path}' was changed after it was made, delete it and run the study again."
            )
        if (digest if kind == "dataset" else metadata.get("task_hash")) != expected:
            raise StaleResultError(
                f"'{path}' was made for another task than its place says, or with other settings, "
                "data or code than the study has now, run the study again."
            )
        if not known:
            self._ledger.remember(path, stamp, expected)
        # Most studies have no front, and making an empty table for each shard takes seconds.
        if kind == "shard" and "point" in table.column_names and len(points := front_of(table)):
            self.fronts.append(points.replace_schema_metadata(None))
        table = sets_of(table) if kind == "shard" else table
        return table.replace_schema_metadata(None), metadata

    def say(self, kind: str, dataset: str, fold: int, **detail: str | int) -> None:
        """Note a file that has not been computed."""
        blank = {"selector": "", "search": "", "model": "", "n": 1}
        self.missing.append({"kind": kind, "dataset": dataset, "fold": fold, **blank, **detail})

    def lacking(self, dataset: str, fold: int, model: str, n: int) -> None:
        """Note feature sets without a prediction; an error in a study that should be complete."""
        file = ("prediction", dataset, fold, model)
        if any((m["kind"], m["dataset"], m["fold"], m["model"]) == file for m in self.missing):
            return
        if not self._allow_missing:
            raise StaleResultError(
                f"predictions of dataset '{dataset}', fold {fold}, model '{model}' lack a feature "
                "set, run the study again."
            )
        self.say("prediction of a feature set", dataset, fold, model=model, n=n)


def _joined(tables: list[pa.Table]) -> list[pa.Table]:
    return [pa.concat_tables(tables).combine_chunks()] if tables else []


def missing_table(noted: list[dict[str, Any]]) -> pd.DataFrame:
    """Count what is missing: the number of files or feature sets, and their folds."""
    columns = ["kind", "dataset", "selector", "search", "model"]
    listed = pd.DataFrame(noted, columns=[*columns, "fold", "n"])
    groups = listed.groupby(columns, sort=False)
    table = groups.agg(n=("n", "sum")).astype({"n": int})
    folds = groups["fold"].agg(lambda folds: " ".join(map(str, sorted(set(folds)))))
    return table.assign(folds=folds.astype(str)).reset_index()
