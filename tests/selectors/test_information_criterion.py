"""AIC and BIC, judged by statsmodels."""

import json

import numpy as np
import pytest
from audit import run_tasks, verify
from sklearn.datasets import load_breast_cancer, load_diabetes
from studies import SMALL

from altfs.commands.main import main
from altfs.scores import Part
from altfs.selectors.information_criterion import InformationCriterion, InformationCriterionOptions
from altfs.study.session import check_study
from altfs.study.store import read_table

DIABETES = Part(*load_diabetes(return_X_y=True), "regression", 0)
CANCER = Part(*load_breast_cancer(return_X_y=True), "binary", 0)
CHOSEN = (2, 5, 8)


@pytest.mark.exhaustive
@pytest.mark.parametrize("criterion", ["aic", "bic"])
@pytest.mark.parametrize("part", [DIABETES, CANCER], ids=["numbers", "classes"])
def test_values_are_those_of_statsmodels(part, criterion):
    import statsmodels.api as sm

    X = sm.add_constant(part.X[:, CHOSEN])
    model = sm.OLS(part.y, X).fit() if part is DIABETES else sm.Logit(part.y, X).fit(disp=0)
    quality = InformationCriterion(InformationCriterionOptions(criterion=criterion)).quality(part)
    assert quality.evaluate(CHOSEN) == pytest.approx(-getattr(model, criterion), rel=1e-4)


def test_perfect_fits_have_finite_values():
    y = np.arange(12.0)
    X = np.column_stack([y, y % 3, np.ones(12)])
    exact = InformationCriterion().quality(Part(X, y, "regression", 0))
    separated = InformationCriterion().quality(Part(X, (y > 5).astype(int), "binary", 0))
    for quality in (exact, separated):
        assert np.isfinite([quality.evaluate(s) for s in ((0,), (2,), (0, 2))]).all()
        assert quality.evaluate((0,)) > quality.evaluate((0, 2)) > quality.evaluate((1,))


def test_the_bound_is_null_and_the_audit_knows_it(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    searches = [
        {"name": "one", "type": "sequential", "n_alternatives": 1},
        {"name": "both", "type": "simultaneous", "n_alternatives": 1, "aggregation": "sum",
         "solver": "annealing"},
    ]  # fmt: skip
    selector = {"name": "information_criterion", "options": {"max_iterations": 5}}
    study = {**SMALL, "n_features": 2, "selectors": [selector], "taus": ["1"]}
    plan = check_study({**study, "searches": searches, "datasets": ["sklearn:diabetes"]})
    run_tasks(plan)
    for key in plan.places():
        rows = read_table(plan.search_task(key).path)[0].to_pylist()
        assert {(row["bound"], row["run_bound"], row["status"]) for row in rows} == {
            (None, None, "feasible")
        }
    code, said = verify(capsys, plan)
    assert code == 0, said


def test_the_command_line_writes_no_infinity(wine_file, tmp_path):
    output = tmp_path / "sets.json"
    options = "-k 2 -a 1 --selector information_criterion --solver forward --evaluate none -o"
    assert main(["find", str(wine_file), "-t", "kind", *options.split(), str(output)]) == 0
    written = json.loads(output.read_text(), parse_constant=pytest.fail)
    assert [entry["bound"] for entry in written["sets"]] == [None, None]
