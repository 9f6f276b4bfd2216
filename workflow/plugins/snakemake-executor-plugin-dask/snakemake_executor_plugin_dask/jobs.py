"""Jobs of Snakemake: those that are tasks, and the steps before and after a job."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from typing import Any

from snakemake_executor_plugin_dask.internals import is_forced, wait_for

# Start of a failure's note in the log of a job that could not write it.
_FAILED = "Job failed: "
_TASK = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*")


def is_task(job: Any, workflow: Any) -> bool:
    """Return True if a job can run by a call of its task, ``params: task="module:function"``."""
    return bool(
        not job.is_group()
        # Other rules may have a parameter of this name that means something else.
        and isinstance(task := job.params.get("task"), str)
        and _TASK.fullmatch(task)
        and not job.benchmark
        and not job.is_shadow
        # A child Snakemake fetches and stores these.
        and not any(path.is_storage for path in (*job.input, *job.output, *job.log))
        and not workflow.deployment_settings.deployment_method
    )


def prepare(job: Any, workflow: Any) -> None:
    """Prepare a job as a child Snakemake would, except for the folders of outputs."""
    there = [path for path in job.output if os.path.lexists(path)]
    if any(not path.flags.get("update") for path in there):
        # Snakemake handles folders and write protection, but is slower than the check above.
        wait_for(job.check_protected_output(), workflow)
        wait_for(job.remove_existing_output(), workflow)
    for path in there:
        # A task itself keeps or renews its outputs with the flag update().
        if path.flags.get("update") and is_forced(job, workflow):
            # If it cannot be removed, the task fails and reports it.
            with suppress(OSError):
                os.remove(path)


def note(job: Any, reason: str) -> None:
    """Write the reason of a failure to a job's log, if the job could not do so itself."""
    if job.is_group() or not job.log:
        return
    log = str(job.log[0])
    with suppress(OSError):
        known = ""
        if os.path.isfile(log):
            with open(log, encoding="utf-8", errors="replace") as source:
                known = source.read()
        if reason.strip() not in known:
            with open(log, "a", encoding="utf-8") as target:
                target.write(f"{_FAILED}{reason}")
