"""The base of all selectors, and their registry."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import log
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from altfs._extras import require
from altfs._options import StrictModel
from altfs.errors import DataError
from altfs.quality import Linear, Quality
from altfs.quality.base import Measure
from altfs.registry import Registry
from altfs.scores.base import Part, ScoreKey


class SelectorOptions(StrictModel):
    """Options of a selector in ``config.yaml``; unknown keys are refused."""


@dataclass(frozen=True)
class Qualities:
    """The qualities that a selector learned on a training and a test part.

    Attributes
    ----------
    train : Quality
        Guides the search.
    test : Quality or None
        The same on the test part; None if that part does not allow it.
    note : str
        The reason why there is no test quality; empty if there is one.
    floors : dict of str to float
        The training quality that the best set of each size (the largest one of a range) exceeds
        with one in a hundred shuffled targets, as far as it is known.
    """

    train: Quality
    test: Quality | None
    note: str = ""
    floors: Mapping[str, float] = field(default_factory=dict)


class Selector(ABC):
    """The base class of selectors, which make a quality out of data.

    Attributes
    ----------
    train_scores, test_scores : tuple of ScoreKey
        The shared scores that `quality` and `test_quality` ask the part for.
    needs_rows : bool, default=False
        True if `quality` reads the rows themselves, not scores alone.
    takes_categories : bool, default=True
        True if it treats categories as such (:attr:`altfs.selectors.Part.categorical`). A
        table with categories is refused if it does not.
    takes_sparse : bool, default=False
        True if :attr:`altfs.selectors.Part.X` may be a sparse CSC matrix.
    two_classes : bool, default=False
        True if it needs a target of two classes and refuses others.
    for_classes : bool, default=False
        True if it refuses a numeric target.
    stores : bool, default=True
        True if a study can store the quality (:meth:`altfs.quality.Quality.to_table`).
    one_pass : bool, default=False
        True if its sets are found in one pass over the data, for which there is a search.
    needs_size : bool, default=True
        False if its sets may have any number of features.
    of_pairs : bool, default=False
        True if its quality has numbers of pairs of features, as that of mRMR.
    forbids_sets : bool, default=False
        True if its quality forbids some sets, as FCBF those of two features that conflict.
    needs_target : bool, default=True
        False if the target changes nothing, so that data need none.
    extra : str, default=""
        The library that it needs, which is that of the extra of this name.
    """

    name: ClassVar[str]
    Options: ClassVar[type[SelectorOptions]] = SelectorOptions
    train_scores: tuple[ScoreKey, ...] = ()
    test_scores: tuple[ScoreKey, ...] = ()
    needs_rows: ClassVar[bool] = False
    takes_categories: bool = True
    takes_sparse: ClassVar[bool] = False
    two_classes: ClassVar[bool] = False
    for_classes: ClassVar[bool] = False
    stores: ClassVar[bool] = True
    one_pass: ClassVar[bool] = False
    needs_size: ClassVar[bool] = True
    needs_target: bool = True
    of_pairs: bool = False
    forbids_sets: ClassVar[bool] = False
    extra: ClassVar[str] = ""

    def __init__(self, options: SelectorOptions | None = None) -> None:
        self.options: Any = options if options is not None else self.Options()

    @property
    def other_code(self) -> tuple[str, ...]:
        """The modules of other components that the quality depends on, by their options."""
        return ()

    def check_extra(self) -> None:
        """Check that the library is installed that the selector needs."""
        if self.extra:
            require(f"selector: '{self.name}'", self.extra, self.extra)

    def with_classes(self, texts: Sequence[str]) -> Selector:
        """Return the selector for a target whose classes 0, 1, ... have these texts, if any.

        By default it is the same one. Those with an option that names a class check it.
        """
        return self

    def check_target(self, y: npt.NDArray[Any], target_type: str, seed: int) -> None:
        """Check that `quality` can be computed on a training part, for any features.

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
        for key in self.train_scores:
            key.score.check_rows(len(y))

    def check_part(self, part: Part) -> None:
        """Check the target of a training part, as :meth:`check_target`, and its groups or times.

        Parameters
        ----------
        part : Part
            Its features do not matter. Selectors that hold rows out check its inner folds.

        Raises
        ------
        DataError
            If it has too few rows, or too few of a class or group.
        """
        self.check_target(part.y, part.target_type, part.seed)

    def check_features(self, names: Sequence[str]) -> None:
        """Check that `quality` can be computed of these features; by default of any.

        Raises
        ------
        DataError
            If they are too few for an option or too many, or one that an option names is missing.
        """
        return None

    def simplified(self) -> Selector:
        """Return a selector of the same kind of quality that learns from any few rows."""
        return self

    @abstractmethod
    def quality(self, part: Part) -> Quality:
        """Learn the quality of feature sets on one part.

        Parameters
        ----------
        part : Part

        Returns
        -------
        Quality

        Raises
        ------
        DataError
            If the part has too few rows, or too few of a class.
        """

    def test_quality(self, part: Part) -> Quality:
        """Learn the quality of sets on a test part; by default it is :meth:`quality`."""
        return self.quality(part)

    def learn(self, train: Part, test: Part) -> Qualities:
        """Learn the quality of feature sets on both parts.

        Parameters
        ----------
        train, test : Part
            Rows of the same features. Each quality sees its own part only.

        Returns
        -------
        Qualities
            Without a test quality if the test part does not allow one.
        """
        quality = self.quality(train)
        try:
            return Qualities(quality, self.test_quality(test))
        except DataError as error:
            return Qualities(quality, None, str(error))


def check_columns(
    selector: Selector, names: Sequence[str], categorical: npt.NDArray[np.bool_]
) -> None:
    """Check that a selector takes these features, and categories if there are any.

    If not, it is a DataError.
    """
    selector.check_features(names)
    check_categories(selector, names, categorical)


def check_categories(
    selector: Selector, names: Sequence[str], categorical: npt.NDArray[np.bool_]
) -> None:
    """Check that a selector takes categories if there are any, or raise a DataError."""
    if categorical.any() and not selector.takes_categories:
        columns = [n for n, is_category in zip(names, categorical, strict=True) if is_category]
        shown = ", ".join(f"'{name}'" for name in columns[:5]) + (", ..." if columns[5:] else "")
        advice = "leave these columns out or use another selector, such as mutual_information"
        raise DataError("selector", f"'{selector.name}' does not take categories ({shown})", advice)


selectors: Registry[Selector] = Registry("altfs.selectors", "selector")


def refuse_numbers(selector: str, target_type: str, other: str) -> None:
    """Refuse a target of numbers with a DataError that names another selector."""
    if target_type == "regression":
        reason = f"'{selector}' is for classes, the target has numbers"
        raise DataError("selector", reason, f"use another selector, such as '{other}'")


def normalised(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Divide values by the sum of those above 0, or of their amounts; zeros stay zeros.

    >>> normalised(np.array([1.0, 3.0])), normalised(np.zeros(2))
    (array([0.25, 0.75]), array([0., 0.]))
    """
    return values / _total(values)


def _total(values: npt.NDArray[np.float64]) -> float:
    return float(np.maximum(values, 0.0).sum() or np.abs(values).sum() or 1.0)


def shares_of_bits(
    nats: npt.NDArray[np.float64], conflicts: npt.NDArray[np.bool_] | None = None
) -> Linear:
    """Return the quality of information as a share of that of all features above 0.

    >>> shares_of_bits(np.log([2.0, 8.0])).measure
    Measure(unit='bits', size=4.0)
    """
    quality = Linear(normalised(nats), conflicts)
    quality.measure = Measure("bits", _total(nats) / log(2))
    return quality
