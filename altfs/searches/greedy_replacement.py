"""Greedy replacement: from set to set, the next best features replace all that can go."""

from __future__ import annotations

from altfs.quality import Linear
from altfs.searches._greedy import GreedySearch
from altfs.searches.base import searches


@searches.register("greedy_replacement")
class GreedyReplacement(GreedySearch):
    """The best features stay, the next best ones fill one set after the other.

    Every set has the best `max_overlap` features; the other places of the first
    set go to the next best features, those of the second set to the next ones,
    and so on while the features last. The first set is the best one there is.
    Linear qualities only. A set for which too few features are left is ``unknown``:
    others may exist.

    Source: a later work by the author of paper 000, and his package alfese.
    """

    def fill(
        self, quality: Linear, n_features: int, n_sets: int, max_overlap: int
    ) -> list[list[int]]:
        order = quality.order.tolist()
        core, rest = order[:max_overlap], order[max_overlap:]
        places = n_features - max_overlap
        sets = [core + rest[i * places : (i + 1) * places] for i in range(n_sets)]
        return [s for s in sets if len(s) == n_features]
