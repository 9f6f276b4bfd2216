"""Dask cluster of SLURM jobs that leaves no job behind.

dask_jobqueue writes the job scripts, submits and cancels them. This module adds SLURM's
message about a refused job, and cancels all jobs by their common name at the end.
"""

from __future__ import annotations

import atexit
import contextlib
import logging
import re
import subprocess
import time
from typing import Any

import dask
from dask_jobqueue import SLURMCluster
from dask_jobqueue.slurm import SLURMJob
from distributed import Client
from distributed.core import Status
from snakemake_interface_common.exceptions import WorkflowError

from snakemake_executor_plugin_dask.access import NO_PAGES, key_of_run
from snakemake_executor_plugin_dask.cluster import SPARING

_SECONDS_TO_END = 15.0
_CHECK = (
    "check dask-slurm-partition, dask-slurm-account, dask-slurm-time, dask-slurm-memory and "
    "dask-slurm-extra in the profile"
)
_SCHEDULER = {
    # Time limits, preemption and failing nodes end workers. The job is not the cause, so it may
    # lose more workers than on one machine.
    "distributed.scheduler.allowed-failures": 4,
    # A task may block its worker's heartbeat, as Numba holds Python's lock. If a node fails, its
    # connection ends.
    "distributed.scheduler.worker-ttl": None,
    # A worker has one job at a time.
    "distributed.scheduler.worker-saturation": 1.0,
    **NO_PAGES,
    **SPARING,
}


class Job(SLURMJob):
    """SLURM job of a worker. It keeps SLURM's message if it was refused."""

    refusal: str | None = None

    async def _submit_job(self, script_filename: str) -> str:
        try:
            return str(await super()._submit_job(script_filename))
        except (RuntimeError, OSError) as error:
            self.refusal = _words_of_slurm(str(error))
            raise

    @staticmethod
    async def _call(cmd: list[str], **options: Any) -> str:
        # Ctrl-C in the terminal reaches Snakemake alone.
        return str(await SLURMJob._call(cmd, start_new_session=True, **options))


class WorkerCluster(SLURMCluster):
    """Workers that are SLURM jobs of one name."""

    job_cls = Job
    failure: WorkflowError | None = None

    def fail(self, message: str) -> None:
        """Tell the executor that no worker of this cluster will arrive."""
        if self.failure is None:
            self.failure = WorkflowError(message)

    def refused(self, refusal: str | None) -> str:
        """Return the message for the user when SLURM refuses every worker."""
        return f"SLURM refuses to start workers ({refusal}), {_CHECK}."

    def forget(self, name: str) -> None:
        """Remove a worker whose job has ended. Its replacement has another name."""
        self.worker_spec.pop(name, None)
        self.workers.pop(name, None)

    def close(self, timeout: float | None = None) -> Any:
        """End workers and scheduler, and cancel all jobs in the queue."""
        if self.status in (Status.closing, Status.closed):
            return None
        name = self.job_name
        with contextlib.suppress(AttributeError):
            self._adaptive.stop()
        with contextlib.suppress(Exception):
            self.sync(self._stop_submitting, callback_timeout=_SECONDS_TO_END)
        cancel(name)
        # The cluster has no worker any more, so an error of Dask does not matter.
        with contextlib.suppress(Exception):
            super().close(timeout)
        atexit.unregister(cancel)
        return None

    async def _stop_submitting(self) -> None:
        self.worker_spec.clear()
        # A job can be cancelled only after its submission has finished.
        async with self._lock:
            self.workers.clear()


def open_cluster(job: dict[str, Any], first: int) -> tuple[Client, WorkerCluster]:
    """Start a scheduler in this process and ask SLURM for the first workers.

    `job` has the arguments of dask_jobqueue for the job script.
    """
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    with dask.config.set(_SCHEDULER):
        try:
            cluster = WorkerCluster(
                **job,
                # Nodes are shared. Without a key, everyone who reaches a port could run code.
                security=key_of_run(),
                # Login nodes are shared, so no dashboard and no other pages of Dask.
                scheduler_options={"dashboard": False, "dashboard_address": "127.0.0.1:0"},
                silence_logs=logging.CRITICAL,
            )
        except (ValueError, RuntimeError) as error:
            raise WorkflowError(
                f"Dask's scheduler does not start ({error}), "
                "check dask-slurm-interface in the profile."
            ) from None
        # At the end of this process, the workers' jobs end, too.
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
    """Return the states of jobs of a name by their numbers; None if SLURM does not answer."""
    command = ["squeue", "--noheader", "--name", name, "--format", "%i %T %r"]
    try:
        done = _run(command, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return dict(line.split(" ", 1) for line in done.stdout.splitlines() if " " in line)


def cancel(name: str) -> None:
    """Cancel all jobs of a name, and wait until they have ended."""
    command = ["scancel", "--name", name]
    end = time.monotonic() + _SECONDS_TO_END
    while time.monotonic() < end:
        with contextlib.suppress(OSError, subprocess.SubprocessError):
            _run(command, check=False)
        left = queue(name)
        if left is not None and all(state.startswith("COMPLETING") for state in left.values()):
            return
        time.sleep(0.5)


def _run(command: list[str], check: bool) -> subprocess.CompletedProcess[str]:
    # Ctrl-C in the terminal reaches Snakemake alone.
    return subprocess.run(
        command, capture_output=True, text=True, timeout=60, check=check, start_new_session=True
    )


def _words_of_slurm(error: str) -> str:
    """Return the text that sbatch wrote to stderr, on one line."""
    said = re.findall(r"^sbatch: (?:error: )?(.+)$", error, re.MULTILINE)
    return "; ".join(said) or " ".join(error.split())
