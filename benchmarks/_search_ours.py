"""altfs on one instance, with the same qualities.

Only results that do not depend on data are kept from one instance to the next. They are
computed within the measured time.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from _search_grid import Instance, qualities

from altfs import search_sequentially, search_simultaneously
from altfs.problem.results import Status
from altfs.quality import Linear, Quality


def make_quality(instance: Instance) -> Quality:
    """Return the quality that an instance is about."""
    scores = qualities(instance.dataset, instance.fold)
    relevance = scores["relevance"]
    if instance.quality == "linear":
        return Linear(relevance / relevance.sum())
    redundancy = scores["redundancy"]
    if instance.quality == "mrmr":
        from altfs.selectors.mrmr import mrmr_quality

        return mrmr_quality(relevance, redundancy)
    dominated = relevance[None, :] <= redundancy
    return Linear(relevance / relevance.sum(), dominated | dominated.T)


def run(instance: Instance) -> dict[str, Any]:
    """Return objective, status, bound and CPU seconds of altfs."""
    quality = make_quality(instance)
    start = time.process_time()
    shared = {"n_features": instance.n_features, "n_alternatives": instance.n_alternatives}
    shared["max_overlap"] = instance.max_overlap
    if instance.search == "sequential":
        result = search_sequentially(quality, **shared)
    else:
        result = search_simultaneously(quality, **shared, aggregation=instance.aggregation)
    seconds = time.process_time() - start
    found = [v for v in result.objectives if not np.isnan(v)]
    aggregate = min if instance.aggregation == "min" else sum
    simultaneous = instance.search == "simultaneous"
    return {
        "seconds": seconds,
        "objective": aggregate(found) if found else float("nan"),
        "sets": len(found),
        "proven": all(s in (Status.OPTIMAL, Status.INFEASIBLE) for s in result.status),
        "bound": result.run_bound if simultaneous else float("nan"),
        "status": str(result.status[-1]),
        "work": sum(one.work for one in result),
        "values": " ".join(repr(v) for v in result.objectives),
        "solver": ",".join(sorted({one.solver for one in result})),
    }
