"""Faults of workers while a run goes on: no job is lost, and none is repeated without a cause."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager, suppress

import psutil
import pytest
from distributed import Client
from snakemake_runs import Folder, wait_for, wait_until_gone

TASKS = """
import os, time
def step(output):
    with open("begun.txt", "a") as begun:
        begun.write(f"{output} {os.getpid()}\\n")
    time.sleep(0.3)
    with open(output, "w") as target:
        target.write("x" * 300_000)
"""
SNAKEFILE = """
import json
rule step:
    output: "steps/{i}.txt"
    log: "logs/{i}.log"
    params:
        task="mytasks:step",
        arguments=lambda w, output: json.dumps({"output": str(output)})
    shell: "exit 9"
"""
TARGETS = [f"steps/{i}.txt" for i in range(16)]


class Steps(Folder):
    def begun(self):
        """Return the jobs that began, and the processes that ran them."""
        file = self.path / "begun.txt"
        return [line.split() for line in file.read_text().splitlines()] if file.exists() else []

    def assert_complete(self, process, victim=None):
        """Wait for the run: all jobs are there, and only jobs of one worker began twice."""
        output, _ = process.communicate(timeout=120)
        assert process.returncode == 0, output
        assert all((self.path / name).stat().st_size == 300_000 for name in TARGETS)
        names = [name for name, _ in self.begun()]
        assert sorted(set(names)) == sorted(TARGETS)
        repeated = {name for name in names if names.count(name) > 1}
        assert repeated <= {name for name, worker in self.begun() if worker == victim}


@pytest.fixture
def folder(tmp_path):
    yield Steps(tmp_path, SNAKEFILE, TASKS)
    assert wait_until_gone(tmp_path) == []


@pytest.mark.exhaustive
def test_of_a_killed_worker_only_jobs_without_a_report_run_again(folder):
    process = folder.start(*TARGETS)
    wait_for(lambda: len(folder.begun()) >= 4, process)
    victim = folder.begun()[-1][1]
    os.kill(int(victim), signal.SIGKILL)
    folder.assert_complete(process, victim)


@pytest.mark.exhaustive
def test_a_worker_that_hangs_for_a_while(folder):
    process = folder.start(*TARGETS)
    wait_for(lambda: len(folder.begun()) >= 4, process)
    victim = int(folder.begun()[-1][1])
    os.kill(victim, signal.SIGSTOP)
    # The other worker goes on, and this one too when it may.
    wait_for(lambda: len(folder.begun()) >= 8, process)
    os.kill(victim, signal.SIGCONT)
    folder.assert_complete(process)


@pytest.mark.exhaustive
def test_a_worker_that_is_drained(folder, cluster):
    for _ in range(2):
        cluster.add_worker()
    process = folder.start("--dask-scheduler-file", str(cluster.file), *TARGETS)
    wait_for(lambda: len(folder.begun()) >= 4, process)
    with Client(scheduler_file=str(cluster.file)) as client:
        ((address, victim), _) = client.run(os.getpid).items()
        client.retire_workers([address])
    folder.assert_complete(process, str(victim))


class Away:
    """A worker behind a network of its own, as on another machine."""

    def __init__(self, folder, cluster):
        self._name = f"dask{os.getpid()}"
        # Of the addresses for tests of networks, some for each process.
        self.net = f"198.18.{os.getpid() % 256}"
        self._folder, self._cluster = folder, cluster

    def _ip(self, command):
        subprocess.run(["ip", *command.format(name=self._name, net=self.net).split()], check=True)

    def __enter__(self):
        port = json.loads(self._cluster.file.read_text())["address"].rpartition(":")[2]
        self._ip("netns add {name}")
        self._ip("link add {name} type veth peer name inside netns {name}")
        self._ip("addr add {net}.1/30 dev {name}")
        self._ip("link set {name} up")
        self._ip("-n {name} addr add {net}.2/30 dev inside")
        self._ip("-n {name} link set inside up")
        self._ip("-n {name} link set lo up")
        worker = f"{sys.executable} -m distributed.cli.dask_worker tcp://{self.net}.1:{port}"
        options = f"--nthreads 1 --host {self.net}.2 --no-dashboard --local-directory"
        self._process = subprocess.Popen(
            ["ip", "netns", "exec", self._name, *worker.split(), *options.split(),
             str(self._folder.path / "scratch")],
            env=self._folder.environment, cwd="/", stderr=subprocess.DEVNULL,
        )  # fmt: skip
        return self

    def cut(self):
        self._ip("link set {name} down")

    def mend(self):
        self._ip("link set {name} up")

    def __exit__(self, *_):
        started = psutil.Process(self._process.pid).children(recursive=True)
        for process in [self._process, *started]:
            with suppress(psutil.NoSuchProcess):
                process.kill()
        self._process.wait()
        self._ip("link del {name}")
        self._ip("netns del {name}")


@contextmanager
def cut_off(folder, cluster):
    """A run on two workers, of which one has begun a job and is cut off; and that worker."""
    cluster.add_worker()
    with Away(folder, cluster) as away, Client(scheduler_file=str(cluster.file)) as client:
        client.wait_for_workers(2)
        victim = next(
            str(pid) for address, pid in client.run(os.getpid).items() if away.net in address
        )
        process = folder.start("--dask-scheduler-file", str(cluster.file), *TARGETS)
        wait_for(lambda: victim in [worker for _, worker in folder.begun()], process)
        away.cut()
        yield process, away, victim


@pytest.mark.exhaustive
def test_a_network_that_is_cut_for_a_while(folder, cluster):
    with cut_off(folder, cluster) as (process, away, _):
        wait_for(lambda: len(folder.begun()) >= 8, process)
        away.mend()
        folder.assert_complete(process)


@pytest.mark.exhaustive
def test_a_network_that_is_cut_for_good(folder, cluster):
    with cut_off(folder, cluster) as (process, _, victim):
        folder.assert_complete(process, victim)


@pytest.mark.exhaustive
def test_a_network_that_loses_packets(folder, cluster):
    with Away(folder, cluster) as away, Client(scheduler_file=str(cluster.file)) as client:
        client.wait_for_workers(1)
        process = folder.start("--dask-scheduler-file", str(cluster.file), *TARGETS)
        # Each time, what is sent within a fifth of a second is lost.
        for _ in range(20):
            away.cut()
            time.sleep(0.2)
            away.mend()
            time.sleep(0.3)
        folder.assert_complete(process)


@pytest.mark.exhaustive
def test_a_port_that_is_taken(folder, monkeypatch):
    monkeypatch.setenv("DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT", "3s")
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        address = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        output = folder.run("--dask-scheduler", address, *TARGETS, ok=False)
    assert f"No Dask scheduler answers at '{address}' (timed out)" in output


@pytest.mark.exhaustive
def test_a_disk_that_is_full(folder, tmp_path):
    if os.geteuid() != 0:
        (pytest.fail if os.environ.get("CI") else pytest.skip)("only root can mount a disk")
    place = tmp_path / "steps"
    place.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "none", str(place)], check=True)
    try:
        output = folder.run("--keep-going", *TARGETS, ok=False)
        assert "No space left on device" in output
        # What does not fit is not there in part.
        made = list(place.iterdir())
        assert 0 < len(made) < len(TARGETS)
        assert all(path.stat().st_size == 300_000 for path in made)
        subprocess.run(["mount", "-o", "remount,size=9m", str(place)], check=True)
        before = len(folder.begun())
        folder.run(*TARGETS)
        assert len(folder.begun()) - before == len(TARGETS) - len(made)
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)
