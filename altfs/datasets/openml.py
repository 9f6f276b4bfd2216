"""Datasets of OpenML, from a cache folder or the network."""

from __future__ import annotations

import gzip
import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from altfs.datasets._downloads import cache_folder, keep
from altfs.datasets.base import NamedSource, RawTable, SourceOptions, Task, sources
from altfs.errors import DataError

if TYPE_CHECKING:
    import pandas as pd

CACHE_VARIABLE = "ALTFS_OPENML_CACHE"
#: The column of the folds of a task.
FOLDS = "openml_fold"
_SPLITS = "https://api.openml.org/api_splits/get/{task}/Task_{task}_splits.arff"


class OpenMLOptions(SourceOptions):
    """dataset: its number. target: a column, if not OpenML's.

    folds_of_task: the number of a task. sha256: the digest that its values must have (optional).
    """

    dataset: Annotated[int, Field(ge=1)]
    target: str | None = None
    folds_of_task: Annotated[int, Field(ge=1)] | None = None
    sha256: str | None = None


def default_cache() -> Path:
    """Return the cache folder: that of the environment variable, or one in the home folder."""
    return cache_folder("openml", CACHE_VARIABLE)


@sources.register("openml")
class OpenMLSource(NamedSource):
    """``openml:ID``, a dataset of OpenML by its number.

    scikit-learn downloads it once, and reads it from the cache afterwards. Nominal columns are
    categories. With `folds_of_task`, the column ``openml_fold`` has the folds of the task's first
    repeat, for ``folds: {type: given, column: openml_fold}``.

    Source: Vanschoren, van Rijn, Bischl, Torgo, *OpenML: Networked Science in Machine Learning*,
    SIGKDD Explorations 15, 2013.
    """

    Options = OpenMLOptions

    @classmethod
    def shorthand(cls, text: str) -> dict[str, Any]:
        return {"dataset": int(text) if text.isdigit() else text}

    def load(self) -> RawTable:
        number, target = self.options.dataset, self.options.target
        bunch = self._fetched(number)
        frame: pd.DataFrame = bunch.frame
        names = list(bunch.target_names or [])
        if target is None and len(names) != 1:
            told = f"has {len(names)} targets" if names else "has no target"
            raise DataError(f"OpenML {number} {told}, name a column with the option target")
        target = names[0] if target is None else target
        if target not in frame.columns:
            reason = f"OpenML {number} has no column '{target}'"
            raise DataError.of_name("", reason, target, frame.columns)
        nominal = frame.columns[frame.dtypes.astype(str) == "category"]
        task: Task = "classification" if target in nominal else "regression"
        # Numbers as names of categories are categories, too.
        frame = frame.astype(dict.fromkeys(nominal, object))
        digest = hashlib.sha256(frame.to_csv(index=False).encode()).hexdigest()
        if self.options.sha256 not in (None, digest):
            raise DataError(
                f"OpenML {number} has SHA-256 {digest[:16]}..., expected is "
                f"{self.options.sha256[:16]}..., delete {default_cache()} or correct sha256"
            )
        if self.options.folds_of_task is not None:
            frame = frame.assign(**{FOLDS: self._folds(self.options.folds_of_task, len(frame))})
        title = bunch.details.get("name", number)
        version = bunch.details.get("version", "?")
        origin = f"OpenML {number}: {title}, version {version}"
        return RawTable(frame, target, task, origin, digest)

    def _fetched(self, number: int) -> Any:
        from sklearn.datasets import fetch_openml

        cache = default_cache()
        try:
            return fetch_openml(
                data_id=number, data_home=str(cache), as_frame=True, parser="auto", n_retries=1
            )
        except Exception as error:
            raise DataError(
                f"OpenML {number} is not in the cache and cannot be downloaded "
                f"({type(error).__name__}: {str(error).splitlines()[0][:100]}), name a folder that "
                f"has it with {CACHE_VARIABLE}"
            ) from None

    @staticmethod
    def _folds(task: int, n_rows: int) -> list[int]:
        """Return the fold of each row in the first repeat of a task; -1 for a row of none."""
        place = default_cache() / "openml" / "tasks" / f"{task}.arff.gz"
        if not place.is_file():
            keep(place, _downloaded(_SPLITS.format(task=task)))
        text = gzip.decompress(place.read_bytes()).decode()
        head, _, body = text.partition("@data" if "@data" in text else "@DATA")
        lines = [line.split() for line in head.lower().splitlines()]
        columns = [words[1].strip("'\"") for words in lines if words[:1] == ["@attribute"]]
        folds = [-1] * n_rows
        for line in filter(None, body.splitlines()):
            row = dict(zip(columns, (part.strip() for part in line.split(",")), strict=True))
            if row["type"] == "TEST" and int(row["repeat"]) == 0:
                at = int(row["rowid"])
                if not at < n_rows:
                    reason = f"task {task} of OpenML has row {at}, the dataset has {n_rows} rows"
                    raise DataError(f"{reason}, name a task of this dataset")
                folds[at] = int(row["fold"])
        return folds


def _downloaded(url: str) -> bytes:
    from urllib.request import urlopen

    try:
        with urlopen(url, timeout=30) as answer:
            content: bytes = answer.read()
    except OSError as error:
        raise DataError(
            f"{url} is not in the cache and cannot be downloaded ({type(error).__name__}), name a "
            f"folder that has it with {CACHE_VARIABLE}"
        ) from None
    return gzip.compress(content, mtime=0)
