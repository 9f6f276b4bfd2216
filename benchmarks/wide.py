"""Seconds of a search with many features, and the memory that it adds at its peak.

The mutual information of PMLB's 1,000 GAMETES attributes (from ALTFS_PMLB_CACHE),
and random qualities of 1,000 and 100,000 features. Then the whole way from wide, long and
sparse tables to six sets, beside scikit-learn's SelectKBest with the same score.

    python benchmarks/wide.py [tables]
"""

from __future__ import annotations

import resource
import sys
import time
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
from _search_grid import qualities
from scipy import sparse
from sklearn.feature_selection import SelectKBest, f_classif, mutual_info_regression

from altfs import AlternativeFeatures, search_sequentially, search_simultaneously
from altfs.quality import Linear

GAMETES = "GAMETES_Epistasis_2_Way_1000atts_0.4H_EDM_1_EDM_1_1"
# Rounds of runs, unless they take longer than some seconds together.
_ROUNDS, _LONG = 9, 15.0


def searches() -> None:
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


def tables() -> None:
    """Print CPU seconds, and the memory beside the table, of a fit and of SelectKBest."""
    rng = np.random.default_rng(0)
    long = rng.random((100_000, 50))
    wide = rng.random((500, 100_000))
    cases: list[tuple[str, Any, Any, Any, dict[str, Any]]] = [
        ("200 x 20,000", wide[:200, :20_000].copy(), f_classif, f_classif, {}),
        ("200 x 20,000", wide[:200, :20_000].copy(), "mutual_information", None, {}),
        ("200 x 20,000", wide[:200, :20_000].copy(), "mrmr", None, {"prescreen": 200}),
        ("100,000 x 50", long, f_classif, f_classif, {}),
        ("500 x 100,000", wide, f_classif, f_classif, {}),
        ("500 x 100,000", wide, "f_statistic", None, {}),
        ("500 x 100,000", wide, "mutual_information", None, {}),
        (
            "200 x 2,000",
            wide[:200, :2_000].copy(),
            mutual_info_regression,
            mutual_info_regression,
            {},
        ),
    ]
    # No column is empty, as f_classif has no value for it.
    columns = np.concatenate([np.arange(100_000), rng.integers(0, 100_000, 900_000)])
    places = rng.integers(0, 10_000, 1_000_000), columns
    words = sparse.csc_array((rng.random(1_000_000), places), shape=(10_000, 100_000))
    cases += [("10,000 x 100,000, 0.1 % stored", words, f_classif, f_classif, {})]
    cases += [("10,000 x 100,000, 0.1 % stored", words, "f_statistic", None, {})]
    for size, X, selector, score, more in cases:
        noisy = np.asarray(X[:, [0, 1]].sum(axis=1)).ravel() + 0.5 * rng.random(X.shape[0])
        y = noisy > np.median(noisy)
        afs = AlternativeFeatures(selector, n_features=5, n_alternatives=5, **more)
        runs: list[Callable[[], Any]] = [lambda afs=afs, X=X, y=y: afs.fit(X, y)]
        if score is not None:
            runs += [lambda score=score, X=X, y=y: SelectKBest(score, k=5).fit(X, y)]
        (ours, memory), *others = measured(*runs)
        name = selector if isinstance(selector, str) else selector.__name__
        line = f"{size}, {name} {more or ''}: {ours:.3f} s, {memory:.0f} MB"
        for theirs, peak in others:
            line += f"; SelectKBest {theirs:.3f} s, {peak:.0f} MB; ratio {ours / theirs:.2f}"
        print(line, flush=True)


def measured(*runs: Callable[[], Any]) -> list[tuple[float, float]]:
    """Return the CPU seconds of the fastest of several runs, and the peak of the memory in MB.

    The runs take turns, as other programs on the machine slow down its memory.
    """
    seconds: list[list[float]] = []
    while len(seconds) < 2 or (len(seconds) < _ROUNDS and sum(map(sum, seconds)) < _LONG):
        seconds.append([])
        for run in runs:
            start = time.process_time()
            run()
            seconds[-1].append(time.process_time() - start)
    peaks = []
    for run in runs:
        tracemalloc.start()
        run()
        peaks.append(tracemalloc.get_traced_memory()[1] / 2**20)
        tracemalloc.stop()
    return list(zip(map(min, zip(*seconds, strict=True)), peaks, strict=True))


if __name__ == "__main__":
    if sys.argv[1:] != ["tables"]:
        searches()
    tables()
