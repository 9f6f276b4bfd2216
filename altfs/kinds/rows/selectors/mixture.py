"""A mixture of experts: rows of one expert share an explanation."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from pydantic import Field

from altfs._numbers import FloatArray
from altfs.kinds.rows.networks import (
    NetworkOptions,
    NetworkSelector,
    RowValues,
    perceptron,
    trained,
)
from altfs.selectors.base import selectors


class MixtureOptions(NetworkOptions):
    """Options of the mixture of experts.

    experts: their number, and so the largest number of different explanations. patience: epochs
    without a better loss of held-out rows after which training ends. max_epochs: the largest
    number of epochs. max_rows: the largest number of explained rows of a part.
    """

    experts: int = Field(default=4, ge=1)
    patience: int = Field(default=20, ge=1)
    max_epochs: int = Field(default=300, ge=1)


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
        import torch
        from torch import nn

        asked, n = self.options, X.shape[1]
        gate = perceptron([n, 100, asked.experts])
        experts = nn.ModuleList([perceptron([n, 100, n_classes]) for _ in range(asked.experts)])

        def joint(some: Any) -> Any:
            """Return the logarithms of gate x expert, of shape (n_rows, n_experts, n_classes)."""
            told = torch.stack([expert(some).log_softmax(dim=1) for expert in experts], dim=1)
            return gate(some).log_softmax(dim=1)[:, :, None] + told

        def loss_of(some: Any, labels: Any) -> Any:
            mixed = joint(some).logsumexp(dim=1)
            return -mixed[torch.arange(len(some)), labels].mean()

        trained(nn.ModuleList([gate, experts]), loss_of, X, y, (asked.patience, asked.max_epochs))
        rows = torch.as_tensor(X, dtype=torch.float32).requires_grad_()
        with torch.no_grad():
            owner = gate(rows).argmax(dim=1)
        worth = torch.zeros(asked.experts, n)
        # The gate counts, too: an expert of one class alone has no slope of its own.
        (slope,) = torch.autograd.grad(joint(rows).logsumexp(dim=1).amax(dim=1).sum(), rows)
        for k in range(asked.experts):
            if bool((owner == k).any()):
                worth[k] = slope[owner == k].abs().mean(dim=0)

        def values(some: FloatArray) -> FloatArray:
            with torch.no_grad():
                of_row = gate(torch.as_tensor(some, dtype=torch.float32)).argmax(dim=1)
            return np.asarray(worth[of_row].numpy())

        return values
