"""DIME: a network that says how much less a predictor loses after each measurement."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from scipy.special import entr, expit

from altfs.kinds.acquisition.base import Verdict, methods
from altfs.kinds.acquisition.methods._networks import NetworkMethod
from altfs.kinds.acquisition.methods.static import per_cost
from altfs.kinds.acquisition.task import State
from altfs.prediction.networks import torch

# In training a cost of 0 is this one.
_FREE = 1e-3


@methods.register("dime")
class Dime(NetworkMethod):
    """The largest gain per cost by a network that has learned gains.

    A gain is a share of the entropy of the predicted classes. The share is learned from how much
    less the predictor loses after the measurement. In training a random measurement is taken
    with chances from 1 to 0.1, else the best one. Its value is the gain per cost in nats with a
    minus sign; it stops if that is below the price.

    Networks begin with drawn weights, so another seed or order of columns can choose otherwise. It
    needs PyTorch: ``pip install 'altfs[torch]'``.

    Source: Gadgil, Covert and Lee, *Estimating Conditional Mutual Information for Dynamic Feature
    Selection*, ICLR 2024 (Algorithm 1).
    """

    unit = "minus the gain per cost"

    def verdict(self, state: State, allowed: Sequence[int]) -> Verdict:
        entropy = float(entr(self.proba(state.x)).sum())
        gains = expit(self.choice_logits(state.x)) * entropy
        costs = self.task.costs
        return self.of_gains(state, [(a, per_cost(float(gains[a]), costs[a])) for a in allowed])

    def _loss_in(self, stage: float) -> Callable[[Any, Any], Any]:
        cross_entropy = torch.nn.functional.cross_entropy
        # What is free comes first.
        costs = torch.as_tensor(np.maximum(self.task.costs, _FREE), dtype=torch.float32)

        def loss_of(columns: Any, classes: Any) -> Any:
            rows, n = torch.arange(len(columns)), len(self.task.actions)
            taken = torch.zeros(len(columns), n)
            logits = self.class_logits(columns, taken)
            before = cross_entropy(logits, classes, reduction="none")
            loss = before.mean()
            for _ in range(self.n_steps):
                p = logits.softmax(dim=1).detach()
                entropy = torch.special.entr(p).sum(dim=1)
                gains = self.action_logits(columns, taken).sigmoid() * entropy[:, None]
                barred = self.barred(taken)
                best = (gains.detach() / costs - barred).argmax(dim=1)
                drawn = (torch.rand(len(columns), n) - barred).argmax(dim=1)
                choice = torch.where(torch.rand(len(columns)) < stage, drawn, best)
                possible = (barred[rows, choice] == 0).float()
                taken = taken.clone()
                taken[rows, choice] = torch.maximum(taken[rows, choice], possible)
                logits = self.class_logits(columns, taken)
                after = cross_entropy(logits, classes, reduction="none")
                saved = (before - after).detach()
                wrong = (gains[rows, choice] - saved) ** 2 * possible
                loss = loss + (after.mean() + wrong.mean()) / self.n_steps
                before = after
            return loss

        return loss_of
