"""Tables in files: CSV, TSV and Parquet."""

from __future__ import annotations

import csv
import gzip
import hashlib
import io
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import field_validator

from altfs.datasets.base import RawTable, Source, SourceOptions, Task, at_home, sources
from altfs.errors import DataError

if TYPE_CHECKING:
    import pandas as pd

_SEPARATORS = {".csv": ",", ".tsv": "\t"}


class FileOptions(SourceOptions):
    """path: the file. target: its target column. task: the type of the target."""

    path: Path
    target: str
    task: Task = "auto"

    @field_validator("path", mode="after")
    @classmethod
    def _home(cls, value: Path) -> Path:
        return at_home(value)


@sources.register("file")
class FileSource(Source):
    """A ``.csv``, ``.tsv`` (either may end in ``.gz``) or ``.parquet`` file."""

    Options = FileOptions

    def load(self) -> RawTable:
        import pandas as pd

        path: Path = self.options.path
        if not path.is_file():
            raise DataError(
                f"dataset '{self.dataset}': there is no file '{path}', "
                "give a path that exists, relative to the folder in which you run the study."
            )
        content = path.read_bytes()
        kind = path.suffixes[-2] if path.suffix == ".gz" and len(path.suffixes) > 1 else path.suffix
        try:
            if kind == ".parquet":
                frame = pd.read_parquet(io.BytesIO(content))
            elif kind in _SEPARATORS:
                text = gzip.decompress(content) if path.suffix == ".gz" else content
                self._check_header(text, _SEPARATORS[kind])
                frame = self._read_text(text, _SEPARATORS[kind])
            else:
                raise DataError(
                    f"dataset '{self.dataset}': '{path.name}' ends in '{path.suffix}', "
                    "allowed are: .csv, .tsv, .csv.gz, .tsv.gz, .parquet."
                )
        except DataError:
            raise
        except Exception as error:
            reason = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise DataError(
                f"dataset '{self.dataset}': '{path}' cannot be read as a table ({reason}), "
                "save it again as UTF-8 text or Parquet."
            ) from None
        return RawTable(
            frame,
            self.options.target,
            self.options.task,
            f"file: {path.name}",
            hashlib.sha256(content).hexdigest(),
        )

    def _read_text(self, text: bytes, separator: str) -> pd.DataFrame:
        import pandas as pd

        with warnings.catch_warnings():
            # pandas would drop values without an error, or use the first ones as row names.
            warnings.simplefilter("error", pd.errors.ParserWarning)
            try:
                return pd.read_csv(
                    io.BytesIO(text), sep=separator, low_memory=False, index_col=False
                )
            except pd.errors.ParserWarning:
                raise DataError(
                    f"dataset '{self.dataset}': the rows of '{self.options.path}' have more values "
                    "than its first line has names, name every column."
                ) from None

    def _check_header(self, text: bytes, separator: str) -> None:
        # pandas would rename the second of two columns 'x' to 'x.1' without an error.
        first_line = io.TextIOWrapper(io.BytesIO(text), encoding="utf-8-sig", newline="")
        names = next(csv.reader(first_line, delimiter=separator), [])
        for i, name in enumerate(names):
            if not name.strip():
                raise DataError(
                    f"dataset '{self.dataset}': column {i + 1} of '{self.options.path}' has no "
                    "name, name it, or leave it out if it only numbers the rows."
                )
            if names.count(name) > 1:
                raise DataError(
                    f"dataset '{self.dataset}' has two columns called '{name}', "
                    "rename one, every column needs a name of its own."
                )
