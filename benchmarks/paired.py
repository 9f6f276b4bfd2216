"""The exact searches of two commits, instance by instance, in turn.

    git worktree add ../before COMMIT
    python benchmarks/paired.py ../before [--instances 12] [--repeats 7]

Each side is a process of its own with the same benchmark code and the package of its folder. Both
solve every n-th instance of the classes of benchmarks/exact_search.yaml, so that each class has
about so many, first once to compile and then in turn. Instances whose first run takes more than 3 s
on either side are named and left out. A row has the total and the median ratio of the least CPU
seconds, this folder to the other one, and the number of instances with the same sets and the same
work. Run it on a machine with nothing else to do.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
#: CPU seconds of a first run, and of runs that are repeated more often.
MOST, SHORT = 3.0, 0.05


class Side:
    """A process that solves instances with the package of a folder."""

    def __init__(self, root: Path) -> None:
        settings = {**os.environ, "PYTHONPATH": str(root), "NUMBA_CACHE_DIR": str(root / "build")}
        self._process = subprocess.Popen(
            [sys.executable, __file__, "--solve", str(root)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=settings,
        )  # fmt: skip

    def solve(self, group: str, number: int) -> dict[str, Any]:
        """Return what `_search_ours.run` says of an instance."""
        assert self._process.stdin
        assert self._process.stdout
        print(group, number, file=self._process.stdin, flush=True)
        result: dict[str, Any] = json.loads(self._process.stdout.readline())
        return result

    def close(self) -> None:
        assert self._process.stdin
        self._process.stdin.close()
        self._process.wait()


def solve_instances(root: str) -> None:
    """Solve the instances that are named on standard input."""
    from _search_grid import instances
    from _search_ours import run

    import altfs

    assert Path(altfs.__file__).is_relative_to(Path(root).resolve()), altfs.__file__
    groups: dict[str, Any] = {}
    for line in sys.stdin:
        group, number = line.split()
        groups.setdefault(group, instances(group))
        print(json.dumps(run(groups[group][int(number)])), flush=True)


def ratios(
    before: Side, after: Side, group: str, n_instances: int, repeats: int
) -> Iterator[tuple[float, float, bool]]:
    """Yield the least CPU seconds of both sides, and whether they did the same."""
    from _search_grid import instances

    every = instances(group)
    for instance in every[:: max(1, len(every) // n_instances)]:
        first = [side.solve(group, instance.number) for side in (before, after)]
        # The first instance of a class compiles.
        first = [side.solve(group, instance.number) for side in (before, after)]
        if max(one["seconds"] for one in first) > MOST:
            print(f"left out: {instance.key}")
            continue
        times: tuple[list[float], list[float]] = ([], [])
        for i in range(repeats * (1 if first[0]["seconds"] > SHORT else 4)):
            for side in ((0, 1), (1, 0))[i % 2]:
                times[side].append((before, after)[side].solve(group, instance.number)["seconds"])
        same = all(first[0][key] == first[1][key] for key in ("values", "status", "work"))
        yield min(times[0]), min(times[1]), same


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("before", type=Path, help="the folder of the other commit")
    parser.add_argument("--instances", type=int, default=12, help="of each class")
    parser.add_argument("--repeats", type=int, default=7, help="4 times as many below 0.05 s")
    arguments = parser.parse_args()
    from _search_grid import grid

    before, after = Side(arguments.before.resolve()), Side(HERE.parent)
    print(f"{'class':18} {'instances':>9} {'total':>6} {'median':>6} {'same':>5}")
    for group in grid()["classes"]:
        rows = [*ratios(before, after, group, arguments.instances, arguments.repeats)]
        total = sum(b for _, b, _ in rows) / sum(a for a, _, _ in rows)
        median = statistics.median(b / a for a, b, _ in rows)
        same = sum(s for _, _, s in rows)
        print(f"{group:18} {len(rows):9} {total:6.3f} {median:6.3f} {same:5}", flush=True)
    before.close()
    after.close()


if __name__ == "__main__":
    solve_instances(sys.argv[2]) if sys.argv[1:2] == ["--solve"] else main()
