"""Measures the table of ``altfs plan``: seconds of tasks, by their kind and the data's size.

    snakemake --cores 2 --configfile benchmarks/costs.yaml
    python benchmarks/costs.py results/costs [MORE ...] [--only KIND ...]

The table has named solvers, curves and further kinds from the studies reynolds, wrappers,
acquisition, bach2023, beyond and rar2017 of workflow/studies, and parts of bach2024, streaming_wide
and which_selector.

Writes altfs/study/times.json from finished studies, which may be several and partly finished. An
idle machine measures best. What no study has stays as it was: other kinds of work, and other sizes
of data. To forget sizes that nobody measures again, delete the kind from the table first. With
`--only`, all kinds that do not begin with one of these words stay, such as "search|forest".
"""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
from collections import defaultdict
from pathlib import Path

from altfs.study.costs import measured
from altfs.study.session import open_study
from altfs.study.times import TABLE

# Datasets of a kind in the table, the smallest and the largest among them.
_MOST = 16


def spread(points: list[list[float]]) -> list[list[float]]:
    """Return at most so many points, over all sizes.

    >>> len(spread([[float(i), 1.0, 1.0, 1.0] for i in range(40)]))
    16
    """
    ordered = sorted(points, key=lambda point: math.prod(point[:3]))
    places = {round(i * (len(ordered) - 1) / (_MOST - 1)) for i in range(_MOST)}
    few = ordered if len(ordered) <= _MOST else [ordered[i] for i in sorted(places)]
    return sorted(few)


def main() -> None:
    """Write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("results", nargs="+")
    parser.add_argument("--only", nargs="+", default=[""])
    chosen = parser.parse_args()
    content = json.loads(TABLE.read_text("utf-8")) if TABLE.exists() else {"seconds": {}}
    points = defaultdict(list)
    for results in chosen.results:
        plan = open_study(Path(results))
        # All tasks, as few searches can take most of the time.
        for point in measured(plan, most=len(plan.tasks)):
            kind, size = "|".join(point.kind), [round(number, 1) for number in point.size]
            if kind.startswith(tuple(chosen.only)):
                points[kind].append([*size, float(f"{point.seconds:.2g}")])
    for kind, of_kind in points.items():
        sizes = [point[:3] for point in of_kind]
        of_kind += [p for p in content["seconds"].get(kind, []) if p[:3] not in sizes]
    seconds = content["seconds"] | {kind: spread(of_kind) for kind, of_kind in points.items()}
    rows = ",\n".join(f"  {json.dumps(kind)}: {seconds[kind]}" for kind in sorted(seconds))
    machine = (
        f"{platform.system()} {platform.machine()}, {os.cpu_count()} processors, "
        f"Python {platform.python_version()}"
    )
    text = f'{{\n "machine": {json.dumps(machine)},\n "seconds": {{\n{rows}\n }}\n}}\n'
    TABLE.write_text(text, "utf-8")
    print(f"{len(seconds)} kinds of work in {TABLE}")


if __name__ == "__main__":
    main()
