"""The files of a study that were read completely and found whole.

Reading 24,000 shards takes half a minute. So the sizes and times of change of whole files are
stored. Only files with other sizes or times are read again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

import pyarrow as pa

from altfs.errors import StaleResultError
from altfs.study.store import SCHEMA_VERSION, is_whole, read_table, write_text

State = Literal["done", "stale", "damaged", "missing"]
Stamp = tuple[int, int, int]

_FILE = ".whole.json"


class Ledger:
    """The files of one results folder that are known to be whole.

    An edit that keeps the size and both times of a file is not noticed here.
    ``altfs verify`` reads everything.
    """

    def __init__(self, folder: str | Path) -> None:
        self._path = Path(folder) / _FILE
        self._prefix = f"{folder}/"
        self._known: dict[str, tuple[Stamp, str]] = {}
        self._learned: dict[str, tuple[Stamp, str]] = {}
        try:
            content = json.loads(self._path.read_text("utf-8"))
            if content["schema_version"] == SCHEMA_VERSION:
                entries: dict[str, Any] = content["files"]
                self._known = {p: (_as_stamp(e[:3]), str(e[3])) for p, e in entries.items()}
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            # Without a ledger all files are read again, which only takes time.
            pass

    def state(self, path: str, expected: str) -> State:
        """Return the state of a file, given the task hash (of a dataset, the identity) it needs.

        A stale file is whole, but was made with other settings, data or code.
        """
        stamp = stamp_of(path)
        if stamp is None:
            return "missing"
        if self.known(path) != stamp:
            identity = _identity(path)
            if identity is None:
                return "damaged"
            self.remember(path, stamp, identity)
        return "done" if self._known[self._key(path)][1] == expected else "stale"

    def knows(self, path: str) -> bool:
        """Return True if the file's state is known without reading it."""
        return stamp_of(path) in (None, self.known(path))

    def known(self, path: str) -> Stamp | None:
        """Return the stamp of a file when it was found whole; None if it never was."""
        known = self._known.get(self._key(path))
        return None if known is None else known[0]

    def remember(self, path: str, stamp: Stamp, identity: str) -> None:
        """Note a file that was found whole; `stamp` is from before it was read."""
        self._known[self._key(path)] = self._learned[self._key(path)] = (stamp, identity)

    def learned(self) -> dict[str, list[Any]]:
        """Return the files that were noted since the ledger was read or saved, for JSON."""
        return {path: [*stamp, identity] for path, (stamp, identity) in self._learned.items()}

    def learn(self, files: Mapping[str, Sequence[Any]]) -> None:
        """Note the files that the ledger of another task learned."""
        for path, (*stamp, identity) in files.items():
            self._known[path] = self._learned[path] = (_as_stamp(stamp), str(identity))

    def save_if_allowed(self) -> None:
        """Store the ledger, unless the folder cannot be written to."""
        with suppress(OSError):
            self.save()

    def save(self) -> None:
        """Store the ledger if it has changed."""
        if self._learned:
            files = {path: [*stamp, identity] for path, (stamp, identity) in self._known.items()}
            write_text(self._path, json.dumps({"schema_version": SCHEMA_VERSION, "files": files}))
            self._learned = {}

    def _key(self, path: str) -> str:
        # A results folder may be moved, and has several names.
        return path.removeprefix(self._prefix)


def _as_stamp(numbers: Sequence[int]) -> Stamp:
    size, changed, status_changed = numbers
    return size, changed, status_changed


def stamp_of(path: str) -> Stamp | None:
    """Return size and times of change of a file; None if it does not exist."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_size, found.st_mtime_ns, found.st_ctime_ns


def _identity(path: str) -> str | None:
    """Return the task hash of a whole file; None if the file is damaged or was changed."""
    from altfs.study.folds import dataset_of

    try:
        table, metadata = read_table(Path(path))
        if metadata["kind"] == "dataset" and metadata["schema_version"] == SCHEMA_VERSION:
            dataset = dataset_of(table, metadata)
            return dataset.identity if dataset.digest == metadata["digest"] else None
        return str(metadata["task_hash"]) if is_whole(table, metadata) else None
    except (StaleResultError, KeyError, TypeError, ValueError, pa.ArrowException):
        # Readers raise these errors for damaged pages.
        return None
