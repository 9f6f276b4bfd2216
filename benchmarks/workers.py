"""Speed-up by a second worker: a Greedy Wrapper study on one and on two workers.

Its tasks take a second or more (spambase; those of wdbc fill the gaps at the end), two to
three minutes in all. Runs alternate, so that other load of the machine meets both. Prints
each pair and the median of the ratios.

    ALTFS_PMLB_CACHE=... python benchmarks/workers.py --repeats 5
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[1]
STUDY = {
    "name": "workers",
    "datasets": ["pmlb:spambase", "pmlb:wdbc"],
    "folds": 6,
    "seed": 25,
    "selectors": ["greedy_wrapper"],
    "n_features": [5, 10],
    "taus": [0.2, 0.4, 0.6, 0.8],
    "searches": [
        {"name": "sequential", "n_alternatives": 5},
        {"name": "simultaneous", "n_alternatives": [2], "aggregation": "sum"},
    ],
    "models": ["decision_tree"],
}


def seconds(cores: int) -> float:
    """Wall time of the study from an empty folder, Snakemake's start and end included."""
    with tempfile.TemporaryDirectory() as name:
        config = Path(name, "config.yaml")
        config.write_text(yaml.safe_dump({**STUDY, "results": f"{name}/results"}))
        snakemake = str(Path(sys.executable).with_name("snakemake"))
        command = [
            *(snakemake, "--cores", str(cores), "--configfile", str(config)),
            *("--directory", name, "--snakefile", str(ROOT / "workflow" / "Snakefile")),
            *("--profile", str(ROOT / "profiles" / "default")),
        ]
        begin = time.monotonic()
        done = subprocess.run(
            command,
            env={**os.environ, "OMP_NUM_THREADS": "1"},
            cwd=ROOT,
            capture_output=True,
            text=True,
        )
        if done.returncode:
            raise SystemExit(done.stdout[-2000:] + done.stderr[-2000:])
        return time.monotonic() - begin


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--repeats", type=int, default=5)
    ratios = []
    for _ in range(parser.parse_args().repeats):
        one, two = seconds(1), seconds(2)
        ratios.append(one / two)
        print(f"one worker {one:.1f} s, two workers {two:.1f} s: {one / two:.2f}", flush=True)
    print(f"median of {len(ratios)}: {statistics.median(ratios):.2f}")


if __name__ == "__main__":
    main()
