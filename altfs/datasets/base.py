"""The interface of a dataset source."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from altfs.datasets.columns import ColumnOptions
from altfs.registry import Registry

if TYPE_CHECKING:
    import pandas as pd

Task = Literal["auto", "classification", "regression"]


# Letters of a path.
_LONGEST_PATH = 4000


@dataclass(frozen=True)
class RawTable:
    """The table of a source.

    Attributes
    ----------
    frame : DataFrame of shape (n_rows, n_columns)
        Features and target in the order of the source.
    target : str
        Name of the target column.
    task : {"auto", "classification", "regression"}
        The type of the target, if the source knows it.
    origin : str
        A description of the origin of the table.
    sha256 : str
        Digest of the bytes of the source.
    relevant : tuple of str
        The features that are known to tell something about the target; empty if unknown.
    notes : tuple of str
        Sentences about what was done with the table, for the user.
    """

    frame: pd.DataFrame
    target: str
    task: Task
    origin: str
    sha256: str
    relevant: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def at_home(path: Path) -> Path:
    """Expand a leading ``~`` of a path to the user's folder, as in a shell.

    It is a ValueError if no file can have such a path.
    """
    expanded = Path(os.path.expanduser(path))
    if len(str(expanded)) > _LONGEST_PATH or any(len(p.encode()) > 255 for p in expanded.parts):
        raise ValueError(f"'{path}' is longer than a path may be, use a shorter one")
    return expanded


class SourceOptions(ColumnOptions):
    """Options of a source in ``config.yaml``; those of columns are there for every source."""


class Source(ABC):
    """The base class of sources of tables.

    Parameters
    ----------
    name : str
        The dataset's name in the study.
    options : SourceOptions
        Validated options of the entry.
    cache : Path, optional
        Folder for downloaded data.
    """

    name: ClassVar[str]
    Options: ClassVar[type[SourceOptions]] = SourceOptions

    def __init__(self, name: str, options: SourceOptions, cache: Path | None = None) -> None:
        self.dataset = name
        self.options: Any = options
        self.cache = cache

    @classmethod
    def shorthand(cls, text: str) -> dict[str, Any] | None:
        """Return options for the entry ``type:text``; None if it needs more than a name."""
        return None

    @abstractmethod
    def load(self) -> RawTable:
        """Read the table.

        Raises
        ------
        DataError
            If it does not exist or cannot be read. A study adds the name of the dataset.
        """


class NamedOptions(SourceOptions):
    """dataset: its name in the source."""

    dataset: str


class NamedSource(Source):
    """The base class of sources that find a dataset by its name, as in ``type:NAME``."""

    Options: ClassVar[type[SourceOptions]] = NamedOptions

    @classmethod
    def shorthand(cls, text: str) -> dict[str, Any]:
        return {"dataset": text}


sources: Registry[Source] = Registry("altfs.datasets", "dataset type")
