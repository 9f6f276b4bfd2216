"""Output of commands: the terminal, and files."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

from altfs.errors import AltfsError

if TYPE_CHECKING:
    from rich.console import Console


def console(width: int | None = None) -> Console:
    """Return a rich console that raises an error if its reader has closed the pipe.

    Rich's own class exits with code 1, which is an answer of ``altfs find``.
    """
    from rich.console import Console

    class Terminal(Console):
        def on_broken_pipe(self) -> None:
            # The caller knows the exit code.
            raise

    return Terminal(width=width, highlight=False)


def json_text(content: Any) -> str:
    """Return data as JSON for people."""
    return json.dumps(content, indent=1, ensure_ascii=False)


def finite_or_none(value: float) -> float | None:
    """Return a number as JSON has it, which has no NaN and no infinity."""
    return float(value) if isfinite(value) else None


def check_output(output: Path, path: Path, endings: tuple[str, ...]) -> None:
    """Check that a file can be written and is not the table itself."""
    if output.suffix not in endings:
        raise AltfsError(
            "output", f"'{output}' ends in '{output.suffix}'", f"allowed are: {', '.join(endings)}"
        )
    if output.is_dir() or not output.parent.is_dir():
        raise AltfsError(
            "output", f"'{output}' cannot be written", "name a file in a folder that exists"
        )
    if output.exists() and path.exists() and output.samefile(path):
        raise AltfsError("output", f"'{output}' is the table itself", "name another file")


@contextmanager
def writing(argument: str, path: Path) -> Iterator[None]:
    """Report an error in one sentence that names the argument of the file."""
    try:
        yield
    except OSError as error:
        raise AltfsError(
            argument, f"'{path}' cannot be written ({error.strerror})", "name another file"
        ) from None


def write_output(
    output: Path,
    content: dict[str, Any],
    rows: str,
    kind: str,
    page: Callable[[dict[str, Any]], str] = json_text,
) -> None:
    """Write data to a file, atomically.

    A .parquet file has the rows under a key of the data, and an .html file the page of them.
    """
    from altfs.study.store import write_table, write_text

    with writing("output", output):
        if output.suffix == ".json":
            write_text(output, json_text(content) + "\n")
        elif output.suffix == ".html":
            write_text(output, page(content))
        else:
            import pyarrow as pa

            others = {key: value for key, value in content.items() if key != rows}
            write_table(output, pa.Table.from_pylist(content[rows]), {"kind": kind, **others})
