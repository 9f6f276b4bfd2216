"""Groups of features that are alike in a row, and the groups that decide."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from pydantic import Field

from altfs._numbers import FloatArray
from altfs.kinds.rows.feature_groups import FeatureGroups
from altfs.kinds.rows.networks import TEMPERATURE, EpochOptions, NetworkSelector, RowValues
from altfs.prediction.networks import (
    perceptron,
    prediction_loss,
    split_tensors,
    torch,
    trained,
    uniform_draws,
)
from altfs.scores.base import Part
from altfs.selectors.base import selectors


class FeatureGroupingOptions(EpochOptions):
    """Options of groups of features.

    groups: the largest number of groups of a row. important: the groups that are drawn for a
    prediction. weight: of the loss of the prediction, against that of the groups. patience: epochs
    without a better loss of held-out rows after which training ends. max_epochs: the largest number
    of epochs. max_rows: the largest number of explained rows of a part.
    """

    groups: int = Field(default=4, ge=2)
    important: int = Field(default=1, ge=1)
    weight: float = Field(default=1.0, ge=0)


@selectors.register("feature_grouping")
class FeatureGrouping(NetworkSelector):
    """Chance of a feature's group to be drawn for a row; stand-ins of a group have less.

    A network puts each feature of a row into a group; the mean of a group stands for its features.
    A second network draws `important` groups, and a third one predicts from these means alone. They
    learn together: the loss is that of the prediction plus the mean squared distance of features
    from the means of their groups. Draws are relaxed (Gumbel-softmax, temperature 0.1).

    Of the features of a group, the one that is nearest to the mean has the chance of the group as
    its value, the next one half of it, and so on. So the best explanation has one feature of each
    important group, and its alternatives exchange features for others of the same group.
    :meth:`groups` has the groups themselves.

    It needs PyTorch: ``pip install 'altfs[torch]'``.

    Source: Masoomi et al., *Instance-wise feature grouping*, NeurIPS 2020 (Section 4). The default
    of `weight` is 1, not 15, and weights have no penalty, because planted groups are then learned
    from every seed that was tried.
    """

    Options = FeatureGroupingOptions
    for_classes = False

    def row_values(self, train: Part, X: FloatArray) -> FloatArray:
        return self.groups(train, X).values

    def groups(self, train: Part, X: FloatArray) -> FeatureGroups:
        """Return the groups of the features of rows.

        Parameters
        ----------
        train : Part
            The rows to learn from.
        X : ndarray of shape (n_rows, n_total)
            The rows to group.

        Returns
        -------
        FeatureGroups
        """
        n = X.shape[1]
        learned = super().row_values(train, X)
        labels, chances, distances = np.split(learned, [n, 2 * n], axis=1)
        return FeatureGroups(labels.astype(np.int64), chances, distances, train.names)

    def learned(self, X: FloatArray, y: npt.NDArray[Any], n_outputs: int) -> RowValues:
        options, n = self.options, X.shape[1]
        n_groups = min(options.groups, n)
        important = min(options.important, n_groups)
        grouper = perceptron([n, 100, 100, n * n_groups])
        chooser = perceptron([n_groups, 100, 100, n_groups])
        predictor = perceptron([n, 100, n_outputs], normalised=True)

        def means_of(some: Any, member: Any) -> tuple[Any, Any]:
            """Return the means of groups, and that of the group of each feature."""
            sums = (member * some[:, :, None]).sum(dim=1)
            means = sums / member.sum(dim=1).clamp(min=1e-6)
            return means, (member * means[:, None]).sum(dim=2)

        def loss_of(some: Any, labels: Any) -> Any:
            logits = grouper(some).view(-1, n, n_groups)
            draws = uniform_draws(len(some), n, n_groups)
            noisy = logits - (-draws.log()).log()
            member = (noisy / TEMPERATURE).softmax(dim=2)
            means, alike = means_of(some, member)
            draws = uniform_draws(len(some), important, n_groups)
            noisy = chooser(means)[:, None] - (-draws.log()).log()
            chosen = (noisy / TEMPERATURE).softmax(dim=2).amax(dim=1)
            mask = (member * chosen[:, None]).sum(dim=2)
            loss = prediction_loss(predictor(mask * alike), labels)
            return options.weight * loss + ((alike - some) ** 2).mean()

        networks = torch.nn.ModuleList([grouper, chooser, predictor])
        trained(networks, loss_of, split_tensors(X, y), options.patience, options.max_epochs)

        def values_of(some: Any) -> Any:
            labels = grouper(some).view(-1, n, n_groups).argmax(dim=2)
            member = torch.nn.functional.one_hot(labels, n_groups).to(some.dtype)
            means, alike = means_of(some, member)
            chances = chooser(means).softmax(dim=1).gather(1, labels)
            return torch.cat([labels.to(some.dtype), chances, (some - alike).abs()], dim=1)

        return values_of
