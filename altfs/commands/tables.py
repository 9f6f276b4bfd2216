"""Tables as arguments of commands: a file, or standard input."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from altfs.datasets.base import RawTable
    from altfs.datasets.file import FileOptions

#: The help of an argument that is a table.
DATA = (
    "a .csv, .tsv, .txt or .jsonl file (also compressed), .xlsx, .parquet, .feather or .mat; - is "
    "standard input"
)


def load_table(path: Path, options: FileOptions) -> tuple[str, RawTable]:
    """Return the name of a table and its content; a DataError if it cannot be read."""
    from altfs.datasets.file import STDIN, FileSource

    name = table_name(path)
    source = FileSource(name, options)
    return name, source.read(sys.stdin.buffer.read()) if path == STDIN else source.load()


def table_name(path: Path) -> str:
    """Return the name of a table in messages."""
    return "standard input" if str(path) == "-" else path.name
