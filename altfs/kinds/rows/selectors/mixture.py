"""A mixture of experts: rows of one expert share an explanation."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt
from pydantic import Field

from altfs._numbers import FloatArray
from altfs.kinds.rows.networks import EpochOptions, NetworkSelector, RowValues
from altfs.prediction.networks import perceptron, split_tensors, torch, trained
from altfs.selectors.base import selectors


class MixtureOptions(EpochOptions):
    """Options of the mixture of experts.

    experts: their number, and so the largest number of different explanations. patience: epochs
    without a better loss of held-out rows after which training ends. max_epochs: the largest
    number of epochs. max_rows: the largest number of explained rows of a part.
    """

    experts: int = Field(default=4, ge=1)


@selectors.register("mixture")
class Mixture(NetworkSelector):
    """Mean gradient of the expert to which a row belongs, in a mixture of networks.

    A gate says for each row how much each expert counts. A row belongs to the expert that counts
    most. All its rows have the same values: the mean absolute derivative of the logarithm of the
    probability of the class that the whole mixture predicts.

    It needs PyTorch: ``pip install 'altfs[torch]'``.

    Source: Xiao and Wang, *Mixture of deep neural networks for instancewise feature selection*,
    Allerton Conference 2019.
    """

    Options = MixtureOptions

    def learned(self, X: FloatArray, y: npt.NDArray[Any], n_classes: int) -> RowValues:
        options, n = self.options, X.shape[1]
        gate = perceptron([n, 100, options.experts])
        experts = torch.nn.ModuleList(
            [perceptron([n, 100, n_classes]) for _ in range(options.experts)]
        )

        def joint(some: Any) -> Any:
            """Return the logarithms of gate x expert, of shape (n_rows, n_experts, n_classes)."""
            of_expert = torch.stack([e(some).log_softmax(dim=1) for e in experts], dim=1)
            return gate(some).log_softmax(dim=1)[:, :, None] + of_expert

        def loss_of(some: Any, labels: Any) -> Any:
            mixed = joint(some).logsumexp(dim=1)
            return -mixed[torch.arange(len(some)), labels].mean()

        trained(
            torch.nn.ModuleList([gate, experts]),
            loss_of,
            split_tensors(X, y),
            options.patience,
            options.max_epochs,
        )
        rows = torch.as_tensor(X, dtype=torch.float32).requires_grad_()
        with torch.no_grad():
            owner = gate(rows).argmax(dim=1)
        worth = torch.zeros(options.experts, n)
        # The gate counts, too: an expert of one class alone has no slope of its own.
        (slope,) = torch.autograd.grad(joint(rows).logsumexp(dim=1).amax(dim=1).sum(), rows)
        for k in range(options.experts):
            if bool((owner == k).any()):
                worth[k] = slope[owner == k].abs().mean(dim=0)
        return lambda some: worth[gate(some).argmax(dim=1)]
