"""The score of the original set in random folds, beside that of rows held out by group or time."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from altfs.library.answers.evaluation import Evaluation
from altfs.library.answers.folds import cross_validated, sampled, splits_of


def random_fold_score(
    fitted: Any, evaluation: Evaluation, model: Any, folds: int, max_rows: int
) -> float:
    """Return the mean score of a model on the original set in random folds.

    The set is that of all rows, so that the search saw those that are held out.

    Parameters
    ----------
    fitted : AlternativeFeatures
    evaluation : Evaluation
        That by groups or times, whose score is used.
    model : str, estimator or None
        As for ``evaluate``.
    folds : int
    max_rows : int
        Of more rows, a sample is used.

    Returns
    -------
    float
    """
    model, columns = fitted._model(model), fitted.feature_sets_[0].indices
    data = replace(fitted._fitted_on, groups=None, times=None)
    order = np.arange(len(data.y))
    if fitted._part_fitted_on is not None:
        order = fitted._part_fitted_on.canonical_rows()
    if len(order) > max_rows:
        data, order = sampled(data, order, max_rows), np.arange(max_rows)
    ranks = data.ranks(folds, order)
    pipeline = fitted._pipeline(sorted(columns, key=ranks.__getitem__), model)
    scorers = {"score": evaluation.scoring}
    splits = splits_of(folds, data, fitted.target_type_, order)
    scores = [
        cross_validated(pipeline, data.X, data.y, split, scorers, "original")["test_score"][0]
        for split in splits
    ]
    return float(np.mean(scores))
