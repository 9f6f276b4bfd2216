"""Greedy Wrapper: the performance of a decision tree on held-out rows."""

from __future__ import annotations

import hashlib
from typing import Annotated, Any, ClassVar

import numpy as np
import numpy.typing as npt
from pydantic import Field

from altfs.errors import DataError
from altfs.prediction._bare_tree import TreeGrower
from altfs.prediction.decision_tree import DecisionTree
from altfs.prediction.metrics import count_pairs, mcc, r2
from altfs.prediction.set_trees import SetTrees
from altfs.problem import FeatureIndices
from altfs.quality import BlackBox, Quality
from altfs.scores.base import Part
from altfs.selectors._inner_folds import Rows, inner_split
from altfs.selectors.base import Selector, SelectorOptions, selectors

# A tree on fewer rows takes as long as one on so many.
_LEAST_ROWS = 500
# A process remembers the scores of so many sets of each of the last parts.
_MOST_SETS, _MOST_PARTS = 50_000, 10


class GreedyWrapperOptions(SelectorOptions):
    """max_iterations: the largest number of candidate sets that a search may ask for."""

    max_iterations: Annotated[int, Field(ge=1)] = 1000


@selectors.register("greedy_wrapper")
class GreedyWrapper(Selector):
    """The score of a decision tree on held-out rows (Algorithm 1 of the paper).

    Each part is split 80:20, by class if there are classes. A test part that is too small for
    the split has no test quality.

    Source: Bach, *Finding Optimal Diverse Feature Sets with Alternative Feature
    Selection*, arXiv:2307.11607, 2023
    (Algorithm 1).
    """

    Options = GreedyWrapperOptions
    needs_rows = True
    # The quality trains trees on the rows.
    stores = False

    def check_target(self, y: npt.NDArray[Any], target_type: str, seed: int) -> None:
        self.check_part(Part(np.zeros((len(y), 1)), y, target_type, seed))

    def check_part(self, part: Part) -> None:
        inner_split(part)

    def quality(self, part: Part) -> BlackBox:
        return BlackBox(HoldOut(part), part.X.shape[1], 1.0, self.options.max_iterations)

    def test_quality(self, part: Part) -> Quality:
        """Learn the quality on a split of the test part."""
        try:
            return self.quality(part)
        except DataError as error:
            raise DataError(f"No inner split of the test part: {error}") from None


class HoldOut:
    """A decision tree, trained on 80 % of a part's rows and scored on the others.

    `split` may name the rows of both. The work that does not depend on the features (split,
    classes, checks) is done once. The trees are compiled once this process has grown enough of
    them, on whatever data. Searches of a process that judge the same rows share the scores: other
    thresholds and numbers of alternatives evaluate many of the same sets.
    """

    # Each time that trees were grown on so many rows, compiling them may be worth it: this takes
    # ten to twenty seconds, and so does compiling.
    _PERIOD = 20_000_000
    _n_rows = 0
    # By the rows and the seed, the last part at the end.
    _scores: ClassVar[dict[str, dict[FeatureIndices, float]]] = {}

    def __init__(self, part: Part, split: tuple[Rows, Rows] | None = None) -> None:
        self._has_classes = part.target_type != "regression"
        fitting, validation = split or inner_split(part)
        # Trees use float32, and read one feature after the other.
        tree = DecisionTree().estimator(part.target_type, part.seed)
        self._tree = tree
        X = np.asarray(part.rows_for(tree), dtype=np.float32).T
        self._fit_X = np.ascontiguousarray(X[:, fitting])
        self._validation_X = np.ascontiguousarray(X[:, validation])
        self._validation_y = part.y[validation]
        if self._has_classes:
            classes, codes = np.unique(part.y, return_inverse=True)
            self._n_classes, self._validation_y = len(classes), codes[validation]
            # The tree knows only the classes that it is trained on.
            self._fit_y = codes[fitting]
            self._classes = np.unique(self._fit_y)
        checked = not bool(np.isfinite(X).all())
        self._grow = TreeGrower(tree, part.y[fitting], checked=checked)
        self._compiled = self._set_trees(0)
        state = hashlib.sha256(f"{part.target_type}, {part.seed}, {X.shape}".encode())
        y = self._fit_y if self._has_classes else part.y[fitting]
        for values in (self._fit_X, self._validation_X, y, self._validation_y):
            state.update(np.ascontiguousarray(values).tobytes())
        rows = state.hexdigest()
        self._shared = HoldOut._scores[rows] = HoldOut._scores.pop(rows, {})
        if len(HoldOut._scores) > _MOST_PARTS:
            del HoldOut._scores[next(iter(HoldOut._scores))]

    def _set_trees(self, n_sets: int) -> SetTrees | None:
        if not self._has_classes:
            return None
        X = np.hstack([self._fit_X, self._validation_X]).T
        y = np.concatenate([self._fit_y, self._validation_y])
        return SetTrees.of(self._tree, X, y, len(self._fit_y), n_sets)

    def _count(self) -> None:
        """Count the rows of one more tree of this process, and compile the trees after many."""
        n_rows = max(self._fit_X.shape[1], _LEAST_ROWS)
        before, HoldOut._n_rows = HoldOut._n_rows, HoldOut._n_rows + n_rows
        if before // self._PERIOD != HoldOut._n_rows // self._PERIOD:
            self._compiled = self._set_trees(HoldOut._n_rows // n_rows)

    def __call__(self, indices: FeatureIndices) -> float:
        score = self._shared.get(indices)
        if score is None:
            score = self._score(indices)
            if len(self._shared) < _MOST_SETS:
                self._shared[indices] = score
        return score

    def _score(self, indices: FeatureIndices) -> float:
        if self._compiled is None:
            self._count()
        if self._compiled is not None:
            return mcc(self._compiled.confusion([indices])[0, 1])
        columns = list(indices)
        tree = self._grow(self._fit_X[columns].T)
        leaves = tree.apply(self._validation_X[columns].T)
        if self._has_classes:
            predicted = self._classes[tree.value[:, 0, :].argmax(axis=1)[leaves]]
            return mcc(count_pairs(self._validation_y, predicted, self._n_classes))
        return r2(self._validation_y, tree.value[:, 0, 0][leaves])
