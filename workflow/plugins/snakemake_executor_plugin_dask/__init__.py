"""Snakemake executor that runs jobs inside Dask workers.

A rule that names a task (``params: task="module:function"``) is run by calling
that function in a Dask worker: no shell, no new interpreter, no second parse of
the Snakefile. All other jobs run by Snakemake's ordinary command, on the same
workers. See the README beside this file.
"""

# Snakemake reads the fields' types at run time: no postponed annotations here, and
# Optional, which its parser knows.
from dataclasses import dataclass, field
from typing import Optional

from snakemake_interface_executor_plugins.settings import CommonSettings, ExecutorSettingsBase

from snakemake_executor_plugin_dask.executor import DaskExecutor


@dataclass
class ExecutorSettings(ExecutorSettingsBase):
    """Location of the workers. Without any option, ``--cores`` workers are started."""

    scheduler: Optional[str] = field(
        default=None,
        metadata={
            "help": "Address of a running Dask scheduler, for example tcp://10.0.0.1:8786.",
            "env_var": False,
            "required": False,
        },
    )
    scheduler_file: Optional[str] = field(
        default=None,
        metadata={
            "help": "File that a running Dask scheduler wrote (dask scheduler --scheduler-file).",
            "env_var": False,
            "required": False,
        },
    )
    slurm_workers: Optional[int] = field(
        default=None,
        metadata={
            "help": "Run the workers as SLURM jobs: the largest number of them at once.",
            "env_var": False,
            "required": False,
        },
    )
    slurm_min_workers: Optional[int] = field(
        default=1,
        metadata={
            "help": "Workers to keep when there is less for them to do.",
            "env_var": False,
            "required": False,
        },
    )
    slurm_partition: Optional[str] = field(
        default=None,
        metadata={
            "help": "SLURM partition of the workers; else SLURM's default.",
            "env_var": False,
            "required": False,
        },
    )
    slurm_account: Optional[str] = field(
        default=None,
        metadata={
            "help": "SLURM account of the workers; else SLURM's default.",
            "env_var": False,
            "required": False,
        },
    )
    slurm_time: Optional[str] = field(
        default="4:00:00",
        metadata={
            "help": 'Time limit of a worker in SLURM\'s notation, for example "4:00:00"; '
            "workers are replaced before they reach it.",
            "env_var": False,
            "required": False,
        },
    )
    slurm_memory: Optional[str] = field(
        default="4G",
        metadata={
            "help": "Memory of a worker, for example 4G.",
            "env_var": False,
            "required": False,
        },
    )
    slurm_interface: Optional[str] = field(
        default=None,
        metadata={
            "help": "Network interface between scheduler and workers, for example ib0.",
            "env_var": False,
            "required": False,
        },
    )
    slurm_extra: Optional[str] = field(
        default=None,
        metadata={
            "help": 'More options of sbatch, for example "--qos=short --constraint=avx2".',
            "env_var": False,
            "required": False,
        },
    )
    slurm_prologue: Optional[str] = field(
        default=None,
        metadata={
            "help": 'Shell commands before a worker starts, for example "module load python".',
            "env_var": False,
            "required": False,
        },
    )
    slurm_death_timeout: Optional[int] = field(
        default=60,
        metadata={
            "help": "Seconds after which a worker that cannot reach the scheduler ends.",
            "env_var": False,
            "required": False,
        },
    )
    dashboard: Optional[str] = field(
        default=None,
        metadata={
            "help": "Address for Dask's dashboard of workers on this machine, for example :8787 "
            "(needs bokeh; costs time in the scheduler's process).",
            "env_var": False,
            "required": False,
        },
    )
    job_times: Optional[str] = field(
        default=None,
        metadata={
            "help": "Folder for the start and end of every task, a tab-separated file per worker: "
            "job, task, start, end (seconds since 1970), arguments.",
            "env_var": False,
            "required": False,
        },
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
