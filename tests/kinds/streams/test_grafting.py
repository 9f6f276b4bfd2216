""" "grafting", judged by the models of scikit-learn."""

import numpy as np
import pytest
from plain import begun, data
from sklearn.linear_model import Lasso, LogisticRegression


@pytest.mark.parametrize("target_type", ["binary", "multiclass", "regression"])
def test_grafting_reaches_the_batch_problem_of_its_set(target_type):
    X, y = data(2, n_rows=120)
    if target_type != "binary":
        y = y + (X[:, 2] > 1) if target_type == "multiclass" else X[:, :3].sum(axis=1) + y
    reader = begun("grafting", y, target_type)
    members = reader.empty_set()
    for _, group in reader.arrivals(X, range(14), np.arange(14), ()):
        members.offer(group)
    chosen = [column.number for column in members.columns]
    Z = (X - X.mean(axis=0)) / np.where(X.std(axis=0) > 0, X.std(axis=0), 1)
    if target_type == "regression":
        batch = Lasso(alpha=0.05, tol=1e-10, max_iter=100_000).fit(Z[:, chosen], y)
        weights = batch.coef_[:, None]
    else:
        batch = LogisticRegression(
            C=1 / (0.05 * len(y)), l1_ratio=1, solver="saga", tol=1e-9, max_iter=100_000
        ).fit(Z[:, chosen], y)
        weights = batch.coef_.T
    assert np.abs(weights - members.weights).max() < 1e-4
    assert (members.weights != 0).any(axis=1).all()
    assert 3 <= len(chosen) < 14
    # The set is that of the problem with all columns if a second pass adds nothing.
    slopes = np.abs(Z.T @ members.errors / len(y)).max(axis=1)
    assert (slopes[chosen] < 0.05 + 1e-8).all()
