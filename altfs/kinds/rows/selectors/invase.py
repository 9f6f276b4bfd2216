"""INVASE: an actor chooses the features of a row, and a critic judges the choice."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy.typing as npt
from pydantic import Field

from altfs._numbers import FloatArray
from altfs.kinds.rows.networks import (
    BATCH,
    PENALTY,
    Activation,
    NetworkOptions,
    NetworkSelector,
    RowValues,
    activations,
    squared_weights,
    torch,
)
from altfs.selectors.base import selectors

# Probabilities are kept away from 0 and 1, whose logarithm is not finite.
_LEAST = 1e-8


class InvaseOptions(NetworkOptions):
    """Options of INVASE.

    price: what choosing all features costs, in units of the loss (lambda). steps: the number of
    steps of 1,000 rows; rate: the size of each. The authors take 10,000 steps of 1e-4. baseline:
    compare the critic with a network that sees all features. activation: selu, or relu, which the
    authors take if all rows share their features. max_rows: the largest number of explained rows
    of a part.
    """

    price: float = Field(default=0.1, ge=0)
    steps: int = Field(default=3000, ge=1)
    rate: float = Field(default=3e-4, gt=0)
    baseline: bool = True
    activation: Activation = "selu"


@selectors.register("invase")
class Invase(NetworkSelector):
    """Chance with which an actor chooses a feature for a row, so that a critic can predict.

    The actor draws features with its chances. The critic sees these alone, and a baseline sees
    all. The actor is rewarded for what the critic loses less than the baseline, and pays a
    `price` for each feature. A part has the mean over its rows. Networks begin and are rewarded as
    in the authors' code.

    It needs PyTorch: ``pip install 'altfs[torch]'``.

    Source: Yoon, Jordon and van der Schaar, *INVASE: instance-wise variable selection using
    neural networks*, ICLR 2019 (Algorithm 1).
    """

    Options = InvaseOptions

    def learned(self, X: FloatArray, y: npt.NDArray[Any], n_classes: int) -> RowValues:
        cross_entropy = torch.nn.functional.cross_entropy
        options, n = self.options, X.shape[1]
        actor = _perceptron([n, 100, 100, n], options.activation)
        critic, baseline = (
            _perceptron([n, 200, 200, n_classes], options.activation, normalised=True)
            for _ in range(2)
        )
        steps = [
            torch.optim.Adam(net.parameters(), lr=options.rate) for net in (actor, critic, baseline)
        ]
        rows = torch.as_tensor(X, dtype=torch.float32)
        classes = torch.as_tensor(y, dtype=torch.int64)
        for _ in range(options.steps):
            place = torch.randint(len(rows), (BATCH,))
            some, labels = rows[place], classes[place]
            chance = actor(some).sigmoid()
            mask = torch.bernoulli(chance.detach())
            reward = -_loss_of_rows(critic, some * mask, labels)
            total = cross_entropy(critic(some * mask), labels)
            total = total + PENALTY * squared_weights(actor, critic)
            if options.baseline:
                reward = reward + _loss_of_rows(baseline, some, labels)
                total = total + cross_entropy(baseline(some), labels)
                total = total + PENALTY * squared_weights(baseline)
            drawn = mask * (chance + _LEAST).log() + (1 - mask) * (1 - chance + _LEAST).log()
            gain = reward * drawn.sum(dim=1) - options.price * chance.mean(dim=1)
            for step in steps:
                step.zero_grad()
            (total - gain.mean()).backward()
            for step in steps:
                step.step()

        return lambda some: actor(some).sigmoid()


def _perceptron(sizes: Sequence[int], activation: Activation, *, normalised: bool = False) -> Any:
    """Return layers as in the authors' code, in Keras: its first weights and normalisation."""
    layers: list[Any] = []
    for i, (n_in, n_out) in enumerate(pairwise(sizes)):
        if i:
            layers.append(activations(activation))
            if normalised:
                layers.append(torch.nn.BatchNorm1d(n_in, eps=1e-3, momentum=0.01))
        layers.append(torch.nn.Linear(n_in, n_out))
        torch.nn.init.xavier_uniform_(layers[-1].weight)
        torch.nn.init.zeros_(layers[-1].bias)
    return torch.nn.Sequential(*layers)


def _loss_of_rows(network: Any, some: Any, labels: Any) -> Any:
    """Return the loss of each row, by the running means of the network's normalisation.

    With those of the batch itself, the actor drops true features for good: it finds 85 % of those
    of `syn4` instead of 99 %.
    """
    network.eval()
    with torch.no_grad():
        loss = torch.nn.functional.cross_entropy(network(some), labels, reduction="none")
    network.train()
    return loss
