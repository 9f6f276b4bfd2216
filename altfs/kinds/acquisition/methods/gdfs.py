"""GDFS: a network that chooses the next measurement, trained by what a predictor loses then."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Self

import numpy as np
from scipy.special import softmax

from altfs.errors import AltfsError
from altfs.kinds.acquisition.base import SubsetModel, Verdict, methods
from altfs.kinds.acquisition.methods._networks import NetworkMethod
from altfs.kinds.acquisition.task import Acquisition, State
from altfs.prediction.networks import torch, uniform_draws

# A chance of 0 would be a choice to stop.
_LEAST = 1e-9


@methods.register("gdfs")
class Gdfs(NetworkMethod):
    """The measurement that a network chooses, after which a predictor loses least.

    In training the choice is a relaxed draw that passes on the predictor's loss, at
    temperatures from 1 to 0.1. Its value is the chance of the choice with a minus sign. Costs
    count in the budget alone, which it needs.

    Networks begin with drawn weights, so another seed or order of columns can choose otherwise. It
    needs PyTorch: ``pip install 'altfs[torch]'``.

    Source: Covert, Qiu, Lu, Kim, White and Lee, *Learning to Maximize Mutual Information for
    Dynamic Feature Selection*, ICML 2023 (Algorithm 1).
    """

    unit = "minus the chance of the choice"
    needs_budget = True

    def fit(self, task: Acquisition, model: SubsetModel) -> Self:
        if not np.isfinite(task.budget):
            reason = "'gdfs' weighs no costs, so nothing else ends it"
            raise AltfsError("budget", reason, "give one")
        return super().fit(task, model)

    def verdict(self, state: State, allowed: Sequence[int]) -> Verdict:
        chance = softmax(self.choice_logits(state.x)[list(allowed)]) if allowed else np.zeros(0)
        pairs = zip(allowed, chance.tolist(), strict=True)
        return self.said(state, 0.0, [(a, -max(p, _LEAST)) for a, p in pairs])

    def _loss_in(self, stage: float) -> Callable[[Any, Any], Any]:
        def loss_of(columns: Any, classes: Any) -> Any:
            loss, taken = 0.0, torch.zeros(len(columns), len(self.task.actions))
            for _ in range(self.n_steps):
                logits = self.action_logits(columns, taken) - self.barred(taken)
                drawn = logits - (-uniform_draws(*logits.shape).log()).log()
                soft = torch.maximum(taken, (drawn / stage).softmax(dim=1))
                lost = torch.nn.functional.cross_entropy(self.class_logits(columns, soft), classes)
                loss = loss + lost / self.n_steps
                hard = torch.nn.functional.one_hot(drawn.argmax(dim=1), logits.shape[1]).float()
                # What was paid for is known; nothing more where nothing is affordable.
                taken = torch.maximum(taken, hard * (self.barred(taken) == 0)).detach()
            return loss

        return loss_of
