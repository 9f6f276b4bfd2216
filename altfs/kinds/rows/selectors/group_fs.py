"""Groups of rows that share an explanation."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from pydantic import Field

from altfs._numbers import FloatArray
from altfs.kinds.rows.networks import (
    NetworkSelector,
    RowValues,
    perceptron,
    squared_weights,
    trained,
)
from altfs.kinds.rows.selectors.invase import Invase, InvaseOptions
from altfs.selectors.base import selectors

_TEMPERATURE, _PENALTY = 0.1, 1e-3


class GroupFsOptions(InvaseOptions):
    """Options of groups.

    of: invase (k-means of its values) or experts (a gate over masks). groups: their number.
    patience, max_epochs: of experts, when training ends. The others are those of INVASE.
    """

    of: Literal["invase", "experts"] = "invase"
    groups: int = Field(default=4, ge=1)
    patience: int = Field(default=100, ge=1)
    max_epochs: int = Field(default=300, ge=1)


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
        return (self._of_invase if self.options.of == "invase" else self._of_experts)(
            X, y, n_classes
        )

    def _of_invase(self, X: FloatArray, y: npt.NDArray[Any], n_classes: int) -> RowValues:
        import torch
        from sklearn.cluster import KMeans

        options = InvaseOptions(**{k: getattr(self.options, k) for k in InvaseOptions.model_fields})
        values_of = Invase(options).learned(X, y, n_classes)
        seed = int(torch.randint(2**31, (1,)))
        groups = min(self.options.groups, len(X))
        grouped = KMeans(groups, n_init=10, random_state=seed).fit(
            np.asarray(values_of(X), dtype=np.float64)
        )

        def values(some: FloatArray) -> FloatArray:
            own = grouped.predict(np.asarray(values_of(some), dtype=np.float64))
            return np.asarray(grouped.cluster_centers_[own])

        return values

    def _of_experts(self, X: FloatArray, y: npt.NDArray[Any], n_classes: int) -> RowValues:
        import torch
        from torch import nn
        from torch.nn.functional import cross_entropy

        asked, n = self.options, X.shape[1]
        gate = perceptron([n, 100, asked.groups])
        masks = nn.Parameter(torch.randn(asked.groups, n) * 0.1)
        critic = perceptron([n, 200, 200, n_classes], normalised=True)
        networks = nn.ModuleList([gate, critic])
        networks.register_parameter("masks", masks)

        def loss_of(some: Any, labels: Any) -> Any:
            share = gate(some).softmax(dim=1)
            draw = torch.rand(len(some), asked.groups, n).clamp(1e-6, 1 - 1e-6).logit()
            drawn = ((masks + draw) / _TEMPERATURE).sigmoid()
            mask = (share[:, :, None] * drawn).sum(dim=1)
            chosen = (share @ masks.sigmoid()).mean()
            loss = cross_entropy(critic(some * mask), labels) + asked.price * chosen
            return loss + _PENALTY * squared_weights(gate, critic) * critic.training

        trained(networks, loss_of, X, y, (asked.patience, asked.max_epochs))

        def values(some: FloatArray) -> FloatArray:
            with torch.no_grad():
                share = gate(torch.as_tensor(some, dtype=torch.float32)).softmax(dim=1)
                return np.asarray((share @ masks.sigmoid()).numpy())

        return values
