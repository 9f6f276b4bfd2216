"""Stop one study many times at random, run many studies at once, and say what was lost.

Copies the workflow into a folder, runs the default study there once undisturbed, and again while it
is stopped at random moments by random signals. A study that is finished loses a random part of its
results, so there is work for each run. After every run, results that were whole before it have to
be there with the same rows, times included. Writes a row for each run. Then runs small studies in
as many folders at once.

    python benchmarks/soak.py --stops 200 --studies 20 --rows soak.csv
"""

from __future__ import annotations

import argparse
import csv
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

import psutil
import yaml

from altfs.errors import AltfsError
from altfs.study.store import read_whole

ROOT = Path(__file__).resolve().parents[1]
SNAKEMAKE = Path(sys.executable).with_name("snakemake")
PARTS = ("datasets", "scores", "qualities", "shards", "predictions")
SMALL = {
    "datasets": ["sklearn:wine"],
    "folds": 2,
    "selectors": ["mutual_information", "model_gain"],
    "n_features": 3,
    "searches": [{"name": "sequential", "n_alternatives": 3}],
    "models": ["decision_tree"],
}
#: Who gets which signal.
SIGNALS = [
    ("snakemake", "SIGINT"),
    ("all", "SIGINT"),
    ("snakemake", "SIGTERM"),
    ("all", "SIGTERM"),
    ("snakemake", "SIGHUP"),
    ("snakemake", "SIGKILL"),
    ("worker", "SIGKILL"),
    ("scheduler", "SIGKILL"),
]
SECONDS_TO_END = 30


class Study:
    """A copy of the workflow with a configuration, and a folder of its own for temporary files."""

    def __init__(self, folder: Path, **changes: object) -> None:
        self.folder = folder
        for name in ("workflow", "profiles", "envs"):
            shutil.copytree(ROOT / name, folder / name)
        config = {**yaml.safe_load((ROOT / "config.yaml").read_text()), **changes}
        (folder / "config.yaml").write_text(yaml.safe_dump(config))
        self.results = folder / config["results"]
        self.temporary = folder / "tmp"
        self.temporary.mkdir()

    def start(
        self, *options: str, cores: int = 2, snakemake: Path = SNAKEMAKE, **variables: str
    ) -> subprocess.Popen[bytes]:
        with (self.folder / "output.txt").open("ab") as output:
            return subprocess.Popen(
                [snakemake, "--cores", str(cores), *options],
                cwd=self.folder,
                env={**os.environ, "TMPDIR": str(self.temporary), **variables},
                stdout=output,
                stderr=output,
                start_new_session=True,
            )

    def whole(self) -> dict[Path, str]:
        """Return a digest of the rows of each file of a task; "damaged" if it cannot be read.

        The rows have the times of a search or a model, so work that was repeated has others.
        """
        digests = {}
        for path in (p for part in PARTS for p in (self.results / part).rglob("*.parquet")):
            try:
                rows = str(read_whole(path)[0].to_pydict())
                digests[path] = sha256(rows.encode()).hexdigest()
            except AltfsError:
                digests[path] = "damaged"
        return digests

    def tables(self) -> dict[str, bytes]:
        """Return the bytes of each table without times."""
        paths = (self.results / "tables").glob("*.csv")
        return {p.name: p.read_bytes() for p in paths if b"econds" not in p.read_bytes()}

    def processes(self) -> list[psutil.Process]:
        """Return the processes that work in the folder."""
        inside = []
        for process in psutil.process_iter():
            with suppress(psutil.Error, OSError):
                if Path(process.cwd()) == self.folder and process.status() != "zombie":
                    inside.append(process)
        return inside

    def lose_some(self, chance: random.Random) -> None:
        """Delete a random part of the results, and the page."""
        paths = [path for path in self.whole() if chance.random() < 0.4]
        for path in [*paths, self.results / "report.html"]:
            path.unlink()


def children(process: psutil.Process) -> list[psutil.Process]:
    """Return the Dask processes that a process has started."""
    spawned = []
    for child in process.children():
        with suppress(psutil.Error):
            if "spawn_main" in " ".join(child.cmdline()):
                spawned.append(child)
    return spawned


def victims(process: subprocess.Popen[bytes], who: str) -> list[psutil.Process]:
    """Return the processes that get the signal; Snakemake, if the others have not begun."""
    main = psutil.Process(process.pid)
    schedulers = children(main)
    workers = [worker for scheduler in schedulers for worker in children(scheduler)]
    chosen = {
        "all": [main, *main.children(recursive=True)],
        "scheduler": schedulers,
        "worker": workers[:1],
    }
    return chosen.get(who) or [main]


def stop_once(
    study: Study, chance: random.Random, before: dict[Path, str], most: float
) -> dict[str, object]:
    """Run a study, stop it, and compare its results with those before."""
    who, name = chance.choice(SIGNALS)
    seconds = chance.uniform(1, most)
    process = study.start()
    end, peak = time.monotonic() + seconds, 0
    while time.monotonic() < end and process.poll() is None:
        with suppress(psutil.Error):
            peak = max(peak, psutil.Process(process.pid).memory_info().rss)
        time.sleep(0.1)
    stopped = process.poll() is None
    began = time.monotonic()
    if stopped:
        with suppress(psutil.Error):
            for victim in victims(process, who):
                with suppress(psutil.Error):
                    victim.send_signal(getattr(signal, name))
    # A run goes on without a worker.
    if who == "worker":
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout=chance.uniform(1, 6))
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
    code = process.wait(timeout=120)
    end = time.monotonic() + SECONDS_TO_END
    while (left := study.processes()) and time.monotonic() < end:
        time.sleep(0.1)
    ended = time.monotonic() - began
    after = study.whole()
    return {
        "seconds": round(seconds, 1),
        "to": who if stopped else "",
        "signal": name if stopped else "",
        "code": code,
        "whole_before": len(before),
        "whole_after": sum(digest != "damaged" for digest in after.values()),
        "lost": len(before.keys() - after.keys()),
        "repeated": sum(after.get(path, digest) != digest for path, digest in before.items()),
        "damaged": sum(digest == "damaged" for digest in after.values()),
        "seconds_to_end": round(ended, 1) if stopped else "",
        "processes_left": len(left),
        "partial": sum(1 for _ in study.results.rglob("*.partial")),
        "files": sum(1 for path in study.folder.rglob("*") if path.is_file()),
        "temporary": sum(1 for _ in study.temporary.iterdir()),
        "megabytes": peak // 2**20,
    }


def stop_often(
    study: Study, expected: dict[str, bytes], stops: int, rows: Path, most: float
) -> None:
    chance = random.Random(0)
    counted: Counter[str] = Counter()
    before: dict[Path, str] = {}
    with rows.open("w", newline="") as file:
        writer = None
        number = 0
        while number < stops:
            row = {"run": number, **stop_once(study, chance, before, most)}
            writer = writer or csv.DictWriter(file, list(row))
            if number == 0:
                writer.writeheader()
            writer.writerow(row)
            file.flush()
            counted.update({k: row[k] for k in ("lost", "repeated", "damaged", "processes_left")})
            if row["signal"]:
                number += 1
            elif row["code"] == 0:
                counted["finished"] += 1
                counted["other tables"] += study.tables() != expected
                study.lose_some(chance)
            else:
                counted["failed without a signal"] += 1
            before = study.whole()
    print(f"{stops} stops:", ", ".join(f"{count} {name}" for name, count in counted.items()))


def run_together(folder: Path, number: int) -> None:
    studies = []
    for i in range(number + 1):
        (folder / f"small{i}").mkdir()
        studies.append(Study(folder / f"small{i}", **SMALL))
    first, *others = studies
    codes = [first.start().wait()]
    processes = [study.start() for study in others]
    peak = 0
    while any(process.poll() is None for process in processes):
        peak = max(peak, psutil.virtual_memory().used)
        time.sleep(1)
    codes += [process.wait() for process in processes]
    time.sleep(5)
    left = sum(len(study.processes()) for study in studies)
    same = sum(study.tables() == first.tables() for study in others)
    print(
        f"{number} studies at once: {codes.count(0) - 1} ended well, {same} with the tables of one "
        f"alone, {left} processes left, {peak / 2**30:.1f} GiB in use on the machine"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stops", type=int, default=200)
    parser.add_argument("--studies", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=12, help="after which the last stop comes")
    parser.add_argument("--rows", type=Path, default=Path("soak.csv"))
    arguments = parser.parse_args()
    # Started in the background, all would ignore them.
    for number in (signal.SIGHUP, signal.SIGINT):
        signal.signal(number, signal.SIG_DFL)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "undisturbed").mkdir()
        (folder / "stopped").mkdir()
        if arguments.stops:
            undisturbed = Study(folder / "undisturbed")
            assert undisturbed.start().wait() == 0
            stopped = Study(folder / "stopped")
            tables, most = undisturbed.tables(), arguments.seconds
            stop_often(stopped, tables, arguments.stops, arguments.rows, most)
        if arguments.studies:
            run_together(folder, arguments.studies)


if __name__ == "__main__":
    main()
