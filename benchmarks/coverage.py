"""How often the interval of the nested score holds the score of the fitted set on new rows.

    python benchmarks/coverage.py --draws 12 --trees 20
    python benchmarks/coverage.py --draws 40 --alternatives 3 --data adult churn ring 197_cpu_act

Each draw takes some rows of a made-up table or of one of PMLB, fits, and evaluates as `altfs find`
does. The pipeline of the original set, fitted on these rows, is scored on up to 5,000 other rows.
Two columns are about the draws for which `find` says what to expect on new rows. With alternatives,
the last ones are the share of draws in which all intervals of differences hold, and their median
width; and the same of intervals by the folds alone.
`ALTFS_PMLB_CACHE` names the cache of PMLB.
"""

from __future__ import annotations

import argparse
import os
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.metrics import get_scorer

from altfs import AlternativeFeatures
from altfs.library.answers.intervals import interval

NEW_ROWS = 5000
#: Rows, columns, the weight of the signal, and the share of the rarer class (0 for numbers).
MADE = {
    "weak": [(60, 40, 0.45, 0.5), (150, 20, 0.45, 0.5), (500, 50, 0.45, 0.5)],
    "strong": [(60, 40, 1.5, 0.5), (80, 40, 1.5, 0.5), (300, 20, 1.5, 0.5), (500, 10, 1.5, 0.5)],
    "unbalanced": [(100, 20, 1.5, 0.15), (300, 20, 1.5, 0.15)],
    "weak numbers": [(60, 40, 0.45, 0.0), (300, 20, 0.45, 0.0)],
    "strong numbers": [(60, 40, 1.5, 0.0), (300, 20, 1.5, 0.0)],
}
REAL = ("adult", "churn", "spambase", "coil2000", "ring", "twonorm", "197_cpu_act")
REAL_ROWS = (100, 300)
NUMBERS = ("197_cpu_act",)
Rows = tuple[pd.DataFrame, Any]


def made(shape: tuple[int, int, float, float], random: np.random.Generator) -> Rows:
    """Return a table in which four columns, a near copy and a product have a signal."""
    n, n_columns, weight, share = shape
    X = random.normal(size=(n + NEW_ROWS, n_columns))
    X[:, 4] = X[:, 0] + 0.5 * random.normal(size=len(X))
    signal = weight * (X[:, 0] + 0.8 * X[:, 1] + 0.5 * X[:, 2] + 0.6 * X[:, 2] * X[:, 3])
    if share:
        signal = signal + random.logistic(size=len(X))
        y = (signal > np.quantile(signal, 1 - share)).astype(int)
    else:
        y = signal + 1.5 * random.normal(size=len(X))
    return pd.DataFrame(X).add_prefix("f"), y


@cache
def table(name: str) -> pd.DataFrame:
    """Return a table of PMLB."""
    place = Path(os.environ["ALTFS_PMLB_CACHE"]) / name / f"{name}.tsv.gz"
    return pd.read_csv(place, sep="\t")


def real(name: str, n: int, random: np.random.Generator) -> Rows:
    """Return some rows of a table of PMLB, in a drawn order."""
    rows = random.permutation(len(table(name)))[: n + NEW_ROWS]
    X = table(name).iloc[rows].reset_index(drop=True)
    return X, X.pop("target").to_numpy()


def draw(
    X: pd.DataFrame, y: Any, n: int, numbers: bool, chosen: Any
) -> tuple[tuple[float, ...], list[tuple[float, ...]]]:
    """Return the ends of the interval, the score, that on new rows, and if `find` expects it.

    Further, the difference of each alternative on new rows, and the ends of its two intervals.
    """
    afs = AlternativeFeatures(
        chosen.selector,
        n_alternatives=chosen.alternatives,
        n_shuffles=20 if chosen.signal else 0,
        task="regression" if numbers else "classification",
    )
    kind = RandomForestRegressor if numbers else RandomForestClassifier
    options = {} if numbers else {"criterion": "entropy"}
    model = kind(chosen.trees, min_samples_leaf=5, random_state=0, **options)
    evaluation = afs.fit(X[:n], y[:n]).evaluate(model)
    row = evaluation.table.iloc[0]
    pipeline = afs.pipeline(0, model).fit(X[:n], y[:n])
    score = get_scorer(evaluation.scoring)
    new = score(pipeline, X[n:], y[n:])
    by_fold = evaluation.scores.pivot_table("score", "fold", "set")
    n_others = len(afs.feature_sets_) - 1
    differences = []
    for i in range(1, n_others + 1):
        other = evaluation.table.iloc[i]
        change = score(afs.pipeline(i, model).fit(X[:n], y[:n]), X[n:], y[n:]) - new
        folds = (by_fold[other["set"]] - by_fold["original"]).dropna().to_numpy()
        _, low, high = interval(folds, 0.25, n_others)
        differences.append((change, other["difference_low"], other["difference_high"], low, high))
    said = bool(evaluation.expectation)
    return (row["low"], row["high"], row["score"], new, said), differences


def of_differences(draws: list[list[tuple[float, ...]]]) -> str:
    """Return in how many draws all intervals of differences hold, and their median width."""
    words = []
    for low, high in ((1, 2), (3, 4)):
        held = [all(one[low] <= one[0] <= one[high] for one in each) for each in draws if each]
        widths = [one[high] - one[low] for each in draws for one in each]
        words.append(f"{np.mean(held):8.0%} {np.median(widths):5.2f}" if held else "")
    return "  ".join(words)


def main() -> None:
    """Print a line for each table and number of rows."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--draws", type=int, default=40)
    parser.add_argument("--selector", default="mutual_information")
    parser.add_argument("--alternatives", type=int, default=0)
    parser.add_argument("--trees", type=int, default=100, help="of the forest that is scored")
    parser.add_argument("--signal", action="store_true", help="compare the sets with chance, too")
    parser.add_argument("--data", nargs="+", default=[*MADE, *REAL])
    chosen = parser.parse_args()
    cases: list[tuple[str, int, bool, Callable[[np.random.Generator], Rows]]] = []
    for name in chosen.data:
        for shape in MADE.get(name, ()):
            cases.append((name, shape[0], not shape[3], lambda r, shape=shape: made(shape, r)))
        for n in REAL_ROWS if name in REAL else ():
            cases.append((name, n, name in NUMBERS, lambda r, a=name, n=n: real(a, n, r)))
    heads = f"{'data':15} rows columns draws coverage width   bias  expected coverage"
    print(heads + "  differences width  by folds width" * (chosen.alternatives > 0))
    together, seconds = [], process_time()
    for name, n, numbers, rows in cases:
        results = []
        for i in range(chosen.draws):
            X, y = rows(np.random.default_rng([i, n]))
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                results.append(draw(X, y, n, numbers, chosen))
        low, high, score, new, expected = np.array([of_score for of_score, _ in results]).T
        holds, said = (low <= new) & (new <= high), expected == 1
        of_said = f"{holds[said].mean():8.0%}" if said.any() else ""
        print(
            f"{name:15} {n:4} {X.shape[1]:7} {len(results):5} {holds.mean():8.0%} "
            f"{(high - low).mean():5.2f} {(score - new).mean():+6.3f} {said.mean():9.0%} {of_said} "
            f"{of_differences([others for _, others in results])}",
            flush=True,
        )
        together.append((holds.mean(), holds[said]))
    said = np.concatenate([of for _, of in together])
    print(f"all: {np.mean([of for of, _ in together]):.1%}")
    if len(said):
        print(f"of {len(said)} that are expected: {said.mean():.1%}")
    print(f"{process_time() - seconds:.0f} s of CPU time")


if __name__ == "__main__":
    main()
