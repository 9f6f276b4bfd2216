"""CPU time of `AlternativeFeatures` beside the scores that it needs.

    python benchmarks/estimator.py [--rows 10000] [--features 100]

Prints, for each selector whose scores are computed from data: CPU seconds for the scores alone,
for the whole fit, and their ratio. Then prints the times of fits with known values. The data
is random, with a target that depends on some of the features.
"""

from __future__ import annotations

import argparse

import numpy as np
from _clock import fastest

from altfs import AlternativeFeatures
from altfs.selectors import Part, selectors

SIZES = {"n_features": 5, "n_alternatives": 5, "tau": 0.4}
SELECTORS = ["mutual_information", "model_gain", "fcbf", "mrmr", "cfs"]


def make_data(rows: int, features: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(25)
    X = rng.standard_normal((rows, features))
    # Groups of related features, as alternatives are about features that can replace one another.
    X += X[:, np.arange(features) // 5 * 5]
    weights = rng.random(features) ** 4
    return X, (X @ weights + rng.standard_normal(rows) > 0).astype(int)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--features", type=int, default=100)
    parser.add_argument("--selectors", nargs="+", default=SELECTORS)
    parser.add_argument("--repeat", type=int, default=3, help="the fastest of so many counts (3)")
    chosen = parser.parse_args()
    X, y = make_data(chosen.rows, chosen.features)
    # Compiled code is loaded before the clock runs.
    for name in chosen.selectors:
        AlternativeFeatures(name, **SIZES).fit(X[:200], y[:200])
    print(f"{chosen.rows} rows x {chosen.features} features, {SIZES}")
    print("selector             search          scores, s   fit, s   times")
    for name in chosen.selectors:

        def scores(name: str = name) -> None:
            part = Part(X, y, "binary", 0)
            for key in selectors.get(name)().train_scores:
                part.score(key)

        alone = fastest(scores, chosen.repeat)
        for search in ("sequential", "simultaneous"):
            afs = AlternativeFeatures(name, search, **SIZES)
            whole = fastest(lambda afs=afs: afs.fit(X, y), chosen.repeat)
            print(
                f"{name:20} {search:14} {alone:10.3f} {whole:8.3f} {whole / alone:7.3f}", flush=True
            )
    values = np.random.default_rng(0).random(chosen.features)
    for search in ("sequential", "simultaneous"):
        afs = AlternativeFeatures(values, search, **SIZES)
        known = fastest(lambda afs=afs: afs.fit(X, y), chosen.repeat)
        print(f"{'values known':20} {search:14} {'':10} {known:8.3f}", flush=True)


if __name__ == "__main__":
    main()
