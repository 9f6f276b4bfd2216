"""Times of explanations of many rows, in CPU seconds on one thread: sets beside TreeSHAP.

python benchmarks/explanations.py
"""

from __future__ import annotations

import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

from time import process_time  # noqa: E402

import numpy as np  # noqa: E402
import shap  # noqa: E402
from sklearn.ensemble import RandomForestClassifier  # noqa: E402

from altfs.kinds.rows.batches import search_rows  # noqa: E402
from altfs.searches.request import Request  # noqa: E402
from altfs.searches.sequential import Sequential  # noqa: E402
from altfs.searches.simultaneous import Simultaneous  # noqa: E402
from altfs.solvers import Limits  # noqa: E402

ROWS, FEATURES = 10_000, 100
# The sizes of sets, the numbers of alternatives, tau, and the largest seconds allowed.
CASES = [(5, 3, 0.5, 2.0), (5, 3, 0.8, 2.0), (5, 5, 0.4, 5.0), (10, 3, 0.5, 5.0)]
# TreeSHAP takes minutes for all rows.
EXPLAINED = 200


def seconds(run):
    """Return the CPU seconds of a run."""
    start = process_time()
    run()
    return process_time() - start


def main():
    rng = np.random.default_rng(0)
    values = np.abs(rng.standard_normal((ROWS, FEATURES)))
    X = rng.standard_normal((1000, FEATURES))
    y = (X[:, 0] * X[:, 1] + X[:, 2] > 0).astype(int)
    forest = RandomForestClassifier(100, random_state=0).fit(X, y)
    explainer = shap.TreeExplainer(forest)
    ours = seconds(lambda: explainer.shap_values(X[:EXPLAINED], check_additivity=False))
    trees = ours / EXPLAINED
    print(f"TreeSHAP of 100 trees: {trees * 1e6:.0f} us a row")
    late = []
    for k, a, tau, allowed in CASES:
        request = Request(n_features=k, n_alternatives=a, tau=tau)
        for what, table in (("values", values), ("ties", np.where(values < 1.5, 0, values))):
            for search in (Sequential(), Simultaneous()):
                name = type(search).__name__.lower()
                # A first row loads what is compiled.
                search_rows(table[:1], request, search, Limits())
                taken = seconds(lambda: search_rows(table, request, search, Limits()))  # noqa: B023
                print(
                    f"{name} k={k} alternatives={a} tau={tau} {what}: {taken:.2f} s for "
                    f"{ROWS} rows, {taken / ROWS / trees:.3f} of TreeSHAP"
                )
                if taken > allowed:
                    late.append((name, k, a, tau, what))
    if late:
        raise SystemExit(f"too slow: {late}")


if __name__ == "__main__":
    main()
