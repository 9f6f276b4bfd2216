"""Reader of files, which checks that each is whole and of the task that its place says."""

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

import pyarrow as pa

from altfs.errors import StaleResultError
from altfs.study.state import Ledger
from altfs.study.store import (
    SHARD_SCHEMA,
    check_version,
    identity_of,
    others_of,
    read_table,
    read_whole,
    sets_of,
    stamp_of,
)
from altfs.study.task import Task

T = TypeVar("T", bound=Task)
# The number of files whose tables are joined at once.
_BATCH = 50
_N_COLUMNS = len(SHARD_SCHEMA)


class File(NamedTuple, Generic[T]):
    """The task, the number of rows and the metadata of a file that was read."""

    task: T
    n_rows: int
    metadata: dict[str, Any]


class Reader:
    """Reader of the files of a study, which notes what is missing."""

    def __init__(self, ledger: Ledger, allow_missing: bool = False) -> None:
        self.ledger = ledger
        self._allow_missing = allow_missing
        self.missing: list[dict[str, Any]] = []
        #: The rows that kinds of answers add to shards, by their first column.
        self.others: dict[str, list[pa.Table]] = defaultdict(list)

    def read(self, tasks: Sequence[T]) -> tuple[pa.Table | None, list[File[T]]]:
        """Read the files of tasks of one type, each of them whole and of exactly its task.

        Return the rows of all files, None if no file exists, and the files that exist.
        """
        tables: list[pa.Table] = []
        files: list[File[T]] = []
        for start in range(0, len(tasks), _BATCH):
            batch = tasks[start : start + _BATCH]
            read = [(task, *one) for task in batch if (one := self._read(task)) is not None]
            files += [File(task, len(table), metadata) for task, table, metadata in read]
            # Thousands of small tables need ten times the memory of a large one.
            tables += _joined([table for _, table, _ in read])
        return next(iter(_joined(tables)), None), files

    def _read(self, task: Task) -> tuple[pa.Table, dict[str, Any]] | None:
        stamp = stamp_of(task.path)
        if stamp is None:
            if not self._allow_missing:
                raise StaleResultError(f"'{task.path}' is missing, run the study again")
            place = {name: getattr(task, name, "") for name in ("selector", "search", "model")}
            self._note(task.word, task.dataset, task.fold_number, 1, **place)
            return None
        if stamp == self.ledger.stamp(task.path):
            table, metadata = read_table(Path(task.path))
            check_version(task.path, metadata, task.kind)
            identity = self.ledger.identity(task.path)
        else:
            table, metadata = read_whole(Path(task.path), task.kind)
            identity = identity_of(table, metadata)
        if identity != task.hash:
            what = "does not hold the data that the study was planned with, delete the file and"
            if task.kind != "dataset":
                what = (
                    "was made for another task than its place says, or with other settings, data "
                    "or code than the study has now,"
                )
            raise StaleResultError(f"'{task.path}' {what} run the study again")
        self.ledger.remember(task.path, stamp, identity)
        # Most shards have no rows of a kind of answer, and looking for them takes seconds.
        if task.kind == "shard" and table.num_columns > _N_COLUMNS:
            others = others_of(table)
            if others is not None and len(others):
                self.others[others.column_names[_N_COLUMNS]].append(
                    others.replace_schema_metadata(None)
                )
            table = sets_of(table)
        return table.replace_schema_metadata(None), metadata

    def lacking(self, dataset: str, fold: int, model: str, n: int) -> None:
        """Note feature sets without a prediction; an error in a study that should be complete."""
        file = ("prediction", dataset, fold, model)
        if any((m["kind"], m["dataset"], m["fold"], m["model"]) == file for m in self.missing):
            return
        if not self._allow_missing:
            raise StaleResultError(
                f"predictions of dataset '{dataset}', fold {fold}, model '{model}' lack a feature "
                "set, run the study again"
            )
        self._note("prediction of a feature set", dataset, fold, n, model=model)

    def _note(self, kind: str, dataset: str, fold: int, n: int = 1, **place: str) -> None:
        """Note what has not been computed."""
        blank = {"selector": "", "search": "", "model": ""}
        where = {"kind": kind, "dataset": dataset, "fold": fold}
        self.missing.append({**where, **blank, "n": n, **place})


def _joined(tables: list[pa.Table]) -> list[pa.Table]:
    return [pa.concat_tables(tables).combine_chunks()] if tables else []
