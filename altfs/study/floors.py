"""Floors of qualities: what the best set of a size is worth if the target is shuffled."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from altfs.errors import AltfsError
from altfs.searches.base import make_search, searches
from altfs.searches.chance import Extremes, Shuffles, best_set, in_unit
from altfs.searches.request import Request, stored_size
from altfs.selectors.base import Qualities
from altfs.solvers import Limits
from altfs.study.qualities import selector_of
from altfs.study.scoring import read_scores

if TYPE_CHECKING:
    from altfs.study.tasks import QualityTask

# Proofs are not needed: after this work, better sets are better by a few percent at most.
_LIMITS = Limits(work=1.0)


def with_floors(qualities: Qualities, task: QualityTask) -> Qualities:
    """Return qualities with a floor for each size, if they have a unit such as bits.

    It holds for the quality of a test part, without constraints. A share of what a selector does
    not tell has no floor, and neither has a black box, of which every shuffle is a whole search.
    """
    measure = qualities.train.measure
    if measure is None or not task.n_shuffles:
        return qualities
    train, _ = task.parts()
    if task.folds.type == "given":
        # Folds that are given are no groups of alike rows, so their targets need not stay together.
        train = replace(train, groups=None)
    read_scores(task, train, "train")
    selector, shuffles = selector_of(task), Shuffles(train, task.n_shuffles)
    # The best set is the same whatever the code of a search, so a change renews no quality.
    search, floors = make_search(searches.get("sequential")), {}
    try:
        # The parts with other targets share its scores of pairs.
        selector.test_quality(shuffles.sample)
        by_chance = list(map(selector.test_quality, shuffles))
        for size in task.sizes:
            request = Request(
                n_features=size, n_alternatives=0, tau=0, search=search, limits=_LIMITS
            )
            best = [in_unit(q, best_set(request, q).train_objective) for q in by_chance]
            floors[str(stored_size(size))] = Extremes.of(np.array(best)).floor / measure.size
    except AltfsError:
        # A sample can have too few rows of a class, and there can be fewer features than a size.
        pass
    return replace(qualities, floors=floors)
