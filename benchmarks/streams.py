"""Measure streaming selectors, in CPU seconds and against their peers in the same run.

    python benchmarks/streams.py

- SAOLA on 100,000 columns, as multiples of ``X.sum()``.
- alpha-investing against skfeature-chappers on 1,000 columns.
- Learners of rows on 100,000 rows of 100 columns.
- A conditional test of OSFS among 30 columns, and OSFS on spambase (with ``ALTFS_PMLB_CACHE``).

Each measurement is the fastest of three, of tables of 200 rows the fastest of 20.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
from _clock import fastest

from altfs import FeatureStream, OnlineAlternatives
from altfs.kinds.streams.base import StreamColumn
from altfs.kinds.streams.measures import FisherZ
from altfs.kinds.streams.measures.fisher import standardised


def seconds(run: Callable[[], Any], repeats: int = 3) -> float:
    """Return the CPU seconds of the fastest run, after one that compiles."""
    run()
    return fastest(run, repeats)


def table(n_rows: int, width: int) -> tuple[Any, Any]:
    """Return columns of which 20 decide on the class, and 100 are related to one of these."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_rows, width))
    y = (X[:, :20].sum(axis=1) + rng.normal(size=n_rows) > 0).astype(int)
    for j in range(20, min(120, width // 10)):
        X[:, j * 7 + 100] += X[:, j % 20]
    return X, y


def saola() -> None:
    """Compare SAOLA with the sum of the columns."""
    for n_rows in (200, 2_000):
        X, y = table(n_rows, 100_000)
        # Short runs are disturbed most by other work.
        repeats = max(3, 4_000 // n_rows)
        plain = seconds(X.sum, repeats)
        for others in (0, 3):
            stream = FeatureStream("saola", n_alternatives=others)
            mine = seconds(lambda s=stream, X=X, y=y: s.start(y).add(X).finish(), repeats)
            print(
                f"saola, {n_rows} x 100,000, {others} alternatives: {mine:.3f} s, "
                f"{mine / plain:.1f} times X.sum() ({plain:.3f} s)"
            )


def alpha_investing() -> None:
    """Compare alpha-investing with skfeature-chappers."""
    from skfeature.function.streaming.alpha_investing import alpha_investing

    X, y = table(200, 1_000)
    stream = FeatureStream("alpha_investing", n_alternatives=0)
    mine = seconds(lambda: stream.start(y).add(X).finish())
    peer = seconds(lambda: alpha_investing(X, y, 0.5, 0.5), 1)
    same = list(stream.feature_sets_[0].indices) == alpha_investing(X, y, 0.5, 0.5).tolist()
    print(f"alpha_investing, 200 x 1,000: {mine:.4f} s, skfeature {peer:.2f} s, "
          f"{peer / mine:.0f} times faster, equal sets: {same}")  # fmt: skip


def conditional_tests() -> None:
    """Measure a test among 30 columns that depend on the target given all others."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(5_000, 30))
    measure = FisherZ(X.sum(axis=1), "regression")
    members = measure.members()
    for j, values in enumerate(standardised(X.T.copy())):
        members.append(StreamColumn(j, 1.0, values))
    members.separated(0, 3)
    members.tests = 0
    start = process_time()
    for place in range(30):
        members.separated(place, 3)
    print(f"osfs, a test among 30: {1e9 * (process_time() - start) / members.tests:.0f} ns "
          f"({members.tests} tests)")  # fmt: skip


def spambase() -> None:
    """Measure OSFS on a real table."""
    cache = os.environ.get("ALTFS_PMLB_CACHE")
    if cache is None:
        print("osfs, spambase: not measured, ALTFS_PMLB_CACHE names no folder")
        return
    from altfs.datasets import make_dataset, sources

    source = sources.get("pmlb")
    options = source.Options(dataset="spambase")
    data = make_dataset("spambase", source("spambase", options, Path(cache)).load())
    stream = FeatureStream("osfs", n_alternatives=0)
    mine = seconds(lambda: stream.start(data.y).add(data.X).finish())
    print(f"osfs, spambase: {mine:.3f} s, {len(stream.feature_sets_[0])} features")


def rows() -> None:
    """Measure learners of rows, with one alternative."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(100_000, 100)) * rng.uniform(0.5, 2, 100)
    y = (X[:, :5].sum(axis=1) + rng.normal(size=100_000) > 0).astype(int)
    for method in ("ofs", "ofs_partial", "sofs"):
        online = OnlineAlternatives(method)
        mine = seconds(lambda online=online: online.fit(X, y))
        print(f"{method}, 100,000 x 100, 1 alternative: {mine:.2f} s")


if __name__ == "__main__":
    rows()
    saola()
    alpha_investing()
    conditional_tests()
    spambase()
