"""The interface of a prediction model."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

from altfs._options import StrictModel
from altfs.errors import DataError
from altfs.registry import Registry


class ModelOptions(StrictModel):
    """Options of a prediction model in ``config.yaml``; unknown keys are refused."""


class Model(ABC):
    """The base class of prediction models, which make unfitted scikit-learn estimators.

    Attributes
    ----------
    tasks : tuple of str
        The kinds of target that it can learn: "classification", "regression" or both.
    """

    name: ClassVar[str]
    Options: ClassVar[type[ModelOptions]] = ModelOptions
    tasks: ClassVar[tuple[str, ...]] = ("classification", "regression")

    def __init__(self, options: ModelOptions | None = None) -> None:
        self.options: Any = options if options is not None else self.Options()

    @abstractmethod
    def estimator(self, target_type: str, seed: int) -> Any:
        """Return a scikit-learn classifier, or a regressor if `target_type` is "regression"."""

    def check_part(self, target_type: str, n_rows: int) -> None:
        """Check that the model can learn a target from some training rows.

        Parameters
        ----------
        target_type : {"binary", "multiclass", "regression"}
        n_rows : int

        Raises
        ------
        DataError
            If it cannot.
        """
        task = "regression" if target_type == "regression" else "classification"
        if task not in self.tasks:
            able = ", ".join(name for name in models.names() if task in models.get(name).tasks)
            raise DataError(
                "model", f"'{self.name}' is for {self.tasks[0]}", f"use one for {task} ({able})"
            )


models: Registry[Model] = Registry("altfs.prediction", "model")
