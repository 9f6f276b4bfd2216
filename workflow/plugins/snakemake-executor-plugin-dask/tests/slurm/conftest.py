"""A SLURM of this machine, and a workflow of jobs that only sleep."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from snakemake_runs import output_of, start_snakemake
from toy import ToySlurm, slurm

__all__ = ["slurm"]


TASKS = """
import os, time
def sleep(output):
    with open("runs.txt", "a") as runs:
        runs.write(output + "\\n")
    time.sleep(3)
    open(output, "w").close()
def hang_once(output):
    first = not os.path.exists("hung")
    open("hung", "w").close()
    time.sleep(600 if first else 0)
    open(output, "w").close()
def fail(output):
    raise ValueError("this task fails on purpose")
"""
SNAKEFILE = """
import json
def arguments(w, output):
    return json.dumps({"output": str(output)})
rule all:
    input: [f"slept/{i}.txt" for i in range(int(config["number"]))]
rule sleep:
    output: "slept/{i}.txt"
    params: task="sleepers:sleep", arguments=arguments
    shell: "exit 9"
rule hang:
    output: "hang.txt"
    params: task="sleepers:hang_once", arguments=arguments
    shell: "exit 9"
rule fail:
    output: "fail.txt"
    params: task="sleepers:fail", arguments=arguments
    shell: "exit 9"
rule huge:
    output: "huge.txt"
    resources: mem_mb=100000
    params: task="sleepers:sleep", arguments=arguments
    shell: "exit 9"
"""


class Sleepers:
    """A workflow of jobs that sleep for three seconds."""

    def __init__(self, path: Path, slurm: ToySlurm) -> None:
        self.path = path
        self.environment = {**os.environ, **slurm.environment}
        modules = [str(path), self.environment.get("PYTHONPATH")]
        self.environment["PYTHONPATH"] = ":".join(filter(None, modules))
        (path / "Snakefile").write_text(SNAKEFILE)
        (path / "sleepers.py").write_text(TASKS)

    def options(
        self, *options: str, number: int = 0, target: str = "all", own_workers: bool = True
    ) -> list[str]:
        given = "--dask-slurm-workers" in options or not own_workers
        return [
            *("--executor", "dask", "--jobs", "64", "--config", f"number={number}"),
            *("--dask-slurm-interface", "lo", "--dask-slurm-memory", "500M"),
            *(() if given else ("--dask-slurm-workers", "1")),
            *options,
            *("--", target),
        ]

    def start(self, *options: str, **more: Any) -> subprocess.Popen[str]:
        return start_snakemake(self.path, *self.options(*options, **more), **self.environment)

    def run(self, *options: str, ok: bool = True, **more: Any) -> str:
        return output_of(self.start(*options, **more), ok=ok)

    def times_run(self) -> list[int]:
        """Return the number of starts of each job."""
        runs = (self.path / "runs.txt").read_text().split()
        return [runs.count(name) for name in sorted(set(runs))]


@pytest.fixture
def sleepers(tmp_path: Path, slurm: ToySlurm) -> Iterator[Sleepers]:
    """The workflow of sleeping jobs, which leaves no SLURM job behind."""
    yield Sleepers(tmp_path, slurm)
    # pytest shows it if the test fails.
    print(slurm.logs())
    slurm.cancel_all()
