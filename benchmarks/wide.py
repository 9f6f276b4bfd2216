"""Seconds of a search with many features, and the memory that it adds at its peak.

The mutual information of PMLB's 1,000 GAMETES attributes (from ALTFS_PMLB_CACHE),
and random qualities of 1,000 and 100,000 features.

    python benchmarks/wide.py
"""

from __future__ import annotations

import resource
import time
import tracemalloc

import numpy as np
from _search_grid import qualities

from altfs import search_sequentially, search_simultaneously
from altfs.quality import Linear

GAMETES = "GAMETES_Epistasis_2_Way_1000atts_0.4H_EDM_1_EDM_1_1"


def main() -> None:
    rng = np.random.default_rng(0)
    warm = Linear(rng.random(50))
    search_sequentially(warm, n_features=10, n_alternatives=2, tau=0.5)
    for aggregation in ("sum", "min"):
        search_simultaneously(
            warm, n_features=10, n_alternatives=2, tau=0.5, aggregation=aggregation
        )
    values_of = {
        # Redundancy takes long to compute, so it exists for the first fold only.
        "GAMETES, 1,000": qualities(GAMETES, 1)["relevance"],
        "random, 1,000": rng.random(1_000),
        "random, 100,000": rng.random(100_000),
    }
    for data, values in values_of.items():
        for name, search, more in (
            ("sequential, 10 alternatives", search_sequentially, {"n_alternatives": 10}),
            ("simultaneous, 5, sum", search_simultaneously, {"n_alternatives": 5}),
            (
                "simultaneous, 5, min",
                search_simultaneously,
                {"n_alternatives": 5, "aggregation": "min"},
            ),
        ):
            worst, peak = 0.0, 0
            for overlap in range(10):
                tracemalloc.start()
                start = time.process_time()
                search(Linear(values), n_features=10, max_overlap=overlap, **more)
                worst = max(worst, time.process_time() - start)
                peak = max(peak, tracemalloc.get_traced_memory()[1])
                tracemalloc.stop()
            print(f"{data}, {name}: worst {worst:.2f} s, {peak / 2**20:.0f} MB", flush=True)
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"the whole process at its peak: {used:.0f} MB")


if __name__ == "__main__":
    main()
