"""Greedy solvers, judged by walks over all valid sets and by other libraries."""

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from marks import examples, exhaustive
from sklearn.feature_selection import SequentialFeatureSelector
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.naive_bayes import GaussianNB

from altfs import search_sequentially
from altfs.datasets import make_dataset, sources
from altfs.problem import Constraints, Group, Overlap, Problem
from altfs.problem.results import Status
from altfs.quality import BlackBox, Linear, Pairwise, Ratio
from altfs.solvers import Limits, solve
from altfs.solvers.named import named_solver

GREEDY = ["forward", "backward", "floating_forward", "floating_backward", "stepwise"]


def random_box(n_total, seed):
    """A black box without any structure, for sets of every size."""
    values = np.random.default_rng(seed).integers(0, 50, 2**n_total) / 50
    return BlackBox(lambda s: float(values[sum(1 << j for j in s)]), n_total, 1.0, 10_000)


@st.composite
def problems(draw):
    n_total = draw(st.integers(3, 8))
    order = draw(st.permutations(range(n_total)))
    smallest = draw(st.integers(1, min(4, n_total - 1)))
    sizes = tuple(range(smallest, smallest + draw(st.integers(1, 2))))
    some = st.lists(st.integers(0, n_total - 1), min_size=1, max_size=4, unique=True)
    groups = []
    for _ in range(draw(st.integers(0, 2))):
        features = tuple(sorted(draw(some)))
        kind = draw(st.sampled_from(["at_least", "at_most", "all_or_none"]))
        groups.append(
            Group(features, all_or_none=True)
            if kind == "all_or_none"
            else Group(features, **{kind: 1})
        )
    costs = draw(st.none() | st.lists(st.integers(0, 3), min_size=n_total, max_size=n_total))
    constraints = Constraints(
        include=tuple(order[: draw(st.integers(0, 1))]),
        exclude=tuple(order[1 : 1 + draw(st.integers(0, 1))]),
        groups=tuple(groups),
        costs=None if costs is None else tuple(map(float, costs)),
        budget=None if costs is None else 4.0,
    )
    overlap = Overlap(draw(st.sampled_from(["0.3", "0.5", "0.8", "1"])))
    before = tuple(tuple(sorted(s)) for s in draw(st.lists(some, max_size=2)))
    quality = random_box(n_total, draw(st.integers(0, 2**16)))
    if draw(st.booleans()):
        values = np.random.default_rng(0).random(n_total)
        conflicts = np.zeros((n_total, n_total), dtype=bool)
        conflicts[order[0], order[1]] = conflicts[order[1], order[0]] = True
        quality = draw(
            st.sampled_from(
                [
                    Linear(values, conflicts),
                    Pairwise(values, np.outer(values, values)),
                    Ratio(values, np.outer(values, values)),
                ]
            )
        )
    return Problem(quality, sizes, overlap, given=before, constraints=constraints)


def valid_sets(problem):
    features = range(problem.quality.n_total)
    every = (s for k in problem.sizes for s in combinations(features, k))
    return [s for s in every if problem.violation((s,)) is None]


class Judge:
    """Walks as in the books; a move is possible if a listed valid set lies in its direction."""

    def __init__(self, problem, upwards):
        self.problem, self.upwards = problem, upwards
        self.valid = [frozenset(s) for s in valid_sets(problem)]
        self.evaluated = {}
        if self.start() in self.valid:
            self.value(self.start())

    def value(self, chosen):
        key = tuple(sorted(chosen))
        return self.evaluated.setdefault(key, self.problem.quality.evaluate(key))

    def possible(self, chosen):
        return any(chosen <= v if self.upwards else v <= chosen for v in self.valid)

    def best(self, moves):
        moves = [m for m in moves if m and self.possible(m)]
        return max(moves, key=self.value, default=None)

    def more(self, chosen, avoid=()):
        features = range(self.problem.quality.n_total)
        if self.upwards and len(chosen) >= self.problem.sizes[-1]:
            return None
        excluded = self.problem.constraints.exclude
        free = [j for j in features if j not in chosen and j not in excluded]
        return self.best([m for j in free if (m := chosen | {j}) not in avoid])

    def less(self, chosen, avoid=()):
        if not self.upwards and len(chosen) <= self.problem.sizes[0]:
            return None
        left = [j for j in sorted(chosen) if j not in self.problem.constraints.include]
        return self.best([m for j in left if (m := chosen - {j}) not in avoid])

    def start(self):
        limits = self.problem.constraints
        every = frozenset(range(self.problem.quality.n_total))
        return frozenset(limits.include) if self.upwards else every - set(limits.exclude)

    def greedy(self):
        chosen, move = self.start(), self.more if self.upwards else self.less
        while (moved := move(chosen)) is not None:
            chosen = moved

    def floating(self):
        self.greedy()
        forth, back = (self.more, self.less) if self.upwards else (self.less, self.more)
        chosen, best = self.start(), {}
        if chosen:
            best[len(chosen)] = self.value(chosen)
        while (moved := forth(chosen)) is not None:
            chosen = moved
            best[len(chosen)] = max(best.get(len(chosen), -1e9), self.value(chosen))
            while (moved := back(chosen)) is not None:
                if self.value(moved) <= best[len(moved)]:
                    break
                chosen = moved
                best[len(chosen)] = self.value(chosen)

    def stepwise(self):
        chosen = self.start()
        seen = {chosen}
        while (moved := self.more(chosen, seen)) is not None:
            chosen = moved
            seen.add(chosen)
            while (moved := self.less(chosen, seen)) is not None:
                if self.value(moved) <= self.value(chosen):
                    break
                chosen = moved
                seen.add(chosen)

    def result(self):
        """The best evaluated valid set; None without a valid set."""
        known = [s for s in self.evaluated if frozenset(s) in self.valid]
        return max(known, key=lambda s: (self.evaluated[s], -len(s)), default=None)


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", GREEDY)
@given(problem=problems())
@examples(300)
def test_walks_are_those_of_the_books_and_end_in_valid_sets(name, problem):
    judge = Judge(problem, upwards="backward" not in name)
    if not judge.valid:
        expected = None
    else:
        walks = {"stepwise": judge.stepwise, "forward": judge.greedy, "backward": judge.greedy}
        walks.get(name, judge.floating)()
        expected = judge.result()
    found = solve(problem, Limits(), named_solver(name))
    assert found.sets == (() if expected is None else (expected,))
    assert found.status == (Status.INFEASIBLE if expected is None else Status.FEASIBLE)
    assert found.work == (len(judge.evaluated) if judge.valid else 0)


@pytest.mark.exhaustive
@given(problem=problems(), seed=st.integers(0, 5), step=st.integers(1, 3))
@examples(1000)
def test_no_walk_ends_without_a_valid_set(problem, seed, step):
    name = GREEDY[seed % len(GREEDY)]
    options = {"candidates": 0.4, "step": min(step, problem.sizes[-1]), "tolerance": 0.1}
    solver = named_solver({"type": name, "options": options}, seed)
    few = Limits(work=0.02)
    found = solve(problem, few, solver)
    if not valid_sets(problem):
        assert found.status is Status.INFEASIBLE
        return
    assert problem.violation(found.sets) is None
    assert 1 <= found.work <= 10
    assert solve(problem, few, solver) == found


@given(
    problem=problems(),
    direction=st.sampled_from(["forward", "backward"]),
    step=st.integers(1, 3),
    candidates=st.sampled_from([0.4, 1.0]),
    tolerance=st.sampled_from([None, 0.1]),
    work=st.sampled_from([0.02, 0.06, 20.0]),
)
@examples(500)
def test_floating_walks_are_never_worse(problem, direction, step, candidates, tolerance, work):
    step = min(step, problem.sizes[-1])
    options = {"step": step, "candidates": candidates, "tolerance": tolerance}
    plain, floating = (
        solve(problem, Limits(work), named_solver({"type": name, "options": options}, 1))
        for name in (direction, f"floating_{direction}")
    )
    assert floating.status is plain.status
    assert not plain.sets or problem.objective(floating.sets) >= problem.objective(plain.sets)


def test_floating_walks_are_at_least_as_good_at_every_size():
    for seed in range(5):
        box = random_box(9, seed)
        for size in range(1, 9):
            problem = Problem(box, size, size)
            values = [
                problem.objective(solve(problem, Limits(), named_solver(name)).sets)
                for name in ("forward", "floating_forward", "backward", "floating_backward")
            ]
            assert values[1] >= values[0]
            assert values[3] >= values[2]


def test_a_tolerance_ends_the_walk_and_a_step_takes_several_features():
    gains = Linear([5.0, 4.0, 3.0, -1.0, -2.0])

    def best(name, **options):
        return solve(Problem(gains, (1, 2, 3, 4, 5), 5), Limits(), named_solver(
            {"type": name, "options": options})
        )  # fmt: skip

    assert best("forward").sets == ((0, 1, 2),)
    ended, whole = best("forward", tolerance=0), best("forward")
    assert ended.sets == whole.sets
    assert ended.work < whole.work
    assert best("backward", step=2).sets == ((0, 1, 2),)
    assert best("backward", step=2).work < best("backward").work


def test_of_equal_moves_the_smaller_index():
    same = Linear([1.0] * 6)
    for name, expected in (("forward", (0, 1)), ("backward", (4, 5)), ("stepwise", (0, 1))):
        assert solve(Problem(same, 2, 0), Limits(), named_solver(name)).sets == (expected,)


@pytest.fixture
def table(pmlb_cache):
    def load(name):
        source = sources.get("pmlb")
        options = source.Options(dataset=name)
        return make_dataset(name, source(name, options, Path(pmlb_cache)).load())

    return load


REAL = [
    ("wine_recognition", slice(0, 6), 2),
    *exhaustive(
        ("wine_recognition", slice(None), 4),
        ("ionosphere", slice(2, 16), 4),
        ("spectf", slice(0, 15), 4),
    ),
]
# Accuracies are often equal, and each library has a rule of its own for that.
MODEL = GaussianNB()
RULE = {
    "cv": StratifiedKFold(3, shuffle=True, random_state=0),
    "scoring": "neg_log_loss",
}


def set_found(X, y, size, solver):
    """Return the set that a solver finds, and the function of its score."""

    def score(chosen):
        return float(cross_val_score(MODEL, X[:, list(chosen)], y, **RULE).mean())

    box = BlackBox(score, X.shape[1], 1.0, 10_000)
    (found,) = search_sequentially(
        box, n_features=size, n_alternatives=0, tau=0, solver=solver
    ).sets
    return found, score


@pytest.mark.parametrize(("name", "columns", "size"), REAL)
@pytest.mark.parametrize("direction", ["forward", "backward"])
def test_sets_are_those_of_scikit_learn(table, name, columns, size, direction):
    dataset = table(name)
    X, y = dataset.X[:, columns], dataset.y
    found, _ = set_found(X, y, size, direction)
    by_sklearn = SequentialFeatureSelector(
        MODEL, n_features_to_select=size, direction=direction, **RULE
    ).fit(X, y)
    assert found == tuple(np.flatnonzero(by_sklearn.get_support()))


@pytest.mark.exhaustive
@pytest.mark.parametrize(("name", "columns", "size"), REAL)
def test_floating_sets_are_no_worse_than_those_of_mlxtend(table, name, columns, size):
    from mlxtend.feature_selection import SequentialFeatureSelector as Mlxtend

    dataset = table(name)
    X, y = dataset.X[:, columns], dataset.y
    by_mlxtend = Mlxtend(MODEL, size, floating=True, **RULE).fit(X, y)
    found, score = set_found(X, y, size, "floating_forward")
    assert score(found) >= by_mlxtend.k_score_
    if score(found) == by_mlxtend.k_score_:
        assert found == by_mlxtend.k_feature_idx_


@pytest.mark.parametrize("seed", range(20))
def test_forward_with_conflicts_is_the_elimination_of_fcbf(seed):
    # Features enter from best to worst, and each one drops those that conflict with it.
    rng = np.random.default_rng(seed)
    quality = Linear(rng.random(10), np.triu(rng.random((10, 10)) < 0.2, 1))
    left, kept = [*np.argsort(-quality.values)], []
    while left:
        kept.append(int(left.pop(0)))
        left = [j for j in left if not quality.conflicts[kept[-1], j]]
    asked = {"n_features": 3, "n_alternatives": 0, "tau": 0}
    greedy = search_sequentially(quality, solver="forward", **asked)
    assert greedy.sets == [tuple(sorted(kept[:3]))]
    assert search_sequentially(quality, **asked).objectives[0] >= greedy.objectives[0]
