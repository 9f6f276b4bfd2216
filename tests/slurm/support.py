"""Common parts of the tests on SLURM: the cluster, the study, and jobs that only sleep.

Imported by `tests/slurm/run` as a plugin of pytest.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from toy import ToySlurm, missing_programs

TESTS = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS / "workflow"))

PROFILE = ("--profile", "workflow/profiles/slurm-dask")
STUDY = {"datasets": ["pmlb:hepatitis", "pmlb:backache"], "folds": 2, "n_features": 2}
SHARDS = 32
# What a user would write into the profile.
EDITS = {
    "dask-slurm-workers": "2",
    "dask-slurm-memory": "1500M",
    "dask-slurm-partition": "main",
    "dask-slurm-interface": "lo",
}


class Slurm(ToySlurm):
    """A SLURM that knows which jobs a run of Snakemake started."""

    def history(self, output: str = "") -> list[tuple[str, str]]:
        """Ids and states of the jobs of a run, by what the run said."""
        found = re.search(r"jobs '([\w-]+)'", output)
        assert found, output
        return [(job, state) for job, state, name in super().history() if name == found[1]]


@pytest.fixture(scope="session")
def slurm() -> Iterator[Slurm]:
    """A SLURM of one machine; Unix sockets want a short path."""
    missing = missing_programs()
    if missing:
        pytest.exit(f"Missing: {', '.join(missing)}; apt-get install slurm-wlm munge", 2)
    with tempfile.TemporaryDirectory(prefix="toy-") as folder, Slurm(Path(folder)) as cluster:
        yield cluster


@pytest.fixture
def study(workspace: Any, pmlb_cache: Path, slurm: Slurm) -> Iterator[Callable[..., Any]]:
    """Makes workspaces with the study, and profiles edited for this SLURM."""

    def make(name: str, **changes: Any) -> Any:
        work = workspace(name, pmlb_cache=str(pmlb_cache), **{**STUDY, **changes})
        for profile in (work.folder / "workflow" / "profiles").glob("*/config.yaml"):
            edit(profile, EDITS)
        return work

    yield make
    slurm.cancel_all()


def edit(profile: Path, values: dict[str, str]) -> None:
    """Set keys of a profile that are there already, also as comments."""
    text = profile.read_text()
    for key, value in values.items():
        text = re.sub(rf"^(# )?{key}:.*$", f"{key}: {value}", text, flags=re.MULTILINE)
    profile.write_text(text)


class Local:
    """The results of the study on this machine."""

    def __init__(self, work: Any) -> None:
        from test_runs import contents

        self._found = contents(work.results)

    def assert_same_as(self, work: Any) -> None:
        from test_runs import assert_same, contents

        assert_same(contents(work.results), self._found)

    def assert_same_shards_as(self, work: Any, dataset: str, tau: str) -> None:
        """The same, for a study of one dataset and threshold."""
        from test_runs import assert_same, contents

        parts = (f"/dataset={dataset}/", f"/tau={tau}/")
        found = {
            name: rows
            for name, rows in contents(work.results).items()
            if name.startswith("shards/")
        }
        wanted = {
            name: rows for name, rows in self._found.items() if all(part in name for part in parts)
        }
        assert_same(found, wanted)


@pytest.fixture(scope="session")
def local(tmp_path_factory: pytest.TempPathFactory, pmlb_cache: Path) -> Local:
    """The study run by `snakemake --cores 2`."""
    from studies import SMALL
    from workspaces import Workspace

    config = {**SMALL, **STUDY, "pmlb_cache": str(pmlb_cache)}
    work = Workspace(tmp_path_factory.mktemp("local"), config)
    work.run()
    assert len(work.shards()) == SHARDS
    return Local(work)


def wait_for(ready: Callable[[], Any], seconds: float) -> Any:
    """Wait until something is true; returns it."""
    end = time.monotonic() + seconds
    while not (found := ready()) and time.monotonic() < end:
        time.sleep(0.1)
    return found


def started(work: Any, slurm: Slurm, *options: str, shards: int) -> subprocess.Popen[str]:
    """A run on SLURM that has finished some shards."""
    process: subprocess.Popen[str] = work.start(*PROFILE, *options, **slurm.environment)
    wait_for(lambda: len(work.shards()) >= shards or process.poll() is not None, 240)
    assert process.poll() is None, process.communicate(timeout=60)[0]
    return process


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

    def __init__(self, path: Path, slurm: Slurm) -> None:
        self.path = path
        self.environment = {**os.environ, **slurm.environment}
        modules = [str(path), self.environment.get("PYTHONPATH")]
        self.environment["PYTHONPATH"] = ":".join(filter(None, modules))
        (path / "Snakefile").write_text(SNAKEFILE)
        (path / "sleepers.py").write_text(TASKS)

    def options(self, *options: str, number: int = 0, target: str = "all") -> list[str]:
        given = "--dask-slurm-workers" in options
        return [
            *("--executor", "dask", "--jobs", "64", "--config", f"number={number}"),
            *("--dask-slurm-interface", "lo", "--dask-slurm-memory", "500M"),
            *(() if given else ("--dask-slurm-workers", "1")),
            *options,
            *("--", target),
        ]

    def start(self, *options: str, **more: Any) -> subprocess.Popen[str]:
        from workspaces import start_snakemake

        return start_snakemake(self.path, *self.options(*options, **more), **self.environment)

    def run(self, *options: str, ok: bool = True, **more: Any) -> str:
        from workspaces import output_of

        return output_of(self.start(*options, **more), ok=ok)

    def times_run(self) -> list[int]:
        """Return the number of starts of each job."""
        runs = (self.path / "runs.txt").read_text().split()
        return [runs.count(name) for name in sorted(set(runs))]


@pytest.fixture
def sleepers(tmp_path: Path, slurm: Slurm) -> Iterator[Sleepers]:
    """The workflow of sleeping jobs, which leaves no SLURM job behind."""
    yield Sleepers(tmp_path, slurm)
    slurm.cancel_all()
