"""Trees and forests on the sets of a study: scikit-learn's `fit` and `predict` beside ours.

The sets are those of fold 0 in the results folder of a study, at most NUMBER of each dataset.
Both sides train and predict the same sets in turns, in one process, and count CPU time. Compiling
is not counted. Prints milliseconds per set and ratios, and the ratio of the sums.

    python benchmarks/trees.py results/bach2023 --number 20
"""

from __future__ import annotations

import argparse
from pathlib import Path
from time import process_time

import numpy as np

from altfs.prediction.base import models
from altfs.prediction.set_trees import SetTrees
from altfs.study.plan import load_plan
from altfs.study.store import read_table

MODELS = ("decision_tree", "random_forest")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("results", type=Path)
    parser.add_argument("--number", type=int, default=20)
    options = parser.parse_args()
    plan = load_plan(options.results)
    print(f"{'dataset':<45}{'model':<15}{'sets':>5}{'scikit-learn':>14}{'ours':>10}{'ratio':>8}")
    sums = dict.fromkeys(MODELS, np.zeros(2))
    for dataset in plan.facts:
        for name in MODELS:
            task = plan.predict_task(dataset, 0, name)
            sets = sorted(
                {tuple(s) for s in read_table(Path(task.path))[0]["selected"].to_pylist()}
            )
            drawn = np.random.default_rng(0).permutation(len(sets))[: options.number]
            train, test = task.parts()
            X, y = np.vstack([train.X, test.X]), np.concatenate([train.y, test.y])
            estimator = models.make(name).estimator(train.target_type, train.seed)
            SetTrees(estimator, X, y, len(train.y)).confusion([sets[0]])
            start = process_time()
            trees = SetTrees(estimator, X, y, len(train.y))
            shared = (process_time() - start) / len(sets)
            times = np.zeros(2)
            for i in drawn:
                columns = list(sets[i])
                start = process_time()
                estimator.fit(train.X[:, columns], train.y)
                for part in (train, test):
                    estimator.predict(part.X[:, columns])
                middle = process_time()
                trees.confusion([sets[i]])
                times += [middle - start, process_time() - middle + shared]
            sums[name] = sums[name] + times
            theirs, ours = times / len(drawn) * 1e3
            print(
                f"{dataset:<45}{name:<15}{len(drawn):>5}{theirs:>11.2f} ms{ours:>7.3f} ms"
                f"{theirs / ours:>8.1f}",
                flush=True,
            )
    for name, (theirs, ours) in sums.items():
        print(f"{name}: {theirs:.1f} s and {ours:.2f} s, {theirs / ours:.1f} times as fast")


if __name__ == "__main__":
    main()
