"""Sets of features that are kept ready, and plans for one row, with alternatives."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from altfs.kinds.acquisition.base import Method
from altfs.kinds.acquisition.methods.plan import PlannedSets
from altfs.kinds.acquisition.task import State
from altfs.library.answers.fitted import FittedRequest
from altfs.library.feature_sets import feature_sets
from altfs.library.searching import shortfall
from altfs.problem.constraints import Constraints
from altfs.quality import Quality
from altfs.quality.batched_box import BatchedBox
from altfs.searches.request import Request

#: The largest number of sets that are looked at, and that of the work that looks at as many.
MOST_SETS, WORK = 100_000, 20.0
# Relative to a value, which is a sum over all rows.
_ROUNDING = 1e-9


def kit_quality(method: Method, n_features: int) -> BatchedBox:
    """Return the quality of a set: the value, with a minus sign, if only its features are used."""
    values, bounds = partial(_kits, method), partial(_bounds, method)
    return BatchedBox(values, n_features, max_iterations=MOST_SETS, bounds=bounds)


def _kits(method: Method, sets: Sequence[tuple[int, ...]]) -> list[float]:
    return [-method.start_value(_inside(method, chosen)) for chosen in sets]


def _bounds(method: Method, sets: Sequence[tuple[int, ...]]) -> list[float]:
    values = method.least_values([_inside(method, chosen) for chosen in sets])
    return [_ROUNDING * (1 + abs(value)) - value for value in values]


def _inside(method: Method, features: Sequence[int]) -> list[int]:
    """Return the actions whose features are all in a set."""
    actions = enumerate(method.task.actions)
    return [a for a, action in actions if {*action.features} <= {*features}]


def search(request: Request, quality: Quality, names: Sequence[str]) -> FittedRequest:
    """Search for sets, with all that the answers about outages need."""
    result = request.run(quality)
    sets = feature_sets(result, names)
    missing = "" if all(result.sets) else shortfall(request, quality, result, names)
    return FittedRequest(request, quality, tuple(names), result, sets, missing)


def plan_request(
    method: PlannedSets, state: State, request: Request
) -> tuple[Request, Quality] | None:
    """Return the search for alternatives of the best open plan; None if it adds nothing."""
    free = method.task.free(state)
    values = method.values(state, free)
    if not free or values.open.min() >= values.stop:
        return None
    best = method.best_plan(state, free)
    n = len(method.task.actions)
    barred = tuple(a for a in range(n) if a not in free)
    budget = method.task.left(state)
    costs = tuple(method.task.costs.tolist()) if np.isfinite(budget) else None
    constraints = Constraints(exclude=barred, costs=costs, budget=None if costs is None else budget)
    overlap = request.max_overlap
    sized = Request(
        n_features=len(best), n_alternatives=request.n_alternatives, tau=request.tau,
        max_overlap=None if overlap is None else min(overlap, len(best)),
        constraints=constraints, search=request.search, limits=request.limits,
    )  # fmt: skip
    quality = BatchedBox(partial(_plans, method, state), n, max_iterations=MOST_SETS)
    return sized, quality


def _plans(method: PlannedSets, state: State, sets: Sequence[tuple[int, ...]]) -> list[float]:
    return [-value for value in method.plans(state, sets)]
