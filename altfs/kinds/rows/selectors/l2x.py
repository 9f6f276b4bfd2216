"""L2X: a network draws the features that another one sees."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt
from pydantic import Field

from altfs._numbers import FloatArray
from altfs.kinds.rows.networks import PENALTY, TEMPERATURE, EpochOptions, NetworkSelector, RowValues
from altfs.prediction.networks import (
    Activation,
    perceptron,
    prediction_loss,
    split_tensors,
    squared_weights,
    torch,
    trained,
    uniform_draws,
)
from altfs.selectors.base import selectors


class L2XOptions(EpochOptions):
    """Options of L2X.

    drawn: the number of features that are drawn for a row, best the size of the explanations. It
    does not follow that size, because one training serves all sizes of a study. activation: relu,
    which the authors take for `xor` and `orange_skin`, or selu, which they take for other data.
    patience: epochs without a better loss of held-out rows after which training ends. max_epochs:
    the largest number of epochs. max_rows: the largest number of explained rows of a part.
    """

    drawn: int = Field(default=5, ge=1)
    activation: Activation = "relu"


@selectors.register("l2x")
class L2X(NetworkSelector):
    """Chance with which a network chooses a feature for a row, so that another one can predict.

    The first network draws `drawn` features of a row with its chances; draws are relaxed
    (Gumbel-softmax, temperature 0.1). The second one sees these features alone, and predicts the
    class, or the number. Both learn together. A part has the mean over its rows.

    It needs PyTorch: ``pip install 'altfs[torch]'``.

    Source: Chen, Song, Wainwright and Jordan, *Learning to explain: an information-theoretic
    perspective on model interpretation*, ICML 2018 (Section 3), for classes. Numbers have the
    squared error in place of the cross entropy.
    """

    Options = L2XOptions
    for_classes = False

    def learned(self, X: FloatArray, y: npt.NDArray[Any], n_outputs: int) -> RowValues:
        options, n = self.options, X.shape[1]
        chooser = perceptron([n, 100, 100, n], options.activation)
        predictor = perceptron([n, 200, 200, n_outputs], options.activation, normalised=True)

        def loss_of(some: Any, labels: Any) -> Any:
            draws = uniform_draws(len(some), options.drawn, n)
            noisy = chooser(some)[:, None] - (-draws.log()).log()
            mask = (noisy / TEMPERATURE).softmax(dim=2).amax(dim=1)
            loss = prediction_loss(predictor(some * mask), labels)
            # Held-out rows judge the prediction alone.
            return loss + PENALTY * squared_weights(chooser, predictor) * predictor.training

        networks = torch.nn.ModuleList([chooser, predictor])
        trained(networks, loss_of, split_tensors(X, y), options.patience, options.max_epochs)
        return lambda some: chooser(some).softmax(dim=1)
