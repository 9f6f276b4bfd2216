"""INVASE: an actor chooses the features of a row, and a critic judges the choice."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt
from pydantic import Field

from altfs._numbers import FloatArray
from altfs.kinds.rows.networks import PENALTY, NetworkOptions, NetworkSelector, RowValues
from altfs.prediction.networks import BATCH, Activation, perceptron, squared_weights, torch
from altfs.selectors.base import selectors

# Probabilities are kept away from 0 and 1, whose logarithm is not finite.
_LEAST = 1e-8


class InvaseOptions(NetworkOptions):
    """Options of INVASE.

    price: what choosing all features costs, in units of the loss (lambda). steps: the number of
    steps of 1,000 rows; rate: the size of each. baseline: compare the critic with a network that
    sees all features. activation: selu, or relu, which the authors take if all rows share their
    features. max_rows: the largest number of explained rows of a part.
    """

    price: float = Field(default=0.1, ge=0)
    steps: int = Field(default=10_000, ge=1)
    rate: float = Field(default=1e-4, gt=0)
    baseline: bool = True
    activation: Activation = "selu"


@selectors.register("invase")
class Invase(NetworkSelector):
    """Chance with which an actor chooses a feature for a row, so that a critic can predict.

    The actor draws features with its chances. The critic sees these alone, and a baseline sees
    all. The actor is rewarded for what the critic loses less than the baseline, and pays a
    `price` for each feature. A part has the mean over its rows.

    It needs PyTorch: ``pip install 'altfs[torch]'``.

    Source: Yoon, Jordon and van der Schaar, *INVASE: instance-wise variable selection using
    neural networks*, ICLR 2019 (Algorithm 1).
    """

    Options = InvaseOptions

    def learned(self, X: FloatArray, y: npt.NDArray[Any], n_classes: int) -> RowValues:
        cross_entropy = torch.nn.functional.cross_entropy
        options, n = self.options, X.shape[1]
        actor = perceptron([n, 100, 100, n], options.activation)
        critic, baseline = (
            perceptron([n, 200, 200, n_classes], options.activation, normalised=True)
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
            loss = cross_entropy(critic(some * mask), labels, reduction="none")
            reward = -loss.detach()
            total = loss.mean() + PENALTY * squared_weights(actor, critic)
            if options.baseline:
                of_all = cross_entropy(baseline(some), labels, reduction="none")
                reward = reward + of_all.detach()
                total = total + of_all.mean() + PENALTY * squared_weights(baseline)
            drawn = mask * (chance + _LEAST).log() + (1 - mask) * (1 - chance + _LEAST).log()
            gain = reward * drawn.sum(dim=1) - options.price * chance.mean(dim=1)
            for step in steps:
                step.zero_grad()
            (total - gain.mean()).backward()
            for step in steps:
                step.step()

        return lambda some: actor(some).sigmoid()
