"""A variant of DIWIFT: the influence of a row's values on a network decides which are chosen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy.typing as npt
from pydantic import Field

from altfs._numbers import FloatArray
from altfs.kinds.rows.networks import EpochOptions, NetworkSelector, RowValues
from altfs.prediction.networks import batches, perceptron, split_tensors, torch, trained
from altfs.selectors.base import selectors

# The recursion of the inverse Hessian (LiSSA): what is kept, the scale, rows of a step, steps.
_KEPT, _SCALE, _ROWS, _STEPS = 0.99, 500.0, 100, 150
# A thousand steps gained nothing and took twice the time. The recursion ends if the length of the
# vector grows by a smaller share.
_GROWTH = 1e-5
# All chances begin near 3/4. The change of the network is the product of what is seen of an effect
# and what is missing. If less than half of it is seen, it falls with the chances. Half of a product
# of two features is seen at 0.71.
_START = 1.1


class DiwiftOptions(EpochOptions):
    """Options of DIWIFT.

    epochs: passes over the rows in which the choice is learned. rate: the length of its longest
    step. The length of the other steps is proportional to their slope.
    patience: epochs without a better loss of held-out rows after which the training of the network
    on all features ends. max_epochs: its largest number of epochs. max_rows: the largest number of
    explained rows of a part.
    """

    epochs: int = Field(default=5, ge=1)
    rate: float = Field(default=0.1, gt=0)
    patience: int = Field(default=10, ge=1)
    max_epochs: int = Field(default=100, ge=1)


@selectors.register("diwift")
class Diwift(NetworkSelector):
    """Chance of a feature of a row, by influence functions: a variant of DIWIFT, not the paper's.

    The seed decides how much it finds: on `xor`, 43 to 100 % of the true features over six seeds,
    with a median of 73 %.

    A network learns on all features and is kept as it is. A second one gives each value of a row a
    chance, and the rows are multiplied by these. The network would have to change for such rows. An
    influence function tells how much this change, judged by held-out rows, depends on each chance.
    The second network learns chances that make the change superfluous. Each epoch judges anew.

    The derivative is by the chance, in the paper by the value itself, and its sign is the one for
    which needed chances rise. The paper has an attention head before the second network, without
    which the authors' code can train. Here the derivative by the value found less on five of six
    designs, and the head more on `syn3` alone, where one choice for all rows gained as much. Its
    memory grows with the square of the number of features.

    It needs PyTorch: ``pip install 'altfs[torch]'``.

    Source: Liu et al., *DIWIFT: Discovering instance-wise influential features for tabular data*,
    WWW 2023 (Section 3).
    """

    Options = DiwiftOptions

    def learned(self, X: FloatArray, y: npt.NDArray[Any], n_classes: int) -> RowValues:
        cross_entropy = torch.nn.functional.cross_entropy
        options, n = self.options, X.shape[1]
        base, chooser = perceptron([n, 200, 200, n_classes]), perceptron([n, 100, n])

        def loss_of(some: Any, labels: Any, reduction: str = "mean") -> Any:
            return cross_entropy(base(some), labels, reduction=reduction)

        trained(base, loss_of, split_tensors(X, y), options.patience, options.max_epochs)
        weights = list(base.parameters())
        rows, classes, held, of_held = split_tensors(X, y)
        movable = list(chooser.parameters())
        steepest = 0.0
        with torch.no_grad():
            chooser[-1].bias += _START

        def masked(some: Any) -> Any:
            with torch.no_grad():
                return some * chooser(some).sigmoid()

        for _ in range(options.epochs):
            judge = _inverse_hessian(
                loss_of, weights, (masked(rows), classes), (masked(held), of_held)
            )
            for place in batches(len(rows)):
                seen = masked(rows[place]).requires_grad_()
                slopes = torch.autograd.grad(
                    loss_of(seen, classes[place], "sum"), weights, create_graph=True
                )
                (by_value,) = torch.autograd.grad(_product(slopes, judge), seen)
                chance = chooser(rows[place]).sigmoid()
                phi = (by_value * rows[place] * chance).sum(dim=1).mean()
                slope = torch.autograd.grad(phi, movable)
                steepest = max(steepest, float(torch.cat([g.flatten() for g in slope]).norm()))
                with torch.no_grad():
                    for weight, down in zip(movable, slope, strict=True):
                        weight -= options.rate * down / max(steepest, 1e-30)

        return lambda some: chooser(some).sigmoid()


def _inverse_hessian(
    loss_of: Callable[[Any, Any], Any], weights: Sequence[Any], rows: Any, held: Any
) -> list[Any]:
    """Return the damped inverse Hessian of the rows' loss times the slope of the held-out loss."""
    slope = torch.autograd.grad(loss_of(*held), weights)
    product, length = list(slope), 0.0
    for _ in range(_STEPS):
        place = torch.randint(len(rows[0]), (_ROWS,))
        first = torch.autograd.grad(
            loss_of(rows[0][place], rows[1][place]), weights, create_graph=True
        )
        second = torch.autograd.grad(_product(first, product), weights)
        parts = zip(slope, product, second, strict=True)
        product = [g + _KEPT * s - h / _SCALE for g, s, h in parts]
        before, length = length, float(torch.cat([s.flatten() for s in product]).norm())
        if length <= before * (1 + _GROWTH):
            break
    return [s / _SCALE for s in product]


def _product(first: Sequence[Any], second: Sequence[Any]) -> Any:
    """Return the inner product of two lists of tensors."""
    return sum((a * b).sum() for a, b in zip(first, second, strict=True))
