"""Run the default study in many ways, and compare its tables byte for byte.

Runs it with two workers, and then with one, with eight, with workers that are killed at random, in
other languages, time zones and orders of hashing, with other kernels of BLAS, and with Snakemake
in other environments. Tables of times differ, and are left out.

    python benchmarks/same_numbers.py --environments .venv312/bin .venv313/bin
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from subprocess import Popen

import psutil
from soak import Study, children

WAYS: dict[str, tuple[int, dict[str, str]]] = {
    "one worker": (1, {}),
    "eight workers": (8, {}),
    "hash seed 1": (2, {"PYTHONHASHSEED": "1"}),
    "Turkish letters": (2, {"LC_ALL": "tr_TR.UTF-8"}),
    "plain letters": (2, {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}),
    "Kathmandu": (2, {"TZ": "Asia/Kathmandu"}),
    "old kernels": (2, {"OPENBLAS_CORETYPE": "Prescott"}),
}
# A worker takes two to three CPU seconds to start. With a kill each second, or four workers and a
# kill every four seconds, two cores finish few tasks.
SECONDS_BETWEEN_KILLS = 10.0
KILLED = "killed workers"


def kill_workers(process: Popen[bytes], study: Study, chance: random.Random) -> int:
    """Kill a worker every few seconds, from its first result until a run ends; return how many."""
    killed, before = 0, len(study.whole())
    while process.poll() is None:
        time.sleep(SECONDS_BETWEEN_KILLS)
        if not killed and len(study.whole()) == before:
            continue
        with suppress(psutil.Error, IndexError):
            schedulers = children(psutil.Process(process.pid))
            workers = [worker for scheduler in schedulers for worker in children(scheduler)]
            chance.choice(workers).kill()
            killed += 1
    return killed


def compare(way: str, study: Study, expected: dict[str, bytes], code: int) -> None:
    tables = study.tables()
    same = sum(tables.get(name) == content for name, content in expected.items())
    others = sorted(name for name in expected if tables.get(name) != expected[name])
    named = f", others: {', '.join(others)}" if others else ""
    print(
        f"{way}: exit code {code}, {same} of {len(expected)} tables are the same{named}", flush=True
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--environments", type=Path, nargs="*", default=[])
    parser.add_argument("--ways", nargs="*", default=[*WAYS, KILLED])
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:

        def made(way: str) -> Study:
            folder = Path(name, way.replace(" ", "_"))
            folder.mkdir()
            return Study(folder)

        first = made("two workers")
        assert first.start().wait() == 0
        expected = first.tables()
        for way in (way for way in arguments.ways if way != KILLED):
            study, (cores, variables) = made(way), WAYS[way]
            compare(way, study, expected, study.start(cores=cores, **variables).wait())
        if KILLED in arguments.ways:
            # A task that ends three workers fails; the next run repeats it.
            study, chance, kills, codes = made(KILLED), random.Random(0), 0, [1]
            while codes[-1] and len(codes) < 10:
                process = study.start(cores=2)
                kills += kill_workers(process, study, chance)
                codes.append(process.wait())
            compare(f"{kills} killed workers, {len(codes) - 1} runs", study, expected, codes[-1])
        for environment in arguments.environments:
            study = made(environment.parent.name)
            process = study.start(snakemake=environment / "snakemake")
            compare(str(environment), study, expected, process.wait())


if __name__ == "__main__":
    sys.exit(main())
