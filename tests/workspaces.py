"""Copies of the workflow in folders of their own, runs of Snakemake there, and their processes."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import psutil
import pytest
import yaml
from studies import SMALL

ROOT = Path(__file__).resolve().parents[1]


class Workspace:
    """A copy of the workflow in a folder of its own, with a configuration."""

    def __init__(self, folder: Path, config: dict[str, Any]) -> None:
        self.folder = folder
        for name in ("workflow", "profiles", "envs"):
            shutil.copytree(ROOT / name, folder / name)
        self.configure(config)

    def configure(self, config: dict[str, Any]) -> None:
        self.config = config
        (self.folder / "config.yaml").write_text(yaml.safe_dump(config))

    @property
    def results(self) -> Path:
        return self.folder / self.config["results"]

    def start(self, *options: str, **environment: str) -> subprocess.Popen[str]:
        """Start Snakemake."""
        return start_snakemake(self.folder, *(options or ("--cores", "2")), **environment)

    def run(self, *options: str, ok: bool = True, **environment: str) -> str:
        """Run Snakemake to its end and return what it said."""
        return output_of(self.start(*options, **environment), ok=ok)

    def shards(self) -> list[Path]:
        return sorted(self.results.glob("shards/**/search=*.parquet"))


def start_snakemake(folder: Path, *options: str, **environment: str) -> subprocess.Popen[str]:
    """Start Snakemake in a session of its own, so that signals reach it alone."""
    return subprocess.Popen(
        [str(Path(sys.executable).with_name("snakemake")), *options],
        cwd=folder,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )


def output_of(process: subprocess.Popen[str], *, ok: bool) -> str:
    """Wait for a process and return what it said. Fail unless it ends as expected."""
    try:
        output, _ = process.communicate(timeout=800)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        raise
    assert (process.returncode == 0) == ok, output
    return output


def processes_in(folder: Path) -> list[psutil.Process]:
    """Processes that work in a folder, this one apart."""
    found = []
    for process in psutil.process_iter():
        if process.pid == os.getpid():
            continue
        try:
            if Path(process.cwd()) == folder and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
        except (psutil.Error, OSError):
            continue
    return found


def wait_until_gone(folder: Path, seconds: float = 30) -> list[psutil.Process]:
    """Wait for the processes of a folder to end; returns those that did not."""
    end = time.monotonic() + seconds
    while (left := processes_in(folder)) and time.monotonic() < end:
        time.sleep(0.2)
    return left


def wait_for(ready: Callable[[], Any], process: Any = None, seconds: float = 120) -> Any:
    """Wait until something is true, or a process that should make it so has ended."""
    end = time.monotonic() + seconds
    while not (found := ready()) and time.monotonic() < end:
        if process is not None and process.poll() is not None:
            break
        time.sleep(0.05)
    assert found, process and process.poll() is not None and process.communicate(timeout=60)[0]
    return found


class Cluster:
    """A scheduler and workers that somebody else starts."""

    def __init__(self, folder: Any) -> None:
        self._folder = folder
        self._started: list[subprocess.Popen[bytes]] = []
        self.file = folder.path / "scheduler.json"
        self._start("scheduler", "--port", "0")
        wait_for(self.file.exists)

    def add_worker(self, *options: str, threads: int = 1) -> None:
        scratch = str(self._folder.path / "scratch")
        self._start("worker", "--nthreads", str(threads), "--local-directory", scratch, *options)

    def is_whole(self) -> bool:
        return all(process.poll() is None for process in self._started)

    def close(self) -> None:
        for process in reversed(self._started):
            process.terminate()
        for process in self._started:
            process.wait(timeout=60)

    def _start(self, kind: str, *options: str) -> None:
        command = [sys.executable, "-m", f"distributed.cli.dask_{kind}", "--no-dashboard"]
        self._started.append(
            subprocess.Popen(
                [*command, "--scheduler-file", str(self.file), *options],
                # As on another machine.
                cwd=ROOT,
                env=self._folder.environment,
                stderr=subprocess.DEVNULL,
            )
        )


@pytest.fixture
def cluster(folder: Any) -> Iterator[Cluster]:
    started = Cluster(folder)
    yield started
    started.close()


@pytest.fixture
def workspace(tmp_path: Path) -> Any:
    """Makes workspaces, and sees to it that they leave no process behind."""
    made: list[Workspace] = []

    def make(name: str = "work", **changes: Any) -> Workspace:
        folder = tmp_path / name
        folder.mkdir()
        made.append(Workspace(folder, {**SMALL, **changes}))
        return made[-1]

    yield make
    left = [process for work in made for process in wait_until_gone(work.folder)]
    for process in left:
        process.kill()
    assert not left, f"left behind: {left}"


@pytest.fixture
def finished_workspace(workspace: Any, made_once: Callable[..., Path]) -> Any:
    """Makes workspaces in which the study has been run. It is run once and copied."""

    def make(**changes: Any) -> Workspace:
        work: Workspace = workspace(**changes)
        digest = sha256(json.dumps(work.config, sort_keys=True).encode()).hexdigest()[:16]
        ran = made_once(f"run-{digest}", lambda folder: Workspace(folder, work.config).run())
        for name in (work.config["results"], ".snakemake"):
            shutil.copytree(ran / name, work.folder / name)
        return work

    return make
