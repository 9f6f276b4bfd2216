"""Model Gain: the importances that a decision tree gives to features."""

from __future__ import annotations

from altfs.quality import Linear
from altfs.selectors.base import Qualities, Selector, selectors
from altfs.selectors.part import Part, ScoreKey

_IMPORTANCES = ScoreKey("importances")


@selectors.register("model_gain")
class ModelGain(Selector):
    """Post-hoc importances put into a linear objective (Equation 8 of the paper)."""

    train_scores = (_IMPORTANCES,)
    test_scores = (_IMPORTANCES,)

    def fit(self, train: Part, test: Part) -> Qualities:
        return Qualities(Linear(train.score(_IMPORTANCES)), Linear(test.score(_IMPORTANCES)))
