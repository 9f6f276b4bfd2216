"""Exact search against alfese: the same qualities, one thread each, CPU seconds.

    python benchmarks/exact_search.py peer linear_sum     # hours; goes on where it stopped
    python benchmarks/exact_search.py ours                # minutes
    python benchmarks/exact_search.py table               # what is in the docs

Names of classes after the command restrict it to these.

Every side writes a CSV with a row per instance into results/benchmarks. The folder
ALTFS_PMLB_CACHE holds PMLB's files.
"""

from __future__ import annotations

import csv
import statistics
import subprocess
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
    for name in names:
        path = RESULTS / f"ours_{name}.csv"
        path.unlink(missing_ok=True)
        # Each class has its own process, whose start counts once.
        subprocess.run([sys.executable, __file__, "one_class", name], check=True)


def one_class(name: str) -> None:
    """Solve a class; the first row's time holds imports and compiled code's loading."""
    everything = instances(name)
    start = time.process_time()
    from _search_ours import run

    cold = time.process_time() - start
    for instance in everything:
        row = asdict(instance) | run(instance)
        row["seconds"] += cold
        cold = 0.0
        _append(RESULTS / f"ours_{name}.csv", row)


def table(names: list[str]) -> None:
    """Print the table of the docs, and write a CSV per class with a row per instance."""
    print(
        "| class | searches | alfese, s | altfs, s | times | median | least "
        "| proven: alfese, altfs | gap <= 1e-4 | both finish: times |\n"
        "|---|---|---|---|---|---|---|---|---|---|"
    )
    for name in names:
        mine = {r["number"]: r for r in _rows(RESULTS / f"ours_{name}.csv")}
        theirs = {r["number"]: r for r in _rows(RESULTS / f"peer_{name}.csv")}
        feasible = [r for r in mine.values() if int(r["sets"]) > 1 or r["status"] == "unknown"]
        gaps = [_gap(r) for r in feasible]
        proven = sum(r["proven"] == "True" for r in feasible)
        small = sum(g <= 1e-4 for g in gaps)
        pairs = [(theirs[n], mine[n]) for n in theirs if mine[n] in feasible]
        ratios = [float(p["peer_seconds"]) / float(m["seconds"]) for p, m in pairs]
        both = [(p, m) for p, m in pairs if p["peer_proven"] == m["proven"] == "True"]
        totals = [sum(float(r[k]) for r in side) for side, k in zip(
            zip(*pairs, strict=True), ("peer_seconds", "seconds"), strict=True)]  # fmt: skip
        finished = [sum(float(r[k]) for r in side) for side, k in zip(
            zip(*both, strict=True), ("peer_seconds", "seconds"), strict=True)]  # fmt: skip
        peer_proven = sum(p["peer_proven"] == "True" for p, _ in pairs)
        worse = [p["number"] for p, m in pairs if _worse(p, m)]
        print(
            f"| {name} | {len(pairs)} of {len(feasible)} | {totals[0]:.0f} | {totals[1]:.2f} "
            f"| {totals[0] / totals[1]:.0f} | {statistics.median(ratios):.0f} | {min(ratios):.1f} "
            f"| {peer_proven / len(pairs):.0%}, {proven / len(feasible):.1%} "
            f"| {small / len(feasible):.1%} | {finished[0] / finished[1]:.0f} |"
        )
        if worse:
            print(f"worse than alfese: {worse}")
        with (RESULTS / f"{name}.csv").open("w", newline="") as file:
            writer = csv.DictWriter(
                file, [*pairs[0][1], *(k for k in pairs[0][0] if k[:4] == "peer")]
            )
            writer.writeheader()
            writer.writerows(m | {k: v for k, v in p.items() if k[:4] == "peer"} for p, m in pairs)


def _gap(row: dict[str, str]) -> float:
    if row["proven"] == "True":
        return 0.0
    bound, objective = float(row["bound"]), float(row["objective"])
    return (bound - objective) / abs(bound) if objective == objective else float("inf")


def _worse(peer_row: dict[str, str], row: dict[str, str]) -> bool:
    """Return True if alfese found something better, or found sets where altfs did not."""
    theirs, mine = float(peer_row["peer_objective"]), float(row["objective"])
    if row["search"] == "sequential":
        # Sets are found in turn, so a different set among ties leads to different later ones.
        pairs = zip(peer_row["peer_values"].split(), row["values"].split(), strict=True)
        for t, m in pairs:
            if t != "nan" and (m == "nan" or float(t) > float(m) + 1e-9):
                return True
            if m != "nan" and float(t) != float(m) and abs(float(t) - float(m)) > 1e-9:
                return False
        return False
    if theirs != theirs:
        return False
    return mine != mine or theirs > mine + 1e-9 * abs(theirs)


if __name__ == "__main__":
    command, *names = sys.argv[1:]
    names = names or list(grid()["classes"])
    if command == "peer":
        peer(names)
    elif command == "ours":
        ours(names)
    elif command == "one_class":
        one_class(*names)
    elif command == "table":
        table(names)
