"""Wrapper: the score of any model by inner cross-validation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Annotated, Any, Self

import numpy as np
import numpy.typing as npt
from pydantic import (
    Field,
    PlainSerializer,
    ValidationError,
    WithJsonSchema,
    field_validator,
    model_validator,
)

from altfs._options import mistake
from altfs.prediction.base import Model, models
from altfs.prediction.decision_tree import DecisionTree
from altfs.prediction.nearest_neighbours import NearestNeighbours
from altfs.problem import FeatureIndices
from altfs.quality import BlackBox
from altfs.scores.base import Part
from altfs.scores.row_groups import Split
from altfs.selectors._inner_folds import (
    METRICS,
    InnerScore,
    Scorer,
    check_held_out,
    check_metric,
    check_scorer,
    inner_folds,
    metric_name,
    metric_of,
)
from altfs.selectors.base import Selector, SelectorOptions, selectors
from altfs.selectors.greedy_wrapper import HoldOut


class WrapperOptions(SelectorOptions):
    """Options of the wrapper.

    model: a prediction model, and model_options: its options. folds: inner folds; 1 for a
    held-out fifth; by default 5, or as many as the rarest class has rows. metric: what a set
    is judged by, also a scorer of scikit-learn, or in Python a function as it takes them.
    max_iterations: the largest number of candidate
    sets that a search may ask for.
    """

    model: str = "decision_tree"
    model_options: dict[str, Any] = Field(default_factory=dict)
    folds: Annotated[int, Field(ge=1)] | None = None
    metric: Annotated[
        str | Callable[[Any, Any, Any], float],
        PlainSerializer(metric_name),
        WithJsonSchema({"type": "string"}),
    ] = "auto"
    max_iterations: Annotated[int, Field(ge=1)] = 1000

    _check_metric = field_validator("metric")(check_metric)

    @model_validator(mode="after")
    def _check_model(self) -> Self:
        component = models.get(self.model, "model")
        try:
            component.Options.model_validate(self.model_options)
        except ValidationError as error:
            raise mistake(error, component.Options, "model_options.") from None
        return self


@selectors.register("wrapper")
class Wrapper(Selector):
    """The mean score of a model on inner folds of each part (wrapper).

    The folds are shuffled, and stratified if there are classes. Errors and losses count
    negatively. A test part with too few rows for the folds has no test quality.

    Source: Kohavi and John, *Wrappers for Feature Subset Selection*, Artificial Intelligence 97,
    1997.
    """

    Options = WrapperOptions
    needs_rows = True
    # The quality trains models on the rows.
    stores = False

    @cached_property
    def learner(self) -> Model:
        """The prediction model."""
        component = models.get(self.options.model)
        return component(component.Options.model_validate(self.options.model_options))

    @property
    def other_code(self) -> tuple[str, ...]:
        return (type(self.learner).__module__,)

    def splits(self, part: Part) -> list[Split]:
        """Return the inner folds, on which the metric is defined; DataError if it is not."""
        splits = inner_folds(part, self.options.folds)
        metric, _ = metric_of(self.options.metric, part.target_type)
        check_held_out(metric, part.y, splits)
        if self.options.metric not in METRICS:
            check_scorer(metric, part.y, splits, part.target_type)
        return splits

    def check_target(self, y: npt.NDArray[Any], target_type: str, seed: int) -> None:
        self.check_part(Part(np.zeros((len(y), 1)), y, target_type, seed))

    def check_part(self, part: Part) -> None:
        splits = self.splits(part)
        self.learner.check_part(part.target_type, min(len(fitting) for fitting, _ in splits))

    def quality(self, part: Part) -> BlackBox:
        self.check_part(part)
        splits = self.splits(part)
        metric, bound = metric_of(self.options.metric, part.target_type)
        score = self.score(part, splits, metric)
        return BlackBox(score, part.X.shape[1], bound, self.options.max_iterations)

    def score(
        self, part: Part, splits: Sequence[Split], metric: str | Scorer
    ) -> Callable[[FeatureIndices], float]:
        """Return the function that scores feature sets."""
        if metric in ("matthews_corrcoef", "r2"):
            if isinstance(self.learner, DecisionTree):
                return _Trees(part, splits)
            if isinstance(self.learner, NearestNeighbours):
                # Compiled code is slow to import.
                from altfs.selectors._neighbour_score import NeighbourScore

                return NeighbourScore(part, splits, self.learner.options)
        estimator = self.learner.estimator(part.target_type, part.seed)
        return InnerScore(part, splits, estimator, metric)


class _Trees:
    """Decision trees without scikit-learn's checks; the same scores, faster."""

    def __init__(self, part: Part, splits: Sequence[Split]) -> None:
        self._trees = [HoldOut(part, split) for split in splits]

    def __call__(self, indices: FeatureIndices) -> float:
        return sum(tree(indices) for tree in self._trees) / len(self._trees)
