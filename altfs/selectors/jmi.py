"""JMI: what pairs of features tell together about the target."""

from __future__ import annotations

from math import log

import numpy as np
from pydantic import Field

from altfs.quality import Pairwise, Quality
from altfs.quality.base import Measure
from altfs.scores.base import Part, ScoreKey
from altfs.scores.joint_relevance import BINS
from altfs.selectors.base import Selector, SelectorOptions, selectors


class JmiOptions(SelectorOptions):
    """bins: of equally many rows, into which numbers of more values are cut."""

    bins: int = Field(default=BINS, ge=2, le=100)


def joint_key(bins: int) -> ScoreKey:
    """Return the key of what pairs tell about the target, of so many bins."""
    return ScoreKey("joint_relevance", "auto" if bins == BINS else str(bins))


@selectors.register("jmi")
class Jmi(Selector):
    """Half the mean information about the target that the pairs of a set have together.

    It is the joint mutual information less chance, all divided by the largest value. Features
    that tell something only together count, and what both tell counts once. A set of one feature
    has its own information. As a quality of pairs it is maximised exactly; the sources add
    features one by one, which the solver `forward` does.

    Source: Yang and Moody, *Data Visualization and Feature Selection: New Algorithms for
    Nongaussian Data*, NIPS 1999; Brown, Pocock, Zhao and Lujan, *Conditional Likelihood
    Maximisation: A Unifying Framework for Information Theoretic Feature Selection*, JMLR 13, 2012.
    """

    Options = JmiOptions
    of_pairs = True

    def __init__(self, options: SelectorOptions | None = None) -> None:
        super().__init__(options)
        self.joint = joint_key(self.options.bins)
        self.train_scores = self.test_scores = (self.joint,)

    def quality(self, part: Part) -> Quality:
        joint = part.score(self.joint)
        alone = np.diagonal(joint)
        # What both tell less what each tells alone: below 0 if they tell the same.
        gain = joint - alone - alone[:, None]
        np.fill_diagonal(gain, 0)
        largest = float(max(alone.max(), joint.max() / 2))
        # All pairs can tell less than by chance.
        largest = largest if largest > 0 else 1.0
        quality = Pairwise(alone / largest, -gain / (2 * largest))
        quality.measure = Measure("bits", largest / log(2))
        return quality
