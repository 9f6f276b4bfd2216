"""Duties of every registered component; new ones are found by themselves."""

import inspect
import sys
from pathlib import Path

import numpy as np
import pytest
from audit import run_tasks, verify
from openml_cache import write_openml_cache
from ordinary import SEARCHES, WITHOUT_TORCH, cheap, small
from sklearn.datasets import load_wine
from studies import SMALL

from altfs import AlternativeFeatures
from altfs.datasets import make_dataset, sources
from altfs.prediction import models
from altfs.registry import Registry
from altfs.scores import scores
from altfs.scores.dependences import dependences
from altfs.searches import searches
from altfs.selectors import selectors
from altfs.solvers import Limits, solvers
from altfs.study.session import check_study
from altfs.study.state import Ledger, look_at_files
from altfs.study.store import read_table
from altfs.testing import QUALITIES, check_score, check_search, check_selector, check_solver

REGISTRIES: list[Registry] = [sources, scores, selectors, searches, solvers, models]
MEMBERS = [(registry, member) for registry in REGISTRIES for member in registry]


@pytest.mark.parametrize(("registry", "member"), MEMBERS, ids=lambda m: getattr(m, "__name__", ""))
def test_a_component_is_one_described_file(registry, member):
    assert registry.get(member.name) is member
    assert member.__doc__
    module = inspect.getmodule(member)
    assert module.__doc__
    assert module.__name__ in registry.modules()
    registered = [m for m in registry if inspect.getmodule(m) is module]
    assert registered == [member]
    assert len(inspect.getsource(module).splitlines()) <= 300


def limits_of(solver):
    """The usual limits; solvers that go on until a limit need not go on for long here."""
    return Limits(0.05) if solver.by_name_only else Limits()


# Solvers by name need most time for several sets.
SOLVERS = [
    pytest.param(
        solver,
        n_sets,
        id=f"{solver.name}-{n_sets}",
        marks=pytest.mark.exhaustive if solver.by_name_only and n_sets > 1 else (),
    )
    for solver in solvers
    for n_sets in (1, 3)
]


@pytest.mark.parametrize(("solver", "n_sets"), SOLVERS)
@pytest.mark.parametrize("quality", QUALITIES)
def test_solvers_answer_and_honour_what_they_say(solver, quality, n_sets):
    check_solver(solver(), [quality], [n_sets], limits_of(solver))


NOT_OF_STREAMS = [searches.get(name) for name in SEARCHES]


@pytest.mark.parametrize("search", NOT_OF_STREAMS, ids=lambda s: s.name)
@pytest.mark.parametrize("quality", QUALITIES)
@pytest.mark.parametrize("max_overlap", [0, 1, 2])
def test_searches_answer_every_set_that_was_asked_for(search, quality, max_overlap):
    check_search(small(search), [quality], [max_overlap])


@pytest.mark.parametrize("selector", WITHOUT_TORCH, ids=lambda s: s.name)
def test_selectors_name_the_scores_they_ask_for(selector):
    check_selector(cheap(selector.name))


# Scores of pairs of columns, which every measure of dependence can have.
OF_DEPENDENCES = [scores.get(name) for name in ("relevance", "redundancy", "conflicts")]
FOR_CLASSES = {"classification", *(m.name for m in dependences if m.for_classes)}


@pytest.mark.parametrize(
    ("score", "variant", "target_type"),
    [
        (score, variant, target_type)
        for score in scores
        for variant in (*score.variants, *(dependences.names() if score in OF_DEPENDENCES else ()))
        for target_type in ("binary", "multiclass", "regression")
        # Numbers are not classes.
        if target_type != "regression" or variant not in FOR_CLASSES
    ],
    ids=lambda one: getattr(one, "name", one),
)
def test_scores_do_not_depend_on_how_they_are_divided(score, variant, target_type):
    check_score(score(), [variant], [target_type])


MADE_UP_SCORE = '''
"""Variance: the variance of every feature."""

from altfs.scores import Score, scores


@scores.register("made_up_variance")
class Variance(Score):
    """The variance of every feature."""

    def compute(self, part, columns, variant):
        return part.X.var(axis=0)
'''
MADE_UP_SELECTOR = '''
"""Spread: the variances of the features, added up."""

from altfs.quality import Linear
from altfs.selectors import ScoreKey, Selector, selectors

KEY = ScoreKey("made_up_variance")


@selectors.register("made_up_spread")
class Spread(Selector):
    """The sum of the variances."""

    train_scores = test_scores = (KEY,)

    def quality(self, part):
        return Linear(part.score(KEY))
'''


@pytest.fixture
def one_file_each(tmp_path, monkeypatch):
    """A score and a selector in a folder of their own, which their packages look into."""
    for registry, text in ((scores, MADE_UP_SCORE), (selectors, MADE_UP_SELECTOR)):
        folder = tmp_path / registry.kind
        folder.mkdir()
        (folder / f"made_up_{registry.kind}.py").write_text(text)
        package = sys.modules[registry.package]
        monkeypatch.setattr(package, "__path__", [*package.__path__, str(folder)])
        monkeypatch.setattr(registry, "_members", dict(registry._members))
        monkeypatch.setattr(registry, "_loaded", False)
    yield
    for registry in (scores, selectors):
        sys.modules.pop(f"{registry.package}.made_up_{registry.kind}", None)


def test_a_made_up_score_and_selector_are_found_by_everything(
    one_file_each, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    name = "made_up_spread"
    assert name in selectors.names()
    X, y = load_wine(return_X_y=True)
    best = {int(j) for j in np.argsort(X.var(axis=0))[-3:]}
    afs = AlternativeFeatures(name, n_features=3, n_alternatives=1).fit(X, y)
    assert set(afs.feature_sets_[0].indices) == best
    plan = check_study({**SMALL, "selectors": [name], "taus": ["1"]})
    assert [score.name for score in plan.scores_of(name)] == ["made_up_variance"]
    run_tasks(plan)
    kept = read_table(Path(plan.quality_task("wine", 0, name).path))[0]
    assert kept.column_names == ["feature", "train_value", "test_value"]
    state = look_at_files(plan, Ledger(plan.results))
    assert state.complete
    assert sum(task.detail == name for task in state.states) == 2 + 2 * 2
    code, said = verify(capsys, plan, "--full")
    assert code == 0, said


ENTRIES = {
    "sklearn": {"dataset": "iris"},
    "pmlb": {"dataset": "iris"},
    "file": {"path": "data.csv", "target": "y"},
    "openml": {"dataset": 61},
    "synthetic": {"design": "mixed"},
}


@pytest.mark.parametrize("source", list(sources), ids=lambda s: s.name)
def test_sources_give_tables_that_repeat_themselves(source, pmlb_cache, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ALTFS_OPENML_CACHE", str(write_openml_cache(tmp_path)))
    (tmp_path / "data.csv").write_text("a,b,y\n1,u,0\n2,v,1\n3,u,0\n")
    assert source.name in ENTRIES, "add an entry for the new source"
    options = source.Options(**ENTRIES[source.name])
    first, second = (make_dataset("d", source("d", options, pmlb_cache).load()) for _ in range(2))
    assert first.digest == second.digest
    assert np.isfinite(first.X).all()
    assert len(first.info["sha256"]) == 64
