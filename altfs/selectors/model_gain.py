"""Model Gain: the importances of the features in a decision tree."""

from __future__ import annotations

from altfs.quality import Linear, Quality
from altfs.scores.base import Part, ScoreKey
from altfs.selectors.base import Selector, selectors

_IMPORTANCES = ScoreKey("importances")


@selectors.register("model_gain")
class ModelGain(Selector):
    """The sum of the importances that a decision tree gives its features (Equation 8).

    Source: Bach, *Finding Optimal Diverse Feature Sets with Alternative Feature
    Selection*, arXiv:2307.11607, 2023.
    """

    train_scores = (_IMPORTANCES,)
    test_scores = (_IMPORTANCES,)
    takes_sparse = True

    def quality(self, part: Part) -> Quality:
        return Linear(part.score(_IMPORTANCES))
