"""How often a worthless table has a warning, and one with a signal has none.

    python benchmarks/worthless.py --runs 20 --selector mutual_information

Ten kinds of tables without a signal are made, and ten tables of PMLB are taken as they are and with
a shuffled target. Each run draws a sample of rows of its own. `ALTFS_PMLB_CACHE` names the cache
of PMLB.
"""

from __future__ import annotations

import argparse
import os
import warnings
from collections.abc import Iterator
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
import pandas as pd

from altfs import AlternativeFeatures
from altfs.errors import NoSignalWarning

REAL = (
    "adult", "churn", "credit_g", "wdbc", "mushroom", "197_cpu_act", "560_bodyfat", "ionosphere",
    "wine_recognition", "spambase",
)  # fmt: skip
_ROWS = 1000


def few_sets(selector: str) -> Any:
    """Return a selector; forest with as many sets as a search on a half of the rows evaluates.

    The warning rests on that search.
    """
    few = {"forest": {"type": "forest", "options": {"max_iterations": 300}}}
    return few.get(selector, selector)


def made(random: np.random.Generator) -> Iterator[tuple[str, pd.DataFrame, Any]]:
    """Yield tables without a signal."""
    n = 500
    y = random.integers(0, 2, n)
    normal = pd.DataFrame(random.normal(size=(n, 15))).add_prefix("f")
    days = pd.Timestamp("2020-01-01") + pd.to_timedelta(
        random.integers(0, 900, (n, 8)).ravel(), "D"
    )
    yield "normal", normal, y
    yield "numbers", normal, random.normal(size=n)
    yield "several classes", normal, random.integers(0, 5, n)
    yield "dates", pd.DataFrame(days.to_numpy().reshape(n, 8)).add_prefix("d"), y
    yield "ids", normal.assign(id=random.permutation(n), code=[f"c{i}" for i in range(n)]), y
    many = pd.DataFrame(random.integers(0, 100, (n, 10)).astype(str)).add_prefix("c")
    yield "many categories", many, y
    yield "unbalanced", normal, (random.random(n) < 0.05).astype(int)
    yield "wide", pd.DataFrame(random.normal(size=(200, 5000))).add_prefix("f"), y[:200]
    sparse = np.where(random.random((n, 30)) < 0.05, random.integers(1, 5, (n, 30)), 0)
    yield "sparse", pd.DataFrame(sparse).add_prefix("s"), y
    yield "mixed", normal.iloc[:, :5].join(many.iloc[:, :5]), random.exponential(size=n)


def real(
    cache: Path, random: np.random.Generator, shuffled: bool
) -> Iterator[tuple[str, Any, Any]]:
    """Yield a sample of each real table, perhaps with its target shuffled."""
    for name in REAL:
        table = pd.read_csv(cache / name / f"{name}.tsv.gz", sep="\t")
        table = table.sample(min(len(table), _ROWS), random_state=int(random.integers(1 << 31)))
        y = table.pop("target").to_numpy()
        yield name, table, random.permutation(y) if shuffled else y


def main() -> None:
    """Print the share of warnings for each table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--selector", default="forest")
    chosen = parser.parse_args()
    cache = Path(os.environ["ALTFS_PMLB_CACHE"])
    counts: dict[tuple[str, str], list[bool]] = {}
    seconds = process_time()
    for run in range(chosen.runs):
        random = np.random.default_rng(run)
        tables = [
            *(("worthless", *t) for t in made(random)),
            *(("shuffled", *t) for t in real(cache, random, True)),
            *(("real", *t) for t in real(cache, random, False)),
        ]
        for kind, name, X, y in tables:
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                AlternativeFeatures(
                    few_sets(chosen.selector),
                    n_features=min(5, X.shape[1]),
                    n_alternatives=1,
                ).fit(X, y)
            told = any(w.category is NoSignalWarning for w in caught)
            counts.setdefault((kind, name), []).append(told)
    for (kind, name), warned in counts.items():
        print(f"{kind:10} {name:20} {sum(warned):4} of {len(warned)} with a warning")
    for kind in ("worthless", "shuffled", "real"):
        together = [told for (of, _), warned in counts.items() if of == kind for told in warned]
        print(f"{kind:10} {sum(together)} of {len(together)}: {np.mean(together):.1%}")
    print(f"{process_time() - seconds:.0f} s of CPU time")


if __name__ == "__main__":
    main()
