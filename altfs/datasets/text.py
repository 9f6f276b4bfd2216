"""Tables in text files: their compression, encoding, separator and decimal mark."""

from __future__ import annotations

import bz2
import codecs
import csv
import gzip
import io
import lzma
import re
import warnings
import zipfile
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any, cast

from altfs._memory import size_of
from altfs.errors import DataError

if TYPE_CHECKING:
    import pandas as pd

#: The separators of columns that are recognised, in this order.
SEPARATORS = (",", ";", "\t", "|")
_WORDS = {"\t": "tab"}
_PACKED: dict[bytes, Callable[[IO[bytes]], Any]] = {
    b"\x1f\x8b": lambda file: gzip.GzipFile(fileobj=file),
    b"BZh": bz2.BZ2File,
    b"\xfd7zXZ\x00": lzma.LZMAFile,
}
# A few bytes can stand for gigabytes. Tables are compressed to less than a hundredth if nearly all
# of their values are equal.
_MOST_TIMES, _LEAST = 100, 2**28
_SHEET = re.compile(r"xl/worksheets/[^/]+\.xml")
_ROW, _COLUMN = (
    re.compile(rb'<(?:\w+:)?row [^>]*?\br="(\d{1,9})"'),
    re.compile(rb'\br="([A-Z]{1,3})\d'),
)
_MOST_CELLS = 10_000_000
_ZIP, _ZSTD = b"PK\x03\x04", b"\x28\xb5\x2f\xfd"
_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
# Numbers with a decimal comma, or without decimals.
_COMMA = r"\s*[+-]?\d+(,\d+)?([eE][+-]?\d+)?\s*"
_CHUNK = 1 << 24


def unpacked(content: bytes, label: str, most: int) -> bytes:
    """Return the bytes of a file that may be compressed by gzip, bzip2, xz or zip.

    An Excel workbook stays as it is. It is a DataError if the file is compressed in another way,
    or a spreadsheet of another kind, or has more than `most` bytes.

    >>> unpacked(gzip.compress(b"a,y"), "the file", 1000)
    b'a,y'
    """
    most = min(most, max(_MOST_TIMES * len(content), _LEAST))
    too_large = DataError(
        f"{label} has more than {size_of(most)} when it is unpacked, more than this machine can "
        f"read or {_MOST_TIMES} times what it takes, leave out columns or rows, or unpack it"
    )
    for mark, opened in _PACKED.items():
        if content.startswith(mark):
            with opened(io.BytesIO(content)) as file:
                plain: bytes = file.read(most + 1)
            if len(plain) > most:
                raise too_large
            return plain
    if content.startswith(_ZSTD):
        raise DataError(f"{label} is compressed by zstd, use gzip, bzip2, xz or zip")
    if not content.startswith(_ZIP):
        return content
    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        names = [name for name in packed.namelist() if not name.endswith("/")]
        if sum(packed.getinfo(name).file_size for name in names) > most:
            raise too_large
        if "xl/workbook.xml" in names:
            return content
        if "[Content_Types].xml" in names or "mimetype" in names:
            raise DataError(f"{label} is no Excel workbook (.xlsx), save it as one or as CSV")
        if len(names) != 1:
            raise DataError(f"{label} holds {len(names)} files, put one table into a zip file")
        # It may hold more than it says.
        with packed.open(names[0]) as file:
            plain = file.read(most + 1)
        if len(plain) > most:
            raise too_large
        return plain


def check_cells(content: bytes, label: str) -> None:
    """Check that a workbook has about as many cells as its place in the file is large.

    A reader fills the cells that are left out before a far one.
    """
    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        for name in packed.namelist():
            if not _SHEET.fullmatch(name):
                continue
            text = packed.read(name)
            rows = max((int(row) for row in _ROW.findall(text)), default=0)
            columns = max((_column_number(c) for c in set(_COLUMN.findall(text))), default=0)
            if rows * columns > max(_MOST_CELLS, len(text)):
                reason = f"a sheet has a cell in row {rows:,} and one in column {columns:,}"
                raise DataError(label, reason, "delete what is far from the table")


def _column_number(letters: bytes) -> int:
    """Return the number of a column of a sheet.

    >>> _column_number(b"A"), _column_number(b"XFD")
    (1, 16384)
    """
    number = 0
    for letter in letters:
        number = 26 * number + letter - 64
    return number


@dataclass(frozen=True)
class TextTable:
    """A table in text, and how to read it.

    Parameters
    ----------
    content : bytes
        Not compressed.
    label : str
        The beginning of messages, which names the file.
    target : str
        The target column, by which a separator is recognised.
    separator, decimal, encoding : str or None
        What the user said; None to recognise it.
    usual : str
        The separator that the ending of the file means.
    """

    content: bytes
    label: str
    target: str
    separator: str | None
    decimal: str | None
    encoding: str | None
    usual: str

    def read(self) -> tuple[pd.DataFrame, str]:
        """Return the table, and what was recognised in words, empty if it is the usual.

        It is a DataError if it cannot be read as text.
        """
        text, encoding = self._as_utf8()
        separator = self.separator or self._separator_of(text)
        names = _names(text, separator)
        check_header(names, self.label)
        decimal = self.decimal or "."
        frame = self._frame(text, separator, decimal)
        if self.decimal is None and (column := _comma_column(frame)):
            if separator == ",":
                raise DataError(
                    self.label,
                    f"column '{column}' has numbers with commas",
                    "name the `decimal` mark: a comma if it begins their decimals, else a point",
                )
            self._check_points(frame, column)
            decimal = ","
            frame = self._frame(text, separator, decimal)
        if names and not names[0].strip():
            # pandas gives it a name.
            frame = frame.rename(columns={frame.columns[0]: ""})
        said = [f"encoding {encoding}"] if encoding not in ("utf-8", "utf-8-sig") else []
        said += [f"separator {_WORDS.get(separator, separator)}"] * (separator != self.usual)
        return frame, ", ".join(said + ["decimal commas"] * (decimal == ","))

    def _as_utf8(self) -> tuple[bytes, str]:
        """Return the text as UTF-8, and the name of its encoding."""
        marked = (name for mark, name in _MARKS.items() if self.content.startswith(mark))
        encoding = self.encoding or next(marked, "utf-8")
        if encoding == "utf-8" and b"\0" in self.content[:2]:
            raise DataError(
                f"{self.label} begins with a zero byte, as UTF-16 without a mark does, name its "
                "`encoding`, such as utf-16-le"
            )
        try:
            decoder = codecs.getincrementaldecoder(encoding)()
        except LookupError:
            advice = "use a name such as utf-8, cp1252 or utf-16"
            raise DataError(self.label, f"the encoding '{encoding}' is unknown", advice) from None
        plain, parts, start = encoding.lower() in ("utf-8", "utf8", "utf-8-sig"), [], 0
        try:
            for start in range(0, len(self.content), _CHUNK):
                part = self.content[start : start + _CHUNK]
                decoded = decoder.decode(part, start + _CHUNK >= len(self.content))
                if not plain:
                    parts.append(decoded.encode())
        except UnicodeDecodeError as error:
            place = start + error.start
            line = self.content.count(b"\n", 0, place) + 1
            reason = f"byte 0x{error.object[error.start]:02x} in line {line} is not {encoding}"
            advice = "name the `encoding` of the file, such as cp1252 or latin-1"
            raise DataError(self.label, reason, advice) from None
        return self.content if plain else b"".join(parts).removeprefix(codecs.BOM_UTF8), encoding

    def _separator_of(self, text: bytes) -> str:
        """Return the usual separator, or the first other one by which the target has a column."""
        candidates = (self.usual, *(s for s in SEPARATORS if s != self.usual))
        return next((s for s in candidates if self.target in _names(text, s)), self.usual)

    def _frame(self, text: bytes, separator: str, decimal: str) -> pd.DataFrame:
        import pandas as pd

        options: dict[str, Any] = {"sep": separator, "decimal": decimal, "encoding": "utf-8"}
        with warnings.catch_warnings():
            # pandas would drop values without an error, or use the first ones as row names.
            warnings.simplefilter("error", pd.errors.ParserWarning)
            try:
                read = pd.read_csv(io.BytesIO(text), low_memory=False, index_col=False, **options)
                return cast("pd.DataFrame", read)
            except pd.errors.ParserWarning:
                reason = "its rows have more values than its first line has names"
                raise DataError(self.label, reason, "name every column") from None

    def _check_points(self, frame: pd.DataFrame, column: str) -> None:
        """Check that no number has a decimal point, as a column has decimal commas."""
        for name in frame.columns:
            values = frame[name]
            if values.dtype.kind == "f" and (values % 1 > 0).any():
                reason = f"column '{column}' has decimal commas and column '{name}' decimal points"
                advice = "write all with the same, or name the `decimal` mark"
                raise DataError(self.label, reason, advice)


def check_header(names: Sequence[str], label: str) -> None:
    """Check that all columns but the first have a name, and all names differ."""
    # pandas would rename the second of two columns 'x' to 'x.1' without an error.
    counts = Counter(names)
    for i, name in enumerate(names):
        if i > 0 and not name.strip():
            raise DataError(label, f"column {i + 1} of the table has no name", "name it")
        if counts[name] > 1:
            raise DataError(
                f"{label} has two columns called '{name}', rename one, every column needs a name "
                "of its own"
            )


def _comma_column(frame: pd.DataFrame) -> str:
    """Return the name of the last column of numbers with decimal commas, or ""."""
    import pandas as pd

    for name in reversed(frame.columns):
        values = frame[name].dropna()
        if values.empty or pd.api.types.is_numeric_dtype(values):
            continue
        text = values.astype(str)
        if text.str.contains(",").any() and text.str.fullmatch(_COMMA).all():
            return str(name)
    return ""


def _names(text: bytes, separator: str) -> list[str]:
    """Return the names in the first line."""
    first_line = io.TextIOWrapper(io.BytesIO(text), encoding="utf-8-sig", newline="")
    return next(csv.reader(first_line, delimiter=separator), [])
