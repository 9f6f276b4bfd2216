import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import (
    accuracy_score,
    balanced_accuracy_score,
    f1_score,
    matthews_corrcoef,
    r2_score,
)

from altfs.errors import DataError
from altfs.prediction import metric_name, models, prediction_score
from altfs.prediction.metrics import METRICS, metrics_for, score_by


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=40))
def test_mcc_is_scikit_learns(pairs):
    true, predicted = np.array(pairs).T
    expected = matthews_corrcoef(true, predicted)
    assert prediction_score("multiclass", true, predicted) == pytest.approx(expected, abs=1e-12)


SCIKIT_LEARNS = {
    "mcc": matthews_corrcoef,
    "f1_macro": lambda true, predicted: f1_score(true, predicted, average="macro"),
    "f1_weighted": lambda true, predicted: f1_score(true, predicted, average="weighted"),
    "accuracy": accuracy_score,
    "balanced_accuracy": balanced_accuracy_score,
}


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=40))
@pytest.mark.filterwarnings("ignore")
def test_metrics_of_classes_are_scikit_learns(pairs):
    true, predicted = np.array(pairs).T
    for name, expected in SCIKIT_LEARNS.items():
        value = score_by(name, true, predicted)
        assert value == pytest.approx(expected(true, predicted), abs=1e-12)
    assert {*SCIKIT_LEARNS, "r2"} == set(METRICS)


def test_metrics_that_do_not_fit_make_room_for_the_default():
    assert metrics_for("multiclass", None) == metrics_for("multiclass", ["r2"]) == ["mcc"]
    assert metrics_for("regression", ["accuracy", "r2"]) == ["r2"]


def test_r2_is_scikit_learns():
    true, predicted = np.random.default_rng(0).random((2, 30))
    assert prediction_score("regression", true, predicted) == pytest.approx(
        r2_score(true, predicted)
    )
    assert prediction_score("regression", np.ones(3), np.zeros(3)) == 0.0
    assert (metric_name("regression"), metric_name("binary")) == ("r2", "mcc")


@pytest.mark.parametrize("model", models.names())
@pytest.mark.parametrize("target_type", ["binary", "multiclass", "regression"])
def test_every_model_learns_every_kind_of_target(model, target_type):
    rng = np.random.default_rng(0)
    X = rng.random((60, 3))
    n_classes = {"binary": 2, "multiclass": 3}.get(target_type)
    y = X[:, 0] if n_classes is None else (X[:, 0] * n_classes).astype(int)
    task = "regression" if target_type == "regression" else "classification"
    if task not in models.get(model).tasks:
        with pytest.raises(DataError, match=rf"'{model}' is for \w+, use one for {task} \("):
            models.get(model)().check_part(target_type, 60)
        return
    first, second = (models.get(model)().estimator(target_type, 25).fit(X, y) for _ in range(2))
    assert prediction_score(target_type, y, first.predict(X)) > 0.6
    assert (first.predict(X) == second.predict(X)).all()
