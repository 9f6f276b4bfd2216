"""The base of methods whose networks learn what to measure."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar, Self

import numpy as np
from pydantic import Field

from altfs._extras import require
from altfs._numbers import BoolArray, FloatArray
from altfs.kinds.acquisition.base import Method, Options, SubsetModel
from altfs.kinds.acquisition.task import Acquisition, scaled
from altfs.prediction.networks import (
    perceptron,
    seeded,
    single_thread,
    split_tensors,
    torch,
    trained,
)
from altfs.progress import tell

# The measurements of a row in training, if there is no budget.
_STEPS = 10
# What bars an action that was taken: any other one has a larger value.
_BARRED = 1e6


class TrainingOptions(Options):
    """Options of methods with networks.

    width: of the two hidden layers. most: measurements of a row in training, by default as many
    as the budget allows, 10 at most. patience: epochs without a better loss that end a stage of
    training. max_epochs: their number in a stage.
    """

    width: int = Field(default=128, ge=1)
    most: int | None = Field(default=None, ge=1)
    patience: int = Field(default=10, ge=1)
    max_epochs: int = Field(default=100, ge=1)


class Predictor(SubsetModel):
    """A network that predicts from any known features.

    It sees the standardised values, of categories one column each, 0 for what is unknown, and
    which features are known.
    """

    name = "predictor"
    n_inputs: int
    #: A function of what networks see, to logits of the classes.
    network: Any

    def fit(self, task: Acquisition) -> Self:
        super().fit(task)
        self._mean, self._spread = scaled(task.X, task.categorical)
        self._values = [
            np.unique(column) if is_category else None
            for column, is_category in zip(task.X.T, task.categorical, strict=True)
        ]
        widths = [1 if values is None else len(values) for values in self._values]
        #: The feature of each column.
        self._owner = np.repeat(np.arange(len(widths)), widths)
        self.n_inputs = len(self._owner) + len(widths)
        return self

    def columns(self, X: FloatArray) -> FloatArray:
        """Return the columns of rows, 0 for what is unknown."""
        z = (X - self._mean) / self._spread
        parts = [
            z[:, [j]] if values is None else (X[:, [j]] == values).astype(np.float64)
            for j, values in enumerate(self._values)
        ]
        columns: FloatArray = np.nan_to_num(np.hstack(parts))
        return columns

    def inputs(self, columns: Any, known: Any) -> Any:
        """Return what networks see of rows, of whose features some are known (1) or partly so."""
        return torch.cat([columns * known[:, self._owner], known], dim=1)

    def of(self, x: FloatArray) -> Any:
        """Return what networks see of rows in which NaN is unknown."""
        known = torch.as_tensor(~np.isnan(x), dtype=torch.float32)
        return self.inputs(torch.as_tensor(self.columns(x), dtype=torch.float32), known)

    def proba(self, X: FloatArray) -> FloatArray:
        with single_thread(), torch.no_grad():
            return np.asarray(self.network(self.of(X)).softmax(dim=1).numpy(), dtype=np.float64)

    def losses(self, masks: BoolArray) -> Any:
        raise NotImplementedError("a network has seen all rows")


class NetworkMethod(Method):
    """The base class of methods with two networks: one predicts, one chooses.

    The first one learns from rows of which random features are known. Then both learn together,
    while rows are measured one step after the other, in stages in which less and less is drawn.
    They have a model of their own, whatever `model` is.

    Attributes
    ----------
    stages : tuple of float
        How much is drawn in each stage.
    """

    Options = TrainingOptions
    extra = "torch"
    stages: ClassVar[tuple[float, ...]]

    def fit(self, task: Acquisition, model: SubsetModel) -> Self:
        require(f"method: '{self.name}'", self.extra, self.extra)
        self.predictor = predictor = Predictor().fit(task)
        super().fit(task, predictor)
        options, n = self.options, len(task.actions)
        # The features of each action, and what is known from the start.
        self._features, self._given = np.zeros((n, task.X.shape[1])), np.zeros(task.X.shape[1])
        for a, action in enumerate(task.actions):
            self._features[a, list(action.features)] = 1
        self._given[list(task.given)] = 1
        affordable = task.most_affordable() if np.isfinite(task.budget) else _STEPS
        self.n_steps = min(options.most or _STEPS, affordable, n)
        hidden = [predictor.n_inputs, options.width, options.width]
        with seeded(task.seed):
            predictor.network = perceptron([*hidden, task.n_classes])
            self._chooser = perceptron([*hidden, n])
            parts = split_tensors(predictor.columns(task.X), task.y)
            self._train(predictor.network, self._loss_of_any, parts, 0)
            both = torch.nn.ModuleList([predictor.network, self._chooser])
            # A study may have a budget below every cost.
            for number, stage in enumerate(self.stages if self.n_steps else ()):
                loss_of = self._loss_in(stage)
                self._train(both, loss_of, parts, number + 1)
        return self

    def _train(self, networks: Any, loss_of: Callable[[Any, Any], Any], parts: Any, n: int) -> None:
        tell("stages of training", n + 1, len(self.stages) + 1)
        options, size = self.options, max(16, len(parts[0]) // 10)
        trained(networks, loss_of, parts, options.patience, options.max_epochs, min(size, 128))

    def known(self, taken: Any) -> Any:
        """Return the features that are known of rows after some actions."""
        features = torch.as_tensor(self._features, dtype=torch.float32)
        given = torch.as_tensor(self._given, dtype=torch.float32)
        return (taken @ features + given).clamp(max=1)

    def predicted(self, columns: Any, taken: Any) -> Any:
        """Return the logits of the classes of rows after some actions."""
        return self.predictor.network(self.predictor.inputs(columns, self.known(taken)))

    def chosen(self, columns: Any, taken: Any) -> Any:
        """Return what the choosing network says of each action."""
        return self._chooser(self.predictor.inputs(columns, self.known(taken)))

    def barred(self, taken: Any) -> Any:
        """Return a large number for the actions that a row cannot take."""
        costs = torch.as_tensor(self.task.costs, dtype=torch.float32)
        left = self.task.left(self.task.start) - taken @ costs
        return _BARRED * ((taken > 0) | (costs > left[:, None])).float()

    def said_of(self, x: FloatArray) -> FloatArray:
        """Return what the choosing network says of each action in a state."""
        with single_thread(), torch.no_grad():
            return np.asarray(
                self._chooser(self.predictor.of(x[None]))[0].numpy(), dtype=np.float64
            )

    def _loss_of_any(self, columns: Any, classes: Any) -> Any:
        """Return the loss if random actions were taken, from none to all."""
        n = len(self.task.actions)
        ranks = torch.rand(len(columns), n).argsort(dim=1).argsort(dim=1)
        taken = (ranks < torch.randint(0, n + 1, (len(columns), 1))).float()
        return torch.nn.functional.cross_entropy(self.predicted(columns, taken), classes)

    @abstractmethod
    def _loss_in(self, stage: float) -> Callable[[Any, Any], Any]:
        """Return the loss of rows and classes in a stage."""
