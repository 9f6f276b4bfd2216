"""Simulation of the complete study on many workers, which sleep for recorded times.

Rules, plan, executor and Dask scheduler are the real ones. Tasks sleep for the CPU seconds of
a run, or for the time that `altfs plan` expects if none is recorded. Prints the wall
time, the utilisation (sleeping time over wall time times workers), and the CPU time of
Snakemake's process and of the scheduler.

    snakemake --cores 2 --configfile STUDY.yaml
    python benchmarks/simulation.py STUDY.yaml --times RESULTS --workers 64 512
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

import psutil
import yaml

ROOT = Path(__file__).resolve().parents[1]
# Sleeping workers share processes. With 64 in each their overhead stays apart.
_WORKERS_PER_PROCESS = 64
_STAGE = re.compile(r"/(scores|qualities|shards|predictions)/(dataset=[^/]+)/(fold=\d+)/")
TASKS = """
import json, os, time

with open("seconds.json") as source:
    SECONDS = json.load(source)

def run(**arguments):
    path = arguments["output"]
    time.sleep(SECONDS[path])
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as target:
        target.write("slept")
"""

# Workers measure themselves, which costs little on the nodes of a cluster. Here they share a core.
WORKERS = """
import asyncio, sys
import dask
from distributed import Worker

dask.config.set({
    "distributed.worker.profile.enabled": False, "distributed.admin.system-monitor.interval": "60s"
})

class Sleeper(Worker):
    beats = 0

    async def heartbeat(self):
        self.beats += 1
        if self.beats % 10 == 1:
            await super().heartbeat()

async def main(file, number, folder):
    options = {"nthreads": 1, "memory_limit": 0, "dashboard": False, "local_directory": folder}
    workers = [Sleeper(scheduler_file=file, **options) for _ in range(number)]
    await asyncio.gather(*workers)
    await asyncio.gather(*(worker.finished() for worker in workers))

asyncio.run(main(sys.argv[1], int(sys.argv[2]), sys.argv[3]))
"""


def recorded(results: Path | None) -> dict[str, float]:
    """CPU seconds of the tasks of a study that was run, by their files in the results folder."""
    from altfs.study.session import open_study
    from altfs.study.store import cpu_seconds_and_rows

    if results is None:
        return {}
    plan = open_study(results)
    spent = ((plan.inside(path), cpu_seconds_and_rows(path)) for path in plan.tasks)
    return {inside: one[0] for inside, one in spent if one is not None}


def configuration(study: Path) -> dict[str, Any]:
    """Return the configuration of a study, with a results folder that nothing else has."""
    return {**yaml.safe_load(study.read_text()), "results": "results/simulated"}


def seconds_by_output(study: Path, times: dict[str, float]) -> tuple[dict[str, float], int]:
    """Return the time that every task sleeps, and the number of recorded times."""
    from altfs.study.forecast import expected_jobs
    from altfs.study.session import check_study

    plan = check_study(configuration(study))
    expected = expected_jobs(plan)
    inside = {path: plan.inside(path) for path in plan.tasks}
    seconds = {path: times.get(inside[path], expected[path].seconds) for path in plan.tasks}
    return seconds, sum(name in times for name in inside.values())


def longest_chain(seconds: dict[str, float]) -> float:
    """Seconds that no number of workers shortens: a fold's longest task of each stage.

    A prediction waits for all searches of its fold, and a search for its scores and qualities.
    """
    longest: dict[tuple[str, ...], dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for path, spent in seconds.items():
        found = _STAGE.search(path)
        if found:
            stages = longest[found[2], found[3]]
            stages[found[1]] = max(stages[found[1]], spent)
    return max(sum(stages.values()) for stages in longest.values())


def prepare(folder: Path, study: Path, seconds: dict[str, float]) -> None:
    """Return a copy of the workflow whose tasks sleep."""
    shutil.copytree(ROOT / "workflow", folder / "workflow")
    shutil.copytree(ROOT / "profiles", folder / "profiles")
    shutil.copytree(ROOT / "envs", folder / "envs")
    (folder / "config.yaml").write_text(yaml.safe_dump(configuration(study)))
    for rules in (folder / "workflow" / "rules").glob("*.smk"):
        text = rules.read_text()
        text = re.sub(r'task="altfs[\w.]+:\w+"', 'task="sleeping:run"', text)
        # Workers that share a process cannot send its output to a file each.
        text = re.sub(r"^ *log:\n.*\n", "", text, flags=re.MULTILINE)
        whole = '{"rule": task.rule, "task": task.model_dump(mode="json")}'
        text = text.replace(whole, '{"output": task.path}')
        text = text.replace("{log:q}", "/dev/null")
        rules.write_text(text)
    (folder / "sleeping.py").write_text(TASKS)
    (folder / "seconds.json").write_text(json.dumps(seconds))


def simulate(study: Path, seconds: dict[str, float], n_workers: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        prepare(folder, study, seconds)
        environment = {**os.environ, "PYTHONPATH": name}
        file = folder / "scheduler.json"
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        start = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--no-dashboard"]
        scheduler = subprocess.Popen(
            [*start, "--port", "0", "--scheduler-file", str(file)], cwd=name, **quiet
        )
        workers = []
        try:
            while not file.exists():
                time.sleep(0.1)
            for first in range(0, n_workers, _WORKERS_PER_PROCESS):
                number = min(_WORKERS_PER_PROCESS, n_workers - first)
                command = [sys.executable, "-c", WORKERS, str(file), str(number)]
                workers.append(
                    subprocess.Popen(
                        [*command, f"{name}/scratch{first}"], cwd=name, env=environment, **quiet
                    )
                )
            _wait_for_workers(json.loads(file.read_text())["address"], n_workers)
            _run(folder, file, n_workers, seconds, scheduler.pid, environment)
        finally:
            for process in [*workers, scheduler]:
                process.terminate()
            for process in [*workers, scheduler]:
                process.wait(timeout=60)


def _wait_for_workers(address: str, n_workers: int) -> None:
    from distributed import Client

    with Client(address) as client:
        client.wait_for_workers(n_workers, timeout=300)


def _run(
    folder: Path,
    file: Path,
    n_workers: int,
    seconds: dict[str, float],
    scheduler: int,
    environment: dict[str, str],
) -> None:
    snakemake = [str(Path(sys.executable).with_name("snakemake")), "--cores", str(n_workers)]
    # Tables, figures and report are another matter, which benchmarks/evaluation.py measures.
    options = ["--dask-scheduler-file", str(file), "--jobs", str(max(256, 4 * n_workers))]
    options += ["--until", "predict"]
    with open(folder / "messages.txt", "w") as messages:
        process = subprocess.Popen(
            [*snakemake, *options], cwd=folder, env=environment, stdout=messages, stderr=messages
        )
        begin = time.monotonic()
        watched = psutil.Process(process.pid)
        spent = 0.0
        planned = None
        try:
            while process.poll() is None:
                try:
                    spent = sum(watched.cpu_times()[:2])
                except psutil.Error:
                    break
                if planned is None and any(folder.rglob("datasets/*.parquet")):
                    planned = time.monotonic() - begin
                time.sleep(0.5)
        finally:
            process.terminate()
            process.wait()
    wall = time.monotonic() - begin
    if process.returncode:
        raise SystemExit((folder / "messages.txt").read_text()[-3000:])
    running = wall - (planned or 0.0)
    sleeping = sum(seconds.values())
    least = max(sleeping / n_workers, longest_chain(seconds))
    cpu = sum(psutil.Process(scheduler).cpu_times()[:2])
    print(
        f"| {n_workers} | {wall:.0f} | {planned or 0:.0f} | {least:.0f} "
        f"| {sleeping / (running * n_workers):.0%} | {spent:.0f} | {cpu:.0f} |",
        flush=True,
    )


def main() -> None:
    # End the processes that it started, also when it is ended itself.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("study", type=Path)
    parser.add_argument("--times", type=Path, help="results folder of the study")
    parser.add_argument("--workers", type=int, nargs="+", default=[64, 512])
    chosen = parser.parse_args()
    seconds, known = seconds_by_output(chosen.study, recorded(chosen.times))
    print(
        f"{len(seconds)} tasks, {sum(seconds.values()) / 3600:.1f} hours in all, "
        f"{known} of the times recorded\n"
    )
    print(
        "| workers | wall s | until the first job s | at least s | utilisation "
        "| Snakemake CPU s | scheduler CPU s |\n|---|---|---|---|---|---|---|"
    )
    for n_workers in chosen.workers:
        simulate(chosen.study, seconds, n_workers)


if __name__ == "__main__":
    main()
