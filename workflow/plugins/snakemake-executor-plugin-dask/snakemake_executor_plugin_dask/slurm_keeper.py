"""The number of SLURM workers: enough for the work, and replaced before their time limit."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from distributed.core import Status
from distributed.deploy.adaptive import Adaptive

from snakemake_executor_plugin_dask.slurm_cluster import WorkerCluster, queue

_SECONDS_BETWEEN_LOOKS = 2.0
# A worker ends after this number of checks without a job.
_IDLE_LOOKS = 15
_SECONDS_BETWEEN_QUESTIONS = 10.0
_SECONDS_BEFORE_TRYING_AGAIN = 30.0
_SECONDS_BEFORE_SAYING_IT_WAITS = 30.0
_SECONDS_BETWEEN_SAYING_SO = 600.0
# A worker reports its jobs about every second.
_SECONDS_TO_HEAR_OF_IT = 5.0
# The run ends after this number of jobs in a row that ended before their worker arrived.
_MOST_FAILED_STARTS = 3
_MOST_REFUSALS = 3
# Workers that started together are to end at different times.
_STAGGER = 0.2


class Keeper(Adaptive):
    """Dask's adaptive scaling, for workers that wait in a queue and have a time limit.

    After `lifetime` seconds a worker takes no new job, and another one is started. The folder
    `logs` has ``ID.log`` of every worker. `say` shows a message to the user.
    """

    cluster: Any

    def __init__(
        self,
        cluster: WorkerCluster,
        lifetime: float,
        logs: Path,
        say: Callable[[str], None],
        **options: Any,
    ) -> None:
        self._lifetime = lifetime
        self._logs = logs
        self._say = say
        # The time at which each worker stops taking jobs, and at which it stopped.
        self._ends: dict[str, float] = {}
        self._draining: dict[str, float] = {}
        self._failed_starts = self._refusals = 0
        self._not_before = self._asked = self._said = 0.0
        self._alone_since = time.monotonic()
        super().__init__(
            cluster, interval=_SECONDS_BETWEEN_LOOKS, wait_count=_IDLE_LOOKS, **options
        )

    # -- number of workers --------------------------------------------------

    async def target(self) -> int:
        scheduler = self.cluster.scheduler
        waiting = len(scheduler.queued) + len(scheduler.unrunnable)
        # A worker near its end finishes its job itself.
        return waiting + sum(
            len(worker.processing)
            for name, worker in self._present().items()
            if name not in self._draining
        )

    # A worker near its end does not count, so that its replacement is requested early.
    @property
    def plan(self) -> set[str]:
        return set(self.cluster.plan) - self._draining.keys()

    @property
    def requested(self) -> set[str]:
        return set(self.cluster.requested) - self._draining.keys()

    async def scale_up(self, n: int) -> None:
        if time.monotonic() < self._not_before:
            return
        planned = len(self.cluster.plan)
        wanted = min(n + planned - len(self.plan), self.maximum)
        if wanted <= planned:
            return
        # The SLURM job of a worker ends some seconds after the worker.
        jobs = await asyncio.to_thread(queue, self.cluster.job_name)
        if jobs is None:
            return
        known = {str(job.job_id) for job in self.cluster.workers.values()}
        wanted = min(wanted, int(self.maximum) - len(jobs.keys() - known))
        if wanted > planned:
            await super().scale_up(wanted)

    async def workers_to_close(self, target: int) -> list[str]:
        names = await super().workers_to_close(target + len(self._draining))
        return [name for name in names if name not in self._draining]

    async def adapt(self) -> None:
        self._note_refusals()
        self._note_departures()
        self._note_arrivals()
        await self._drain()
        await self._look_into_the_queue()
        await super().adapt()

    # -- arrivals and departures ---------------------------------------------

    def _present(self) -> dict[str, Any]:
        return {str(worker.name): worker for worker in self.cluster.scheduler.workers.values()}

    def _forget(self, name: str) -> None:
        self.cluster.forget(name)
        self._ends.pop(name, None)
        self._draining.pop(name, None)

    def _note_refusals(self) -> None:
        for name, job in list(self.cluster.workers.items()):
            if job.job_id is None:
                self._forget(name)
                self._refusals += 1
                self._not_before = time.monotonic() + _SECONDS_BEFORE_TRYING_AGAIN
                if self._refusals == 1:
                    self._say(f"SLURM refused a worker ({job.refusal}), it will be asked again.")
                if self._refusals >= _MOST_REFUSALS and not self.cluster.workers:
                    self.cluster.fail(self.cluster.refused(job.refusal))

    def _note_departures(self) -> None:
        """Remove workers that Dask no longer has."""
        for name in self._ends.keys() - self.cluster.workers.keys():
            self._forget(name)

    def _note_arrivals(self) -> None:
        now = time.monotonic()
        present = self._present()
        for name in present.keys() - self._ends.keys():
            self._ends[name] = now + self._lifetime * random.uniform(1 - _STAGGER, 1)
            self._failed_starts = self._refusals = 0
        if present:
            self._alone_since = now

    async def _drain(self) -> None:
        """Give no more jobs to workers near their time limit, and end those without a job."""
        now = time.monotonic()
        for name, worker in self._present().items():
            if name not in self._draining and now >= self._ends[name]:
                await self._retire(worker, close=False)
                if worker.status == Status.closing_gracefully:
                    self._draining[name] = now
            elif (
                not worker.executing
                and now - self._draining.get(name, now) >= _SECONDS_TO_HEAR_OF_IT
            ):
                await self._retire(worker, close=True)

    async def _retire(self, worker: Any, close: bool) -> None:
        await self.cluster.scheduler.retire_workers(
            workers=[worker.address], close_workers=close, remove=close
        )

    # -- missing workers ----------------------------------------------------

    async def _look_into_the_queue(self) -> None:
        """Find the jobs that ended without a worker that is here."""
        now = time.monotonic()
        missing = {
            name: job
            for name, job in self.cluster.workers.items()
            if name not in self._present() and job.job_id is not None
        }
        if not missing or now - self._asked < _SECONDS_BETWEEN_QUESTIONS:
            return
        self._asked = now
        waiting = await asyncio.to_thread(queue, self.cluster.job_name)
        if waiting is None:
            return
        last = None
        for name, job in missing.items():
            if job.job_id not in waiting and name not in self._present():
                if name not in self._ends:
                    self._failed_starts += 1
                    last = job.job_id
                self._forget(name)
        if self._present():
            return
        if last and self._failed_starts >= _MOST_FAILED_STARTS:
            self.cluster.fail(self._why_none_arrives(last))
        elif waiting and now - self._alone_since > _SECONDS_BEFORE_SAYING_IT_WAITS:
            self._say_that_it_waits(waiting)

    def _say_that_it_waits(self, waiting: dict[str, str]) -> None:
        now = time.monotonic()
        if self._said < self._alone_since or now - self._said > _SECONDS_BETWEEN_SAYING_SO:
            self._said = now
            states = sorted(set(waiting.values()))
            self._say(
                f"SLURM: no worker runs yet, {len(waiting)} in the queue ({', '.join(states)})"
            )

    def _why_none_arrives(self, job_id: str) -> str:
        log = self._logs / f"{job_id}.log"
        try:
            lines = log.read_text("utf-8", "replace").strip().splitlines()
        except OSError:
            lines = []
        said = f", the last one said '{lines[-1].strip()}'" if lines else ""
        return (
            f"{self._failed_starts} SLURM jobs in a row ended before their Dask worker reached "
            f"the scheduler at {self.cluster.scheduler_address}{said}, see '{log}' and check "
            "dask-slurm-interface and dask-slurm-prologue in the profile."
        )
