"""The base of selectors whose rows arrive one by one."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from altfs.errors import DataWarning
from altfs.kinds.streams.rows import Learners, Shape
from altfs.kinds.streams.stream import Passed, Stream
from altfs.kinds.streams.streaming_selector import OnePassSelector
from altfs.scores.base import Part
from altfs.selectors.base import refuse_numbers


class OnlineSelector(OnePassSelector):
    """The base class of selectors whose rows arrive one by one.

    The features are those of linear classifiers that learn side by side, and `n_features` is
    the largest number of each. The quality of a set is the share of rows whose class is
    predicted by a classifier that learned the training part with these features alone.
    """

    needs_size = True

    @abstractmethod
    def learners(self, shape: Shape, seed: int) -> Learners:
        """Return classifiers that have not seen any row.

        Parameters
        ----------
        shape : Shape
        seed : int
            Random state of the part.
        """

    def check_target(self, y: npt.NDArray[Any], target_type: str, seed: int) -> None:
        refuse_numbers(self.name, target_type, "grafting")

    def stream(self, part: Part, judged: Part | None = None) -> RowStream:
        self.check_target(part.y, part.target_type, part.seed)
        return RowStream(self, part, judged)


class RowStream(Stream):
    """The rows of a part, which learners see one by one.

    Parameters
    ----------
    selector : OnlineSelector
    part : Part
    judged : Part, optional
        The part on which sets are judged, if it is another one.
    """

    needs_size = True

    def __init__(self, selector: OnlineSelector, part: Part, judged: Part | None = None) -> None:
        self.selector, self.part, self.judged = selector, part, judged or part
        self.classes, self._codes = np.unique(part.y, return_inverse=True)

    @property
    def n_total(self) -> int:
        return int(self.part.X.shape[1])

    def _learned(
        self, columns: Sequence[int] | slice, n_sets: int, size: int, shared: int
    ) -> Learners:
        """Return learners that have seen these columns of all rows."""
        X, y = self.part.X[:, columns], self._codes
        order = self.selector.order(len(y), self.part.seed)
        if order is not None:
            X, y = X[order], y[order]
        n_classes = max(len(self.classes), 2)
        shape = Shape(n_classes, n_sets, size, shared)
        found = self.selector.learners(shape, self.part.seed)
        found.learn(X, y)
        return found

    def evaluate(self, indices: Sequence[int]) -> float:
        chosen = sorted(indices)
        learned = self._learned(chosen, 1, len(chosen), 0)
        predicted = self.classes[learned.classes(self.judged.X[:, chosen], 0)]
        return float((predicted == self.judged.y).mean())

    def find(self, n_sets: int, overlap: Callable[[int, int], int], largest: int | None) -> Passed:
        size = self.n_total if largest is None else largest
        learned = self._learned(slice(None), n_sets, size, overlap(size, size))
        if why := learned.doubt():
            warnings.warn(why, DataWarning, stacklevel=2)
        return Passed(learned.sets(overlap), learned.updates, {}, [])
