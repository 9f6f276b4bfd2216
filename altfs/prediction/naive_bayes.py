"""Naive Bayes with normal distributions."""

from __future__ import annotations

from typing import Any

from altfs.prediction.base import Model, models


@models.register("naive_bayes")
class NaiveBayes(Model):
    """Naive Bayes: every feature is normally distributed within each class."""

    tasks = ("classification",)

    def estimator(self, target_type: str, seed: int) -> Any:
        from sklearn.naive_bayes import GaussianNB

        return GaussianNB()
