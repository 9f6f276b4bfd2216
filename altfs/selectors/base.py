"""What every selector offers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy.typing as npt

from altfs._options import StrictModel
from altfs.quality import Quality
from altfs.registry import Registry
from altfs.selectors._estimator import check_enough_rows
from altfs.selectors.part import Part, ScoreKey


class SelectorOptions(StrictModel):
    """Options of a selector in ``config.yaml``; unknown keys are refused."""


@dataclass(frozen=True)
class Qualities:
    """What a selector learned.

    Attributes
    ----------
    train : Quality
        Guides the search.
    test : Quality or None
        The same on the test part; None where that part does not allow it.
    note : str
        Why there is no test quality; empty if there is one.
    """

    train: Quality
    test: Quality | None
    note: str = ""


class Selector(ABC):
    """Makes a quality out of data.

    Attributes
    ----------
    train_scores, test_scores : tuple of ScoreKey
        The shared scores that `fit` asks the two parts for.
    """

    name: ClassVar[str]
    Options: ClassVar[type[SelectorOptions]] = SelectorOptions
    train_scores: tuple[ScoreKey, ...] = ()
    test_scores: tuple[ScoreKey, ...] = ()
    #: Whether `fit` looks at the rows themselves, not at scores alone.
    needs_rows: ClassVar[bool] = False

    def __init__(self, options: SelectorOptions | None = None) -> None:
        self.options: Any = options if options is not None else self.Options()

    def check_target(self, y: npt.NDArray[Any], target_type: str, seed: int) -> None:
        """Refuse a training part on which `fit` would fail, whatever the features are.

        Parameters
        ----------
        y : ndarray of shape (n_rows,)
            The target of the training part.
        target_type : {"binary", "multiclass", "regression"}
        seed : int
            Random state of the part.

        Raises
        ------
        DataError
            If it has too few rows, or too few of a class.
        """
        if any(key.kind != "importances" for key in self.train_scores):
            check_enough_rows(len(y))

    @abstractmethod
    def fit(self, train: Part, test: Part) -> Qualities:
        """Learn the quality of feature sets on both parts.

        Parameters
        ----------
        train, test : Part
            Rows of the same features. Nothing of the test part enters the
            training quality.
        """


selectors: Registry[Selector] = Registry("altfs.selectors", "selector")
