"""Models with options, as studies use them."""

import numpy as np
import pytest
from sklearn.datasets import load_wine
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler
from studies import SMALL

from altfs.errors import AltfsError
from altfs.prediction import models
from altfs.study.plan import Plan
from altfs.study.predicting import prediction_table
from altfs.study.session import begin_study, check_study

NEAREST = {
    "name": "nearest.1",
    "type": "nearest_neighbours",
    "options": {"neighbours": 1, "standardise": True},
}


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def plan_of(*entries: object) -> Plan:
    return check_study({**SMALL, "models": list(entries)})


def test_a_variant_is_trained_with_its_options_and_stored_under_its_name():
    plan = plan_of("nearest_neighbours", NEAREST, "naive_bayes")
    begin_study(plan)
    plan.tasks[plan.data_path("wine")].run(plan)
    scores = {}
    for name in plan.model_entries:
        task = plan.predict_task("wine", 0, name)
        assert task.path.endswith(f"model={name}.parquet")
        (row,) = prediction_table(task, [(0, 6)]).to_pylist()
        assert (row["model"], row["metric"]) == (name, "mcc")
        scores[name] = row["train_score"]
    # A row is its own nearest neighbour.
    assert scores.pop("nearest.1") == 1.0
    assert all(0.3 < score < 1 for score in scores.values())


def test_options_reach_scikit_learn():
    X, y = load_wine(return_X_y=True)
    component = models.get("nearest_neighbours")
    model = component(component.Options(neighbours=3, standardise=True)).estimator("multiclass", 0)
    scaled = StandardScaler().fit_transform(X)
    by_sklearn = KNeighborsClassifier(3).fit(scaled, y).predict(scaled)
    assert np.array_equal(model.fit(X, y).predict(X), by_sklearn)
    assert component().estimator("multiclass", 0).n_neighbors == 20
    plain = models.get("naive_bayes")().estimator("multiclass", 0).fit(X, y)
    assert np.array_equal(plain.predict(X), GaussianNB().fit(X, y).predict(X))


def test_a_name_alone_is_stored_as_a_name():
    plan = plan_of("decision_tree", {"name": "random_forest"}, NEAREST)
    assert plan.config.model_dump()["models"] == ["decision_tree", "random_forest", NEAREST]
    other = {**NEAREST, "options": {"neighbours": 2}}
    hashes = {plan_of(m).predict_task("wine", 0, "nearest.1").hash for m in (NEAREST, other)}
    assert len(hashes) == 2


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        (["naive_bays"], r"models\[0\].type: .* did you mean 'naive_bayes'"),
        (["naive_bayes", "naive_bayes"], r"models\[1\].name: .* is also the name of models\[0\]"),
        ([{**NEAREST, "options": {"neighbour": 1}}], "did you mean 'neighbours'"),
        ([{**NEAREST, "options": {"neighbours": 0}}], r"options.neighbours: 0 is not allowed"),
        ([{"name": "naive_bayes", "options": {"neighbours": 1}}], "neighbours: .* is unknown"),
        ([{**NEAREST, "options": {"neighbours": 90}}], "more than the 89 training rows"),
        (["linear_regression"], r"models\[0\]: .* is for regression, use one for classification"),
    ],
)
def test_what_is_refused(entries, message):
    with pytest.raises(AltfsError, match=message):
        plan_of(*entries)
