"""Snakemake executor that runs jobs inside Dask workers.

A rule that names a task (``params: task="module:function"``) is run by calling
that function in a Dask worker: no shell, no new interpreter, no second parse of
the Snakefile. All other jobs run by Snakemake's ordinary command on the same
workers. See the README beside this file.
"""

# Snakemake reads the types of the fields at run time, and knows Optional. So annotations are not
# postponed here.
from dataclasses import dataclass, field
from typing import Any, Optional

from snakemake_interface_executor_plugins.settings import CommonSettings, ExecutorSettingsBase

from snakemake_executor_plugin_dask.executor import DaskExecutor


def _option(text: str, default: Any = None) -> Any:
    """Return an option of the command line with its help text."""
    return field(default=default, metadata={"help": text, "env_var": False, "required": False})


@dataclass
class ExecutorSettings(ExecutorSettingsBase):
    """Location of the workers. Without any option, ``--cores`` workers are started."""

    scheduler: Optional[str] = _option(
        "Address of a running Dask scheduler, for example tcp://10.0.0.1:8786."
    )
    scheduler_file: Optional[str] = _option(
        "File that a running Dask scheduler wrote (dask scheduler --scheduler-file)."
    )
    cluster: Optional[str] = _option(
        "Class of a Dask cluster to start: HTCondor, LSF, OAR, PBS, SGE or SLURM of dask-jobqueue, "
        "or module:Class, for example dask_kubernetes.operator:KubeCluster."
    )
    cluster_options: Optional[str] = _option(
        'Keywords of that class as a JSON object, for example \'{"cores": 1, "memory": "4GB"}\'; '
        "those that are missing come from Dask's configuration."
    )
    cluster_workers: Optional[int] = _option("Largest number of workers of that cluster.")
    slurm_workers: Optional[int] = _option(
        "Run the workers as SLURM jobs: the largest number of them at once."
    )
    slurm_min_workers: Optional[int] = _option(
        "Workers to keep when there is less for them to do.", default=1
    )
    slurm_partition: Optional[str] = _option(
        "SLURM partition of the workers; else SLURM's default."
    )
    slurm_account: Optional[str] = _option("SLURM account of the workers; else SLURM's default.")
    slurm_time: Optional[str] = _option(
        'Time limit of a worker in SLURM\'s notation, for example "4:00:00"; '
        "workers are replaced before they reach it.",
        default="4:00:00",
    )
    slurm_memory: Optional[str] = _option("Memory of a worker, for example 4G.", default="4G")
    slurm_interface: Optional[str] = _option(
        "Network interface between scheduler and workers, for example ib0."
    )
    slurm_extra: Optional[str] = _option(
        'More options of sbatch, for example "--qos=short --constraint=avx2".'
    )
    slurm_prologue: Optional[str] = _option(
        'Shell commands before a worker starts, for example "module load python".'
    )
    slurm_death_timeout: Optional[int] = _option(
        "Seconds after which a worker that cannot reach the scheduler ends.", default=60
    )
    dashboard: Optional[str] = _option(
        "Address for Dask's dashboard of workers on this machine (needs bokeh; costs time in the "
        "scheduler's process). Every user of this machine can open 127.0.0.1:8787, and everyone "
        "who reaches this machine :8787. Default: no dashboard."
    )
    job_times: Optional[str] = _option(
        "Folder for the start and end of every task, a tab-separated file per worker: "
        "job, task, start, end (seconds since 1970), arguments."
    )


common_settings = CommonSettings(
    non_local_exec=True,
    implies_no_shared_fs=False,
    job_deploy_sources=False,
    pass_envvar_declarations_to_cmd=True,
    auto_deploy_default_storage_provider=False,
)

Executor = DaskExecutor

__all__ = ["Executor", "ExecutorSettings", "common_settings"]
