"""Times of RaR and MIC, on one thread beside scikit-learn's `mutual_info_classif` in the same run.

python benchmarks/rar.py
"""

from __future__ import annotations

import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

from time import perf_counter  # noqa: E402

import numpy as np  # noqa: E402
from _clock import fastest  # noqa: E402
from joblib import parallel_config  # noqa: E402
from sklearn.feature_selection import mutual_info_classif  # noqa: E402

from altfs.selectors import Part  # noqa: E402
from altfs.selectors._relevance_program import relevances  # noqa: E402
from altfs.selectors.mic import Mic  # noqa: E402
from altfs.selectors.rar import Rar, RarOptions  # noqa: E402

# Rows, features, sampling, and the largest allowed ratio.
CASES = [
    (351, 34, "leave_one_out", 12),
    (2000, 500, "leave_one_out", 3),
    (6598, 166, "whole", 8),
]


def table(n_rows, n_total):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n_rows, n_total))
    return X, (X[:, 0] * X[:, 1] + X[:, 2] > 0).astype(int)


def program():
    rng = np.random.default_rng(0)
    sets = np.full((12_000, 5), -1)
    for row in sets:
        size = int(rng.integers(2, 6))
        row[:size] = np.sort(rng.choice(500, size, replace=False))
    bounds = rng.random(12_000) * 0.5
    return fastest(lambda: relevances(sets, bounds, 500))


def main():
    X, y = table(50, 6)
    for sampling in ("whole", "leave_one_out"):
        Rar(RarOptions(sampling=sampling)).quality(Part(X, y, "binary", 0))
    print("rows x features  sampling       RaR s  MI s   ratio  allowed")
    for n_rows, n_total, sampling, allowed in CASES:
        X, y = table(n_rows, n_total)
        made = Rar(RarOptions(sampling=sampling))
        ours = fastest(lambda: made.quality(Part(X, y, "binary", 0)))  # noqa: B023
        theirs = fastest(lambda: mutual_info_classif(X, y, random_state=0))  # noqa: B023
        print(
            f"{n_rows:5} x {n_total:<8} {sampling:14} {ours:5.2f}  {theirs:5.2f}  "
            f"{ours / theirs:5.2f}  {allowed}"
        )
    X, y = table(2000, 500)
    seconds = []
    for n_jobs in (1, 2):
        with parallel_config(backend="threading", n_jobs=n_jobs):
            made = Rar()
            part = Part(X, y, "binary", 0)
            relevance = made.relevance(part)
            seconds.append(fastest(lambda: made.redundancy(part, relevance), clock=perf_counter))  # noqa: B023
    print(f"redundancy on two threads: {seconds[0] / seconds[1]:.2f} times as fast")
    print(f"program, 500 features and 12,000 subsets: {program():.2f} s (CPU)")
    X, y = table(351, 34)
    for target, kind in ((y, "binary"), (X @ np.ones(34), "regression")):
        part = Part(X, target, kind, 0)
        Mic().values(part)
        seconds = fastest(lambda: Mic().values(part))  # noqa: B023
        print(f"MIC, 351 rows, {kind}: {1000 * seconds / 34:.2f} ms a feature")


if __name__ == "__main__":
    main()
