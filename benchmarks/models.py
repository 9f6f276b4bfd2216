"""Held-out scores of the models of `evaluate` on few columns of the tables of PMLB.

    ALTFS_PMLB_CACHE=DIR python benchmarks/models.py [TABLE ...]

Of each table, at most 1,500 rows and three draws of five columns are used, in five folds: the area
under the ROC curve, or R^2. The first line of results is the mean over the tables, then come the
mean rank and the number of tables with a score higher or lower than the paper's forest by .005.
"""

from __future__ import annotations

import argparse
import warnings
from time import perf_counter

import numpy as np
import pandas as pd
from sklearn.model_selection import KFold, StratifiedKFold, cross_val_score

from altfs.datasets import make_dataset, sources
from altfs.datasets.pmlb import default_cache
from altfs.prediction import models

ROWS, COLUMNS, DRAWS, MARGIN = 1_500, 5, 3, 0.005
FOREST = "random_forest"
MODELS = [(FOREST, {}), (FOREST, {"leaf": 3}), (FOREST, {"leaf": 5}), (FOREST, {"leaf": 10}),
          ("gradient_boosting", {})]  # fmt: skip


def scores_of(name: str) -> dict[str, float]:
    """Return the mean score of each model on draws of columns of a table, and its seconds."""
    source = sources.get("pmlb")
    table = source(name, source.Options(dataset=name), default_cache()).load()
    dataset = make_dataset(name, table)
    random = np.random.default_rng(0)
    rows = random.permutation(len(dataset.y))[:ROWS]
    X, y = dataset.X[rows], dataset.y[rows]
    regression = dataset.target_type == "regression"
    if not regression:
        classes, counts = np.unique(y, return_counts=True)
        kept = np.isin(y, classes[counts >= 10])
        X, y = X[kept], y[kept]
    scoring = "r2" if regression else "roc_auc" if len(np.unique(y)) == 2 else "roc_auc_ovr"
    folds = (KFold if regression else StratifiedKFold)(5, shuffle=True, random_state=0)
    size = min(COLUMNS, X.shape[1])
    draws = [random.choice(X.shape[1], size, replace=False) for _ in range(DRAWS)]
    scores = {}
    for kind, options in MODELS:
        model = models.make(kind, options).estimator(dataset.target_type, 0)
        start, label = perf_counter(), " ".join([kind, *map(str, options.values())])
        values = [cross_val_score(model, X[:, j], y, cv=folds, scoring=scoring) for j in draws]
        scores[label] = float(np.mean(values))
        scores[f"{label}, s"] = perf_counter() - start
    return scores


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", nargs="*", metavar="TABLE")
    chosen = parser.parse_args().tables
    cached = sorted(path.name for path in default_cache().iterdir() if path.is_dir())
    warnings.simplefilter("ignore")
    table = pd.DataFrame({name: scores_of(name) for name in chosen or cached}).T
    print(table.round(3).to_string())
    scores = table[[name for name in table if not name.endswith(", s")]]
    beside = scores.sub(scores[FOREST], axis=0)
    lines = {
        "mean": scores.mean(),
        "rank": scores.rank(axis=1, ascending=False).mean(),
        "higher": (beside > MARGIN).sum(),
        "lower": (beside < -MARGIN).sum(),
    }
    print(pd.DataFrame(lines).round(3).to_string())


if __name__ == "__main__":
    main()
