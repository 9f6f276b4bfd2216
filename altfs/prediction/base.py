"""What every prediction model offers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

from altfs.registry import Registry


class Model(ABC):
    """Makes unfitted scikit-learn estimators."""

    name: ClassVar[str]

    @abstractmethod
    def estimator(self, target_type: str, seed: int) -> Any:
        """A scikit-learn classifier, or a regressor if `target_type` is "regression"."""


models: Registry[Model] = Registry("altfs.prediction", "model")
