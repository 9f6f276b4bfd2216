"""A part of a dataset (training or test), and the scores computed on it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from altfs.selectors import scores

ScoreKind = Literal["relevance", "redundancy", "conflicts", "importances"]
#: Scores of feature pairs; the others have one value per feature.
PAIR_KINDS = ("redundancy", "conflicts")


@dataclass(frozen=True, order=True)
class ScoreKey:
    """Names one score: its kind and, where there is a choice, the variant."""

    kind: ScoreKind
    variant: str = "auto"

    @property
    def of_pairs(self) -> bool:
        """Whether it is a matrix, which is computed in parts."""
        return self.kind in PAIR_KINDS

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
    known: dict[ScoreKey, npt.NDArray[Any]] = field(default_factory=dict)

    def score(self, key: ScoreKey) -> npt.NDArray[Any]:
        """A score of the part: one value per feature, or a matrix.

        Raises
        ------
        DataError
            If the part has too few rows for it.
        """
        if key not in self.known:
            self.known[key] = whole(key, self.compute(key, range(self.X.shape[1])))
        return self.known[key]

    def compute(self, key: ScoreKey, columns: range) -> npt.NDArray[Any]:
        """A score for some of the features; the others can be done elsewhere.

        The columns of a matrix are put in order and handed to :func:`whole`.
        """
        if key.kind == "importances":
            return scores.importances(self.X, self.y, self.target_type, self.seed)
        if key.kind == "redundancy":
            return scores.redundancy(self.X, columns, self.seed)
        if key.kind == "conflicts":
            relevance = self.score(ScoreKey("relevance", key.variant))
            return scores.conflicts(self.X, relevance, columns, self.seed)
        return scores.relevance(self.X, self.y, self.target_type, self.seed, key.variant)


def whole(key: ScoreKey, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """A score out of all its columns; each conflict is in one column only."""
    return values | values.T if key.kind == "conflicts" else values
