"""The interface of a prediction model."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

from altfs.cost import UNMEASURED, Cost
from altfs.registry import Registry


class Model(ABC):
    """The base class of prediction models, which make unfitted scikit-learn estimators.

    Attributes
    ----------
    cost : Cost
        Seconds of training it on one feature set and scoring it.
    """

    name: ClassVar[str]
    cost: ClassVar[Cost] = UNMEASURED

    @abstractmethod
    def estimator(self, target_type: str, seed: int) -> Any:
        """Return a scikit-learn classifier, or a regressor if `target_type` is "regression"."""


models: Registry[Model] = Registry("altfs.prediction", "model")
