"""Runs of Snakemake in folders of their own, their processes, and Dask clusters beside them.

A plugin of pytest.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest


def exhaustive(*values: Any) -> list[Any]:
    """Mark values of a parameter as exhaustive. A tuple has the values of several parameters."""
    several = [value if isinstance(value, tuple) else (value,) for value in values]
    return [pytest.param(*value, marks=pytest.mark.exhaustive) for value in several]


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
    """Wait for a process and return its output. Fail unless it ends as expected."""
    try:
        output, _ = process.communicate(timeout=800)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        raise
    assert (process.returncode == 0) == ok, output
    return output


def processes_in(folder: Path) -> list[psutil.Process]:
    """Return the processes that work in a folder, except this one."""
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
    """Wait for the processes of a folder to end; return those that did not."""
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


def pytest_configure() -> None:
    # The packages may have been installed without bytecode. Where Python is told not to keep any,
    # each of the programs that tests start would compile its imports again.
    sys.dont_write_bytecode = False
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    # Started in the background or by nohup, tests ignore signals, and so would the processes to
    # which they send them. A new program begins without handlers. No `preexec_fn` does this: it
    # would run between fork and exec, where it can wait forever for a lock of another thread.
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if signal.getsignal(signal.SIGHUP) == signal.SIG_IGN:
        signal.signal(signal.SIGHUP, lambda number, frame: None)


class Folder:
    """A folder with a Snakefile and a module of tasks, `mytasks`."""

    def __init__(self, path: Path, snakefile: str, tasks: str = "") -> None:
        self.path = path
        (path / "Snakefile").write_text(snakefile)
        (path / "mytasks.py").write_text(tasks)

    @property
    def environment(self) -> dict[str, str]:
        modules = [str(self.path), os.environ.get("PYTHONPATH")]
        return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, modules))}

    def start(self, *options: str) -> subprocess.Popen[str]:
        # The default scheduler needs CBC, which the oldest Snakemake does not bring along.
        common = ("--executor", "dask", "--jobs", "8", "--cores", "2", "--scheduler", "greedy")
        return start_snakemake(self.path, *common, *options, **self.environment)

    def run(self, *options: str, ok: bool = True) -> str:
        return output_of(self.start(*options), ok=ok)

    def read(self, name: str) -> str:
        return (self.path / name).read_text()


class LocalScheduler:
    """A scheduler and workers that are not those of a run."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self._started: list[subprocess.Popen[bytes]] = []
        self.file = folder.path / "scheduler.json"
        self._start("scheduler", "--port", "0")
        wait_for(lambda: self.file.exists() and self.file.read_text())

    def add_worker(self, *options: str, threads: int = 1, **environment: str) -> None:
        scratch = str(self._folder.path / "scratch")
        options = ("--nthreads", str(threads), "--local-directory", scratch, *options)
        self._start("worker", *options, **environment)

    def is_whole(self) -> bool:
        return all(process.poll() is None for process in self._started)

    def close(self) -> None:
        # Workers that have lost their scheduler would wait for it.
        for process in reversed(self._started):
            process.terminate()
            process.wait(timeout=60)

    def _start(self, kind: str, *options: str, **environment: str) -> None:
        command = [sys.executable, "-m", f"distributed.cli.dask_{kind}", "--no-dashboard"]
        self._started.append(
            subprocess.Popen(
                [*command, "--scheduler-file", str(self.file), *options],
                # As on another machine.
                cwd=Path(__file__).parent,
                env={**self._folder.environment, **environment},
                stderr=subprocess.DEVNULL,
            )
        )


@pytest.fixture
def cluster(folder: Folder) -> Iterator[LocalScheduler]:
    """A scheduler that was started elsewhere, for the folder of the test."""
    started = LocalScheduler(folder)
    yield started
    started.close()
