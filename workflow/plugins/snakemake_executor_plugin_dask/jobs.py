"""Jobs of Snakemake: which are tasks, and what they need before and after they run."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from typing import Any

# Begins the note of a failure in the log of a job that could not write it itself.
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
        and not workflow.deployment_settings.deployment_method
    )


def prepare(job: Any, workflow: Any) -> None:
    """Prepare a job as a child Snakemake would, except for the folders of outputs."""
    # Not dag.forcefiles: what a killed run left unrecorded is there, too, whole or not.
    asked = {os.path.normpath(name) for name in workflow.dag_settings.forcerun}
    forced = job.rule in workflow.dag.forcerules or not asked.isdisjoint(
        os.path.normpath(path) for path in job.output
    )
    there = [path for path in job.output if os.path.lexists(path)]
    if any(not path.flags.get("update") for path in there):
        # Snakemake knows of folders, write protection and more; it is slower than a look.
        workflow.async_run(job.check_protected_output())
        workflow.async_run(job.remove_existing_output())
    for path in there:
        # Outputs that are flagged update() are the task's to keep or renew.
        if forced and path.flags.get("update"):
            # What cannot be removed is in the task's way, and the task says so.
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
