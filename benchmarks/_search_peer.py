"""alfese on one instance: the same qualities, one thread, gap 0, a limit per solver call."""

from __future__ import annotations

import time
from typing import Any

import alfese
import numpy as np
from _search_grid import Instance, grid, qualities
from ortools.linear_solver import pywraplp

_BOUNDS: list[float] = []
_PROVEN = (pywraplp.Solver.OPTIMAL, pywraplp.Solver.INFEASIBLE)


def _patch(seconds: float) -> None:
    solve = pywraplp.Solver.Solve

    def exactly(self: Any, *_: Any) -> int:
        # The peer sets its own limit before; CPU time, so that other processes do not count.
        self.SetTimeLimit(int(seconds * 1000))
        self.SetSolverSpecificParametersAsString("timing/clocktype = 1")
        parameters = pywraplp.MPSolverParameters()
        parameters.SetDoubleParam(pywraplp.MPSolverParameters.RELATIVE_MIP_GAP, 0.0)
        status = solve(self, parameters)
        _BOUNDS.append(self.Objective().BestBound())
        return status

    pywraplp.Solver.Solve = exactly


class _Fcbf(alfese.FCBFSelector):
    def set_scores(self, relevance: np.ndarray, redundancy: np.ndarray) -> None:
        self._mi_target, self._mi_features = relevance, list(redundancy.T)
        self._q_train = self._q_test = relevance / relevance.sum()
        self._n = len(relevance)


class _Mrmr(alfese.MRMRSelector):
    def set_scores(self, relevance: np.ndarray, redundancy: np.ndarray) -> None:
        matrix = redundancy.T.copy()
        np.fill_diagonal(matrix, 0)
        largest = max(relevance.max(), matrix.max())
        self._mi_target_train = self._mi_target_test = relevance / largest
        self._mi_features_train = self._mi_features_test = list(matrix / largest)
        self._n = len(relevance)


def _selector(instance: Instance) -> Any:
    scores = qualities(instance.dataset, instance.fold)
    if instance.quality == "linear":
        made = alfese.ManualQualityUnivariateSelector()
        made.set_data(scores["relevance"] / scores["relevance"].sum())
        return made
    made = {"fcbf": _Fcbf, "mrmr": _Mrmr}[instance.quality]()
    made.set_scores(scores["relevance"], scores["redundancy"])
    return made


def run(instance: Instance) -> dict[str, Any]:
    """Objective, status, bound and CPU seconds of the peer."""
    selector = _selector(instance)
    _BOUNDS.clear()
    start = time.process_time()
    shared = {"k": instance.n_features, "num_alternatives": instance.n_alternatives}
    shared["tau_abs"] = instance.n_features - instance.max_overlap
    if instance.search == "sequential":
        table = selector.search_sequentially(**shared)
    else:
        table = selector.search_simultaneously(**shared, objective_agg=instance.aggregation)
    seconds = time.process_time() - start
    values = table["train_objective"].to_numpy(dtype=float)
    found = ~np.isnan(values)
    aggregate = np.min if instance.aggregation == "min" else np.sum
    statuses = table["optimization_status"].tolist()
    return {
        "peer_seconds": seconds,
        "peer_objective": float(aggregate(values[found])) if found.any() else float("nan"),
        "peer_sets": int(found.sum()),
        "peer_proven": all(
            s in (pywraplp.Solver.OPTIMAL, pywraplp.Solver.INFEASIBLE) for s in statuses
        ),
        "peer_bound": _BOUNDS[-1] if instance.search == "simultaneous" else float("nan"),
        "peer_values": " ".join(repr(float(v)) for v in values),
    }


_patch(float(grid()["peer_seconds"]))
