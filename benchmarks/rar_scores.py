"""F1 scores of nearest neighbours on the first features of RaR's ranking, by the paper's protocol.

RaR ranks the features of all rows. Nearest neighbours (20) learn on the first 1 to 30 of them, in
three shuffled folds. For each seed, of ranking and folds, the best score and the smallest number of
features that reaches it are printed, and the score on all features; then the mean over the seeds.
The paper does not say which average over classes its f-score is.

    ALTFS_PMLB_CACHE=... python benchmarks/rar_scores.py ionosphere '{"n_slices": 1000}'
    ALTFS_PMLB_CACHE=... python benchmarks/rar_scores.py clean2 '{}' molecule_name conformation_name

The arguments are the dataset, the options of RaR, and columns that are left out.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import numpy as np
from sklearn.metrics import f1_score
from sklearn.model_selection import StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier

from altfs.selectors import Part
from altfs.selectors.rar import Rar, RarOptions
from altfs.study.config import DatasetEntry
from altfs.study.facts import load_dataset

SEEDS = range(5)
LARGEST = 30
AVERAGES = ("macro", "weighted", "binary")


def scores(X, y, seed):
    found = []
    for train, test in StratifiedKFold(3, shuffle=True, random_state=seed).split(X, y):
        predicted = KNeighborsClassifier(20).fit(X[train], y[train]).predict(X[test])
        found.append([f1_score(y[test], predicted, average=average) for average in AVERAGES])
    return np.mean(found, axis=0)


def main(name, options, *exclude):
    entry = DatasetEntry(name=name, type="pmlb", options={"dataset": name, "exclude": exclude})
    cache = os.environ.get("ALTFS_PMLB_CACHE")
    data = load_dataset(entry, Path(cache) if cache else None)
    selector = Rar(RarOptions(**json.loads(options)))
    reached = []
    for seed in SEEDS:
        part = Part(data.X, data.y, data.target_type, seed)
        ranking = np.argsort(-selector.quality(part).values, kind="stable")
        curve = np.array(
            [scores(data.X[:, ranking[:k]], data.y, seed) for k in range(1, LARGEST + 1)]
        )
        every = scores(data.X, data.y, seed)
        reached.append(curve.max(axis=0))
        print(f"seed {seed}, first features {ranking[:5].tolist()}", flush=True)
        for i, average in enumerate(AVERAGES):
            best = curve[:, i].argmax()
            print(
                f"  {average:9} {curve[best, i]:.3f} at {best + 1:2}, two {curve[1, i]:.3f}, "
                f"all {every[i]:.3f}"
            )
    print("mean", dict(zip(AVERAGES, np.mean(reached, axis=0).round(3).tolist(), strict=True)))


if __name__ == "__main__":
    main(*sys.argv[1:])
