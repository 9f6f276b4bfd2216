"""Tree training: what a decision tree on the features explains of the training rows."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from pydantic import Field

from altfs.prediction._bare_tree import TreeGrower
from altfs.prediction.decision_tree import DecisionTree
from altfs.problem import FeatureIndices
from altfs.quality import TreeTraining
from altfs.scores.base import Part
from altfs.selectors.base import Selector, SelectorOptions, selectors


class TreeTrainingOptions(SelectorOptions):
    """Options of tree training.

    min_leaf: the smallest number of rows in a leaf. max_iterations: the largest number of
    candidate sets that a search may ask for.
    """

    min_leaf: Annotated[int, Field(ge=1)] = 5
    max_iterations: Annotated[int, Field(ge=1)] = 1000


@selectors.register("tree_training")
class TreeTrainingSelector(Selector):
    """The share of the entropy (variance) of the target that a tree on the set removes.

    It is between 0 and 1, and nothing is held out. Leaves with a single row would explain
    everything, so they have at least `min_leaf` rows.
    """

    Options = TreeTrainingOptions
    needs_rows = True
    # The quality trains trees on the rows.
    stores = False

    def quality(self, part: Part) -> TreeTraining:
        explained = _RemovedImpurity(part, self.options.min_leaf)
        target = part.y[:, None].astype(float)
        if part.target_type != "regression":
            target = (part.y[:, None] == np.unique(part.y)).astype(float)
        return TreeTraining(
            explained,
            explained.X.T,
            target,
            min_leaf=self.options.min_leaf,
            max_iterations=self.options.max_iterations,
        )


class _RemovedImpurity:
    """The share of the impurity that a tree removes, a function of feature sets."""

    def __init__(self, part: Part, min_leaf: int) -> None:
        estimator = DecisionTree().estimator(part.target_type, part.seed)
        estimator.set_params(min_samples_leaf=min_leaf)
        # Trees use float32, and read one feature after the other.
        rows = np.asarray(part.rows_for(estimator), dtype=np.float32)
        self.X = np.ascontiguousarray(rows.T)
        checked = not bool(np.isfinite(self.X).all())
        self._grow = TreeGrower(estimator, part.y, checked=checked)

    def __call__(self, indices: FeatureIndices) -> float:
        tree = self._grow(self.X[list(indices)].T)
        leaves = tree.children_left < 0
        whole = tree.n_node_samples[0] * tree.impurity[0]
        rest = (tree.n_node_samples * tree.impurity)[leaves].sum()
        # By rounding the rest may be a little more or less than it can be.
        return min(max(1.0 - float(rest / whole), 0.0), 1.0) if whole > 0 else 0.0
