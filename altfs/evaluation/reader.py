"""Reads the files of a study: whole ones, of exactly the task that their place says."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from altfs.errors import StaleResultError
from altfs.study.ledger import Ledger, stamp_of
from altfs.study.store import SCHEMA_VERSION, content_digest

# While one thread digests a file, which takes the interpreter, another decodes the next.
_READERS = 2


class Reader:
    """Reads files of a study once, and takes note of what is not there."""

    def __init__(self, ledger: Ledger, allow_missing: bool) -> None:
        self._ledger = ledger
        self._allow_missing = allow_missing
        self._missing: list[dict[str, Any]] = []

    def read(self, path: str, expected: str, kind: str) -> tuple[pa.Table, dict[str, Any]] | None:
        """A whole file of exactly this task; None if it may be missing and is."""
        stamp = stamp_of(path)
        if stamp is None:
            if self._allow_missing:
                return None
            raise StaleResultError(f"'{path}' is missing, run the study again.")
        known = self._ledger.knows(path)
        try:
            # Much cheaper for small files than pyarrow.parquet.read_table.
            with pa.OSFile(path) as file, pq.ParquetFile(file) as source:
                table = source.read(use_threads=False)
            metadata = json.loads(table.schema.metadata[b"altfs"])
            version, found = metadata["schema_version"], metadata.get("task_hash")
            whole = (
                known or kind == "dataset" or content_digest(table) == metadata["digest"]
            ) and metadata["kind"] == kind
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
        if (metadata["digest"] if kind == "dataset" else found) != expected:
            raise StaleResultError(
                f"'{path}' was made for another task than its place says, or with other settings, "
                "data or code than the study has now, run the study again."
            )
        if not known and kind != "dataset":
            self._ledger.remember(path, stamp, expected)
        return table.replace_schema_metadata(None), metadata

    def read_all(
        self, wanted: Iterable[tuple[str, str]], kind: str
    ) -> Iterator[tuple[pa.Table, dict[str, Any]] | None]:
        """Read files by path and expected hash, some at a time; they come in their order."""

        def read(file: tuple[str, str]) -> tuple[pa.Table, dict[str, Any]] | None:
            return self.read(file[0], file[1], kind)

        pool = ThreadPoolExecutor(_READERS)
        try:
            yield from pool.map(read, wanted)
        finally:
            # After a file that is refused, no other is read.
            pool.shutdown(cancel_futures=True)

    def check_dataset(self, path: str, identity: str) -> None:
        """Refuse a dataset whose values are not those of the plan."""
        if self._ledger.state(path, identity) not in ("done", "missing"):
            raise StaleResultError(
                f"'{path}' does not hold the data that the study was planned with, "
                "delete the file and run the study again."
            )

    def say(self, kind: str, dataset: str, fold: int, **detail: str) -> None:
        """Take note of something that has not been computed."""
        blank = {"selector": "", "search": "", "model": "", "n": 1}
        self._missing.append({"kind": kind, "dataset": dataset, "fold": fold, **blank, **detail})

    def lacking(self, dataset: str, fold: int, model: str, n: int) -> None:
        """Feature sets without a prediction; an error in a study that should be complete."""
        if any(
            (m["kind"], m["dataset"], m["fold"], m["model"]) == ("prediction", dataset, fold, model)
            for m in self._missing
        ):
            return
        if not self._allow_missing:
            raise StaleResultError(
                f"predictions of dataset '{dataset}', fold {fold}, model '{model}' lack a feature "
                "set, run the study again."
            )
        self._missing.append(
            {"kind": "prediction of a feature set", "dataset": dataset, "fold": fold,
             "selector": "", "search": "", "model": model, "n": n}
        )  # fmt: skip

    def missing(self) -> pd.DataFrame:
        """What is not there: how many files, or feature sets, in which folds."""
        columns = ["kind", "dataset", "selector", "search", "model"]
        listed = pd.DataFrame(self._missing, columns=[*columns, "fold", "n"])
        groups = listed.groupby(columns, sort=False)
        table = groups.agg(n=("n", "sum")).astype({"n": int})
        table["folds"] = groups["fold"].agg(
            lambda folds: " ".join(map(str, sorted(set(folds))))
        ).astype(str)  # fmt: skip
        return table.reset_index()
