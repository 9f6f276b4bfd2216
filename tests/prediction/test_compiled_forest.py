"""The compiled forest is judged by boosting that is written row by row (1 s, and compiling)."""

import numpy as np
import pytest
from sklearn.metrics import r2_score, roc_auc_score

from altfs.prediction import _compiled_forest
from altfs.prediction._compiled_forest import ForestJudge

TREES, DEPTH, RATE = _compiled_forest._TREES, _compiled_forest._DEPTH, _compiled_forest._RATE
PENALTY, LEAST = _compiled_forest._PENALTY, _compiled_forest._LEAST
TYPES = ["binary", "multiclass", "regression"]
NUMBERS = np.array([False, True, False, False])


def a_table(target_type, n_rows=120):
    rng = np.random.default_rng(3)
    X = np.column_stack(
        [rng.normal(size=n_rows), rng.integers(0, 5, n_rows), rng.normal(size=n_rows).round(1),
         np.ones(n_rows)]
    )  # fmt: skip
    signal = X[:, 0] + (X[:, 1] % 2) * 2 + X[:, 2] * X[:, 0] + rng.normal(size=n_rows) / 2
    if target_type == "regression":
        return X, signal
    return X, np.digitize(signal, [0.8] if target_type == "binary" else [0.0, 1.5])


def slow_tree(X, categorical, g, h, rows, depth):
    """Return the leaves of a tree: the rows that fulfil each one's tests."""
    G, H = g[rows].sum(), h[rows].sum()
    best, left = 1e-9, None
    for j in range(X.shape[1]) if depth else ():
        values = np.unique(X[:, j])
        if categorical[j]:
            ratio = [
                g[rows][X[rows, j] == v].sum() / (h[rows][X[rows, j] == v].sum() + PENALTY)
                for v in values
            ]
            values = values[np.argsort(ratio, kind="stable")]
        for cut in range(1, len(values)):
            inside = np.isin(X[:, j], values[:cut])
            a, b = g[rows & inside].sum(), h[rows & inside].sum()
            if min(b, H - b) >= LEAST:
                gain = a**2 / (b + PENALTY) + (G - a) ** 2 / (H - b + PENALTY)
                gain -= G**2 / (H + PENALTY)
                if gain > best * (1 + 1e-9):
                    best, left = gain, inside
    if left is None:
        return [rows]
    parts = (rows & left, rows & ~left)
    return [leaf for part in parts for leaf in slow_tree(X, categorical, g, h, part, depth - 1)]


def slow_score(rows, chosen, target_type, train, test):
    """Return the score of some columns of binned rows, whose order decides between equals."""
    regression = target_type == "regression"
    chosen = rows.in_canonical_order(np.array([chosen]))[0]
    X, categorical = rows.codes[chosen].T, rows.categorical[chosen]
    # Of two classes, the rare one is the output.
    classes = np.eye(max(rows.classes) + 1)[rows.classes]
    members = (
        rows.numbers[:, None]
        if regression
        else classes[:, : 1 if target_type == "binary" else None]
    )
    places = np.argsort(rows.order)
    train, test = places[train], places[test]
    n, outputs = members.shape
    w = np.isin(np.arange(n), train)
    total = members[w].sum(axis=0)
    start = total / w.sum()
    if not regression:
        start = np.log(total + 0.5) - (outputs == 1) * np.log(w.sum() - total + 0.5)
    F = np.tile(start, (n, 1))
    for _ in range(TREES):
        if regression:
            g, h = F - members, np.ones_like(F)
        else:
            p = np.exp(F) if outputs > 1 else 1 / (1 + np.exp(-F))
            p = p / p.sum(axis=1, keepdims=True) if outputs > 1 else p
            g, h = p - members, p * (1 - p)
        # Equal rows are predicted together.
        _, pattern = np.unique(X[w], axis=0, return_inverse=True)
        together = np.eye(pattern.max() + 1)[pattern]
        squares = ((together.T @ g[w]) ** 2 / together.sum(axis=0)[:, None]).sum(axis=0)
        k = squares.round(9).argmax()
        # Rows that are not learned from follow the tests.
        gk, hk = np.where(w, g[:, k], 0.0), np.where(w, h[:, k], 0.0)
        step = np.zeros_like(F)
        for leaf in slow_tree(X, categorical, gk, hk, np.ones(n, dtype=bool), DEPTH):
            inside = leaf & w
            step[leaf] = -RATE * g[inside].sum(axis=0) / (h[inside].sum(axis=0) + PENALTY)
        F = F + step
    if regression:
        return r2_score(members[test], F[test])
    if outputs == 1:
        return roc_auc_score(members[test, 0], F[test, 0])
    # Rounding tells equal shares apart.
    p = (np.exp(F) / np.exp(F).sum(axis=1, keepdims=True)).round(9)
    return np.mean([roc_auc_score(members[test, k], p[test, k]) for k in range(outputs)])


@pytest.mark.exhaustive
@pytest.mark.parametrize("target_type", TYPES)
def test_scores_are_those_of_boosting_by_rows(target_type):
    X, y = a_table(target_type, 60)
    train, test = np.arange(0, 60, 2), np.arange(1, 60, 2)
    sets = [(0,), (1,), (0, 1), (0, 2, 3), (0, 1, 2, 3)]
    judge = ForestJudge(X, y, NUMBERS, target_type)
    for chosen, score in zip(sets, judge.score(sets, train, test), strict=True):
        expected = slow_score(judge._rows, chosen, target_type, train, test)
        assert score == pytest.approx(expected, abs=1e-9 if target_type == "regression" else 2e-3)


@pytest.mark.parametrize("target_type", TYPES)
def test_only_the_content_of_rows_counts(target_type):
    X, y = a_table(target_type)
    sets = [(0, 1), (1, 2), (0, 1, 2, 3), ()]
    rng = np.random.default_rng(0)
    rows, columns = rng.permutation(len(y)), rng.permutation(4)
    train = np.arange(70)

    def scores(X, y, categorical, sets, train):
        judge = ForestJudge(X, y, categorical, target_type)
        test = np.setdiff1d(np.arange(len(y)), train)
        return [*judge.score(sets, train, test), *judge.cross_validated(sets, 100, 3, 2)]

    expected = scores(X, y, NUMBERS, sets, train)
    places = np.argsort(rows)
    assert scores(X[rows], y[rows], NUMBERS, sets, places[train]) == expected
    moved = [tuple(np.argsort(columns)[list(s)]) for s in sets]
    assert scores(X[:, columns], y, NUMBERS[columns], moved, train) == expected
    recoded = X.copy()
    recoded[:, 0], recoded[:, 1] = np.exp(X[:, 0]), np.array([7, 1, 9, 0, 3])[X[:, 1].astype(int)]
    classes = y if target_type == "regression" else np.array([5, 2, 3])[y]
    assert scores(recoded, classes, NUMBERS, sets, train) == expected


@pytest.mark.parametrize("target_type", TYPES)
def test_other_columns_do_not_count(target_type):
    X, y = a_table(target_type)
    rng = np.random.default_rng(1)
    others = np.column_stack([rng.normal(size=(len(y), 2)), np.zeros(len(y)), X[:, 0]])
    wide = np.column_stack([others, X])
    kinds = np.concatenate([np.zeros(4, bool), NUMBERS])
    groups = np.arange(len(y)) // 2
    # Equally frequent classes have no order of their own.
    even = y if target_type == "regression" else np.arange(len(y)) % (y.max() + 1)
    for target, units in ((y, None), (y, groups), (even, None)):
        narrow = ForestJudge(X, target, NUMBERS, target_type, units)
        judge = ForestJudge(wide, target, kinds, target_type, units)
        sets = [(0,), (0, 1), (1, 2), (0, 1, 2, 3), ()]
        moved = [tuple(4 + j for j in chosen) for chosen in sets]
        expected = narrow.cross_validated(sets, 200, 3, 2).tolist()
        assert judge.cross_validated(moved, 200, 3, 2).tolist() == expected
        # A column of one value tells nothing.
        constant = [(2, *chosen) for chosen in moved]
        assert judge.cross_validated(constant, 200, 3, 2).tolist() == expected


@pytest.mark.parametrize("n_rows", [20, 50, 70])
def test_the_order_of_columns_does_not_count_where_all_values_differ(n_rows):
    rng = np.random.default_rng(n_rows)
    X = rng.normal(size=(n_rows, 4))
    y = (X[:, 0] + rng.normal(size=n_rows) > 0).astype(int)
    scores = []
    for order, rows in (([0, 1, 2, 3], slice(None)), ([3, 1, 0, 2], slice(None, None, -1))):
        judge = ForestJudge(np.exp(X[rows][:, order]), 1 - y[rows], np.zeros(4, bool), "binary")
        sets = [tuple(sorted(order.index(j) for j in s)) for s in ((0, 1), (1, 2, 3))]
        scores.append(judge.cross_validated(sets, n_rows, 5, 2).tolist())
    assert scores[0] == scores[1]


def test_many_values_share_bins_and_rare_categories_share_one():
    n = 4000
    rng = np.random.default_rng(0)
    numbers, y = rng.normal(size=n), rng.integers(0, 2, n)
    X = np.column_stack([numbers, np.arange(n), rng.integers(0, 200, n) * (rng.random(n) < 0.1)])
    judge = ForestJudge(X, y, np.array([False, True, True]), "binary")
    assert judge._rows.n_bins.tolist()[::3] == [64, 1]
    # All names of rows are equally rare, and tell nothing.
    train, test = np.arange(n // 2), np.arange(n // 2, n)
    assert judge.score([(1,), ()], train, test).tolist() == [0.5, 0.5]


def test_rows_of_one_class_cannot_be_scored():
    X, y = a_table("binary")
    judge = ForestJudge(X, y, NUMBERS, "binary")
    assert np.isnan(judge.score([(0,)], np.arange(60), np.flatnonzero(y == 1)[-3:])).all()
