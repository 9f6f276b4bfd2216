"""Networks that say for each row which features decide (PyTorch, imported when one is trained)."""

from __future__ import annotations

import copy
from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from pydantic import Field

from altfs._numbers import FloatArray
from altfs.errors import DataError
from altfs.scores.base import Part
from altfs.selectors._from_rows import LinearFromRows
from altfs.selectors.base import SelectorOptions, refuse_numbers
from altfs.selectors.row_wise import RowWise, drawn_rows

# The share of the rows that tells when to stop, and the rows of a step.
_HELD_OUT = 10
BATCH = 1000
# The step size of Adam.
_RATE = 1e-3
#: The temperature of relaxed draws, and the weight of the squares of weights in a loss.
TEMPERATURE, PENALTY = 0.1, 1e-3
# The distance of uniform draws from 0 and 1, whose logarithms are not finite.
_EDGE = 1e-6
#: The functions between the layers of a network.
Activation = Literal["relu", "selu"]


class _Torch:
    """PyTorch, imported on first use, because listing the selectors imports this module."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            # Tools such as doctest ask every object for these.
            raise AttributeError(name)
        import torch

        return getattr(torch, name)


torch: Any = _Torch()
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
        classes, codes = np.unique(train.y, return_inverse=True)
        with self._single_thread(train.seed):
            values = self.learned((train.X - mean) / scale, codes, len(classes))
            with torch.no_grad():
                rows = torch.as_tensor((X - mean) / scale, dtype=torch.float32)
                return np.asarray(values(rows).numpy(), dtype=np.float64)

    @contextmanager
    def _single_thread(self, seed: int) -> Iterator[None]:
        """Train with a seed on one thread, so that the result depends on nothing else."""
        threads = torch.get_num_threads()
        torch.set_num_threads(1)
        try:
            with torch.random.fork_rng(devices=[]):
                torch.manual_seed(seed)
                yield
        finally:
            torch.set_num_threads(threads)

    def check_target(self, y: npt.NDArray[Any], target_type: str, seed: int) -> None:
        refuse_numbers(self.name, target_type, "shap")
        if len(y) < 2 * _HELD_OUT or len(np.unique(y)) < 2:
            raise DataError(
                f"{len(y)} rows with {len(np.unique(y))} classes are too few for a network, "
                f"{2 * _HELD_OUT} rows with 2 classes are needed"
            )
        self.check_extra()

    def check_part(self, part: Part) -> None:
        super().check_part(part)
        if part.groups is not None or part.times is not None:
            reason = f"'{self.name}' draws the rows that it holds out, whatever belongs together"
            raise DataError("selector", reason, "use stratified folds or another selector")

    @abstractmethod
    def learned(self, X: FloatArray, y: npt.NDArray[Any], n_classes: int) -> RowValues:
        """Train the networks, and return the function from rows to values of their features."""


def perceptron(
    sizes: Sequence[int], activation: Activation = "relu", *, normalised: bool = False
) -> Any:
    """Return layers with activations between them, if `normalised` after batch normalisation."""
    between = torch.nn.SELU if activation == "selu" else torch.nn.ReLU
    layers: list[Any] = []
    for i, (n_in, n_out) in enumerate(pairwise(sizes)):
        if i:
            layers += [torch.nn.BatchNorm1d(n_in)] * normalised + [between()]
        layers.append(torch.nn.Linear(n_in, n_out))
    return torch.nn.Sequential(*layers)


def uniform_draws(*shape: int) -> Any:
    """Return draws between 0 and 1 whose logarithms are finite, also those of 1 minus them."""
    return torch.rand(*shape).clamp(_EDGE, 1 - _EDGE)


def squared_weights(*networks: Any) -> Any:
    """Return the sum of the squares of all weights, without those of offsets."""
    return sum((p**2).sum() for net in networks for p in net.parameters() if p.dim() > 1)


def trained(
    networks: Any,
    loss_of: Callable[[Any, Any], Any],
    X: FloatArray,
    y: npt.NDArray[Any],
    options: EpochOptions,
) -> None:
    """Train networks until the loss of held-out rows does not fall, and keep the best state.

    The function `loss_of` rows and their classes may draw.
    """
    rows, classes, held, of_held = split_tensors(X, y)
    step = torch.optim.Adam(networks.parameters(), lr=_RATE)
    best, left, kept = float("inf"), options.patience, copy.deepcopy(networks.state_dict())
    for _ in range(options.max_epochs):
        networks.train()
        for place in batches(len(rows)):
            step.zero_grad()
            loss_of(rows[place], classes[place]).backward()
            step.step()
        networks.eval()
        with torch.no_grad(), torch.random.fork_rng(devices=[]):
            # The same draws for every epoch, else luck decides which one is best.
            torch.manual_seed(0)
            loss, left = float(loss_of(held, of_held)), left - 1
        if loss < best:
            best, left = loss, options.patience
            kept = copy.deepcopy(networks.state_dict())
        if left == 0:
            break
    networks.load_state_dict(kept)
    networks.eval()


def split_tensors(X: FloatArray, y: npt.NDArray[Any]) -> tuple[Any, ...]:
    """Return rows and classes to learn from, and those that are held out: a tenth, drawn."""
    rows = torch.as_tensor(X, dtype=torch.float32)
    classes = torch.as_tensor(y, dtype=torch.int64)
    order = torch.randperm(len(rows))
    n_held = max(2, len(rows) // _HELD_OUT)
    held, kept = order[:n_held], order[n_held:]
    return rows[kept], classes[kept], rows[held], classes[held]


def batches(n_rows: int) -> Iterator[Any]:
    """Yield the rows of each step of an epoch, in a random order; each has at least two."""
    for rows in torch.split(torch.randperm(n_rows), BATCH):
        if len(rows) > 1:
            yield rows
