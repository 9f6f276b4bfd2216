"""Exact search against alfese: the same qualities, one thread each, CPU seconds.

    python benchmarks/exact_search.py peer linear_sum     # hours; goes on where it stopped
    python benchmarks/exact_search.py ours                # minutes
    python benchmarks/exact_search.py table               # what is in the docs

Every side writes a CSV with a row per instance into results/benchmarks. PMLB's
files are looked for in ALTFS_PMLB_CACHE.
"""

from __future__ import annotations

import csv
import statistics
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

from _search_grid import HERE, Instance, grid, instances

RESULTS = HERE.parent / "results" / "benchmarks"


def _rows(path: Path) -> list[dict[str, str]]:
    if not path.exists():
        return []
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def _append(path: Path, row: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    new = not path.exists()
    with path.open("a", newline="") as file:
        writer = csv.DictWriter(file, row)
        if new:
            writer.writeheader()
        writer.writerow(row)


def peer(names: list[str]) -> None:
    from _search_peer import run

    for name in names:
        path = RESULTS / f"peer_{name}.csv"
        done = {row["number"] for row in _rows(path)}
        every = grid()["classes"][name].get("peer_every", 1)
        todo: list[Instance] = instances(name)[::every]
        for i, instance in enumerate(todo):
            if str(instance.number) in done:
                continue
            row = asdict(instance) | run(instance)
            _append(path, row)
            print(f"{name} {i + 1}/{len(todo)} {row['peer_seconds']:.1f} s", flush=True)


def ours(names: list[str]) -> None:
    start = time.process_time()
    from _search_ours import run

    print(f"import: {time.process_time() - start:.1f} s")
    for name in names:
        path = RESULTS / f"ours_{name}.csv"
        path.unlink(missing_ok=True)
        for instance in instances(name):
            _append(path, asdict(instance) | run(instance))
        rows = _rows(path)
        seconds = [float(row["seconds"]) for row in rows]
        feasible = [row for row in rows if int(row["sets"]) > 1 or row["status"] == "unknown"]
        proven = sum(row["proven"] == "True" for row in feasible)
        print(
            f"{name}: {len(rows)} searches, {sum(seconds):.2f} s, median "
            f"{1000 * statistics.median(seconds):.2f} ms, worst {max(seconds):.2f} s, "
            f"{len(feasible)} feasible, {proven} of them proven",
            flush=True,
        )


if __name__ == "__main__":
    command, *names = sys.argv[1:]
    names = names or list(grid()["classes"])
    if command == "peer":
        peer(names)
    elif command == "ours":
        ours(names)
