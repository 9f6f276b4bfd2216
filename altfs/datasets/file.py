"""Tables in files: text, JSON lines, Excel, Parquet, Arrow and MATLAB."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pydantic import ValidationError, field_validator, model_validator

from altfs._extras import require
from altfs._files import is_file, read_bytes
from altfs._memory import memory, size_of
from altfs._options import mistake
from altfs.datasets.base import RawTable, Source, SourceOptions, Task, at_home, sources
from altfs.datasets.columns import INDEX, numbers_rows
from altfs.datasets.matrices import read_matrices
from altfs.datasets.text import TextTable, check_cells, check_header, unpacked
from altfs.errors import AltfsError, DataError

if TYPE_CHECKING:
    import pandas as pd

# The usual separator of each ending of a text file.
_TEXT = {".csv": ",", ".tsv": "\t", ".tab": "\t", ".txt": ",", ".dat": ",", ".data": ","}
_LINES = (".jsonl", ".ndjson")
_PACKED = (".gz", ".bz2", ".xz", ".zip")
_BINARY = {".parquet": ".parquet", ".feather": ".arrow", ".arrow": ".arrow", ".mat": ".mat",
           ".xlsx": ".xlsx"}  # fmt: skip
_MARKS = {b"PAR1": ".parquet", b"ARROW1": ".arrow", b"MATLAB 5.0": ".mat", b"PK\x03\x04": ".xlsx"}
#: The endings of files that are tables.
ENDINGS = (
    *_TEXT,
    *_LINES,
    *(text + packed for text in (*_TEXT, *_LINES) for packed in _PACKED),
    *_BINARY,
)
#: The path of standard input.
STDIN = Path("-")
# Reading a file of text needs up to this many times its size: 4 of numbers, 6 of categories.
_TIMES = 6
# The matrix of the target in a .mat file.
_TARGET = "Y"
_ADVICE = {".mat": "save it again with -v7, as files of version 7.3 are not read"}


class FileOptions(SourceOptions):
    """path: the file. target: its target column, Y in a .mat file. task: the type of the target.

    separator, decimal, encoding: of a text file, if they are not recognised.
    """

    path: Path
    target: str
    task: Task = "auto"
    separator: str | None = None
    decimal: Literal[".", ","] | None = None
    encoding: str | None = None

    @field_validator("path", mode="after")
    @classmethod
    def _home(cls, value: Path) -> Path:
        return at_home(value)

    @field_validator("separator", mode="after")
    @classmethod
    def _checked_separator(cls, value: str | None) -> str | None:
        value = "\t" if value in ("tab", "\\t") else value
        if value is not None and (len(value.encode()) != 1 or value in '"\n\r'):
            raise AltfsError.of_value("separator", value, "use one letter, or tab")
        return value

    @model_validator(mode="before")
    @classmethod
    def _target_of_matrices(cls, value: Any) -> Any:
        named = isinstance(value, Mapping) and "target" not in value
        if named and str(value.get("path", "")).lower().endswith(".mat"):
            return {**value, "target": _TARGET}
        return value


def file_options(values: Mapping[str, Any]) -> FileOptions:
    """Return the options of a file; a DataError with one sentence if one is not allowed."""
    try:
        return FileOptions.model_validate(dict(values))
    except ValidationError as error:
        raise DataError(*mistake(error, FileOptions).args) from None


@sources.register("file")
class FileSource(Source):
    """A file of text, JSON lines, Excel, Parquet, Arrow (Feather) or MATLAB.

    Text has a first line of names. It may be compressed (gzip, bzip2, xz, zip). Its separator
    (comma, semicolon, tab, bar) is that of the ending, else the one by which the target has a
    column. Decimal commas, UTF-8 and UTF-16 are recognised, too. JSON has an object in each line,
    and may be compressed, too. Of a workbook, the first sheet is read. A ``.mat`` file has the
    matrices X, dense or sparse, and Y. The columns of X become x0, x1, ... A first column
    without a name, or with pandas' ``Unnamed: 0``, that numbers the rows is left out.
    """

    Options = FileOptions

    def load(self) -> RawTable:
        path: Path = self.options.path
        if not is_file(path):
            advice = "give a path that exists, relative to the current folder"
            raise DataError(f"there is no file '{path}', {advice}")
        self._check_size(path.stat().st_size)
        return self.read(read_bytes(path))

    def read(self, content: bytes) -> RawTable:
        """Read the table from the bytes of a file; errors as in :meth:`load`."""
        path: Path = self.options.path
        sha256, said = hashlib.sha256(content).hexdigest(), ""
        kind = path.suffix.lower()
        try:
            content = unpacked(content, f"'{path.name}'", int(memory() / _TIMES))
            kind = self._kind(content)
            if kind == ".xlsx":
                frame, said = self._read_sheet(content)
            elif kind in _LINES:
                frame = self._read_lines(content)
            elif kind in (".parquet", ".arrow"):
                frame = self._read_arrow(content, kind)
            elif kind == ".mat":
                frame = self._read_matrices(content)
            else:
                options = self.options
                text = TextTable(
                    content,
                    f"'{path}'",
                    options.target,
                    options.separator,
                    options.decimal,
                    options.encoding,
                    _TEXT[kind],
                )
                frame, said = text.read()
        except AltfsError:
            raise
        except Exception as error:
            reason = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise DataError(
                f"'{path}' cannot be read as a table ({reason}), "
                f"{_ADVICE.get(kind, 'save it again as UTF-8 text or Parquet')}"
            ) from None
        notes = [f"{said}, is read."] if kind == ".xlsx" and said else []
        frame, left_out = self._without_index(frame)
        said = ", ".join(filter(None, (said, "without its index" if left_out else "")))
        notes += left_out
        origin = f"file: {path.name}" + (f" ({said})" if said else "")
        options = self.options
        return RawTable(frame, options.target, options.task, origin, sha256, notes=tuple(notes))

    def _without_index(self, frame: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
        """Return a table without first columns that number its rows, and a note of each."""
        notes = []
        while frame.shape[1] and (name := str(frame.columns[0]).strip()) in ("", INDEX):
            if name == self.options.target or not numbers_rows(frame.iloc[:, 0]):
                if name:
                    break
                raise DataError(
                    "column 1 of the table has no name and does not number the rows, name it"
                )
            shown = f"column '{name}'" if name else "the first column, which has no name,"
            notes.append(f"{shown} numbers the rows and is left out.")
            frame = frame.iloc[:, 1:]
        return frame, notes

    def _kind(self, content: bytes) -> str:
        """Return the ending of the kind of a file, by its first bytes, else by its name."""
        path: Path = self.options.path
        for mark, kind in _MARKS.items():
            if content.startswith(mark):
                return kind
        name = path.with_suffix("") if path.suffix.lower() in _PACKED else path
        kind = name.suffix.lower()
        if path == STDIN:
            kind = _LINES[0] if content.lstrip().startswith(b"{") else ".csv"
        if kind not in (*_TEXT, *_LINES, *_BINARY):
            raise DataError(
                f"'{path.name}' ends in '{path.suffix}', allowed are: "
                f"{', '.join((*_TEXT, *_LINES, *_BINARY))}, those of text also with "
                f"{', '.join(_PACKED)}"
            )
        return _BINARY.get(kind, kind)

    def _check_size(self, n_bytes: int) -> None:
        """Check that the machine has the memory to read a file of this size."""
        needed, there = _TIMES * n_bytes, memory()
        if needed > there:
            raise DataError(
                f"'{self.options.path.name}' has {size_of(n_bytes)}, reading it needs about "
                f"{size_of(needed)} of memory, this machine has {size_of(there)}, leave out "
                "columns or rows"
            )

    def _read_lines(self, content: bytes) -> pd.DataFrame:
        """Return the table of JSON objects, each in a line of its own."""
        import pandas as pd

        records = []
        text = content.decode(self.options.encoding or "utf-8-sig")
        for number, line in enumerate(text.split("\n"), 1):
            if line.strip():
                try:
                    record = json.loads(line, object_pairs_hook=_record)
                    if not isinstance(record, dict):
                        raise ValueError("it is another value")
                    records.append(record)
                except ValueError as error:
                    raise DataError(
                        f"line {number} of '{self.options.path.name}' is not a JSON object "
                        f"({error}), write one in each line"
                    ) from None
        return pd.DataFrame(records)

    def _read_sheet(self, content: bytes) -> tuple[pd.DataFrame, str]:
        """Return the first sheet of a workbook, and its name if there are more."""
        import pandas as pd

        label = f"'{self.options.path.name}'"
        check_cells(content, label)
        require(label, "excel", "openpyxl")
        with pd.ExcelFile(io.BytesIO(content), engine="openpyxl") as workbook:
            names = pd.read_excel(workbook, header=None, nrows=1, dtype=str, na_filter=False)
            header = [str(name) for row in names.to_numpy() for name in row]
            check_header(header, label)
            sheets = list(map(str, workbook.sheet_names))
            said = f"sheet '{sheets[0]}', the first of {len(sheets)}" if len(sheets) > 1 else ""
            return pd.read_excel(workbook).set_axis(header, axis="columns"), said

    def _read_arrow(self, content: bytes, kind: str) -> pd.DataFrame:
        """Read a Parquet or a Feather file."""
        import pandas as pd
        import pyarrow as pa

        # Arrow's threads release a file of Python after the last line of a program, and abort it.
        source: Any = pa.BufferReader(content)
        frame = pd.read_parquet(source) if kind == ".parquet" else pd.read_feather(source)
        # Arrow does not look at the texts of a file before they are used.
        for j in range(frame.shape[1]):
            if hasattr(values := frame.iloc[:, j].array, "__arrow_array__"):
                values.__arrow_array__().validate(full=True)
        return frame

    def _read_matrices(self, content: bytes) -> pd.DataFrame:
        import pandas as pd

        names, matrices = read_matrices(content, "X", _TARGET)
        place = f"'{self.options.path.name}'"
        for name in ("X", _TARGET):
            if name not in matrices:
                others = ", ".join(names)
                raise DataError(f"{place} has no matrix '{name}' but {others}, name it '{name}'")
        X, y = matrices["X"], matrices[_TARGET]
        if X.dtype.kind not in "buif" or X.ndim != 2:
            raise DataError(f"{place} has an X that is not a matrix of numbers, use one")
        if y.size != len(X):
            raise DataError(
                f"{place} has {len(X)} rows of X and {y.size} values of {_TARGET}, give one for "
                "each row"
            )
        if self.options.target != _TARGET:
            raise DataError(
                f"{place} has its target in the matrix '{_TARGET}', '{self.options.target}' is "
                "not allowed, use this name or leave the key out"
            )
        frame = pd.DataFrame(X, columns=[f"x{j}" for j in range(X.shape[1])])
        return frame.assign(**{_TARGET: y.ravel()})


def _record(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of JSON as a mapping; a ValueError if it has a key twice."""
    record = dict(pairs)
    if len(record) < len(pairs):
        raise ValueError("it has a key twice")
    return record
