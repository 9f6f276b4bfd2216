"""Trees that choose the features while they grow."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from marks import examples
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from altfs import AlternativeFeatures, Constraints, quality, search_sequentially
from altfs.errors import AltfsError
from altfs.problem import Problem
from altfs.scores import Part
from altfs.selectors.tree_training import TreeTrainingOptions, TreeTrainingSelector
from altfs.solvers.by_name._growing import GrowingTree

CANCER = Part(*load_breast_cancer(return_X_y=True), "binary", 0)
DIABETES = Part(*load_diabetes(return_X_y=True), "regression", 0)


def learned(part, **options):
    return TreeTrainingSelector(TreeTrainingOptions(**options)).quality(part)


@pytest.mark.parametrize("part", [CANCER, DIABETES], ids=["classes", "numbers"])
def test_the_quality_is_the_share_of_the_impurity_that_the_tree_of_scikit_learn_removes(part):
    chosen = (0, 3, 6)
    kind = DecisionTreeRegressor if part is DIABETES else DecisionTreeClassifier
    criterion = {} if part is DIABETES else {"criterion": "entropy"}
    for least in (1, 7):
        tree = kind(min_samples_leaf=least, random_state=0, **criterion)
        tree = tree.fit(part.X[:, chosen], part.y).tree_
        leaves = tree.children_left == -1
        rest = tree.impurity[leaves] @ tree.n_node_samples[leaves]
        expected = 1 - rest / (tree.impurity[0] * tree.n_node_samples[0])
        value = learned(part, min_leaf=least).evaluate(chosen)
        assert value == pytest.approx(expected)
        assert 0 <= value <= 1


@pytest.mark.parametrize("part", [CANCER, DIABETES], ids=["classes", "numbers"])
def test_the_first_split_is_that_of_scikit_learn(part):
    grown = GrowingTree(learned(part))
    kind = DecisionTreeRegressor if part is DIABETES else DecisionTreeClassifier
    criterion = {} if part is DIABETES else {"criterion": "entropy"}
    for j in range(0, part.X.shape[1], 4):
        stump = kind(max_depth=1, min_samples_leaf=5, random_state=0, **criterion)
        tree = stump.fit(part.X[:, [j]], part.y).tree_
        rows = tree.n_node_samples
        gain = rows[0] * tree.impurity[0] - rows[1:] @ tree.impurity[1:]
        assert grown.alone[j] == pytest.approx(gain, rel=1e-6)


def test_all_features_of_a_tree_that_may_use_any_are_those_of_scikit_learn():
    X, y = CANCER.X[:, :8], CANCER.y
    grown = GrowingTree(learned(Part(X, y, "binary", 0), min_leaf=20))
    grown.grow(lambda feature: True, 8)
    tree = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=20, random_state=0)
    used = tree.fit(X, y).tree_.feature
    assert set(grown.used) == set(used[used >= 0].tolist())


def test_alternatives_are_valid_and_evaluated_once():
    afs = AlternativeFeatures(
        "tree_training", solver="embedded_tree", n_features=4, n_alternatives=3, tau=1
    ).fit(CANCER.X, CANCER.y)
    assert [one.work for one in afs.search_result_] == [1] * 4
    assert len({j for one in afs.feature_sets_ for j in one.indices}) == 16
    objectives = [one.train_objective for one in afs.feature_sets_]
    assert min(objectives) > 0.5
    assert objectives == [afs.quality_.evaluate(one.indices) for one in afs.feature_sets_]


@given(
    seed=st.integers(0, 1000),
    size=st.integers(1, 3),
    given_sets=st.lists(st.sampled_from(list(combinations(range(6), 3))), max_size=2),
    include=st.sets(st.integers(0, 5), max_size=1),
)
@examples(100)
def test_growth_never_ends_in_a_dead_end(seed, size, given_sets, include):
    rng = np.random.default_rng(seed)
    part = Part(rng.integers(0, 3, (30, 6)).astype(float), rng.integers(0, 2, 30), "binary", 0)
    made = learned(part, min_leaf=2)
    asked = {"n_features": size, "max_overlap": 1, "given": given_sets}
    constraints = Constraints(include=tuple(include))
    found = search_sequentially(
        made, n_alternatives=0, solver="embedded_tree", constraints=constraints, **asked
    )
    problem = Problem(made, size, 1, 1, "sum", tuple(given_sets), constraints)
    exists = any(problem.violation((s,)) is None for s in combinations(range(6), size))
    assert bool(found.sets[0]) == exists
    if exists:
        assert problem.violation(tuple(found.sets)) is None
    else:
        assert found.status[0] == "infeasible"


def test_other_qualities_are_refused():
    with pytest.raises(AltfsError, match="'embedded_tree' cannot handle one set of a Linear"):
        search_sequentially(
            quality.Linear([1, 2, 3]), n_features=1, n_alternatives=0, tau=0, solver="embedded_tree"
        )
