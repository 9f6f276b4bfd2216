"""The trees and forests of many feature sets on the same rows, as scikit-learn's but faster."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from altfs._numbers import IntArray
from altfs.problem import FeatureIndices

# Compiling takes ten seconds, in which scikit-learn grows trees on about so many rows in all.
# A tree on fewer rows takes as long as one on the least.
_ROWS_WORTH_COMPILING, _LEAST_ROWS = 5_000_000, 500
# Options that may differ from scikit-learn's defaults, and those that change no tree.
_OPTIONS = {
    "DecisionTreeClassifier": {"criterion", "random_state"},
    "RandomForestClassifier": {"criterion", "random_state", "n_estimators", "n_jobs", "verbose"},
}
_LARGEST_SEED = int(np.iinfo(np.int32).max)


class SetTrees:
    """The entropy trees or forests of scikit-learn on many feature sets of the same rows.

    The trees are the same to the last bit. They are grown 10 to 400 times as fast, because the
    work that the sets share (ranks of values, bootstrap samples) is done once. See
    :mod:`altfs.prediction.set_trees._growing`.

    Parameters
    ----------
    estimator : DecisionTreeClassifier or RandomForestClassifier
        Unfitted, of entropy, with an int as `random_state`.
    X : ndarray of shape (n_rows, n_total)
        Finite numbers, the training rows first.
    y : ndarray of shape (n_rows,)
        Two classes or more.
    n_train : int

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> X = np.array([[0, 0], [0, 1], [1, 0], [1, 1], [0, 1]])
    >>> tree = DecisionTreeClassifier(criterion="entropy", random_state=0)
    >>> trees = SetTrees(tree, X, np.array(["a", "a", "b", "b", "b"]), n_train=4)
    >>> trees.confusion([(0,), (1,)])[:, 1].tolist()  # the last row is predicted to be a, then b
    [[[0, 0], [1, 0]], [[0, 0], [1, 0]]]
    """

    def __init__(self, estimator: Any, X: npt.NDArray[Any], y: npt.NDArray[Any], n_train: int):
        from altfs.prediction.set_trees._cuts import NEAR, RankedColumns, Tables
        from altfs.prediction.set_trees._growing import Growth

        self.classes, self._classes = np.unique(y, return_inverse=True)
        self.n_train = n_train
        columns = [
            np.unique(column, return_inverse=True) for column in X.astype(np.float32, copy=False).T
        ]
        n_codes = np.array([len(values) for values, _ in columns])
        most = int(n_codes.max())
        ranks = np.array([ranks for _, ranks in columns])
        values = np.zeros((len(columns), most), dtype=np.float32)
        for row, (distinct, _) in zip(values, columns, strict=True):
            row[: len(distinct)] = distinct
        near = np.array([bool((v[1:] <= v[:-1] + NEAR).any()) for v, _ in columns])
        kind = np.uint16 if most <= 1 << 16 else np.uint32
        self._columns = RankedColumns(
            np.ascontiguousarray(ranks, dtype=kind), n_codes, values, near
        )
        weights, states = _drawn(estimator, n_train)
        draws = hasattr(estimator, "n_estimators")
        self._growth = Growth(weights, states, draws, Tables.of(n_train))
        n_words = (len(self.classes) + 1) // 2
        self._words = (0,) if n_words == 1 else np.zeros(n_words, dtype=np.int64)

    @classmethod
    def of(
        cls, estimator: Any, X: npt.NDArray[Any], y: npt.NDArray[Any], n_train: int, n_sets: int
    ) -> SetTrees | None:
        """Return the trees of an estimator, or None if they are left to scikit-learn.

        These are trees of numbers or with other options, missing values, a single class, a
        release of scikit-learn that grows other trees, and fewer sets than are worth ten seconds
        of compiling, once on a machine.
        """
        if not _can(estimator) or len(np.unique(y[:n_train])) < 2 or not X.size:
            return None
        with np.errstate(over="ignore"):
            X = X.astype(np.float32, copy=False)
        if not np.isfinite(X).all():
            return None
        trees = cls(estimator, X, y, n_train)
        return trees if trees._is_worth(n_sets) and _same_as_scikit_learn() else None

    def _is_worth(self, n_sets: int) -> bool:
        from altfs._compiled import is_compiled
        from altfs.prediction.set_trees._growing import grow_and_predict

        arguments = self._arguments(np.zeros((1, 1), dtype=np.int64), 0)
        rows = n_sets * len(self._growth.states) * max(self.n_train, _LEAST_ROWS)
        return rows >= _ROWS_WORTH_COMPILING or is_compiled(grow_and_predict, *arguments)

    def predict(self, sets: Sequence[FeatureIndices]) -> npt.NDArray[np.uint16]:
        """Return the place among `classes` of each row's predicted class.

        Parameters
        ----------
        sets : sequence of tuple of int
            Of the same size, from 1; the model has the features in this order.

        Returns
        -------
        ndarray of shape (n_sets, n_rows)
        """
        from altfs.prediction.set_trees._growing import grow_and_predict

        chosen = np.array(sets, dtype=np.int64)
        predicted: npt.NDArray[np.uint16] = grow_and_predict(*self._arguments(chosen, 0))[0]
        return predicted

    def confusion(self, sets: Sequence[FeatureIndices]) -> IntArray:
        """Count the rows of each true and each predicted class.

        Parameters
        ----------
        sets : sequence of tuple of int
            Of any sizes from 1.

        Returns
        -------
        ndarray of shape (n_sets, 2, n_classes, n_classes)
            Of the training rows and of the others.
        """
        n_classes = len(self.classes)
        counts = np.zeros((len(sets), 2, n_classes, n_classes), dtype=np.int64)
        true = self._classes * n_classes
        for size in {len(chosen) for chosen in sets}:
            places = [i for i, chosen in enumerate(sets) if len(chosen) == size]
            for place, codes in zip(places, self.predict([sets[i] for i in places]), strict=True):
                pairs = true + codes
                for side, rows in enumerate((pairs[: self.n_train], pairs[self.n_train :])):
                    counts[place, side].flat = np.bincount(rows, minlength=n_classes**2)
        return counts

    def nodes(self, chosen: FeatureIndices) -> list[IntArray]:
        """Return the nodes of each tree of a set, in scikit-learn's order.

        Returns
        -------
        list of ndarray of shape (n_nodes, 5 + n_classes)
            The feature's place in the set (-2 in a leaf), the ranks of the values on both sides
            of its threshold, both children (-1 in a leaf), and the rows of each class.
        """
        from altfs.prediction.set_trees._growing import grow_and_predict

        arguments = self._arguments(np.array([chosen], dtype=np.int64), 2 * self.n_train)
        _, n_nodes = grow_and_predict(*arguments)
        trees = [tree[:n] for tree, n in zip(arguments[-1], n_nodes, strict=True)]
        halves = [np.stack([tree[:, 5:] & 0xFFFFFFFF, tree[:, 5:] >> 32], axis=2) for tree in trees]
        n_classes = len(self.classes)
        return [
            np.hstack([tree[:, :5], both.reshape(len(tree), -1)[:, :n_classes]])
            for tree, both in zip(trees, halves, strict=True)
        ]

    def _arguments(self, sets: IntArray, n_nodes: int) -> tuple[Any, ...]:
        n_trees = len(self._growth.states) if n_nodes else 1
        nodes = np.empty((n_trees, n_nodes, 5 + len(self._words)), dtype=np.int64)
        n_classes = len(self.classes)
        return self._words, self._columns, self._classes, n_classes, sets, self._growth, nodes


def _drawn(estimator: Any, n_train: int) -> tuple[npt.NDArray[np.uint8], IntArray]:
    """Return how often each tree draws each row, and the states of the trees' generators."""
    random = np.random.RandomState(estimator.random_state)
    if not hasattr(estimator, "n_estimators"):
        weights = np.ones((1, n_train), dtype=np.uint8)
        states = [random.randint(0, _LARGEST_SEED)]
    else:
        seeds = [random.randint(_LARGEST_SEED) for _ in range(estimator.n_estimators)]
        # Each seed makes two generators: one draws the rows, the other one starts the tree.
        drawn = [np.random.RandomState(seed).randint(0, n_train, n_train) for seed in seeds]
        weights = np.array([np.bincount(rows, minlength=n_train) for rows in drawn], dtype=np.uint8)
        states = [np.random.RandomState(seed).randint(0, _LARGEST_SEED) for seed in seeds]
    # scikit-learn's generator replaces 0, from which it would not come away.
    return weights, np.maximum(np.array(states, dtype=np.int64), 1)


def _can(estimator: Any) -> bool:
    name = type(estimator).__name__
    if name not in _OPTIONS or not type(estimator).__module__.startswith("sklearn."):
        return False
    options, default = estimator.get_params(), type(estimator)().get_params()
    numbers = options["random_state"], options.get("n_estimators", 1)
    return (
        all(options[key] == default[key] for key in set(default) - _OPTIONS[name])
        and options["criterion"] == "entropy"
        and all(isinstance(number, int) for number in numbers)
    )


@lru_cache(maxsize=1)
def _same_as_scikit_learn() -> bool:
    """Return True if the installed scikit-learn predicts the same on a made-up table."""
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.tree import DecisionTreeClassifier

    random = np.random.default_rng(0)
    X = np.round(random.normal(size=(300, 6)) * [1, 9, 9, 99, 1e6, 1e6]).astype(np.float32)
    y = (X[:, 0] + X[:, 1] * X[:, 4] + random.normal(size=300) > 0).astype(np.int64)
    for estimator in (
        DecisionTreeClassifier(criterion="entropy", random_state=1),
        RandomForestClassifier(criterion="entropy", random_state=1, n_estimators=5),
    ):
        fitted = estimator.fit(X[:200], y[:200])
        (predicted,) = SetTrees(estimator, X, y, 200).predict([tuple(range(6))])
        if (fitted.predict(X) != predicted).any():
            return False
    return True
