"""Explanations of rows: several sets of features for each, and what they tell."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from altfs._numbers import FloatArray, is_whole
from altfs.errors import AltfsError
from altfs.kinds.rows.batches import RowSets
from altfs.kinds.rows.comparison import truth_rank
from altfs.kinds.rows.sufficiency import of_predicted, r2, same_class
from altfs.problem.results import Status

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class RowExplanation:
    """One explanation of one row.

    Attributes
    ----------
    names : tuple of str
        The features, in the order of the columns.
    indices : tuple of int
        Their numbers, ascending.
    share : float
        The share of the row's attribution that they have, in [0, 1].
    same_prediction : bool or None
        True if the model, seeing only these features, predicts the same class; None for numbers.
    fidelity : float
        1 minus the difference in the probability of the predicted class, in [0, 1]; NaN for
        numbers.
    status : Status
        "optimal" if no other allowed set has a larger share; this is proven.
    """

    names: tuple[str, ...]
    indices: tuple[int, ...]
    share: float
    same_prediction: bool | None
    fidelity: float
    status: Status


class ExplainedRows:
    """The explanations of rows, and what the model says to them.

    Its attributes are those of :class:`altfs.kinds.rows.row_explanations.Explanations`.
    """

    def __init__(
        self,
        values: FloatArray,
        names: tuple[str, ...],
        found: RowSets,
        answers: FloatArray,
        alone: FloatArray,
        classes: npt.NDArray[Any] | None,
        max_overlap: int,
    ) -> None:
        self.values, self.names, self._found = values, names, found
        self.answers, self.alone, self.classes = answers, alone, classes
        self.max_overlap = max_overlap

    def __len__(self) -> int:
        return len(self.values)

    def __repr__(self) -> str:
        rows, sets = self._found.status.shape
        return f"<Explanations of {rows} rows, up to {sets} for each; print its summary()>"

    @cached_property
    def held(self) -> npt.NDArray[np.bool_]:
        """The features of each explanation, as flags of shape (n_rows, n_sets, n_features_in)."""
        sets = self._found.sets
        flags = np.zeros((*sets.shape[:2], len(self.names) + 1), dtype=bool)
        # The number -1 marks the last place, which is no feature.
        np.put_along_axis(flags, sets, True, axis=2)
        return flags[:, :, :-1]

    @property
    def exists(self) -> npt.NDArray[np.bool_]:
        """True where there is an explanation, of shape (n_rows, n_sets)."""
        return np.asarray((self._found.sets >= 0).any(axis=2))

    @property
    def share(self) -> FloatArray:
        """The share of each explanation in the attribution of its row; NaN without one."""
        return np.asarray(self._found.objective / self.values.sum(axis=1)[:, None])

    @property
    def same_prediction(self) -> npt.NDArray[np.bool_] | None:
        """True where an explanation alone gives the same class; None for numbers."""
        if self.classes is None:
            return None
        return same_class(self.answers, self.alone)

    @property
    def fidelity(self) -> FloatArray:
        """1 less the change in the probability of the predicted class; NaN for numbers."""
        if self.classes is None:
            return np.full(self.exists.shape, np.nan)
        whole, alone = of_predicted(self.answers, self.alone)
        return np.asarray(1 - np.abs(whole[:, None] - alone))

    @property
    def r2(self) -> FloatArray:
        """R² of what explanations alone say, by rank over the rows; NaN for classes."""
        found = np.full(self.exists.shape[1], np.nan)
        if self.classes is None:
            for rank, there in enumerate(self.exists.T):
                found[rank] = r2(self.answers[there, 0], self.alone[there, rank, 0])
        return found

    def sets(self, row: int) -> list[RowExplanation]:
        """Return the explanations of a row, the best one first.

        Parameters
        ----------
        row : int
            Its number among the explained rows, from 0.

        Returns
        -------
        list of RowExplanation
            Without those that do not exist.

        Raises
        ------
        AltfsError
            If there is no such row.
        """
        self.check_row(row)
        same, fidelity, share = self.same_prediction, self.fidelity, self.share
        made = []
        for rank in np.flatnonzero(self.exists[row]):
            chosen = tuple(np.flatnonzero(self.held[row, rank]).tolist())
            made.append(
                RowExplanation(
                    tuple(self.names[j] for j in chosen),
                    chosen,
                    float(share[row, rank]),
                    None if same is None else bool(same[row, rank]),
                    float(fidelity[row, rank]),
                    self._found.status[row, rank],
                )
            )
        return made

    def truth_found(self, truth: npt.ArrayLike) -> pd.DataFrame:
        """Compare the explanations with the features that are known to decide.

        Parameters
        ----------
        truth : array-like of bool of shape (n_rows, n_features_in)
            True for the features that made the class of a row, such as those that
            :func:`altfs.datasets.row_designs.truth_of_rows` returns.

        Returns
        -------
        DataFrame
            A row per explanation that exists: row, set_index, truth_found and truth_wrong (numbers
            of its features), recall (truth_found over the number of true features), wrong
            (truth_wrong over its size), truth_rank (mean rank of the true features by their
            values).

        Raises
        ------
        AltfsError
            If the truth has another shape.
        """
        import pandas as pd

        known = np.asarray(truth, dtype=bool)
        if known.shape != self.values.shape:
            raise AltfsError(
                f"truth: shape {known.shape} is not allowed, use {self.values.shape}, a row for "
                "each explained row."
            )
        rows, ranks = np.nonzero(self.exists)
        held = self.held[rows, ranks]
        found, size = (held & known[rows]).sum(axis=1), held.sum(axis=1)
        true = known.sum(axis=1)[rows]
        of_row = [truth_rank(*pair) for pair in zip(self.values, known, strict=True)]
        with np.errstate(invalid="ignore"):
            recall = found / true
        return pd.DataFrame(
            {
                "row": rows,
                "set_index": ranks,
                "truth_found": found,
                "truth_wrong": size - found,
                "recall": recall,
                "wrong": (size - found) / size,
                "truth_rank": np.array(of_row)[rows],
            }
        )

    def check_row(self, row: Any) -> None:
        """Check that a row is one of the explained rows."""
        if not is_whole(row) or not 0 <= row < len(self):
            raise AltfsError(f"row: {row!r} is not there, use 0 to {len(self) - 1}.")

    def to_frame(self) -> pd.DataFrame:
        """Return all explanations as a table.

        Returns
        -------
        DataFrame
            A row per explanation: row, set_index, feature_names, selected (numbers of columns),
            objective (the sum of its values), share, same_prediction, fidelity, status. If one
            does not exist, its lists are empty.
        """
        import pandas as pd

        same, fidelity, share = self.same_prediction, self.fidelity, self.share
        rows, ranks = (part.ravel() for part in np.indices(self.exists.shape))
        chosen = [
            np.flatnonzero(self.held[r, i]).tolist() for r, i in zip(rows, ranks, strict=True)
        ]
        there = self.exists.ravel()
        told = (
            [bool(s) if t else None for s, t in zip(same.ravel(), there, strict=True)]
            if same is not None
            else [None] * len(rows)
        )
        return pd.DataFrame(
            {
                "row": rows,
                "set_index": ranks,
                "feature_names": [tuple(self.names[j] for j in one) for one in chosen],
                "selected": [tuple(one) for one in chosen],
                "objective": self._found.objective.ravel(),
                "share": share.ravel(),
                "same_prediction": pd.array(told, dtype="boolean"),
                "fidelity": fidelity.ravel(),
                "status": [str(one) for one in self._found.status.ravel()],
            }
        )
