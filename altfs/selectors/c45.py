"""C4.5: the importances of the features in one tree of gain ratios, after pruning."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt
from pydantic import Field

from altfs._numbers import FloatArray
from altfs.prediction._gain_ratio_tree import GainRatioTree
from altfs.scores.base import Part
from altfs.selectors._from_rows import LinearFromRows
from altfs.selectors.base import SelectorOptions, normalised, refuse_numbers, selectors


class C45Options(SelectorOptions):
    """min_rows: of two branches of each split. confidence: a smaller one prunes more."""

    min_rows: int = Field(default=2, ge=1)
    confidence: float = Field(default=0.25, gt=0, le=0.5)


@selectors.register("c45")
class C45(LinearFromRows):
    """The sum of the features' importances in a C4.5 tree, which sum to 1.

    An importance is what the splits of the pruned tree on a feature take from the entropy of
    the classes, each times its rows. All are 0 if the tree is a leaf. For classes only.

    Source: Quinlan, *C4.5: Programs for Machine Learning*, 1993. The trees are those of Weka
    3.9.7 (``J48``), compared line by line in ``tests/oracles``. Missing values are filled in,
    as for all filters, in place of C4.5's weights of rows.
    """

    Options = C45Options
    for_classes = True

    def check_target(self, y: npt.NDArray[Any], target_type: str, seed: int) -> None:
        refuse_numbers(self.name, target_type, "model_gain")

    def values(self, part: Part) -> FloatArray:
        self.check_target(part.y, part.target_type, part.seed)
        tree = GainRatioTree(
            part.X, part.y, part.categorical, self.options.min_rows, self.options.confidence
        )
        return normalised(tree.importances())
