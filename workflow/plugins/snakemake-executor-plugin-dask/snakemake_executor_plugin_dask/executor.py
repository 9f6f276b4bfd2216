"""The executor, which submits jobs to Dask workers and reports how they end."""

from __future__ import annotations

import asyncio
import gc
import os
import threading
import time
from collections import defaultdict
from collections.abc import AsyncGenerator
from typing import Any

from snakemake_interface_common.exceptions import WorkflowError
from snakemake_interface_executor_plugins.executors.base import SubmittedJobInfo
from snakemake_interface_executor_plugins.executors.remote import RemoteExecutor
from snakemake_interface_executor_plugins.settings import SharedFSUsage

from snakemake_executor_plugin_dask import call, internals
from snakemake_executor_plugin_dask.access import audience
from snakemake_executor_plugin_dask.cluster import Workers, join, start_local, start_whole
from snakemake_executor_plugin_dask.interrupts import (
    interrupts_ignored,
    stop_on_signals,
    wake_main_thread,
)
from snakemake_executor_plugin_dask.jobs import is_task, note, prepare
from snakemake_executor_plugin_dask.named_cluster import start_named
from snakemake_executor_plugin_dask.slurm import SlurmOptions, start_slurm
from snakemake_executor_plugin_dask.submitted import Submitted
from snakemake_executor_plugin_dask.wall_clock import WallClock

# Seconds between checks of the jobs. A check sends no message but takes time. Checks are rare while
# hundreds of jobs wait, and frequent if workers could soon run out of work.
_SECONDS_BETWEEN_LOOKS = (0.03, 0.5)
# Snakemake checks all remaining jobs after each report of finished jobs. So several are reported at
# once while the workers have enough jobs.
_SECONDS_BETWEEN_REPORTS = 2.0
# Seconds after which the resources of workers are read again, as workers may come and go.
_SECONDS_OF_KNOWING = 60.0
_SET_BACK = (
    "The clock of this machine was set back by {:.0f} s, so that Dask would wait, run the workflow "
    "again to go on."
)


class DaskExecutor(RemoteExecutor):
    """Runs Snakemake jobs on Dask workers."""

    def __init__(self, workflow: Any, logger: Any) -> None:
        # The constructor of the base class starts the polling thread, which uses these
        # attributes.
        self._workers: Workers | None = None
        self._workers_lock = threading.Lock()
        self._submitted = Submitted()
        self._clock = WallClock()
        self._stopping = False
        # Jobs that were not started because another one failed, and whether that was reported.
        self._held_back: list[Any] = []
        self._told = False
        self._reported = 0.0
        # With this number of submitted jobs, no worker runs out of work soon.
        self._enough = 0
        # The resources to request for threads and memory, and the time when they were found.
        self._resources: dict[tuple[int, int | None], tuple[dict[str, float], float]] = {}
        # The DAG is complete and lives as long as the run. The garbage collector would go through
        # all of it many times.
        gc.freeze()
        super().__init__(workflow, logger)
        self.next_seconds_between_status_checks = _SECONDS_BETWEEN_LOOKS[0]

    # -- submitting --------------------------------------------------------

    def run_jobs(self, jobs: list[Any]) -> None:
        """Submit jobs together: one message to the scheduler for each kind."""
        internals.calm(self.workflow.scheduler)
        kinds: dict[Any, list[tuple[Any, tuple[Any, ...]]]] = defaultdict(list)
        for job in jobs:
            self.run_job_pre(job)
            function, arguments = self._call_of(job)
            wanted = tuple(sorted(self._resources_of(job).items()))
            kinds[function, wanted, int(job.priority)].append((job, arguments))
        # Jobs of the first message begin before the scheduler reads the next one.
        for (function, wanted, priority), members in sorted(
            kinds.items(), key=lambda kind: kind[0][2], reverse=True
        ):
            keys = [arguments[0] for _, arguments in members]
            futures = self.workers.client.map(
                function,
                *zip(*[arguments for _, arguments in members], strict=True),
                key=keys,
                pure=False,
                resources=dict(wanted) or None,
                priority=priority,
                batch_size=None,
            )
            for (job, _), future in zip(members, futures, strict=True):
                self.report_job_submission(
                    SubmittedJobInfo(job, external_jobid=None, aux={"future": future})
                )

    def run_job(self, job: Any) -> None:
        """Submit one job."""
        self.run_jobs([job])

    @property
    def workers(self) -> Workers:
        """The workers, which start with the first job."""
        with self._workers_lock:
            if self._workers is None:
                stop_on_signals()
                self._workers = self._start()
                own = self._workers.cluster is not None
                place = self.workflow.executor_settings.dashboard
                if self._workers.dashboard and (place or not own):
                    who = f" ({audience(place)} can open it)" if own else ""
                    self.logger.info(f"Dask dashboard: {self._workers.dashboard}{who}")
            return self._workers

    def _start(self) -> Workers:
        settings = self.workflow.executor_settings
        # The number of workers is unknown if they come and go.
        self._enough = 3 * (self.workflow.resource_settings.nodes or 0) // 4
        if settings.cluster:
            return start_named(settings, self.logger.info)
        if settings.slurm_workers is not None:
            options = SlurmOptions.from_settings(settings)
            return start_slurm(options, self.logger.info)
        if settings.scheduler or settings.scheduler_file:
            return join(settings.scheduler, settings.scheduler_file)
        n_workers = self._n_workers()
        self._enough = 2 * n_workers
        memory, dashboard = internals.total_mem_mb(self.workflow), settings.dashboard
        return start_whole(lambda: start_local(n_workers, memory, dashboard))

    def _n_workers(self) -> int:
        # If `jobs` is set, Snakemake does not limit its scheduler by cores, but keeps --cores here.
        cores = self.workflow.resource_settings.cores
        return cores if cores and cores < 2**20 else os.cpu_count() or 1

    def _call_of(self, job: Any) -> tuple[Any, tuple[Any, ...]]:
        """Return the function to run in a worker and its arguments, key first."""
        key = self._submitted.add(job)
        folder = os.getcwd()
        if is_task(job, self.workflow):
            prepare(job, self.workflow)
            log = str(job.log[0]) if job.log else None
            params = internals.parameters(job)
            arguments = str(params.get("arguments", "{}"))
            times = self.workflow.executor_settings.job_times
            # A task itself keeps or renews its outputs with the flag update().
            outputs = {str(path): not path.flags.get("update") for path in job.output}
            task = str(params.task)
            return call.run_task, (key, task, arguments, outputs, log, folder, times)
        script = self.get_jobscript(job)
        self.write_jobscript(job, script)
        # Without shared software, the command calls whatever is named python.
        shared = self.workflow.storage_settings.shared_fs_usage
        own_python = SharedFSUsage.SOFTWARE_DEPLOYMENT not in shared
        return call.run_command, (key, script, folder, own_python)

    def _resources_of(self, job: Any) -> dict[str, float]:
        memory = job.resources.get("mem_mb")
        key = (int(job.threads), memory if memory and isinstance(memory, int) else None)
        if key == (1, None):
            return {}
        now = time.monotonic()
        known, since = self._resources.get(key, ({}, -_SECONDS_OF_KNOWING))
        if now - since >= _SECONDS_OF_KNOWING:
            self.workers.wait_for_one(self.logger.info)
            known = self.workers.fitting_resources(*key)
            self._resources[key] = known, now
        return known

    # -- reporting ---------------------------------------------------------

    async def check_active_jobs(
        self, active_jobs: list[SubmittedJobInfo]
    ) -> AsyncGenerator[SubmittedJobInfo, None]:
        """Report finished jobs and yield the others."""
        wake_main_thread()
        if self._workers is not None and (failure := self._workers.take_failure()):
            internals.end_run(self.workflow.scheduler, failure)
        if self._workers is not None and (back := self._clock.seconds_back()):
            internals.end_run(self.workflow.scheduler, WorkflowError(_SET_BACK.format(back)))
        if self._workers is not None and active_jobs:
            self._workers.check_presence(self.logger.warning)
        if internals.has_failed(self.workflow.scheduler):
            active_jobs = self._after_a_failure(active_jobs)
        states = [(info.aux or {})["future"].status for info in active_jobs]
        wait = self._stopping or self._may_wait(states)
        for info, status in zip(active_jobs, states, strict=True):
            if wait:
                yield info
                continue
            future = (info.aux or {})["future"]
            # If a worker dies after its job but before the report, Dask runs the job again.
            if status == "pending" or (
                status == "lost" and self.workers.client.status == "running"
            ):
                yield info
            elif status == "finished":
                self._submitted.remove(future.key)
                future.release()
                self.report_job_success(info)
            elif status == "error" and isinstance(future.exception(), call.NotBegunError):
                # Its first worker died, and the next worker was not to begin it.
                self._hold_back(future.key, info.job)
            else:
                self._submitted.remove(future.key)
                reason = self._reason(future, status)
                note(info.job, reason)
                self.report_job_error(info, msg=reason)

    def _after_a_failure(self, active_jobs: list[SubmittedJobInfo]) -> list[SubmittedJobInfo]:
        """Without --keep-going, hold back the jobs that have not begun, as Snakemake does.

        For Snakemake all submitted jobs run, so it would wait for them.
        """
        if self.workflow.execution_settings.keep_going or self._stopping or self._told:
            return active_jobs
        unasked = {
            info.aux["future"].key: info
            for info in active_jobs
            if info.aux and info.aux["future"].status == "pending" and "begun" not in info.aux
        }
        left = active_jobs
        if unasked:
            begun = self._submitted.hold_back(self.workers.client, list(unasked))
            if begun is None:
                return active_jobs
            for key in begun:
                (unasked.pop(key).aux or {})["begun"] = True
            left = [i for i in active_jobs if (i.aux or {})["future"].key not in unasked]
            for key, info in unasked.items():
                self._hold_back(key, info.job)
        # The run also waits for local rules, which Snakemake runs itself.
        scheduler = self.workflow.scheduler
        if self._held_back and internals.only_runs(scheduler, self._held_back):
            self._told = True
            failure = WorkflowError(
                "A job failed, so these submitted jobs were not started: "
                f"{len(self._held_back)} (--keep-going would start them)."
            )
            internals.end_run(scheduler, failure)
        return left

    def _hold_back(self, key: str, job: Any) -> None:
        self._submitted.remove(key)
        self._held_back.append(job)

    def _may_wait(self, states: list[str]) -> bool:
        """Return True if finished jobs can be reported later, together with others."""
        pending = states.count("pending")
        if pending + states.count("finished") < len(states):
            return False
        finished = len(states) - pending
        since = time.monotonic() - self._reported
        busy = pending >= self._enough
        # Half of the time until too few jobs are left, at the rate so far.
        soon, late = _SECONDS_BETWEEN_LOOKS
        left = since * (pending - self._enough) / max(finished, 1) / 2 if busy else soon
        self.next_seconds_between_status_checks = min(max(left, soon), late)
        if pending == len(states) or (busy and since < _SECONDS_BETWEEN_REPORTS):
            return True
        self._reported += since
        return False

    def _reason(self, future: Any, status: str) -> str:
        if status != "error":
            if self.workers.client.status != "running":
                return "The Dask scheduler is gone, run the workflow again to go on.\n"
            return f"The Dask scheduler lost the job ({status}).\n"
        error = future.exception(timeout=10)
        if isinstance(error, call.TaskError):
            return f"{error}\n"
        return f"{type(error).__name__}: {error}\n"

    async def _wait_for_jobs(self) -> None:
        # A run that has nothing to do is not shut down: its polling would fail at the very end.
        while self.wait and self._workers is None:
            await asyncio.sleep(_SECONDS_BETWEEN_LOOKS[0])
        await super()._wait_for_jobs()

    # -- ending ------------------------------------------------------------

    def cancel(self) -> None:
        """Stop all jobs. Ctrl-C is ignored meanwhile."""
        with interrupts_ignored():
            super().cancel()

    def cancel_jobs(self, active_jobs: list[SubmittedJobInfo]) -> None:
        """Cancel waiting jobs and stop running ones."""
        # active_jobs lacks those that check_active_jobs has at this moment.
        self._stopping = True
        if self._workers is not None:
            self._submitted.stop(self._workers.client)

    def shutdown(self) -> None:
        """Stop polling and end all workers."""
        super().shutdown()
        with self._workers_lock:
            if self._workers is not None:
                self._workers.close()
                self._workers = None
