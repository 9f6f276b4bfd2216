"""Peak memory that the searches of each class add to a process.

Every class has its own child process. It imports everything, makes the quality, and solves a
small problem of the same class, which loads compiled code. Then it searches at every
overlap. Linux only. The folder ALTFS_PMLB_CACHE holds PMLB's files.

    python benchmarks/memory.py        # the table of the docs
"""

from __future__ import annotations

import ctypes
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
from _search_grid import qualities

from altfs import search_sequentially, search_simultaneously
from altfs.quality import Linear, Quality
from altfs.selectors.cfs import cfs_quality
from altfs.selectors.mrmr import mrmr_quality

_PROCESS = Path("/proc/self")
_STATUS = _PROCESS / "status"
N_FEATURES = 10
SEQUENTIAL, SIMULTANEOUS = 10, 5
# Quality, the data with most features (or the longest lists), search, aggregation.
CLASSES: dict[str, tuple[str, str, str]] = {
    "linear, simultaneous, sum": ("linear", "clean1", "sum"),
    "linear, sequential": ("linear", "clean1", ""),
    "linear, simultaneous, min": ("linear", "clean1", "min"),
    "FCBF, simultaneous, sum": ("fcbf", "molecular_biology_promoters", "sum"),
    "FCBF, simultaneous, min": ("fcbf", "molecular_biology_promoters", "min"),
    "FCBF, sequential": ("fcbf", "molecular_biology_promoters", ""),
    "mRMR, simultaneous, sum": ("mrmr", "sonar", "sum"),
    "mRMR, sequential": ("mrmr", "sonar", ""),
    "CFS, simultaneous, sum": ("cfs", "sonar", "sum"),
    "CFS, sequential": ("cfs", "sonar", ""),
    "100,000 features, simultaneous, sum": ("linear", "", "sum"),
    "100,000 features, sequential": ("linear", "", ""),
    "100,000 features, simultaneous, min": ("linear", "", "min"),
}


def _quality(kind: str, scores: dict[str, np.ndarray]) -> Quality:
    relevance = scores["relevance"]
    if kind == "linear":
        return Linear(relevance)
    redundancy = scores["redundancy"]
    if kind == "mrmr":
        return mrmr_quality(relevance, redundancy)
    if kind == "cfs":
        return cfs_quality(relevance, redundancy)
    dominated = relevance[None, :] <= redundancy
    return Linear(relevance, dominated | dominated.T)


def _scores(kind: str, dataset: str) -> dict[str, np.ndarray]:
    if dataset:
        # Redundancy takes long to compute, so it exists for the first fold only.
        return qualities(dataset, 1 if kind == "linear" else 0)
    return {"relevance": np.random.default_rng(0).random(100_000)}


def _search(quality: Quality, aggregation: str, **more: Any) -> None:
    if aggregation:
        search_simultaneously(quality, n_alternatives=SIMULTANEOUS, aggregation=aggregation, **more)
    else:
        search_sequentially(quality, n_alternatives=SEQUENTIAL, **more)


def _memory(what: str) -> float:
    """Resident now (VmRSS) or at the peak (VmHWM), MB."""
    line = next(x for x in _STATUS.read_text().splitlines() if x.startswith(what))
    return int(line.split()[1]) / 1024


def _warm_up(kind: str, aggregation: str) -> None:
    rng = np.random.default_rng(0)
    small = {"relevance": rng.random(12), "redundancy": rng.random((12, 12)) / 2}
    for overlap in range(3):
        _search(_quality(kind, small), aggregation, n_features=3, max_overlap=overlap)


def one_class(name: str) -> None:
    kind, dataset, aggregation = CLASSES[name]
    _warm_up(kind, aggregation)
    quality = _quality(kind, _scores(kind, dataset))
    # Return the freed memory of the warm-up to the system, and reset the peak.
    ctypes.CDLL(None).malloc_trim(0)
    _PROCESS.joinpath("clear_refs").write_text("5")
    before = _memory("VmRSS")
    for overlap in range(N_FEATURES):
        _search(quality, aggregation, n_features=N_FEATURES, max_overlap=overlap)
    n = quality.n_total
    peak = _memory("VmHWM")
    print(f"| {name} | {dataset or 'random'}, {n:,} | {peak - before:.0f} | {peak:.0f} |")


if __name__ == "__main__":
    if sys.argv[1:]:
        one_class(sys.argv[1])
    else:
        print("| class | data, features | searches add, MB | whole process, MB |")
        print("|---|---|---|---|", flush=True)
        for name, (kind, _, aggregation) in CLASSES.items():
            # The child only loads the kernels that are compiled here.
            _warm_up(kind, aggregation)
            subprocess.run([sys.executable, __file__, name], check=True)
