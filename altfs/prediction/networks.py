"""Parts that networks share (PyTorch, imported when one is trained)."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from typing import Any, Literal

import numpy.typing as npt

from altfs._numbers import FloatArray

# The share of the rows that tells when to stop.
_HELD_OUT = 10
#: The rows of a step.
BATCH = 1000
# The step size of Adam.
_RATE = 1e-3
# The distance of uniform draws from 0 and 1, whose logarithms are not finite.
_EDGE = 1e-6
#: The functions between the layers of a network.
Activation = Literal["relu", "selu"]


class _Torch:
    """PyTorch, imported on first use, because listing the components imports this module."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            # Tools such as doctest ask every object for these.
            raise AttributeError(name)
        import torch

        return getattr(torch, name)


torch: Any = _Torch()


@contextmanager
def single_thread() -> Iterator[None]:
    """Compute on one thread, so that sums do not depend on their number."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


@contextmanager
def seeded(seed: int) -> Iterator[None]:
    """Train with a seed on one thread, so that the result depends on nothing else."""
    with single_thread(), torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        yield


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
    parts: tuple[Any, ...],
    patience: int,
    max_epochs: int,
    size: int = BATCH,
) -> None:
    """Train networks until the loss of held-out rows does not fall, and keep the best state.

    The function `loss_of` rows and their classes may draw. `parts` are of :func:`split_tensors`,
    and `size` is the number of rows of a step.
    """
    rows, classes, held, of_held = parts
    step = torch.optim.Adam(networks.parameters(), lr=_RATE)
    best, left, kept = float("inf"), patience, copy.deepcopy(networks.state_dict())
    for _ in range(max_epochs):
        networks.train()
        for place in batches(len(rows), size):
            step.zero_grad()
            loss_of(rows[place], classes[place]).backward()
            step.step()
        networks.eval()
        with torch.no_grad(), torch.random.fork_rng(devices=[]):
            # The same draws for every epoch, else luck decides which one is best.
            torch.manual_seed(0)
            loss, left = float(loss_of(held, of_held)), left - 1
        if loss < best:
            best, left = loss, patience
            kept = copy.deepcopy(networks.state_dict())
        if left == 0:
            break
    networks.load_state_dict(kept)
    networks.eval()


def prediction_loss(outputs: Any, targets: Any) -> Any:
    """Return the cross entropy of classes, or the mean squared error of numbers."""
    if targets.is_floating_point():
        return torch.nn.functional.mse_loss(outputs[:, 0], targets)
    return torch.nn.functional.cross_entropy(outputs, targets)


def split_tensors(X: FloatArray, y: npt.NDArray[Any]) -> tuple[Any, ...]:
    """Return rows and targets to learn from, and those that are held out: a tenth, drawn.

    Targets are classes as whole numbers, or other numbers.
    """
    rows = torch.as_tensor(X, dtype=torch.float32)
    targets = torch.as_tensor(y, dtype=torch.float32 if y.dtype.kind == "f" else torch.int64)
    order = torch.randperm(len(rows))
    n_held = max(2, len(rows) // _HELD_OUT)
    held, kept = order[:n_held], order[n_held:]
    return rows[kept], targets[kept], rows[held], targets[held]


def batches(n_rows: int, size: int = BATCH) -> Iterator[Any]:
    """Yield the rows of each step of an epoch, in a random order; each has at least two."""
    for rows in torch.split(torch.randperm(n_rows), size):
        if len(rows) > 1:
            yield rows
