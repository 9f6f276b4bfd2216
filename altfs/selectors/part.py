"""A part of a dataset (training or test), and the scores computed on it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from altfs.selectors import scores

ScoreKind = Literal["relevance", "redundancy", "importances"]


@dataclass(frozen=True, order=True)
class ScoreKey:
    """Names one score: its kind and, where there is a choice, the variant."""

    kind: ScoreKind
    variant: str = "auto"

    def __str__(self) -> str:
        return self.kind if self.variant == "auto" else f"{self.kind}-{self.variant}"


@dataclass
class Part:
    """Rows of a dataset, with what is known about its features.

    Parameters
    ----------
    X : ndarray of shape (n_rows, n_total)
    y : ndarray of shape (n_rows,)
    target_type : {"binary", "multiclass", "regression"}
    seed : int
        Random state of everything that is computed on the part.
    known : dict of ScoreKey to ndarray
        Scores computed earlier; missing ones are computed when asked for.
    """

    X: npt.NDArray[np.float64]
    y: npt.NDArray[Any]
    target_type: str
    seed: int
    known: dict[ScoreKey, npt.NDArray[np.float64]] = field(default_factory=dict)

    def score(self, key: ScoreKey) -> npt.NDArray[np.float64]:
        """A score of the part: one value per feature, or a matrix."""
        if key not in self.known:
            self.known[key] = self.compute(key, range(self.X.shape[1]))
        return self.known[key]

    def compute(self, key: ScoreKey, columns: range) -> npt.NDArray[np.float64]:
        """A score for some of the features; the others can be done elsewhere."""
        if key.kind == "relevance":
            return scores.relevance(self.X, self.y, self.target_type, self.seed, key.variant)
        if key.kind == "importances":
            return scores.importances(self.X, self.y, self.target_type, self.seed)
        return scores.redundancy(self.X, columns, self.seed)
