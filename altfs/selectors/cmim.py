"""CMIM: what each feature adds to every single feature that was chosen before it."""

from __future__ import annotations

from math import log

import numpy as np
from pydantic import Field

from altfs._numbers import FloatArray
from altfs.quality import BlackBox
from altfs.scores.base import Part
from altfs.selectors.base import Selector, selectors
from altfs.selectors.jmi import JmiOptions, joint_key


class CmimOptions(JmiOptions):
    """Options of CMIM.

    bins: of equally many rows, into which numbers of more values are cut. max_iterations: the
    largest number of candidate sets that a search may ask for.
    """

    max_iterations: int = Field(default=1000, ge=1)


@selectors.register("cmim")
class Cmim(Selector):
    """The information that each feature of a set adds to any single one before it, in bits.

    The first feature of a set is the one with most information about the target. The next one has
    the largest gain: the least information about the target, less chance, that it has alone or
    given one of the features before it. The quality is the sum of the gains, so that the solver
    `forward` chooses as the source does; other solvers search for better sets. A copy of a feature
    adds nothing, and neither do features that tell something only together.

    Source: Fleuret, *Fast Binary Feature Selection with Conditional Mutual Information*, JMLR 5,
    2004, for features of two values; here of any.
    """

    Options = CmimOptions
    # The order of the features in a set is not a number of features or pairs.
    stores = False

    def __init__(self, options: CmimOptions | None = None) -> None:
        super().__init__(options)
        self.joint = joint_key(self.options.bins)
        self.train_scores = self.test_scores = (self.joint,)

    def quality(self, part: Part) -> BlackBox:
        joint = part.score(self.joint) / log(2)
        alone = np.diagonal(joint).copy()
        most = float(np.maximum(alone, 0.0).sum())
        gains = _Gains(alone, joint - alone)
        return BlackBox(gains, len(alone), most, self.options.max_iterations)


class _Gains:
    """The sum of the gains of a set.

    ``given[i, j]`` is the information of feature i about the target given feature j.
    """

    def __init__(self, alone: FloatArray, given: FloatArray) -> None:
        self.alone, self.given = alone, given

    def __call__(self, chosen: tuple[int, ...]) -> float:
        left = np.array(chosen)
        gains, total = self.alone[left], 0.0
        while len(left):
            # The first of equals, as solvers choose.
            place = int(gains.argmax())
            feature = left[place]
            total += float(gains[place])
            left = np.delete(left, place)
            gains = np.minimum(np.delete(gains, place), self.given[left, feature])
        return total
