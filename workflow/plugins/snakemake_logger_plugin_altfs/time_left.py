"""Estimate of the time that a run still takes, learned from the run's own jobs.

A forecast gives each job a kind and a cost in seconds of a reference machine. Finished
jobs tell how many real seconds a forecast second takes: in all, for each kind, and for
each kind and dataset. A level with few finished jobs is shrunk towards the level above. The
first finished jobs of a kind belong to few datasets, which may differ from the others. So a
kind that has datasets is shrunk more.
The jobs that are left are then scheduled on the workers: long ones one by one, short ones
in between.
"""

from __future__ import annotations

import heapq
import math
from bisect import insort
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from statistics import median

from altfs.study.runs import Forecast

# Weights of what is assumed before the first job has finished.
_TRUST_IN_FORECAST = 2.0
_TRUST_IN_WORKERS = 5.0
# The level above weighs as much as this number of mean jobs, and at least as much as this share of
# the jobs of a kind that has datasets.
_SHARE_OF_KIND = 0.5
_MEAN_JOBS = 3
# The first jobs of a kind compile and import in each worker. A short job, in forecast seconds,
# that takes more times the kind's median than this then counts as one of half as many.
_SHORT_JOB = 1.0
_OUTLIER = 3.0
_FIRST_JOBS = 4
# Before this share of the run, there is too little to learn from.
_ENOUGH = 0.01
# Below this share of the time that is left, jobs are not scheduled one by one.
_SHORT = 0.02
# The least share that is left of a job which runs longer than expected.
_UNFINISHED = 0.15

#: Kind of a job from the general to the special, such as ("predict:random_forest", "wine").
Kind = tuple[str, ...]


class _Level:
    """Finished jobs of one kind; the level above weighs at least as much as `share` of it."""

    def __init__(self, share: float) -> None:
        self._share = share
        self.n_jobs = 0
        self.cost = 0.0
        self.done_cost = 0.0
        self.done_seconds = 0.0

    def speed(self, parent: float) -> float:
        """Return real seconds for a forecast second, shrunk towards those of the level above."""
        if not self.cost:
            return parent
        trust = self.cost * max(_MEAN_JOBS / self.n_jobs, self._share)
        return (self.done_seconds + trust * parent) / (self.done_cost + trust)

    def weight(self) -> float:
        """Return the weight for the level above: it is reduced until `share` has finished."""
        return self.done_cost / math.sqrt(max(self.done_cost, self.cost * self._share))


class TimeLeft:
    """Estimate of the time that is left.

    Parameters
    ----------
    jobs : mapping of str to Forecast
        The jobs of this run.
    last : sequence of sequence of str
        Jobs that wait for all others, in stages: those of a stage wait for the stage before.
    n_workers : int, optional
        Jobs that can run at the same time. Without it, the parallelism is measured.
    began : callable, optional
        Returns when an unfinished job began, or None if it has not or that is unknown.
    start_up : float, default=0
        Seconds for which each worker compiles at first. No more of them are expected than are
        left, and none once each kind has a finished job.
    """

    def __init__(
        self,
        jobs: Mapping[str, Forecast],
        *,
        last: Sequence[Sequence[str]] = (),
        n_workers: int | None = None,
        began: Callable[[str], float | None] = lambda job: None,
        start_up: float = 0.0,
    ) -> None:
        self._jobs = dict(jobs)
        self._stages = [[job for job in stage if job in self._jobs] for stage in last]
        late = {job for stage in self._stages for job in stage}
        self._n_workers = n_workers
        self._began = began
        self._start_up, self._compiled = start_up, 0.0
        self._levels: dict[Kind, _Level] = {}
        self._ratios: dict[Kind, list[float]] = defaultdict(list)
        # Kinds of which nothing is known before their first job has finished.
        self._unknown = {kind[:1] for kind, _, measured in self._jobs.values() if not measured}
        for kind, cost, _ in self._jobs.values():
            for i in range(len(kind) + 1):
                share = _SHARE_OF_KIND if i == 1 < len(kind) else 0.0
                level = self._levels.setdefault(kind[:i], _Level(share))
                level.n_jobs += 1
                level.cost += cost
        self._kinds = {job.kind for job in self._jobs.values()}
        self._left = self._jobs.keys() - late
        self._left_late = late
        self._left_out: Counter[str] = Counter()
        self._running: dict[str, float] = {}
        self._busy = 0.0
        self._capacity = 0.0
        self._first: float | None = None
        self._seen = 0.0

    def begin(self, job: str, now: float) -> None:
        """Note that a job was submitted."""
        self._pass(now)
        self._running[job] = now

    def end(self, job: str, now: float, seconds: float | None) -> None:
        """Note that a job finished, and the seconds that it took if they are known."""
        self._pass(now)
        submitted = self._running.pop(job, now)
        self._left.discard(job)
        self._left_late.discard(job)
        if seconds is None:
            return
        seconds = min(seconds, now - submitted)
        self._busy += seconds
        self._learn(self._jobs[job], seconds)

    def fail(self, jobs: Sequence[str]) -> None:
        """Expect no more of a failed job and of those that wait for it."""
        if jobs:
            self._running.pop(jobs[0], None)
        self._left_out.update(jobs)

    def retry(self, jobs: Sequence[str]) -> None:
        """Expect jobs again which :meth:`fail` left out."""
        self._left_out.subtract(jobs)

    def seconds(self, now: float) -> float | None:
        """Return the time that is left, or None in the first hundredth of the run."""
        if self._first is None or not self._busy:
            return None
        self._pass(now)
        speeds = {kind: self._typical(kind) for kind in self._kinds}
        left = self._main_part(now, speeds)
        workers = self._workers(now)
        left += self._compiling(now, speeds) / workers
        for stage in self._stages:
            costs = [self._expected(job, now, speeds) for job in stage if job in self._left_late]
            costs = [cost for cost in costs if cost]
            if costs:
                left += max(max(costs), sum(costs) / workers)
        # A batch system lets jobs wait, too.
        left /= min(1.0, self._n_workers or self._parallelism(now))
        passed = now - self._first
        return left if passed >= _ENOUGH * (passed + left) else None

    @property
    def misses(self) -> bool:
        """True if jobs are left of whose kind nothing is known, so that they are not counted."""
        unmeasured = {kind for kind in self._unknown if not self._ratios[kind]}
        return any(self._jobs[job].kind[:1] in unmeasured for job in self._left if unmeasured)

    def _pass(self, now: float) -> None:
        """Count the time in which workers had jobs."""
        if self._first is None:
            self._first = now
        else:
            jobs = len(self._running)
            self._capacity += (now - self._seen) * min(jobs, self._n_workers or jobs)
        self._seen = now

    def _learn(self, job: Forecast, seconds: float) -> None:
        kind, cost, measured = job
        if cost <= 0:
            return
        ratios = self._ratios[kind]
        levels = [self._levels[kind[:i]] for i in range(len(kind) + 1)]
        if not measured:
            insort(self._ratios[kind[:1]], seconds / cost)
        elif cost < _SHORT_JOB:
            # Start-up says nothing about other kinds, and little about the jobs that follow.
            limit = _OUTLIER * cost * median([*[self._typical(kind[:1])] * 3, *ratios])
            first_jobs = max(_FIRST_JOBS * (self._n_workers or 1), levels[-1].n_jobs // 3)
            if seconds > limit:
                self._compiled += seconds - limit
                levels = levels[-1:]
                if len(ratios) < first_jobs:
                    seconds = limit / 2
            insort(ratios, seconds / cost)
        for level in levels:
            level.done_cost += cost
            level.done_seconds += seconds

    def _typical(self, kind: Kind) -> float:
        """Return real seconds for a forecast second; 0 while nothing is known of the kind."""
        if kind[:1] in self._unknown:
            # Workers compile and import in the first jobs.
            ratios = self._ratios[kind[:1]]
            rest = ratios[: -(self._n_workers or 1)] or ratios
            speed, first = math.fsum(rest) / max(len(rest), 1), 2
        else:
            speed, first = self._root_speed(), 1
        for i in range(first, len(kind) + 1) if speed else ():
            speed = self._levels[kind[:i]].speed(speed)
        return speed

    def _root_speed(self) -> float:
        """Return the kinds' mean speed: on a scale of factors, the more done the more weight."""
        total, weights = 0.0, _TRUST_IN_FORECAST
        for kind, level in self._levels.items():
            if len(kind) == 1 and level.done_cost and kind not in self._unknown:
                weight = level.weight()
                total += weight * math.log(max(level.done_seconds / level.done_cost, 1e-3))
                weights += weight
        return math.exp(total / weights)

    def _expected(self, job: str, now: float, speeds: Mapping[Kind, float]) -> float:
        """Return the seconds that an unfinished job still takes."""
        if self._left_out[job] > 0:
            return 0.0
        kind, cost, _ = self._jobs[job]
        expected = cost * speeds[kind]
        if job not in self._running or expected < 1 or (began := self._began(job)) is None:
            return expected
        return max(expected - (now - began), _UNFINISHED * expected)

    def _main_part(self, now: float, speeds: Mapping[Kind, float]) -> float:
        """Return the time until all jobs but the last ones have finished."""
        left = {
            job: self._jobs[job].seconds * speeds[self._jobs[job].kind]
            for job in self._left
            if self._left_out[job] <= 0
        }
        workers = self._workers(now)
        limit = _SHORT * math.fsum(left.values()) / workers
        long = [self._expected(job, now, speeds) for job in left if left[job] >= limit]
        short = math.fsum(seconds for seconds in left.values() if seconds < limit)
        # Each long job goes to the worker that is free first.
        loads = [0.0] * workers
        for seconds in sorted(long, reverse=True):
            heapq.heapreplace(loads, loads[0] + seconds)
        return max(max(loads), (math.fsum(loads) + short / self._efficiency()) / workers)

    def _compiling(self, now: float, speeds: Mapping[Kind, float]) -> float:
        """Return the seconds that all workers together still compile."""
        kinds = {self._jobs[job].kind[:1] for job in self._left}
        if not self._start_up or all(self._levels[kind].done_cost for kind in kinds):
            return 0.0
        passed = self._compiled
        for job in self._running:
            kind, cost, _ = self._jobs[job]
            if cost < _SHORT_JOB and (began := self._began(job)) is not None:
                passed += max(now - began - _OUTLIER * cost * speeds[kind], 0.0)
        return max(self._workers(now) * self._start_up - passed, 0.0)

    def _workers(self, now: float) -> int:
        return self._n_workers or max(1, round(self._parallelism(now)))

    def _parallelism(self, now: float) -> float:
        """Return how many jobs ran at the same time, on average."""
        running = (now - began for job in self._running if (began := self._began(job)) is not None)
        passed = now - (now if self._first is None else self._first)
        return max(self._busy + math.fsum(running), 1e-9) / max(passed, 1e-9)

    def _efficiency(self) -> float:
        """Return the share of the workers' time that jobs take, between 0 and 1."""
        if not self._n_workers:
            return 1.0
        share = (self._busy + _TRUST_IN_WORKERS) / (self._capacity + _TRUST_IN_WORKERS)
        return min(1.0, max(share, 0.02))
