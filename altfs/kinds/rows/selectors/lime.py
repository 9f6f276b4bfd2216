"""LIME: the coefficients of a linear model of what a model says near a row."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from pydantic import Field

from altfs._numbers import FloatArray
from altfs.scores.base import Part
from altfs.selectors._from_rows import LinearFromModel
from altfs.selectors.base import SelectorOptions, selectors
from altfs.selectors.row_wise import ExplainsModel, answers_of, drawn_rows


class LimeOptions(SelectorOptions):
    """Options of LIME.

    max_rows: the largest number of explained rows of a part, drawn with its seed. n_samples: the
    number of rows that are drawn near an explained one.
    """

    max_rows: int = Field(default=100, ge=1)
    n_samples: int = Field(default=5000, ge=10)


@selectors.register("lime")
class Lime(LinearFromModel, ExplainsModel):
    """Mean absolute coefficient of every feature in local linear models of a decision tree.

    For each row, rows near it are drawn, with the quartiles of the background rows as levels. A
    weighted linear model tells what the model says to them, of classes the probability of the
    predicted one. All features stay in it. Each row has the same random numbers, so its values
    depend on no other row.

    It needs the library lime: ``pip install 'altfs[lime]'``.

    Source: Ribeiro, Singh and Guestrin, *"Why should I trust you?": Explaining the predictions of
    any classifier*, KDD 2016 (Algorithm 1).
    """

    Options = LimeOptions
    extra = "lime"

    def values(self, part: Part) -> FloatArray:
        rows = drawn_rows(part.X, self.options.max_rows, part.seed)
        return np.asarray(self.row_values(part, rows).mean(axis=0))

    def check_target(self, y: npt.NDArray[Any], target_type: str, seed: int) -> None:
        # The values themselves take seconds, and refuse no more than this.
        self.check_extra()
        self.model(Part(np.zeros((len(y), 1)), y, target_type, seed), np.arange(len(y)))

    def model_values(
        self, model: Any, background: FloatArray, X: FloatArray, target_type: str, seed: int
    ) -> FloatArray:
        self.check_extra()
        from lime.lime_tabular import LimeTabularExplainer

        answers = answers_of(model, target_type)
        classes = target_type != "regression"
        predicted = answers(X).argmax(axis=1)
        values = np.zeros(X.shape)
        for i, row in enumerate(X):
            # The state of an explainer goes on from row to row, so each row has a new one.
            explainer = LimeTabularExplainer(
                background,
                mode="classification" if classes else "regression",
                feature_selection="none",
                random_state=np.random.RandomState(seed),
            )
            label = int(predicted[i]) if classes else 1
            explanation = explainer.explain_instance(
                row,
                answers if classes else lambda rows: answers(rows)[:, 0],
                labels=(label,),
                num_features=X.shape[1],
                num_samples=self.options.n_samples,
            )
            for j, coefficient in explanation.as_map()[label]:
                values[i, j] = abs(coefficient)
        return values
