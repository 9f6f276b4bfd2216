"""The measurements of a method on rows whose values are all known, and its right answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from altfs._numbers import FloatArray, IntArray
from altfs.kinds.acquisition.base import Method, difference
from altfs.kinds.acquisition.policy import Labels
from altfs.kinds.acquisition.steps import steps
from altfs.prediction.metrics import count_pairs, mcc
from altfs.progress import tell


class Simulated:
    """The way of each row, made by :meth:`altfs.AlternativeAcquisition.simulate`.

    Attributes
    ----------
    steps : DataFrame
        A row for every step, as :meth:`rows` has it, with numbers of features and classes.
    """

    def __init__(
        self, method: Method, X: FloatArray, y: IntArray, labels: Labels, outages: bool = False,
        of_fit: bool = False,
    ) -> None:  # fmt: skip
        self._y, self._labels, self._of_fit = y, labels, of_fit
        records: list[tuple[Any, ...]] = []
        task = method.task
        for i, x in enumerate(X):
            tell("rows measured", i + 1, len(X))
            given = task.start.told(task.given, x[list(task.given)])

            def values(action: int, x: FloatArray = x) -> Sequence[float]:
                return [float(x[j]) for j in task.actions[action].features]

            for number, (state, said, without) in enumerate(steps(method, given, values)):
                others = [c for c in said.choices if c[0] != said.best]
                cost = np.nan if said.best is None else task.actions[said.best].cost
                outage = np.nan
                if outages and said.best is not None:
                    outage = method.outage(state, said.best, without)
                records.append((
                    i, number, said.best, cost, task.costs[task.done(state)].sum(), said.answer,
                    said.certainty, said.value, said.bound, others[0][0] if others else None,
                    difference(others[0][1], said.value) if others else np.nan, str(said.status),
                    outage,
                ))  # fmt: skip
        columns = ["row", "step", "feature", "cost", "spent", "answer", "certainty", "value",
                   "bound", "alternative", "switch", "status", "outage"]  # fmt: skip
        numbers = {"feature": float, "alternative": float}
        self.steps = pd.DataFrame(records, columns=columns).astype(numbers)
        self._last = self.steps.groupby("row").tail(1)

    def __repr__(self) -> str:
        return f"<Simulated acquisition of {len(self._y)} rows; print its summary()>"

    @property
    def accuracy(self) -> float:
        """The share of rows with the right answer."""
        return float((self._last["answer"].to_numpy() == self._y).mean())

    @property
    def mcc(self) -> float:
        """The correlation coefficient of Matthews of the answers."""
        return self._mcc(self._last)

    @property
    def mean_cost(self) -> float:
        """The mean cost of a row."""
        return float(self._last["spent"].mean())

    def rows(self) -> pd.DataFrame:
        """Return a row for every step of every row.

        Returns
        -------
        DataFrame
            The columns are row, step, feature (the next measurement, None: stop), cost, spent,
            answer, certainty, value, bound, alternative, switch, status and correct (of the
            answer so far).
        """
        frame, names = self.steps.drop(columns="outage"), dict(enumerate(self._labels.actions))
        frame["correct"] = frame["answer"].to_numpy() == self._y[frame["row"].to_numpy()]
        frame["answer"] = [self._labels.classes[c] for c in frame["answer"]]
        for column in ("feature", "alternative"):
            named = frame[column].map(names).astype(object)
            frame[column] = named.where(named.notna(), None)
        return frame

    def curve(self) -> pd.DataFrame:
        """Return the mean cost and the scores after so many measurements of each row at most.

        Returns
        -------
        DataFrame
            The columns are measurements, going (the share of rows that measure so many), cost,
            accuracy and mcc.
        """
        rows = []
        for number in range(int(self.steps["step"].max()) + 1):
            upto = self.steps[self.steps["step"] <= number].groupby("row").tail(1)
            going = float((upto["step"] == number).mean())
            right = float((upto["answer"].to_numpy() == self._y).mean())
            rows.append((number, going, upto["spent"].mean(), right, self._mcc(upto)))
        return pd.DataFrame(rows, columns=["measurements", "going", "cost", "accuracy", "mcc"])

    def summary(self) -> str:
        """Say in words what rows cost, how often the answer is right, and what is measured."""
        measured = self.steps.dropna(subset="feature")
        names, n = self._labels.actions, len(self._y)
        what = "rows of the fit" if self._of_fit else "rows"
        lines = [
            f"{n} {what} cost {self.mean_cost:.3g} on average, for {len(measured) / n:.3g} "
            f"measurements; {self.accuracy:.1%} of the answers are right (MCC {self.mcc:.2f})."
        ]
        if self._of_fit:
            lines.append("New rows can be answered worse.")
        shares = measured["feature"].astype(int).value_counts()
        for a in sorted(shares.index, key=lambda a: (-shares[a], a))[:5]:
            steps_of = measured.loc[measured["feature"] == a, "step"] + 1
            lines.append(
                f"{names[a]} is measured of {shares[a] / n:.0%} of the rows, on average as "
                f"measurement {steps_of.mean():.3g}."
            )
        return "\n".join(lines)

    def plot(self, kind: str = "curve") -> Any:
        """Draw rows as an altair.Chart.

        Parameters
        ----------
        kind : {"curve", "rows"}, default="curve"
            The scores against the mean cost, or what is measured of each row.
        """
        from altfs.kinds.acquisition import plots

        return plots.of_simulation(kind, self)

    def _mcc(self, rows: pd.DataFrame) -> float:
        return mcc(count_pairs(self._y, rows["answer"].to_numpy(), len(self._labels.classes)))
