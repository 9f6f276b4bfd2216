"""Groups of rows that share an explanation."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from pydantic import Field

from altfs._numbers import FloatArray
from altfs.kinds.rows.networks import PENALTY, TEMPERATURE, EpochOptions, NetworkSelector, RowValues
from altfs.kinds.rows.selectors.invase import Invase, InvaseOptions
from altfs.prediction.networks import (
    perceptron,
    split_tensors,
    squared_weights,
    torch,
    trained,
    uniform_draws,
)
from altfs.selectors.base import selectors


class GroupFsOptions(InvaseOptions, EpochOptions):
    """Options of groups.

    of: invase (k-means of its values) or experts (a gate over masks). groups: their number.
    patience, max_epochs: of experts, when training ends. The others are those of INVASE.
    """

    of: Literal["invase", "experts"] = "invase"
    groups: int = Field(default=4, ge=1)
    patience: int = Field(default=100, ge=1)


@selectors.register("group_fs")
class GroupFs(NetworkSelector):
    """Values that all rows of a group share.

    With `of: invase`, k-means groups the training rows by the values of INVASE, and a row has
    those of the nearest centre. With `of: experts`, a gate mixes a few masks for each row, which
    learn together with a network that sees the masked row.

    It needs PyTorch: ``pip install 'altfs[torch]'``.

    Source: Xiao et al., *Group-wise feature selection for supervised learning*, ICASSP 2022.
    """

    Options = GroupFsOptions

    def learned(self, X: FloatArray, y: npt.NDArray[Any], n_classes: int) -> RowValues:
        learn = self._of_invase if self.options.of == "invase" else self._of_experts
        return learn(X, y, n_classes)

    def _of_invase(self, X: FloatArray, y: npt.NDArray[Any], n_classes: int) -> RowValues:
        from sklearn.cluster import KMeans

        values_of = Invase(self.options).learned(X, y, n_classes)
        seed = int(torch.randint(2**31, (1,)))
        groups = min(self.options.groups, len(X))

        def numbers(some: Any) -> FloatArray:
            return np.asarray(values_of(some), dtype=np.float64)

        with torch.no_grad():
            rows = torch.as_tensor(X, dtype=torch.float32)
            centres = KMeans(groups, n_init=10, random_state=seed).fit(numbers(rows))
        return lambda some: torch.as_tensor(
            centres.cluster_centers_[centres.predict(numbers(some))]
        )

    def _of_experts(self, X: FloatArray, y: npt.NDArray[Any], n_classes: int) -> RowValues:
        cross_entropy = torch.nn.functional.cross_entropy
        options, n = self.options, X.shape[1]
        gate = perceptron([n, 100, options.groups])
        masks = torch.nn.Parameter(torch.randn(options.groups, n) * 0.1)
        critic = perceptron([n, 200, 200, n_classes], normalised=True)
        networks = torch.nn.ModuleList([gate, critic])
        networks.register_parameter("masks", masks)

        def loss_of(some: Any, labels: Any) -> Any:
            share = gate(some).softmax(dim=1)
            draw = uniform_draws(len(some), options.groups, n).logit()
            drawn = ((masks + draw) / TEMPERATURE).sigmoid()
            mask = (share[:, :, None] * drawn).sum(dim=1)
            chosen = (share @ masks.sigmoid()).mean()
            loss = cross_entropy(critic(some * mask), labels) + options.price * chosen
            return loss + PENALTY * squared_weights(gate, critic) * critic.training

        trained(networks, loss_of, split_tensors(X, y), options.patience, options.max_epochs)
        return lambda some: gate(some).softmax(dim=1) @ masks.sigmoid()
