"""Dask cluster of SLURM jobs that leaves no job behind.

dask_jobqueue writes the job scripts, submits and cancels. Added here: what SLURM
says when it refuses a job, and an end that reaches every job, by their common name.
"""

from __future__ import annotations

import atexit
import contextlib
import logging
import re
import subprocess
import time
from pathlib import Path
from typing import Any

import dask
from dask_jobqueue import SLURMCluster
from dask_jobqueue.slurm import SLURMJob
from distributed import Client
from distributed.core import Status
from distributed.security import Security
from snakemake_interface_common.exceptions import WorkflowError

from snakemake_executor_plugin_dask.cluster import SPARING

_SECONDS_TO_END = 15.0
_CHECK = (
    "check dask-slurm-partition, dask-slurm-account, dask-slurm-time, dask-slurm-memory and "
    "dask-slurm-extra in the profile"
)
_SCHEDULER = {
    # A worker dies of its time limit, of preemption, with its node: none of that is
    # the job's fault, so a job may lose more workers than on one machine.
    "distributed.scheduler.allowed-failures": 4,
    # A task may keep its worker from saying that it lives (Numba holds Python's lock). Of a
    # node that is gone, the connection tells.
    "distributed.scheduler.worker-ttl": None,
    # A worker holds the job that it runs and no other.
    "distributed.scheduler.worker-saturation": 1.0,
    **SPARING,
}


class Job(SLURMJob):  # type: ignore[misc]
    """SLURM job of a worker; keeps the message of SLURM if it was refused."""

    refusal: str | None = None

    async def _submit_job(self, script_filename: str) -> str:
        try:
            return str(await super()._submit_job(script_filename))
        except (RuntimeError, OSError) as error:
            self.refusal = _words_of_slurm(str(error))
            raise


class Cluster(SLURMCluster):  # type: ignore[misc]
    """Workers that are SLURM jobs of one name."""

    job_cls = Job
    failure: WorkflowError | None = None

    def fail(self, message: str) -> None:
        """Tell the executor that this cluster will never do its work."""
        if self.failure is None:
            self.failure = WorkflowError(message)

    def refused(self, refusal: str | None) -> str:
        """Return the message for the user when SLURM refuses every worker."""
        return f"SLURM refuses to start workers ({refusal}), {_CHECK}."

    def forget(self, name: str) -> None:
        """Let go of a worker whose job is gone; its successor has another name."""
        self.worker_spec.pop(name, None)
        self.workers.pop(name, None)

    def close(self, timeout: float | None = None) -> Any:
        """End workers and scheduler; leave nothing in the queue."""
        if self.status in (Status.closing, Status.closed):
            return None
        name = self.job_name
        with contextlib.suppress(AttributeError):
            self._adaptive.stop()
        with contextlib.suppress(Exception):
            self.sync(self._stop_submitting, callback_timeout=_SECONDS_TO_END)
        cancel(name)
        # What Dask would still do with a cluster that has no worker may fail silently.
        with contextlib.suppress(Exception):
            super().close(timeout)
        atexit.unregister(cancel)
        for path in Path(self.shared_temp_directory).glob(".dask-jobqueue.worker.*"):
            path.unlink(missing_ok=True)
        return None

    async def _stop_submitting(self) -> None:
        self.worker_spec.clear()
        # A submission that is under way has to be in the queue to be cancelled.
        async with self._lock:
            self.workers.clear()


def open_cluster(job: dict[str, Any], first: int) -> tuple[Client, Cluster]:
    """Start a scheduler in this process and ask SLURM for the first workers.

    Parameters
    ----------
    job : dict
        What dask_jobqueue needs to write the job script.
    first : int
        Number of workers to begin with.

    Raises
    ------
    WorkflowError
        If SLURM refuses all of them, or the network interface does not exist.
    """
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    with dask.config.set(_SCHEDULER):
        try:
            cluster = Cluster(
                **job,
                # Nodes are shared: without it, who reaches a port can run code as this user.
                security=Security.temporary(),
                # No dashboard, nor what Dask shows beside it: a login node is shared.
                scheduler_options={"dashboard": False, "dashboard_address": "127.0.0.1:0"},
                silence_logs=logging.CRITICAL,
            )
        except (ValueError, RuntimeError) as error:
            raise WorkflowError(
                f"Dask's scheduler does not start ({error}), "
                "check dask-slurm-interface in the profile."
            ) from None
        # Whatever ends this process in order also ends the workers' jobs.
        atexit.register(cancel, job["job_name"])
        try:
            cluster.scale(first)
            with contextlib.suppress(RuntimeError, OSError):
                cluster.sync(cluster._correct_state)
            jobs = list(cluster.workers.values())
            if jobs and all(job.job_id is None for job in jobs):
                raise WorkflowError(cluster.refused(jobs[0].refusal))
            return Client(cluster), cluster
        except BaseException:
            cluster.close()
            raise


def queue(name: str) -> dict[str, str] | None:
    """Ids of the jobs of a name that wait or run, and why or where; None if SLURM is silent."""
    command = ["squeue", "--noheader", "--name", name, "--format", "%i %T %r"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return dict(line.split(" ", 1) for line in done.stdout.splitlines() if " " in line)


def cancel(name: str) -> None:
    """Cancel all jobs of a name, and see to it that they are gone."""
    command = ["scancel", "--name", name]
    end = time.monotonic() + _SECONDS_TO_END
    while time.monotonic() < end:
        with contextlib.suppress(OSError, subprocess.SubprocessError):
            subprocess.run(command, capture_output=True, timeout=60, check=False)
        left = queue(name)
        if left is not None and all(state.startswith("COMPLETING") for state in left.values()):
            return
        time.sleep(0.5)


def _words_of_slurm(error: str) -> str:
    """Return the text that sbatch wrote to stderr, on one line."""
    said = re.findall(r"^sbatch: (?:error: )?(.+)$", error, re.MULTILINE)
    return "; ".join(said) or " ".join(error.split())
