"""Tables in files: CSV, TSV, Parquet and MATLAB."""

from __future__ import annotations

import csv
import gzip
import hashlib
import io
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import field_validator, model_validator

from altfs.datasets.base import RawTable, Source, SourceOptions, Task, at_home, sources
from altfs.errors import DataError

if TYPE_CHECKING:
    import pandas as pd

_SEPARATORS = {".csv": ",", ".tsv": "\t"}
# The matrix of the target in a .mat file.
_TARGET = "Y"
_ADVICE = {".mat": "save it again with -v7, as files of version 7.3 are not read"}


class FileOptions(SourceOptions):
    """path: the file. target: its target column, Y in a .mat file. task: the type of the target."""

    path: Path
    target: str
    task: Task = "auto"

    @field_validator("path", mode="after")
    @classmethod
    def _home(cls, value: Path) -> Path:
        return at_home(value)

    @model_validator(mode="before")
    @classmethod
    def _target_of_matrices(cls, value: Any) -> Any:
        named = isinstance(value, Mapping) and "target" not in value
        if named and str(value.get("path", "")).lower().endswith(".mat"):
            return {**value, "target": _TARGET}
        return value


@sources.register("file")
class FileSource(Source):
    """A ``.csv``, ``.tsv`` (either may end in ``.gz``), ``.parquet`` or ``.mat`` file.

    A ``.mat`` file has the matrices X, dense or sparse, and Y. The columns of X become x0, x1, ...
    """

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
            elif kind == ".mat":
                frame = self._read_matrices(content)
            elif kind in _SEPARATORS:
                text = gzip.decompress(content) if path.suffix == ".gz" else content
                self._check_header(text, _SEPARATORS[kind])
                frame = self._read_text(text, _SEPARATORS[kind])
            else:
                raise DataError(
                    f"dataset '{self.dataset}': '{path.name}' ends in '{path.suffix}', "
                    "allowed are: .csv, .tsv, .csv.gz, .tsv.gz, .parquet, .mat."
                )
        except DataError:
            raise
        except Exception as error:
            reason = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise DataError(
                f"dataset '{self.dataset}': '{path}' cannot be read as a table ({reason}), "
                f"{_ADVICE.get(kind, 'save it again as UTF-8 text or Parquet')}."
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

    def _read_matrices(self, content: bytes) -> pd.DataFrame:
        import pandas as pd
        from scipy.io import loadmat
        from scipy.sparse import issparse

        found = loadmat(io.BytesIO(content))
        place = f"dataset '{self.dataset}': '{self.options.path.name}'"
        for name in ("X", _TARGET):
            if name not in found:
                known = ", ".join(key for key in found if not key.startswith("_"))
                raise DataError(f"{place} has no matrix '{name}' but {known}, name it '{name}'.")
        X, y = (m.toarray() if issparse(m) else m for m in (found["X"], found[_TARGET]))
        if X.dtype.kind not in "buif" or X.ndim != 2:
            raise DataError(f"{place} has an X that is not a matrix of numbers, use one.")
        if y.size != len(X):
            raise DataError(
                f"{place} has {len(X)} rows of X and {y.size} values of {_TARGET}, give one for "
                "each row."
            )
        if self.options.target != _TARGET:
            raise DataError(
                f"{place} has its target in the matrix '{_TARGET}', '{self.options.target}' is not "
                "allowed, use this name or leave the key out."
            )
        frame = pd.DataFrame(X, columns=[f"x{j}" for j in range(X.shape[1])])
        return frame.assign(**{_TARGET: y.ravel()})

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
