"""Duties of every registered component; new ones are found by themselves."""

import inspect
import re
import sys
from dataclasses import replace
from pathlib import Path
from time import perf_counter

import numpy as np
import pytest
from audit import run_tasks, verify
from ordinary import SEARCHES, WITHOUT_TORCH, cheap, small
from sklearn.datasets import load_wine
from studies import SMALL

from altfs import AlternativeFeatures
from altfs.datasets import make_dataset, sources
from altfs.errors import AltfsError, UnsupportedProblemError
from altfs.prediction import models
from altfs.problem import AGGREGATIONS, Problem
from altfs.problem.constraints import KINDS, NO_CONSTRAINTS, Constraints, Group
from altfs.problem.results import Status
from altfs.quality import BlackBox, Linear, Pairwise, Ratio, from_table
from altfs.registry import Registry
from altfs.scores import scores
from altfs.searches import searches
from altfs.selectors import Part, ScoreKey, selectors
from altfs.solvers import Limits, solvers
from altfs.study.session import check_study
from altfs.study.state import Ledger, look_at_files
from altfs.study.store import read_table

REGISTRIES: list[Registry] = [sources, scores, selectors, searches, solvers, models]
MEMBERS = [(registry, member) for registry in REGISTRIES for member in registry]
VALUES = np.array([0.3, 0.1, 0.25, 0.2, 0.15, 0.05, 0.0, 0.0])
QUALITIES = [
    Linear(VALUES),
    Linear(VALUES, np.eye(8, k=1, dtype=bool)),
    BlackBox(lambda s: float(VALUES[list(s)].sum()), 8, 2.0),
    Pairwise(VALUES, np.outer(VALUES, VALUES)),
    Ratio(VALUES, np.outer(VALUES, VALUES)),
]
QUALITY_NAMES = ["linear", "conflicts", "black box", "pairwise", "ratio"]


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
@pytest.mark.parametrize("quality", QUALITIES, ids=QUALITY_NAMES)
@pytest.mark.parametrize("aggregation", AGGREGATIONS)
def test_solvers_give_valid_repeatable_bounded_answers(solver, quality, aggregation, n_sets):
    problem = Problem(quality, 2, 1, n_sets, aggregation, given=((0, 1),))
    if not solver().supports(problem):
        return
    solution = solver().solve(problem, limits_of(solver))
    assert problem.violation(solution.sets) is None
    assert list(solution.sets) == sorted(solution.sets)
    assert solution.bound >= problem.objective(solution.sets) - 1e-12
    assert (solution.status is Status.OPTIMAL) <= solver.proves
    assert solver().solve(problem, limits_of(solver)) == solution
    impossible = [
        Problem(quality, 5, 0, 2, aggregation),
        Problem(quality, 5, 0, 1, aggregation, given=((0, 1, 2, 3, 4),)),
    ]
    supported = [p for p in impossible if solver().supports(p)]
    assert supported
    for one in supported:
        assert solver().solve(one, limits_of(solver)).status is Status.INFEASIBLE


# Each of them excludes sets that would be good; the value of (0, 2) is 0.55.
OF_EVERY_KIND = {
    "include": Constraints(include=(5,)),
    "exclude": Constraints(exclude=(0, 6)),
    "at_most": Constraints(groups=(Group((0, 2, 3), at_most=1),)),
    "at_least": Constraints(groups=(Group((1, 4, 7), at_least=1),)),
    "all_or_none": Constraints(groups=(Group((2, 6), all_or_none=True),)),
    "budget": Constraints(costs=(0.2, 0.1, 0.2, 0.1, 0.1, 0.0, 0.0, 0.0), budget=0.3),
    "quality_floor": Constraints(quality_floor=0.25),
    "given": Constraints(),
}


@pytest.mark.parametrize(("solver", "n_sets"), SOLVERS)
@pytest.mark.parametrize("quality", QUALITIES, ids=QUALITY_NAMES)
def test_solvers_honour_what_they_say_they_carry(solver, quality, n_sets):
    assert set(OF_EVERY_KIND) == set(KINDS)
    for kind, constraints in OF_EVERY_KIND.items():
        given = ((0, 2),) if kind == "given" else ()
        problem = Problem(quality, 2, 1, n_sets, "sum", given, constraints)
        plain = replace(problem, given=(), constraints=NO_CONSTRAINTS)
        assert solver().supports(problem) <= (kind in solver.carries)
        if not solver().supports(problem):
            continue
        solution = solver().solve(problem, limits_of(solver))
        assert solution.sets
        assert problem.violation(solution.sets) is None
        if solver.proves and solver().supports(plain):
            best = solver().solve(plain, limits_of(solver))
            assert problem.objective(solution.sets) <= problem.objective(best.sets) + 1e-9
        # Two features that have to be there together with a third one do not exist.
        three = replace(constraints, include=(5,), groups=(Group((0, 1), 1), Group((2, 3), 1)))
        none = replace(problem, constraints=three)
        if solver().supports(none):
            assert solver().solve(none, limits_of(solver)).status is Status.INFEASIBLE


NOT_OF_STREAMS = [searches.get(name) for name in SEARCHES]


@pytest.mark.parametrize("search", NOT_OF_STREAMS, ids=lambda s: s.name)
@pytest.mark.parametrize("quality", QUALITIES, ids=QUALITY_NAMES)
@pytest.mark.parametrize("max_overlap", [0, 1, 2])
def test_searches_answer_every_set_that_was_asked_for(search, quality, max_overlap):
    for aggregation in search.aggregations:
        start = perf_counter()
        try:
            objective = "min" if aggregation == "min" else "sum"
            result = small(search).search(Problem(quality, 2, max_overlap, 5, objective), Limits())
        except UnsupportedProblemError as refusal:
            said = str(refusal)
        else:
            said = ""
        if said:
            # Whatever a search cannot do, linear qualities are the least of it.
            assert quality is not QUALITIES[0]
            assert search.name in said
            assert said.endswith(".")
            continue
        # The entries of a run add up to its cost.
        assert sum(one.seconds for one in result) <= perf_counter() - start
        assert len(result) == 5
        found = [s for s in result.sets if s]
        for chosen, objective, status in zip(
            result.sets, result.objectives, result.status, strict=True
        ):
            assert status in search.statuses
            if chosen:
                assert objective == quality.evaluate(chosen)
                assert status in (Status.OPTIMAL, Status.FEASIBLE)
                others = [s for s in found if s is not chosen]
                assert all(len(set(chosen) & set(o)) <= max_overlap for o in others)
            else:
                assert np.isnan(objective)
                assert status in (Status.INFEASIBLE, Status.UNKNOWN)


@pytest.mark.parametrize("selector", WITHOUT_TORCH, ids=lambda s: s.name)
def test_selectors_name_the_scores_they_ask_for(selector):
    rng = np.random.default_rng(0)
    X, y = rng.random((60, 4)), rng.integers(0, 2, 60)
    train, test = (Part(X[i::2], y[i::2], "binary", 0) for i in range(2))
    made = cheap(selector.name)
    qualities = made.learn(train, test)
    assert qualities.train.n_total == 4
    assert all(key.variant in key.score.variants for key in made.train_scores + made.test_scores)
    if made.stores:
        restored = from_table(qualities.train.to_table())
        assert restored.evaluate((0, 2)) == qualities.train.evaluate((0, 2))
    else:
        with pytest.raises(AltfsError, match="cannot be stored"):
            qualities.train.to_table()
    assert set(train.scores) == set(made.train_scores)
    assert set(test.scores) == set(made.test_scores)
    if not made.needs_rows:
        blind_train, blind_test = (
            Part(np.zeros_like(p.X), p.y, "binary", 0, dict(p.scores)) for p in (train, test)
        )
        blind = selector().learn(blind_train, blind_test)
        assert blind.train.evaluate((0, 2)) == qualities.train.evaluate((0, 2))


@pytest.mark.parametrize(
    ("score", "variant", "target_type"),
    [
        (score, variant, target_type)
        for score in scores
        for variant in score.variants
        for target_type in ("binary", "multiclass", "regression")
        # Numbers are not classes.
        if variant not in ("classification", "uncertainty") or target_type != "regression"
    ],
    ids=lambda one: getattr(one, "name", one),
)
def test_scores_do_not_depend_on_how_they_are_divided(score, variant, target_type):
    # A file's name is made of both.
    assert re.fullmatch("[a-z][a-z0-9_]*", score.name)
    assert re.fullmatch("[a-z]+", variant)
    rng = np.random.default_rng(0)
    X = rng.random((40, 5))
    y = {"binary": np.arange(40) % 2, "multiclass": np.arange(40) % 3}.get(target_type, X.sum(1))

    def part():
        return Part(X.copy(), y.copy(), target_type, 0)

    key = ScoreKey(score.name, variant)
    values = part().score(key)
    assert values.shape[1:] == ((5,) if score.of_pairs else ())
    assert score().toy(5).shape == values.shape
    divided = part()
    for known in key.starts_from:
        divided.score(known)
    if score.of_pairs:
        joined = np.column_stack([divided.compute(key, range(j, j + 1)) for j in range(5)])
        assert np.array_equal(score().whole(joined), values, equal_nan=True)
    asked = part()
    asked.score(key)
    assert set(asked.scores) == {key, *key.starts_from}
    score().check_rows(40)


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
    "synthetic": {"design": "mixed"},
}


@pytest.mark.parametrize("source", list(sources), ids=lambda s: s.name)
def test_sources_give_tables_that_repeat_themselves(source, pmlb_cache, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data.csv").write_text("a,b,y\n1,u,0\n2,v,1\n3,u,0\n")
    assert source.name in ENTRIES, "add an entry for the new source"
    options = source.Options(**ENTRIES[source.name])
    first, second = (make_dataset("d", source("d", options, pmlb_cache).load()) for _ in range(2))
    assert first.digest == second.digest
    assert np.isfinite(first.X).all()
    assert len(first.info["sha256"]) == 64
