"""Explanations of rows: several sets of features for each, and what they tell."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from altfs._numbers import BoolArray, FloatArray, check_place
from altfs.errors import AltfsError
from altfs.kinds.rows.batches import RowSets
from altfs.kinds.rows.comparison import class_means
from altfs.kinds.rows.sufficiency import Answers, r2
from altfs.problem.results import Status

# Columns that are true or false, and null for numbers.
_FLAGS = ("same_prediction", "same_without", "sufficient")


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
    sufficient : bool or None
        True if it does, and does not predict this class without any feature; None for numbers.
    fidelity : float
        1 minus the difference in the probability of the predicted class, in [0, 1]; NaN for
        numbers.
    probability_change : float
        The probability of the predicted class from these features alone, minus that without any
        feature, in [-1, 1]; NaN for numbers.
    status : Status
        "optimal" if no other allowed set has a larger share; this is proven.
    verdict : str
        "sufficient", "not sufficient" (another prediction), or "predicted without any feature";
        empty for numbers.
    """

    names: tuple[str, ...]
    indices: tuple[int, ...]
    share: float
    same_prediction: bool | None
    sufficient: bool | None
    fidelity: float
    probability_change: float
    status: Status
    verdict: str


class Explanations:
    """The explanations of rows, made by :meth:`altfs.AlternativeExplanations.explain`.

    Attributes
    ----------
    values : ndarray of shape (n_rows, n_features_in)
        The attribution: what each feature is worth for each row, at least 0.
    names : tuple of str
        The names of all features.
    answers : ndarray of shape (n_rows, n_classes) or (n_rows, 1)
        What the model says to each row: probabilities, or a number.
    alone : ndarray of shape (n_rows, n_sets, n_classes) or (n_rows, n_sets, 1)
        What it says on average if it sees one explanation; NaN if there is none.
    without : ndarray of shape (n_classes,) or (1,)
        What it says on average if it sees no feature: the mean over the background.
    classes : ndarray or None
        The classes; None for numbers.
    max_overlap : int
        The largest number of features that two explanations of a row share.
    average : bool
        True if the mean of all pairs of a row is limited, not each.
    limit : str
        The limit in words.
    """

    def __init__(
        self,
        values: FloatArray,
        names: tuple[str, ...],
        sets: RowSets,
        said: Answers,
        classes: npt.NDArray[Any] | None,
    ) -> None:
        self.values, self.names, self._sets = values, names, sets
        self.answers, self.alone, self.without = said
        self.classes = classes
        self.max_overlap, self.average = sets.problem.max_overlap, sets.problem.average
        self.limit = f"Two of a row share at most {self.max_overlap} features."
        if len(sets.problem.sizes) > 1:
            self.limit = "They have as many features as the first one needs for the row's class."
        if self.average:
            self.limit = f"Those of a row have {sets.problem.overlap.mean_in_words()}."

    def __len__(self) -> int:
        return len(self.values)

    def __repr__(self) -> str:
        n_rows, n_sets = self._sets.status.shape
        return f"<Explanations of {n_rows} rows, up to {n_sets} for each; print its summary()>"

    def summary(self) -> str:
        """Say in words for how many rows a second explanation is as good, and what stands in.

        Returns
        -------
        str
            A few sentences, one a line.
        """
        from altfs.kinds.rows.summary import summary_lines

        return "\n".join(summary_lines(self))

    def plot(self, row: int | str = "rows") -> Any:
        """Draw the explanations of one row, or those of all rows.

        Parameters
        ----------
        row : int, "rows" or "agreement", default="rows"
            The number of a row: the features of each explanation, and its share. "rows": rows x
            features, with similar rows side by side. "agreement": how alike the explanations of
            two rows are, by rank.

        Returns
        -------
        altair.Chart

        Raises
        ------
        AltfsError
            If there is no such row or picture.
        """
        from altfs.kinds.rows import plots

        return plots.plot(self, row)

    @cached_property
    def held(self) -> BoolArray:
        """The features of each explanation, as flags of shape (n_rows, n_sets, n_features_in)."""
        sets = self._sets.sets
        flags = np.zeros((*sets.shape[:2], len(self.names) + 1), dtype=bool)
        # The number -1 marks the last place, which is no feature.
        np.put_along_axis(flags, sets, True, axis=2)
        return flags[:, :, :-1]

    @property
    def exists(self) -> BoolArray:
        """True where there is an explanation, of shape (n_rows, n_sets)."""
        return np.asarray((self._sets.sets >= 0).any(axis=2))

    @property
    def share(self) -> FloatArray:
        """The share of each explanation in the attribution of its row; NaN without one."""
        with np.errstate(invalid="ignore"):
            return np.asarray(self._sets.objective / self.values.sum(axis=1)[:, None])

    @property
    def predicted(self) -> npt.NDArray[Any] | None:
        """The class that the model predicts for each row; None for numbers."""
        return None if self.classes is None else self.classes[self.answers.argmax(axis=1)]

    @property
    def same_prediction(self) -> BoolArray | None:
        """True where an explanation alone gives the same class; None for numbers."""
        if self.classes is None:
            return None
        alone = np.nan_to_num(self.alone).argmax(axis=2)
        return np.asarray((alone == self.answers.argmax(axis=1)[:, None]) & self.exists)

    @property
    def same_without(self) -> BoolArray | None:
        """True for rows whose class the model predicts without any feature; None for numbers."""
        if self.classes is None:
            return None
        return np.asarray(self.answers.argmax(axis=1) == self.without.argmax())

    @property
    def sufficient(self) -> BoolArray | None:
        """True where an explanation alone gives the same class, and no feature does not."""
        same, without = self.same_prediction, self.same_without
        return None if same is None or without is None else same & ~without[:, None]

    @property
    def fidelity(self) -> FloatArray:
        """1 less the change in the probability of the predicted class; NaN for numbers."""
        whole, alone, _ = self.of_predicted
        return self._of_classes(1 - np.abs(whole - alone))

    @property
    def probability_change(self) -> FloatArray:
        """The probability of the predicted class from each explanation, less that from nothing."""
        _, alone, without = self.of_predicted
        return self._of_classes(alone - without)

    @property
    def of_predicted(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """The probabilities of the predicted class, or the numbers.

        They are those of whole rows, of explanations alone, and without any feature, each of shape
        (n_rows, n_sets).
        """
        rows, places = np.arange(len(self)), self.answers.argmax(axis=1)
        whole, without = self.answers[rows, places], self.without[places]
        alone = self.alone[rows, :, places]
        whole, alone, without = np.broadcast_arrays(whole[:, None], alone, without[:, None])
        return whole, alone, without

    def _of_classes(self, values: FloatArray) -> FloatArray:
        return np.full(self.exists.shape, np.nan) if self.classes is None else values

    @property
    def r2(self) -> FloatArray:
        """R² of what explanations alone say, by rank over the rows; NaN for classes."""
        by_rank = np.full(self.exists.shape[1], np.nan)
        if self.classes is None:
            for rank, there in enumerate(self.exists.T):
                by_rank[rank] = r2(self.answers[there, 0], self.alone[there, rank, 0])
        return by_rank

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
        check_place("row", row, len(self))
        n_sets = self.exists.shape[1]
        of_row = self._frame[row * n_sets : (row + 1) * n_sets].to_dict("records")
        return [
            RowExplanation(
                names=reason["feature_names"],
                indices=reason["selected"],
                share=reason["share"],
                same_prediction=None if self.classes is None else reason["same_prediction"],
                sufficient=None if self.classes is None else reason["sufficient"],
                fidelity=reason["fidelity"],
                probability_change=reason["probability_change"],
                status=Status(reason["status"]),
                verdict=reason["verdict"],
            )
            for reason in of_row
            if reason["selected"]
        ]

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
            A row per explanation that exists: row, set_index, n_true (the number of true features),
            truth_found and truth_wrong (numbers of its features), truth_rank (mean rank of the true
            features by their values), recall (truth_found over n_true), wrong (truth_wrong over its
            size).

        Raises
        ------
        AltfsError
            If the truth has another shape.
        """
        true = np.asarray(truth, dtype=bool)
        if true.shape != self.values.shape:
            advice = f"use {self.values.shape}, a row for each explained row"
            raise AltfsError("truth", f"shape {true.shape} is not allowed", advice)
        columns, rows = self.truth_columns(true), self._frame[["row", "set_index"]]
        frame = rows.assign(**columns)[self.exists.ravel()].reset_index(drop=True)
        with np.errstate(invalid="ignore"):
            return frame.assign(
                recall=frame["truth_found"] / frame["n_true"],
                wrong=frame["truth_wrong"] / (frame["truth_found"] + frame["truth_wrong"]),
            )

    def truth_columns(self, true: BoolArray) -> dict[str, npt.NDArray[Any]]:
        """Return columns of :meth:`to_frame` about the true features of rows.

        They are the number of true features of the row, of those in the set, of other features in
        the set, and the mean rank of the true ones.
        """
        from scipy.stats import rankdata

        hits, n_true = (self.held & true[:, None]).sum(axis=2), true.sum(axis=1)
        with np.errstate(invalid="ignore"):
            rank = (rankdata(-self.values, axis=1) * true).sum(axis=1) / n_true
        n_sets, wrong = hits.shape[1], self.held.sum(axis=2) - hits
        return {"n_true": np.repeat(n_true, n_sets), "truth_found": hits.ravel(),
                "truth_wrong": wrong.ravel(), "truth_rank": np.repeat(rank, n_sets)}  # fmt: skip

    def by_class(self) -> pd.DataFrame:
        """Compare explanations with no feature at all, for the rows of each predicted class.

        Returns
        -------
        DataFrame
            A row per rank and predicted class: set_index, predicted, n (rows that have an
            explanation of this rank), and of these the share that is predicted without any feature
            (same_without), the share for which the explanation is sufficient, and the mean
            probability_change.

        Raises
        ------
        AltfsError
            If the model predicts numbers.
        """
        if self.classes is None:
            raise AltfsError("by_class", "the model predicts numbers", "use r2")
        return class_means(self._frame, ["set_index"])

    def to_frame(self) -> pd.DataFrame:
        """Return all explanations as a table.

        Returns
        -------
        DataFrame
            A row per explanation: row, set_index, feature_names, selected (numbers of columns),
            values (what they are worth), objective (their sum), share, predicted (the class of the
            whole row), answer, answer_alone and answer_without (its probability, or the number),
            same_prediction, same_without (true if no feature gives this class, too), sufficient,
            fidelity, probability_change, verdict, status. If an explanation does not exist, its
            lists are empty.
        """
        return self._frame.copy()

    @cached_property
    def _frame(self) -> pd.DataFrame:
        n_rows, n_sets = self.exists.shape
        rows = np.repeat(np.arange(n_rows), n_sets)
        selected = [
            tuple(np.flatnonzero(flags).tolist()) for of_row in self.held for flags in of_row
        ]
        values = [tuple(self.values[i, [*s]].tolist()) for i, s in zip(rows, selected, strict=True)]
        whole, alone, base = self.of_predicted
        frame = pd.DataFrame(
            {
                "row": rows,
                "set_index": np.tile(np.arange(n_sets), n_rows),
                "feature_names": [tuple(self.names[j] for j in chosen) for chosen in selected],
                "selected": selected,
                "values": values,
                "objective": self._sets.objective.ravel(),
                "share": self.share.ravel(),
                "predicted": None,
                "answer": whole.ravel(),
                "answer_alone": alone.ravel(),
                "answer_without": base.ravel(),
                **dict.fromkeys(_FLAGS, pd.array([None] * len(rows), dtype="boolean")),
                "fidelity": self.fidelity.ravel(),
                "probability_change": self.probability_change.ravel(),
                "verdict": "",
                "status": [str(status) for status in self._sets.status.ravel()],
            }
        )
        same, without, sufficient = self.same_prediction, self.same_without, self.sufficient
        if self.predicted is None or same is None or without is None or sufficient is None:
            return frame
        frame["predicted"] = self.predicted[rows]
        of_sets = (same.ravel(), without[rows], sufficient.ravel())
        for name, truths in zip(_FLAGS, of_sets, strict=True):
            frame[name] = pd.Series(truths, dtype="boolean")
        there = self.exists.ravel()
        verdict = np.where(frame["sufficient"], "sufficient", "predicted without any feature")
        frame["verdict"] = np.where(
            there, np.where(frame["same_prediction"], verdict, "not sufficient"), ""
        )
        frame.loc[~there, ["same_prediction", "sufficient"]] = pd.NA
        return frame
