"""Sequential search of pairs with one search for each set, and with two: CPU milliseconds.

    python benchmarks/next_sets.py [--alternatives 5]

The first search of two finds the best value, and the second one the first set of this value. Each
quality of the first training part of six datasets is searched for sets of 5 and 10 features with
several overlaps. Both sides run in turn in one process after a warm-up, three times each. A row has
the least times, the ratios in total and in the median, and the nodes. `ALTFS_PMLB_CACHE` names the
cache of PMLB.
"""

from __future__ import annotations

import argparse
import statistics
import time
from typing import Any
from unittest import mock

from _search_grid import _training_part, grid

from altfs import search_sequentially
from altfs.quality import Quality
from altfs.selectors import Part, selectors
from altfs.solvers.pair_costs._listing import BEST
from altfs.solvers.pair_costs._source import PairSource

REPEATS = 3
#: Sizes and overlaps.
CASES = [*((5, c) for c in range(5)), *((10, c) for c in (0, 1, 2, 3, 5, 7, 9))]
_run = PairSource.run


def _best_alone(source: Any, limits: Any, goal: Any, prices: Any = None) -> Any:
    """List the best set alone, so that another search has to list the equal ones."""
    listing = _run(source, limits, goal, prices)
    if goal.mode != BEST or not len(listing.values):
        return listing
    return listing._replace(reached=max(listing.reached, int(listing.values[0]) + 1))


def searched(quality: Quality, k: int, overlap: int, n_alternatives: int) -> tuple[float, Any, int]:
    """Return CPU milliseconds, what is compared, and nodes."""
    start = time.process_time()
    found = search_sequentially(
        quality, n_features=k, max_overlap=overlap, n_alternatives=n_alternatives
    )
    seconds = time.process_time() - start
    compared = repr([(s.indices, s.status, s.bound) for s in found])
    return 1000 * seconds, compared, sum(s.work for s in found)


def compare(name: str, qualities: list[Quality], n_alternatives: int) -> None:
    """Print a row of the table."""
    twice = mock.patch.object(PairSource, "run", _best_alone)
    rows = []
    for quality in [qualities[0], *qualities]:
        for k, overlap in CASES:
            times: tuple[list[float], list[float]] = ([], [])
            for _ in range(REPEATS):
                with twice:
                    before = searched(quality, k, overlap, n_alternatives)
                after = searched(quality, k, overlap, n_alternatives)
                assert before[1] == after[1]
                times[0].append(before[0])
                times[1].append(after[0])
            rows.append((min(times[0]), min(times[1]), before[2], after[2]))
    rows = rows[len(CASES) :]
    two, one, nodes_of_two, nodes_of_one = map(sum, zip(*rows, strict=True))
    median = statistics.median(row[0] / row[1] for row in rows)
    print(
        f"| {name} | {len(rows)} | {two:.0f}, {one:.0f} | {two / one:.2f} | {median:.2f} "
        f"| {nodes_of_two:,}, {nodes_of_one:,} |",
        flush=True,
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--alternatives", type=int, default=5)
    n_alternatives = parser.parse_args().alternatives
    parts = []
    for dataset in grid()["classes"]["mrmr_sequential"]["datasets"]:
        X, y, seed = _training_part(dataset, 0)
        parts.append(Part(X, y, "binary", seed))
    print("| quality | searches | ms of two, of one | total | median | nodes of two, of one |")
    print("|---|---|---|---|---|---|")
    for name in ("mrmr", "cfs", "jmi", "fcbf"):
        learned = [selectors.get(name)().quality(part) for part in parts]
        compare(name, learned, n_alternatives)


if __name__ == "__main__":
    main()
