"""Places of the sets of selectors among all sets, by scores on rows that were not used.

    python benchmarks/ranks.py TABLE [--reference FILE] [--save FILE] [--selectors NAME ...]

TABLE is a name of PMLB, such as adult. The rows are permuted by `default_rng(0)`. The first half,
at most 10,000, is for the selectors and trains the judge. The next 30,000 are scored. The judge is
the histogram gradient boosting of scikit-learn (40 iterations, 15 leaves), by the area under the
ROC curve or R^2. A reference file has the columns `selected` (indices) and `auc` of all sets.
Without one the judge scores all of them, which takes minutes. Of more than 14 columns 14 are drawn.
The solver of a selector follows a plus, as in wrapper+evolution.
"""

from __future__ import annotations

import argparse
from itertools import combinations
from pathlib import Path
from time import perf_counter, process_time

import numpy as np
import pandas as pd

from altfs import search_sequentially
from altfs.datasets import make_dataset, sources
from altfs.datasets.pmlb import default_cache
from altfs.selectors import Part, selectors

COLUMNS, TRAIN_ROWS, TEST_ROWS = 14, 10_000, 30_000
SELECTORS = ["forest", "mutual_information", "mrmr", "model_gain"]


def judged(X, y, train, test, chosen, target_type):
    """Return the score of one set."""
    from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
    from sklearn.metrics import r2_score, roc_auc_score

    columns = list(chosen)
    regression = target_type == "regression"
    kind = HistGradientBoostingRegressor if regression else HistGradientBoostingClassifier
    model = kind(max_iter=40, max_leaf_nodes=15).fit(X[train][:, columns], y[train])
    held_out = X[test][:, columns]
    if regression:
        return r2_score(y[test], model.predict(held_out))
    shares = model.predict_proba(held_out)
    if shares.shape[1] == 2:
        return roc_auc_score(y[test], shares[:, 1])
    return roc_auc_score(y[test], shares, multi_class="ovr")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("table")
    parser.add_argument("--reference", type=Path)
    parser.add_argument("--save", type=Path, help="where the judge's scores are kept")
    parser.add_argument("--selectors", nargs="+", default=SELECTORS)
    parser.add_argument("--size", type=int, default=5)
    parser.add_argument("--tau", type=float, default=0.4)
    parser.add_argument("--alternatives", type=int, default=4)
    given = parser.parse_args()
    source = sources.get("pmlb")
    options = source.Options(dataset=given.table)
    data = make_dataset(given.table, source(given.table, options, default_cache()).load())
    X, y, target_type = data.X, data.y, data.target_type
    if X.shape[1] > COLUMNS:
        kept = np.sort(np.random.default_rng(0).choice(X.shape[1], COLUMNS, replace=False))
        X = X[:, kept]
    rows = np.random.default_rng(0).permutation(len(y))
    n_train = min(len(y) // 2, TRAIN_ROWS)
    train, test = rows[:n_train], rows[n_train : n_train + TEST_ROWS]
    if given.reference:
        table = pd.read_parquet(given.reference)
    else:
        sets = [list(s) for s in combinations(range(X.shape[1]), given.size)]
        scores = [judged(X, y, train, test, s, target_type) for s in sets]
        table = pd.DataFrame({"selected": sets, "auc": scores})
    if given.save:
        table.to_parquet(given.save)
    score_of = {tuple(s): v for s, v in zip(table["selected"], table["auc"], strict=True)}
    ordered = np.sort(table["auc"])[::-1]
    print(f"{given.table}: {len(train)} rows, {len(ordered)} sets, best {ordered[0]:.4f}, ", end="")
    print(f"median {np.median(ordered):.4f}; best 2 % is rank {len(ordered) // 50}")
    for name in given.selectors:
        selector, _, solver = name.partition("+")
        part = Part(X[train], y[train], target_type, 0)
        start, cpu = perf_counter(), process_time()
        found = search_sequentially(
            selectors.make(selector).quality(part), n_features=given.size,
            n_alternatives=given.alternatives, tau=given.tau, solver=solver or None,
        )  # fmt: skip
        seconds, cpu = perf_counter() - start, process_time() - cpu
        values = [score_of[s] for s in found.sets if s]
        ranks = [int((ordered > v).sum()) + 1 for v in values]
        proven = sum(str(status) == "optimal" for status in found.status)
        print(
            f"{name:28} ranks {ranks}, median {np.median(ranks):.0f}, best {max(values):.4f}, mean "
            f"{np.mean(values):.4f}, {proven} proven, {seconds:.1f} s, {cpu:.1f} s of CPU",
            flush=True,
        )


if __name__ == "__main__":
    main()
