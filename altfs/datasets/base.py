"""The interface of a dataset source."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from altfs._options import StrictModel
from altfs.registry import Registry

if TYPE_CHECKING:
    import pandas as pd

Task = Literal["auto", "classification", "regression"]


@dataclass(frozen=True)
class RawTable:
    """A table as its source gives it.

    Attributes
    ----------
    frame : DataFrame of shape (n_rows, n_columns)
        Features and target, in the source's order.
    target : str
        Name of the target column.
    task : {"auto", "classification", "regression"}
        What the source knows of the target.
    origin : str
        Where the table comes from, for people.
    sha256 : str
        Digest of the source's bytes.
    """

    frame: pd.DataFrame
    target: str
    task: Task
    origin: str
    sha256: str


def at_home(path: Path) -> Path:
    """Expand a leading ``~`` of a path to the user's folder, as in a shell."""
    return Path(os.path.expanduser(path))


class SourceOptions(StrictModel):
    """Options of a source in ``config.yaml``; unknown keys are refused."""


class Source(ABC):
    """One way to get a table.

    Parameters
    ----------
    name : str
        The dataset's name; sources that look data up take it from the options.
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
        """Options for the entry ``type:text``; None if the source needs more than a name."""
        return None

    @abstractmethod
    def load(self) -> RawTable:
        """Read the table.

        Raises
        ------
        DataError
            If it is not there or cannot be read.
        """


sources: Registry[Source] = Registry("altfs.datasets", "dataset type")
