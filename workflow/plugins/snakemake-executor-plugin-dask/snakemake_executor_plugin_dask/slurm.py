"""Settings for Dask workers that are SLURM jobs, and starting them."""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
import shutil
import sys
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from snakemake_interface_common.exceptions import WorkflowError

from snakemake_executor_plugin_dask.cluster import Workers

_TIME = re.compile(r"(?:(?P<days>\d+)-)?(?P<rest>\d+(?::\d+){0,2})")
_MEMORY = re.compile(r"(?P<number>\d+(?:\.\d+)?) *(?P<unit>[MGT])(?:i?B)?", re.IGNORECASE)
_MIB = {"M": 1, "G": 2**10, "T": 2**20}
# A worker takes no new job in the last part of its time, so that its time limit does not end a
# job: the last quarter, and at most an hour.
_LAST_PART = 0.25
_LONGEST_LAST_PART = 3600.0
_SHORTEST_TIME = 60


@dataclass(frozen=True)
class SlurmOptions:
    """The request to SLURM for each worker, and the number of workers."""

    #: Number of workers.
    minimum: int
    maximum: int
    #: Time limit of a worker's job.
    seconds: int
    #: Memory of a worker in MiB.
    memory: int
    #: Seconds after which a worker ends that cannot reach the scheduler.
    death_timeout: int
    #: As the settings of these names.
    partition: str | None = None
    account: str | None = None
    interface: str | None = None
    extra: str | None = None
    prologue: str | None = None

    @property
    def time(self) -> str:
        """The time limit as SLURM writes it."""
        hours, rest = divmod(self.seconds, 3600)
        return f"{hours}:{rest // 60:02}:{rest % 60:02}"

    @property
    def lifetime(self) -> float:
        """Seconds after which a worker takes no new job."""
        return self.seconds - min(self.seconds * _LAST_PART, _LONGEST_LAST_PART)

    @classmethod
    def from_settings(cls, settings: Any) -> SlurmOptions:
        """Check the executor's settings; an error is a sentence about the first wrong one."""
        if settings.scheduler or settings.scheduler_file:
            raise WorkflowError(
                "dask-slurm-workers starts workers and dask-scheduler joins some that run already, "
                "set only one of them."
            )
        if settings.dashboard:
            raise WorkflowError(
                f"dask-dashboard: '{settings.dashboard}' would show jobs to all users of a login "
                "node, leave it out with dask-slurm-workers."
            )
        maximum = _count("slurm-workers", settings.slurm_workers, least=1)
        minimum = _count("slurm-min-workers", settings.slurm_min_workers, least=0)
        if minimum > maximum:
            raise WorkflowError(
                f"dask-slurm-min-workers: {minimum} is more than dask-slurm-workers ({maximum}), "
                "lower the one or raise the other."
            )
        return cls(
            minimum=minimum,
            maximum=maximum,
            seconds=parse_time(settings.slurm_time),
            memory=parse_memory(settings.slurm_memory),
            death_timeout=_count("slurm-death-timeout", settings.slurm_death_timeout, least=5),
            partition=_word("slurm-partition", settings.slurm_partition),
            account=_word("slurm-account", settings.slurm_account),
            interface=_word("slurm-interface", settings.slurm_interface),
            extra=_text(settings.slurm_extra),
            prologue=_text(settings.slurm_prologue),
        )


def parse_time(text: str) -> int:
    """Return the seconds of a time limit in SLURM's notation.

    A number alone is refused: YAML reads an unquoted 4:00:00 as 14400, and for SLURM
    that is minutes.
    """
    match = _TIME.fullmatch(str(text).strip())
    parts = [int(part) for part in match["rest"].split(":")] if match else []
    if match is None or (match["days"] is None and len(parts) == 1):
        raise WorkflowError(
            f"dask-slurm-time: '{text}' is not a time limit, write hours:minutes:seconds or "
            'days-hours in quotes, for example "4:00:00".'
        )
    if match["days"] is not None:
        # With days, the first part is hours. Without days, the last part is seconds.
        parts = [int(match["days"]) * 24 + parts[0], *parts[1:], 0, 0][:3]
    else:
        parts = [0] * (3 - len(parts)) + parts
    seconds = parts[0] * 3600 + parts[1] * 60 + parts[2]
    if seconds < _SHORTEST_TIME:
        raise WorkflowError(
            f"dask-slurm-time: '{text}' is too short for a worker to start and run anything, "
            "give it a minute or more."
        )
    return seconds


def parse_memory(text: str) -> int:
    """Return the MiB of an amount of memory in SLURM's notation. A unit is required."""
    match = _MEMORY.fullmatch(str(text).strip())
    if match is None:
        raise WorkflowError(
            f"dask-slurm-memory: '{text}' is not an amount of memory, "
            "write a number with the unit M, G or T, for example 4G."
        )
    return int(float(match["number"]) * _MIB[match["unit"].upper()])


def start_slurm(options: SlurmOptions, say: Callable[[str], None]) -> Workers:
    """Start a scheduler here, and workers as SLURM jobs if there is work for them.

    `say` shows a message to the user.
    """
    for program in ("sbatch", "squeue", "scancel"):
        if shutil.which(program) is None:
            raise WorkflowError(
                f"dask-slurm-workers asks for SLURM, but there is no program '{program}' on this "
                "machine, start Snakemake on a login node of the cluster."
            )
    if importlib.util.find_spec("dask_jobqueue") is None:
        raise WorkflowError(
            "dask-slurm-workers needs the package dask-jobqueue, "
            "install it with: pip install dask-jobqueue"
        )
    # These need dask-jobqueue, which is in the extra "slurm".
    from snakemake_executor_plugin_dask.slurm_cluster import open_cluster
    from snakemake_executor_plugin_dask.slurm_keeper import Keeper

    name = f"snakemake-dask-{uuid.uuid4().hex[:8]}"
    logs = os.path.abspath(os.path.join(".snakemake", "slurm_workers", name))
    os.makedirs(logs, exist_ok=True)
    resources = {"threads": 1.0, "mem_mb": float(options.memory)}
    declared = " ".join(f"{key}={value:g}" for key, value in resources.items())
    job: dict[str, Any] = {
        "job_name": name,
        "queue": options.partition,
        "account": options.account,
        "walltime": options.time,
        # A task uses the working folder and the output of its process: one task at a time.
        "cores": 1,
        "processes": 1,
        "memory": f"{options.memory}MiB",
        "job_mem": f"{options.memory}M",
        "interface": options.interface,
        # Workers read the key of their connections here.
        "shared_temp_directory": logs,
        "death_timeout": options.death_timeout,
        "python": shlex.quote(sys.executable),
        "worker_extra_args": [
            *("--preload", "snakemake_executor_plugin_dask.call"),
            *("--resources", shlex.quote(declared)),
            "--no-dashboard",
        ],
        "job_extra_directives": [f'--output="{logs}/%j.log"', *filter(None, [options.extra])],
        "job_script_prologue": [
            "export DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED=False",
            "export DASK_DISTRIBUTED__WORKER__HTTP__ROUTES='[]'",
            *filter(None, [options.prologue]),
        ],
    }
    client, cluster = open_cluster(job, first=max(1, options.minimum))
    cluster.adapt(
        Adaptive=Keeper,
        minimum=options.minimum,
        maximum=options.maximum,
        lifetime=options.lifetime,
        logs=Path(logs),
        say=say,
    )
    where = f" in partition {options.partition}" if options.partition else ""
    say(
        f"SLURM: {options.minimum} to {options.maximum} workers{where}, jobs '{name}', "
        f"logs in {os.path.relpath(logs)}"
    )
    return Workers(client, cluster, declared=resources)


def _count(name: str, value: int, least: int) -> int:
    if value < least:
        raise WorkflowError(f"dask-{name}: {value} is too small, give a number from {least} on.")
    return value


def _text(value: str | None) -> str | None:
    return value.strip() or None if value else None


def _word(name: str, value: str | None) -> str | None:
    value = _text(value)
    if value and not re.fullmatch(r"[\w.,:@+-]+", value):
        raise WorkflowError(
            f"dask-{name}: '{value}' is not a name in SLURM, "
            "names have letters, digits and . , : @ + - _."
        )
    return value
