"""Tables in files as arguments of commands."""

from __future__ import annotations

from pathlib import Path

#: Types of target that a user can name.
TASKS = ("auto", "classification", "regression")


def is_table(path: Path) -> bool:
    """Return True if the name of a file ends as those of tables do."""
    return path.name.lower().endswith((".csv", ".tsv", ".csv.gz", ".tsv.gz", ".parquet"))
