"""Parts of Snakemake that its interface for executors does not have.

Each function says why it needs them. Without them, runs take more time and end the same, or
with a message less. A test runs them with the oldest and the newest supported Snakemake.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Coroutine
from typing import Any


def calm(scheduler: Any) -> None:
    """Save Snakemake's scheduler the rounds in which it finds nothing new.

    Its limit of jobs per timespan protects batch systems. It starts a timer in each round, and
    each timer starts a round, so that rounds multiply. Each finished job also starts a round,
    although one round handles all of them.
    """
    if getattr(scheduler, "job_rate_limiter", None) is not None:
        scheduler.job_rate_limiter = None
        scheduler.resources["_job_count"] = sys.maxsize
    rounds = getattr(scheduler, "_open_jobs", None)
    if rounds is not None and rounds.acquire(blocking=False):
        while rounds.acquire(blocking=False):
            pass
        rounds.release()


def is_forced(job: Any, workflow: Any) -> bool:
    """Return True if the command line forces a job to run.

    A task keeps an output that is flagged update() unless it is forced. `DAG.forcefiles` has too
    many: also files of a killed run that have no record, complete or not.
    """
    settings = getattr(workflow, "dag_settings", None)
    files = {os.path.normpath(name) for name in getattr(settings, "forcerun", ())}
    rules = getattr(workflow.dag, "forcerules", ())
    return job.rule in rules or any(os.path.normpath(path) in files for path in job.output)


def wait_for(work: Coroutine[Any, Any, object], workflow: Any) -> None:
    """Do a part of Snakemake's work that is asynchronous.

    Newer versions have an event loop for each thread, and a method for it.
    """
    getattr(workflow, "async_run", asyncio.run)(work)


def parameters(job: Any) -> Any:
    """Return the parameters of a job, evaluated for its attempt.

    Snakemake evaluates resources anew for each attempt, but not parameters that depend on them.
    A child Snakemake evaluates all, and a task has no child.
    """
    expand = getattr(job.rule, "expand_params", None)
    if getattr(job, "attempt", 1) == 1 or expand is None:
        return job.params
    return expand(job.wildcards_dict, job.input, job.output, job)[0]


def total_mem_mb(workflow: Any) -> int | None:
    """Return the memory of the whole run, from ``--resources mem_mb=...``."""
    limit = getattr(workflow, "global_resources", {}).get("mem_mb")
    value = getattr(limit, "value", limit)
    return value if isinstance(value, int) else None


def has_failed(scheduler: Any) -> bool:
    """Return True after a job has failed: jobs that have not begun are then held back."""
    return bool(getattr(scheduler, "failed", False))


def only_runs(scheduler: Any, jobs: list[Any]) -> bool:
    """Return True if the run waits for nothing but these jobs, and for no local rule either."""
    return len(getattr(scheduler, "running", ())) == len(jobs)


def end_run(scheduler: Any, error: Exception) -> None:
    """End the run with an error that belongs to no job: no worker will arrive."""
    scheduler.executor_error_callback(error)
