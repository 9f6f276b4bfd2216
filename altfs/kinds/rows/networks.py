"""Networks that say for each row which features decide."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from pydantic import Field

from altfs._numbers import FloatArray
from altfs.errors import DataError
from altfs.prediction.networks import seeded, torch
from altfs.scores.base import Part
from altfs.selectors._from_rows import LinearFromRows
from altfs.selectors.base import SelectorOptions, refuse_numbers
from altfs.selectors.row_wise import RowWise, drawn_rows

# The fewest rows are two of them, as a tenth tells when to stop.
_HELD_OUT = 10
#: The temperature of relaxed draws, and the weight of the squares of weights in a loss.
TEMPERATURE, PENALTY = 0.1, 1e-3

#: A function from a tensor of rows to that of the values of their features.
RowValues = Callable[[Any], Any]


class NetworkOptions(SelectorOptions):
    """max_rows: the largest number of explained rows of a part, drawn with its seed."""

    max_rows: int = Field(default=1000, ge=1)


class EpochOptions(NetworkOptions):
    """patience: epochs without a better loss that end training. max_epochs: their number."""

    patience: int = Field(default=20, ge=1)
    max_epochs: int = Field(default=300, ge=1)


class NetworkSelector(LinearFromRows, RowWise):
    """The base class of selectors whose networks learn the values of single rows.

    The quality of a part is the mean over its rows. Columns are standardised.
    """

    Options = NetworkOptions
    takes_categories = False
    for_classes = True
    extra = "torch"

    def values(self, part: Part) -> FloatArray:
        rows = drawn_rows(part.X, self.options.max_rows, part.seed)
        return np.asarray(self.row_values(part, rows).mean(axis=0))

    def row_values(self, train: Part, X: FloatArray) -> FloatArray:
        self.check_target(train.y, train.target_type, train.seed)
        mean, scale = train.X.mean(axis=0), train.X.std(axis=0)
        scale[scale == 0] = 1.0
        if train.target_type == "regression":
            numbers = train.y.astype(np.float64)
            # check_target refuses a constant.
            target, n_outputs = (numbers - numbers.mean()) / numbers.std(), 1
        else:
            classes, target = np.unique(train.y, return_inverse=True)
            n_outputs = len(classes)
        with seeded(train.seed):
            values = self.learned((train.X - mean) / scale, target, n_outputs)
            with torch.no_grad():
                rows = torch.as_tensor((X - mean) / scale, dtype=torch.float32)
                return np.asarray(values(rows).numpy(), dtype=np.float64)

    def check_target(self, y: npt.NDArray[Any], target_type: str, seed: int) -> None:
        if self.for_classes:
            refuse_numbers(self.name, target_type, "shap")
        if len(y) < 2 * _HELD_OUT or len(np.unique(y)) < 2:
            values = "numbers" if target_type == "regression" else "classes"
            raise DataError(
                f"{len(y)} rows with {len(np.unique(y))} {values} are too few for a network, "
                f"{2 * _HELD_OUT} rows with 2 {values} are needed"
            )
        self.check_extra()

    def check_part(self, part: Part) -> None:
        super().check_part(part)
        if part.groups is not None or part.times is not None:
            reason = f"'{self.name}' draws the rows that it holds out, whatever belongs together"
            raise DataError("selector", reason, "use stratified folds or another selector")

    @abstractmethod
    def learned(self, X: FloatArray, y: npt.NDArray[Any], n_outputs: int) -> RowValues:
        """Train the networks, and return the function from rows to values of their features.

        `y` has classes as whole numbers, of which there are `n_outputs`, or standardised numbers.
        """
