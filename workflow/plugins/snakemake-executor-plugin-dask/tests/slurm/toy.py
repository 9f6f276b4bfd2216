"""A SLURM of one machine in a folder of its own: no systemd, nothing under /etc or /var.

Every daemon stays in the foreground of a process that is ended by its id, and dies
with the process that started it.
"""

from __future__ import annotations

import contextlib
import getpass
import os
import re
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "srun", "squeue", "scancel")
# Debian puts daemons where a user's PATH does not look.
PATH = f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"

CONFIGURATION = """
ClusterName=toy
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
ReturnToService=2
SlurmctldPort={controller_port}
SlurmdPort={node_port}
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
JobCompType=jobcomp/none
MinJobAge=86400
KillWait=5
InactiveLimit=0
EnforcePartLimits=NO
SlurmdParameters=config_overrides
SchedulerParameters=sched_min_interval=0,batch_sched_delay=0
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
NodeName=toy NodeHostname={host} NodeAddr=127.0.0.1 CPUs=8 Sockets=1 CoresPerSocket=8 \
ThreadsPerCore=1 RealMemory=16000 State=UNKNOWN
PartitionName=main Nodes=toy Default=YES MaxTime=INFINITE State=UP DefMemPerCPU=500
PartitionName=brief Nodes=toy MaxTime=5 State=UP DefMemPerCPU=500
PartitionName=closed Nodes=toy State=DOWN
"""


def missing_programs() -> list[str]:
    """Return the programs that have to be installed before a SLURM can be started here."""
    return [name for name in PROGRAMS if shutil.which(name, path=PATH) is None]


class ToySlurm:
    """Starts on entering, ends on leaving; `environment` makes programs use it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        configuration = str(folder / "slurm.conf")
        self.environment = {"SLURM_CONF": configuration, "PATH": f"{folder / 'bin'}:{PATH}"}
        self._daemons: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> ToySlurm:
        try:
            self._write()
            socket_path = self.folder / "munge.socket"
            self._start(
                "munged",
                "--foreground",
                "--force",
                f"--key-file={self.folder / 'munge.key'}",
                f"--socket={socket_path}",
                f"--pid-file={self.folder / 'munged.pid'}",
                f"--log-file={self.folder / 'munged.log'}",
                f"--seed-file={self.folder / 'munged.seed'}",
            )
            self._wait("munged", socket_path.exists)
            self._start("slurmctld", "-D", "-c")
            self._start("slurmd", "-D", "-N", "toy")
            self._wait("SLURM", lambda: "idle" in self.ask("sinfo", "-h", "-p", "main", "-o", "%T"))
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(OSError, subprocess.SubprocessError):
            self.cancel_all()
        for daemon in reversed(self._daemons):
            # A job that outlives its daemon would be nobody's.
            with contextlib.suppress(psutil.Error):
                started = psutil.Process(daemon.pid).children(recursive=True)
            daemon.terminate()
            try:
                daemon.wait(timeout=20)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
            for process in started:
                with contextlib.suppress(psutil.Error):
                    process.kill()
        self._daemons.clear()

    def _write(self) -> None:
        # Nobody else may write where munge's key is.
        self.folder.chmod(0o755)
        for name in ("state", "spool", "bin"):
            (self.folder / name).mkdir()
        # Snakemake's SLURM executor takes every SLURM_ variable from a job's steps, as it
        # may where the configuration is in /etc.
        srun = self.folder / "bin" / "srun"
        program = shutil.which("srun", path=PATH)
        variable = f"SLURM_CONF={self.folder / 'slurm.conf'}"
        srun.write_text(f'#!/bin/sh\nexec env {variable} {program} "$@"\n')
        srun.chmod(0o755)
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o600)
        controller_port, node_port = _free_ports(2)
        (self.folder / "slurm.conf").write_text(
            CONFIGURATION.format(
                host=socket.gethostname().split(".")[0],
                user=getpass.getuser(),
                folder=self.folder,
                controller_port=controller_port,
                node_port=node_port,
            )
        )

    def _start(self, *command: str) -> None:
        program = shutil.which(command[0], path=PATH)
        assert program is not None
        with (self.folder / f"{command[0]}.out").open("wb") as output:
            self._daemons.append(
                subprocess.Popen(
                    # Killed tests take the daemons along.
                    ["setpriv", "--pdeathsig", "TERM", program, *command[1:]],
                    env={**os.environ, **self.environment},
                    cwd=self.folder,
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    # Ctrl-C is for the tests.
                    start_new_session=True,
                )
            )

    def _wait(self, what: str, ready: object, seconds: float = 60) -> None:
        end = time.monotonic() + seconds
        while not ready():  # type: ignore[operator]
            dead = [daemon.args for daemon in self._daemons if daemon.poll() is not None]
            if dead or time.monotonic() > end:
                raise RuntimeError(f"{what} did not start ({dead or 'time is up'})\n{self.logs()}")
            time.sleep(0.2)

    # -- faults ------------------------------------------------------------

    def end_daemon(self, name: str) -> None:
        """End a daemon of this SLURM. A controller saves its jobs.

        A controller that is killed forgets the jobs of its last seconds, and SLURM then ends
        these jobs on their nodes.
        """
        (daemon,) = [d for d in self._daemons if Path(_program(d)).name == name]
        daemon.terminate()
        daemon.wait(timeout=60)
        self._daemons.remove(daemon)

    def start_controller(self) -> None:
        """Start the controller again, with the jobs that it knew."""
        self._start("slurmctld", "-D")
        self._wait("SLURM", lambda: self.ask("sinfo", "-h"))

    # -- asking ------------------------------------------------------------

    def logs(self) -> str:
        """Return the ends of the logs and outputs of the daemons."""
        logs = [*self.folder.glob("*.out"), *self.folder.glob("*.log")]
        return "\n".join(f"{log.name}:\n{log.read_text()[-4000:]}" for log in logs)

    def ask(self, *command: str) -> str:
        """Return the output of a SLURM command; empty if it fails."""
        return subprocess.run(
            command,
            env={**os.environ, **self.environment},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        ).stdout

    def jobs(self, states: str = "PENDING,RUNNING,COMPLETING") -> list[str]:
        """Ids of the jobs that are waiting or running."""
        return self.ask("squeue", "-h", "-o", "%i", "-t", states).split()

    def left(self) -> list[str]:
        """Ids of the jobs that a run left behind. Jobs that are completing get time to end."""
        return self.jobs("PENDING,RUNNING") or self.wait_until_empty()

    def history(self, output: str) -> list[tuple[str, str]]:
        """Ids and states of all jobs of a run (MinJobAge keeps them), by the run's output."""
        run = re.search(r"jobs '([\w-]+)'", output)
        assert run, output
        lines = self.ask("squeue", "-h", "-o", "%i|%T", "-t", "all", "--name", run[1]).splitlines()
        return [tuple(line.split("|")) for line in lines]  # type: ignore[misc]

    def cancel_all(self) -> None:
        """Cancel everything, and wait until it is gone."""
        self.ask("scancel", "--user", getpass.getuser())
        self.wait_until_empty()

    def wait_until_empty(self, seconds: float = 30) -> list[str]:
        """Wait until no job is left; returns those that are."""
        end = time.monotonic() + seconds
        while (left := self.jobs()) and time.monotonic() < end:
            time.sleep(0.2)
        return left


@pytest.fixture(scope="session")
def slurm() -> Iterator[ToySlurm]:
    """A SLURM of one machine; Unix sockets want a short path."""
    missing = missing_programs()
    if missing:
        pytest.exit(f"Missing: {', '.join(missing)}; apt-get install slurm-wlm munge", 2)
    with tempfile.TemporaryDirectory(prefix="toy-") as folder, ToySlurm(Path(folder)) as cluster:
        yield cluster


def _program(daemon: subprocess.Popen[bytes]) -> str:
    words = daemon.args
    assert isinstance(words, list)
    return str(words[3])


def _free_ports(number: int) -> list[int]:
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(number)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]
