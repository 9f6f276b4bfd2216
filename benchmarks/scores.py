"""CPU time of scores and of the wrapper's evaluation, beside scikit-learn in the same run.

Prints CPU time for training parts of the first of ten folds: the matrix of mutual
information, FCBF's conflicts, and one evaluation of the Greedy Wrapper. If scikit-learn
would take minutes, it estimates a sample of the pairs, and the output says so. The values
of both are compared bit for bit.

    ALTFS_PMLB_CACHE=... python benchmarks/scores.py [--cold]

`--cold` compiles the kernels again, as in the first run on a machine.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

if "--cold" in sys.argv:
    os.environ["NUMBA_CACHE_DIR"] = tempfile.mkdtemp(prefix="altfs-cold-")

from sklearn.feature_selection import mutual_info_regression
from sklearn.metrics import matthews_corrcoef
from sklearn.model_selection import StratifiedKFold, train_test_split
from sklearn.tree import DecisionTreeClassifier

from altfs.selectors import Part, ScoreKey, selectors
from altfs.study.config import DatasetEntry
from altfs.study.facts import load_dataset

SEED = 25
MATRICES = ("ionosphere", "sonar", "spect", "clean1", "chess", "spambase", "coil2000", "clean2")
WRAPPERS = ("spect", "hepatitis", "sonar", "ionosphere", "mushroom", "spambase", "clean2")
#: Seconds that scikit-learn may take for a dataset.
PATIENCE = 12.0


def cpu(work: Callable[[], Any]) -> tuple[float, Any]:
    """CPU seconds of some work, and its result."""
    start = time.process_time()
    result = work()
    return time.process_time() - start, result


def training_part(name: str) -> Part:
    cache = os.environ.get("ALTFS_PMLB_CACHE")
    dataset = load_dataset(DatasetEntry(type="pmlb", name=name), Path(cache) if cache else None)
    folds = StratifiedKFold(10, shuffle=True, random_state=SEED).split(dataset.X, dataset.y)
    train, _ = next(folds)
    return Part(dataset.X[train], dataset.y[train], dataset.target_type, SEED)


def slow_columns(X: Any, columns: list[int]) -> tuple[list[int], list[Any]]:
    """As many of the matrix's columns as there is time for."""
    done, values, start = [], [], time.process_time()
    for j in columns:
        values.append(mutual_info_regression(X, X[:, j], random_state=SEED))
        done.append(j)
        if time.process_time() - start > PATIENCE:
            break
    return done, values


def matrix(name: str) -> None:
    part = training_part(name)
    X, n_total = part.X, part.X.shape[1]
    # Neighbouring columns are alike, which a sample should not be.
    columns = np.random.default_rng(0).permutation(n_total).tolist()
    fast, found = cpu(lambda: part.compute(ScoreKey("redundancy"), range(n_total)))
    slow, (done, values) = cpu(lambda: slow_columns(X, columns))
    same = bool((np.column_stack(values) == found[:, done]).all())
    whole = slow / len(done) * n_total
    sample = "" if len(done) == n_total else f", from {len(done)} columns"
    print(
        f"matrix of {name} ({X.shape[0]} x {n_total}): {fast:.2f} s, scikit-learn {whole:.1f} s"
        f"{sample}, {whole / fast:.1f} times; same bits: {same}",
        flush=True,
    )


def conflicts(name: str) -> None:
    part = training_part(name)
    spent, found = cpu(lambda: part.score(ScoreKey("conflicts")))
    print(
        f"FCBF's conflicts of {name}, fold 0, relevance included: {spent:.1f} s, "
        f"{int(found.sum()) // 2} of {found.shape[0] * (found.shape[0] - 1) // 2} pairs",
        flush=True,
    )


def wrapper(name: str, rounds: int = 20) -> None:
    part = training_part(name)
    evaluate = selectors.get("greedy_wrapper")().quality(part).function
    random = np.random.default_rng(0)
    sets = [
        tuple(sorted(random.choice(part.X.shape[1], 10, replace=False).tolist()))
        for _ in range(rounds)
    ]
    split = train_test_split(part.X, part.y, test_size=0.2, random_state=SEED, stratify=part.y)

    def plain(chosen: tuple[int, ...]) -> float:
        X_fit, X_val, y_fit, y_val = split
        columns = list(chosen)
        tree = DecisionTreeClassifier(criterion="entropy", random_state=SEED)
        predicted = tree.fit(X_fit[:, columns], y_fit).predict(X_val[:, columns])
        return float(matthews_corrcoef(y_val, predicted))

    fast, ours = cpu(lambda: [evaluate(chosen) for chosen in sets])
    slow, theirs = cpu(lambda: [plain(chosen) for chosen in sets])
    print(
        f"wrapper on {name}: {1000 * fast / rounds:.2f} ms an evaluation, scikit-learn "
        f"{1000 * slow / rounds:.2f} ms, {slow / fast:.1f} times; "
        f"largest difference {np.abs(np.subtract(ours, theirs)).max():.0e}",
        flush=True,
    )


def main() -> None:
    part = Part(np.random.default_rng(0).normal(size=(50, 2)), np.zeros(50), "binary", SEED)
    start, _ = cpu(lambda: part.compute(ScoreKey("redundancy"), range(2)))
    how = "compiling the kernels" if "--cold" in sys.argv else "loading the kernels"
    print(f"first estimate of a process, {how}: {start:.2f} s", flush=True)
    conflicts("clean2")
    for name in WRAPPERS:
        wrapper(name)
    for name in MATRICES:
        matrix(name)


if __name__ == "__main__":
    main()
