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
    """Where the workers are. With none of these, ``--cores`` workers are started."""

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
