"""MCC of random forests on disjoint sets, by RaR's three redundancies.

The original and three alternatives of five features are searched on the training part of each of
ten folds, and a forest of 100 trees is trained on each.

    ALTFS_PMLB_CACHE=... python benchmarks/rar_alternatives.py
"""

from __future__ import annotations

import os
from pathlib import Path

import pandas as pd
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import matthews_corrcoef

from altfs import search_sequentially
from altfs.selectors import Part
from altfs.selectors.rar import Rar, RarOptions
from altfs.study.config import DatasetEntry
from altfs.study.cross_validation import Folds
from altfs.study.facts import load_dataset

SEED = 25
NAMES = ("ionosphere", "sonar", "spectf", "wdbc")
REDUNDANCIES = ("order", "pairs", "none")


def score(X, y, train, test):
    forest = RandomForestClassifier(100, criterion="entropy", random_state=SEED)
    return matthews_corrcoef(y[test], forest.fit(X[train], y[train]).predict(X[test]))


def main():
    rows = []
    for name in NAMES:
        cache = os.environ.get("ALTFS_PMLB_CACHE")
        entry = DatasetEntry.model_validate(f"pmlb:{name}")
        data = load_dataset(entry, Path(cache) if cache else None)
        for train, test in Folds(number=10).split(data, SEED):
            part = Part(data.X[train], data.y[train], data.target_type, SEED)
            for redundancy in REDUNDANCIES:
                quality = Rar(RarOptions(redundancy=redundancy)).quality(part)
                found = search_sequentially(quality, n_features=5, n_alternatives=3, tau=1)
                for rank, chosen in enumerate(found.sets):
                    mcc = score(data.X[:, list(chosen)], data.y, train, test)
                    rows.append((name, redundancy, rank, mcc))
    frame = pd.DataFrame(rows, columns=["dataset", "redundancy", "rank", "mcc"])
    by_rank = frame.pivot_table("mcc", ["dataset", "redundancy"], "rank", "mean")
    print(by_rank.assign(mean=by_rank.mean(axis=1)).round(3).to_string())
    means = frame.groupby(["redundancy", "dataset"])["mcc"].mean().groupby("redundancy").mean()
    print(means.round(3).to_string())


if __name__ == "__main__":
    main()
