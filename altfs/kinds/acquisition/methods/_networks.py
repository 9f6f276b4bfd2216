"""The base of methods whose networks learn what to measure."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar, Self

import numpy as np
from pydantic import Field
from scipy.special import softmax

from altfs._extras import require
from altfs._numbers import FloatArray
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
# The rows of a step.
_FEWEST_ROWS, _MOST_ROWS = 16, 128


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


class NetworkInputs:
    """Inputs of networks: the standardised values of rows, and which features are known.

    A category has a column for each of its values. What is unknown is 0.
    """

    def __init__(self, task: Acquisition) -> None:
        self._mean, self._spread = scaled(task.X, task.categorical)
        self._values = [
            np.unique(column) if is_category else None
            for column, is_category in zip(task.X.T, task.categorical, strict=True)
        ]
        widths = [1 if values is None else len(values) for values in self._values]
        #: The feature of each column.
        self._owner = np.repeat(np.arange(len(widths)), widths)
        self.n_inputs = len(self._owner) + len(widths)

    def of(self, X: FloatArray) -> FloatArray:
        """Return the columns of rows in which NaN is unknown."""
        z = (X - self._mean) / self._spread
        parts = [
            z[:, [j]] if values is None else (X[:, [j]] == values).astype(np.float64)
            for j, values in enumerate(self._values)
        ]
        columns: FloatArray = np.nan_to_num(np.hstack(parts))
        return columns

    def inputs(self, columns: Any, known: Any) -> Any:
        """Return the inputs of networks; features are known (1), unknown (0) or between."""
        return torch.cat([columns * known[:, self._owner], known], dim=1)


class NetworkMethod(Method):
    """The base class of methods with two networks: one predicts, one chooses.

    The first one learns from rows of which random features are known. Then both learn together,
    while rows are measured one step after the other, in stages in which less and less is drawn.
    They have a model of their own, whatever `model` is.
    """

    Options = TrainingOptions
    extra = "torch"
    #: How much is drawn in each stage.
    stages: ClassVar[tuple[float, ...]] = tuple(np.geomspace(1, 0.1, 5).tolist())

    def fit(self, task: Acquisition, model: SubsetModel) -> Self:
        require(f"method: '{self.name}'", self.extra, self.extra)
        super().fit(task, model)
        options, n = self.options, len(task.actions)
        self._columns = NetworkInputs(task)
        # The features of each action, and what is known from the start.
        self._features, self._given = np.zeros((n, task.X.shape[1])), np.zeros(task.X.shape[1])
        for a, action in enumerate(task.actions):
            self._features[a, list(action.features)] = 1
        self._given[list(task.given)] = 1
        affordable = task.most_affordable() if np.isfinite(task.budget) else _STEPS
        self.n_steps = min(options.most or _STEPS, affordable, n)
        hidden = [self._columns.n_inputs, options.width, options.width]
        with seeded(task.seed):
            self._predictor = perceptron([*hidden, task.n_classes])
            self._chooser = perceptron([*hidden, n])
            parts = split_tensors(self._columns.of(task.X), task.y)
            self._train(self._predictor, self._loss_of_any, parts, 0)
            both = torch.nn.ModuleList([self._predictor, self._chooser])
            # A study may have a budget below every cost.
            for number, stage in enumerate(self.stages if self.n_steps else ()):
                self._train(both, self._loss_in(stage), parts, number + 1)
        return self

    def _train(self, networks: Any, loss_of: Callable[[Any, Any], Any], parts: Any, n: int) -> None:
        tell("stages of training", n + 1, len(self.stages) + 1)
        # Ten steps of an epoch, of rows neither too few nor too many.
        size = min(max(_FEWEST_ROWS, len(parts[0]) // 10), _MOST_ROWS)
        trained(networks, loss_of, parts, self.options.patience, self.options.max_epochs, size)

    def inputs(self, columns: Any, taken: Any) -> Any:
        """Return what networks see of rows after some actions, which may be taken in part."""
        features = torch.as_tensor(self._features, dtype=torch.float32)
        given = torch.as_tensor(self._given, dtype=torch.float32)
        return self._columns.inputs(columns, (taken @ features + given).clamp(max=1))

    def class_logits(self, columns: Any, taken: Any) -> Any:
        """Return the logits of the classes of rows after some actions."""
        return self._predictor(self.inputs(columns, taken))

    def action_logits(self, columns: Any, taken: Any) -> Any:
        """Return what the choosing network says of each action after some actions."""
        return self._chooser(self.inputs(columns, taken))

    def barred(self, taken: Any) -> Any:
        """Return a large number for the actions that a row cannot take."""
        costs = torch.as_tensor(self.task.costs, dtype=torch.float32)
        left = self.task.left(self.task.start) - taken @ costs
        return _BARRED * ((taken > 0) | (costs > left[:, None])).float()

    def proba(self, x: FloatArray) -> FloatArray:
        p: FloatArray = softmax(self._output(self._predictor, x))
        return p

    def choice_logits(self, x: FloatArray) -> FloatArray:
        """Return what the choosing network says of each action, for a row with unknown values."""
        return self._output(self._chooser, x)

    def _output(self, network: Any, x: FloatArray) -> FloatArray:
        """Return the output of a network for a row in which NaN is unknown."""
        columns = torch.as_tensor(self._columns.of(x[None]), dtype=torch.float32)
        known = torch.as_tensor(~np.isnan(x[None]), dtype=torch.float32)
        with single_thread(), torch.no_grad():
            output = network(self._columns.inputs(columns, known))[0]
        return np.asarray(output.numpy(), dtype=np.float64)

    def _loss_of_any(self, columns: Any, classes: Any) -> Any:
        """Return the loss if random actions were taken, from none to all."""
        n = len(self.task.actions)
        ranks = torch.rand(len(columns), n).argsort(dim=1).argsort(dim=1)
        taken = (ranks < torch.randint(0, n + 1, (len(columns), 1))).float()
        return torch.nn.functional.cross_entropy(self.class_logits(columns, taken), classes)

    @abstractmethod
    def _loss_in(self, stage: float) -> Callable[[Any, Any], Any]:
        """Return the loss of rows and classes in a stage."""
