import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from altfs.prediction.set_trees import SetTrees, _fold

# Sums of the largest numbers overflow in scikit-learn's checks.
pytestmark = pytest.mark.filterwarnings("ignore:.*in reduce:RuntimeWarning")

# Columns in which exactness is hard: near ties, no gain, constants, extremes.
_COLUMNS = {
    "near": lambda random, n: random.integers(0, 6, n) * 6e-8 + random.integers(0, 2, n) * 1e-3,
    "integers": lambda random, n: random.integers(0, int(random.integers(2, 20)), n),
    "bits": lambda random, n: random.integers(0, 2, n),
    "normal": lambda random, n: random.normal(size=n),
    "huge": lambda random, n: random.choice([-3e38, -1e30, 0, 1e-30, 1e30, 3e38], n),
    "constant": lambda random, n: random.integers(0, 2, n) * random.choice([0, 5e-8, 2e-7]) + 1.5,
    "around one": lambda random, n: 1 + random.integers(0, 8, n) * 6e-8 * random.choice([1, 2, 4]),
    "denormal": lambda random, n: random.integers(0, 5, n) * 1e-42,
    "many": lambda random, n: random.permutation(2000)[:n],
}


def models(seed, n_estimators=10):
    return [
        DecisionTreeClassifier(criterion="entropy", random_state=seed),
        RandomForestClassifier(n_estimators, criterion="entropy", random_state=seed),
    ]


def made_up(random, n_classes):
    n_rows, n_columns = int(random.integers(6, 160)), int(random.integers(1, 11))
    names = random.choice(list(_COLUMNS), n_columns)
    X = np.stack([_COLUMNS[name](random, n_rows).astype(float) for name in names], axis=1)
    y = random.integers(0, n_classes, n_rows)
    if random.random() < 0.4:
        y = (y // 2 + (X[:, 0] > np.median(X[:, 0])) + (X[:, -1] > np.median(X[:, -1]))) % n_classes
    return X, y, max(3, int(n_rows * random.uniform(0.4, 0.9)))


def thresholds(trees, chosen, nodes):
    """Return the middles between the values on both sides of each cut, -2 in leaves."""
    inner = nodes[:, 0] >= 0
    place, below, above = nodes[inner, :3].T
    columns, values = np.array(chosen)[place], trees._columns.values
    halves = [values[columns, ranks].astype(float) / 2 for ranks in (below, above)]
    middles = np.full(len(nodes), -2.0)
    middles[inner] = halves[0] + halves[1]
    return middles


def assert_same(estimator, X, y, n_train, chosen):
    """Compare every node of every tree, and all predictions."""
    columns = list(chosen)
    fitted = estimator.fit(X[:n_train, columns], y[:n_train])
    trees = SetTrees(estimator, X, y, n_train)
    predicted = trees.classes[trees.predict([chosen])[0]]
    np.testing.assert_array_equal(predicted, fitted.predict(X[:, columns]))
    known = np.isin(trees.classes, fitted.classes_)
    grown = getattr(fitted, "estimators_", [fitted])
    for nodes, tree in zip(trees.nodes(chosen), (one.tree_ for one in grown), strict=True):
        np.testing.assert_array_equal(nodes[:, 0], tree.feature)
        np.testing.assert_array_equal(thresholds(trees, chosen, nodes), tree.threshold)
        np.testing.assert_array_equal(nodes[:, 3], tree.children_left)
        np.testing.assert_array_equal(nodes[:, 4], tree.children_right)
        counts = nodes[:, 5:]
        assert not counts[:, ~known].any()
        shares = counts[:, known] / counts.sum(axis=1, keepdims=True)
        np.testing.assert_array_equal(shares, tree.value[:, 0, :])
        np.testing.assert_array_equal(counts.sum(axis=1), tree.weighted_n_node_samples)


def assert_same_on_hard_tables(seeds, n_classes):
    for seed in seeds:
        random = np.random.default_rng(seed)
        X, y, n_train = made_up(random, n_classes)
        if len(np.unique(y[:n_train])) < 2:
            continue
        for estimator in models(int(random.integers(1000))):
            assert_same(estimator, X, y, n_train, tuple(range(X.shape[1])))


@pytest.mark.exhaustive
def test_trees_of_two_classes_are_scikit_learns_to_the_last_bit():
    assert_same_on_hard_tables(range(25), n_classes=2)


@pytest.mark.exhaustive
@pytest.mark.parametrize("n_classes", [2, 3, 4, 7])
def test_trees_on_hard_tables_are_scikit_learns(n_classes):
    assert_same_on_hard_tables(range(1000, 1150), n_classes)


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "name", ["GAMETES_Epistasis_2_Way_20atts_0.1H_EDM_1_1", "ionosphere", "spect", "coil2000"]
)
def test_trees_on_real_tables_are_scikit_learns(name, pmlb_cache):
    table = pd.read_csv(pmlb_cache / name / f"{name}.tsv.gz", sep="\t")
    y = table.pop("target").to_numpy()
    X = table.to_numpy(dtype=float)
    random = np.random.default_rng(0)
    order = random.permutation(len(y))
    for size in (1, 5, 10):
        chosen = tuple(int(j) for j in random.choice(X.shape[1], size, replace=False))
        for estimator in models(25, n_estimators=5):
            assert_same(estimator, X[order], y[order], len(y) * 4 // 5, chosen)


@pytest.mark.exhaustive
def test_columns_of_many_values_are_counted():
    random = np.random.default_rng(0)
    X = np.stack([random.permutation(70_000), random.normal(size=70_000)], axis=1).astype(float)
    y = (X[:, 1] + random.normal(size=len(X)) > 0).astype(int)
    assert_same(models(0)[0], X, y, 66_000, (1, 0))


def test_pairs_of_classes_are_counted_for_sets_of_any_sizes():
    random = np.random.default_rng(1)
    X, y = (
        random.integers(0, 4, (60, 5)).astype(float),
        np.array(list("ab"))[random.integers(0, 2, 60)],
    )
    for estimator in models(3):
        counts = SetTrees(estimator, X, y, 40).confusion([(0, 1), (4,), (3, 1, 0)])
        for chosen, sides in zip([(0, 1), (4,), (3, 1, 0)], counts, strict=True):
            predicted = estimator.fit(X[:40][:, chosen], y[:40]).predict(X[:, chosen])
            for rows, side in ((slice(40), sides[0]), (slice(40, None), sides[1])):
                for i, true in enumerate("ab"):
                    for j, other in enumerate("ab"):
                        pairs = (y[rows] == true) & (predicted[rows] == other)
                        assert side[i, j] == pairs.sum()


def test_other_trees_and_rows_are_left_to_scikit_learn(monkeypatch):
    X, y = np.arange(20.0).reshape(10, 2), np.arange(10) % 2
    tree, forest = models(0)
    assert SetTrees.of(tree, X, y, 8, 10_000) is not None
    others = [
        DecisionTreeClassifier(criterion="gini", random_state=0),
        DecisionTreeClassifier(criterion="entropy", random_state=0, max_depth=3),
        DecisionTreeClassifier(criterion="entropy"),
        DecisionTreeRegressor(random_state=0),
        RandomForestClassifier(criterion="entropy", random_state=0, max_features=None),
        RandomForestClassifier(criterion="entropy", random_state=0, bootstrap=False),
    ]
    assert all(SetTrees.of(other, X, y, 8, 10_000) is None for other in others)
    assert SetTrees.of(forest, np.where(X == 3, np.nan, X), y, 8, 10_000) is None
    assert SetTrees.of(forest, X * 1e300, y, 8, 10_000) is None
    assert SetTrees.of(tree, X, np.zeros(10), 8, 10_000) is None
    monkeypatch.setattr(_fold, "_same_as_scikit_learn", lambda: False)
    assert SetTrees.of(tree, X, y, 8, 10_000) is None


def test_a_few_sets_are_not_worth_compiling(monkeypatch):
    X, y = np.arange(20.0).reshape(10, 2), np.arange(10) % 2
    monkeypatch.setattr("altfs._compiled.is_compiled", lambda *_: False)
    for estimator, n_sets in zip(models(0), (10_000, 1_000), strict=True):
        assert SetTrees.of(estimator, X, y, 8, n_sets - 1) is None
        assert SetTrees.of(estimator, X, y, 8, n_sets) is not None
