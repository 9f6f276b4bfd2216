"""The code of the how-to pages works as they say."""

import runpy
from itertools import combinations

import numpy as np
import pytest
from scipy.stats import iqr as scipy_iqr
from scipy.stats import spearmanr
from sklearn.datasets import load_diabetes, load_wine
from sklearn.linear_model import Ridge, RidgeClassifier
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from workspaces import ROOT

from altfs import (
    AlternativeExplanations,
    AlternativeFeatures,
    Constraints,
    quality,
    search_sequentially,
)
from altfs.catalogue import figures, tables
from altfs.datasets import make_dataset, sources
from altfs.errors import DataError, UnsupportedProblemError
from altfs.prediction import models
from altfs.problem import Problem
from altfs.scores import Part, ScoreKey, scores
from altfs.searches import searches
from altfs.selectors import selectors
from altfs.solvers import Limits, solvers
from altfs.study.config import parse_config

EXAMPLES = ROOT / "docs" / "how_to" / "examples"
REGISTRIES = {
    "rank_correlation": selectors,
    "first_come": selectors,
    "unusual": selectors,
    "spread": scores,
    "blocks": searches,
    "listing": solvers,
    "json_lines": sources,
    "ridge": models,
    # The tests of the catalogue (tests/evaluation/test_catalogue.py) put these two to work.
    "sets_by_dataset": tables,
    "sets_of_datasets": figures,
}
CONFIG = {
    "name": "s", "results": "r", "datasets": ["sklearn:wine"], "folds": 2, "seed": 0, "taus": [1],
    "selectors": ["fcbf"], "n_features": 1, "models": ["decision_tree"],
    "searches": [{"name": "sequential", "n_alternatives": 1}],
}  # fmt: skip


@pytest.fixture
def added(monkeypatch):
    """Adds an example to its registry, for one test."""

    def add(name):
        registry = REGISTRIES[name]
        registry.names()
        monkeypatch.setattr(registry, "_members", dict(registry._members))
        runpy.run_path(str(EXAMPLES / f"{name}.py"))
        return registry.get(name)

    return add


def test_every_example_is_on_the_page_and_tested():
    page = (ROOT / "docs" / "how_to" / "extend.md").read_text()
    assert {path.stem for path in EXAMPLES.glob("*.py")} == set(REGISTRIES)
    for name in REGISTRIES:
        assert f"literalinclude}} examples/{name}.py" in page
        assert (EXAMPLES / f"{name}.py").read_text().startswith('"""')


def test_the_selector_agrees_with_scipy(added):
    added("rank_correlation")
    X, y = load_wine(return_X_y=True, as_frame=True)
    afs = AlternativeFeatures("rank_correlation", n_features=3, tau=1).fit(X, y)
    by_scipy = {name: abs(spearmanr(X[name], y).statistic) for name in X}
    best = sorted(by_scipy, key=by_scipy.get)[-3:]
    assert set(afs.feature_sets_[0].names) == set(best)
    total = sum(by_scipy[name] for name in best)
    assert afs.feature_sets_[0].train_objective == pytest.approx(total)
    constant = AlternativeFeatures("rank_correlation", n_features=1).fit(X * 0 + 1, y)
    assert constant.feature_sets_[0].train_objective == 0


def test_the_streaming_selector_takes_what_comes_first(added):
    added("first_come")
    X, y = load_wine(return_X_y=True)
    afs = AlternativeFeatures("first_come", n_alternatives=2, tau=1).fit(X, y)
    assert [s.indices for s in afs.feature_sets_] == [(0, 1, 3), (4, 5, 6), (7, 8, 9)]


def test_the_row_wise_selector_names_unusual_values(added):
    added("unusual")
    X, y = load_wine(return_X_y=True)
    model = DecisionTreeClassifier(max_depth=2, random_state=0).fit(X, y)
    asked = AlternativeExplanations("unusual", estimator=model, n_features=2, tau=1, background=5)
    found = asked.fit(X, y).explain(X[:3])
    away = np.abs(StandardScaler().fit(X).transform(X[:3]))
    assert found.values == pytest.approx(away)
    assert [set(found.sets(i)[0].indices) for i in range(3)] == [
        set(np.argsort(row)[-2:].tolist()) for row in away
    ]
    afs = AlternativeFeatures("unusual", n_features=1).fit(X, y)
    assert len(afs.feature_sets_[0]) == 1


def test_the_score_agrees_with_scipy(added):
    added("spread")
    X, y = load_wine(return_X_y=True)
    part = Part(np.column_stack([X, np.ones(len(X))]), y, "multiclass", 0)
    plain, robust = (part.score(ScoreKey("spread", v)) for v in ("auto", "robust"))
    assert plain[0] == pytest.approx((X[:, 0].max() - X[:, 0].min()) / X[:, 0].std())
    assert robust[0] == pytest.approx(np.ptp(X[:, 0]) / scipy_iqr(X[:, 0]))
    assert plain[-1] == robust[-1] == 0
    with pytest.raises(DataError, match="1 rows are too few for the spread"):
        Part(X[:1], y[:1], "binary", 0).score(ScoreKey("spread"))


def test_the_search_finds_its_blocks(added):
    made = added("blocks")()
    q = quality.Linear([0.1, 0.4, 0.3, 0.2, 0.0])
    result = made.search(Problem(q, 2, 1, 3), Limits())
    assert result.sets == [(1, 2), (0, 3), ()]
    assert result.status == ["feasible", "feasible", "unknown"]
    for refused in (quality.BlackBox(len, 5), quality.Linear([1, 2, 3], np.eye(3, k=1))):
        with pytest.raises(UnsupportedProblemError, match="'blocks' takes Linear"):
            made.search(Problem(refused, 2, 1, 3), Limits())
    with pytest.raises(UnsupportedProblemError):
        made.search(Problem(q, 2, 1, 3, constraints=Constraints(include=(0,))), Limits())
    afs = AlternativeFeatures([0.1, 0.4, 0.3, 0.2], search="blocks", n_features=2)
    assert len(afs.fit(np.zeros((3, 4))).feature_sets_) == 2


def test_the_solver_agrees_with_altfs(added):
    made = added("listing")()
    rng = np.random.default_rng(0)
    for seed in range(10):
        values = rng.random(7)
        problem = Problem(quality.Linear(values), 3, 1, given=((0, 1, 2),))
        found = made.solve(problem, Limits())
        by_altfs = search_sequentially(
            quality.Linear(values), n_features=3, n_alternatives=0, max_overlap=1, given=[(0, 1, 2)]
        )
        assert found.sets[0] == by_altfs.sets[0], seed
        assert found.bound == problem.objective(found.sets)
    assert made.solve(Problem(quality.Linear([1, 1]), 2, 0, given=((0, 1),)), Limits()).sets == ()
    # What no other solver carries: a black box with a floor.
    values = dict(zip(combinations(range(5), 2), rng.random(10).tolist(), strict=True))
    box = quality.BlackBox(values.__getitem__, 5)
    result = search_sequentially(
        box,
        n_features=2,
        n_alternatives=0,
        tau=1,
        constraints=Constraints(exclude=(4,), quality_floor=0.0),
    )
    assert [one.solver for one in result] == ["listing"]
    assert result.sets[0] == max((s for s in values if 4 not in s), key=values.get)
    assert not made.handles(Problem(quality.Linear([1.0] * 60), 10, 1))


def test_the_source_reads_lines_of_json(added, tmp_path):
    source = added("json_lines")
    path = tmp_path / "d.jsonl"
    path.write_text('{"a": 1, "b": "u", "y": 0}\n{"a": 2, "b": "v", "y": 1}\n')
    options = {"path": path, "target": "y"}
    dataset = make_dataset("d", source("d", source.Options(**options)).load())
    assert dataset.X.tolist() == [[1, 0], [2, 1]]
    path.write_text("{")
    with pytest.raises(DataError, match="cannot be read as lines of JSON"):
        source("d", source.Options(**options)).load()
    entry = {"name": "d", "type": "json_lines", "options": {"path": "d.jsonl", "target": "y"}}
    assert parse_config({**CONFIG, "datasets": [entry]}).datasets[0].type == "json_lines"


@pytest.mark.parametrize(
    ("load", "target_type", "by_sklearn"),
    [
        (load_wine, "multiclass", RidgeClassifier()),
        (load_diabetes, "regression", Ridge()),
    ],
    ids=["classification", "regression"],
)
def test_the_model_agrees_with_scikit_learn(added, load, target_type, by_sklearn):
    added("ridge")
    assert parse_config({**CONFIG, "models": ["ridge"]}).models
    X, y = load(return_X_y=True)
    found = models.get("ridge")().estimator(target_type, 0).fit(X[::2], y[::2])
    scaler = StandardScaler().fit(X[::2])
    by_sklearn.fit(scaler.transform(X[::2]), y[::2])
    assert np.allclose(found.predict(X), by_sklearn.predict(scaler.transform(X)))
