"""Any class of Dask clusters: one of dask-jobqueue, or one that the user names."""

from __future__ import annotations

import importlib
import json
import logging
import os
from collections.abc import Callable
from typing import Any

from snakemake_interface_common.exceptions import WorkflowError

from snakemake_executor_plugin_dask.access import key_of_run
from snakemake_executor_plugin_dask.cluster import Workers

#: Batch systems of dask-jobqueue, each with the class NAMECluster.
BATCH_SYSTEMS = ("HTCondor", "LSF", "OAR", "PBS", "SGE", "SLURM")


def start_named(settings: Any, say: Callable[[str], None]) -> Workers:
    """Start a cluster of the class that the settings name, which has as many workers as jobs."""
    if settings.scheduler or settings.scheduler_file or settings.slurm_workers is not None:
        raise WorkflowError(
            "dask-cluster, dask-slurm-workers and dask-scheduler each say where workers are, "
            "set only one of them."
        )
    most = settings.cluster_workers
    if most is None or most < 1:
        raise WorkflowError(
            f"dask-cluster-workers: {most} is not a number of workers, give one from 1 on."
        )
    cluster_class = _class_of(settings.cluster)
    options = _options_of(settings.cluster_options)
    if settings.cluster in BATCH_SYSTEMS:
        # Nodes and login nodes have other users. Workers read the key here.
        folder = os.path.abspath(os.path.join(".snakemake", "dask"))
        os.makedirs(folder, exist_ok=True)
        options = {"security": key_of_run(), "shared_temp_directory": folder, **options}
        cluster_class = _with_refusals(cluster_class, settings.cluster)
        # Dask shows each refusal with its whole stack.
        for logger in ("distributed", "tornado.application"):
            logging.getLogger(logger).setLevel(logging.CRITICAL)
    from distributed import Client

    try:
        cluster = cluster_class(**options)
    except (TypeError, ValueError, RuntimeError, OSError) as error:
        raise WorkflowError(
            f"dask-cluster: '{settings.cluster}' does not start ({error}), "
            "check dask-cluster-options."
        ) from None
    try:
        cluster.adapt(minimum=1, maximum=most)
        say(f"Dask cluster: {settings.cluster}, 1 to {most} workers")
        return Workers(
            Client(cluster), cluster, advice="look at their jobs and the output of these"
        )
    except BaseException:
        cluster.close()
        raise


def _class_of(name: str) -> Callable[..., Any]:
    module, _, attribute = name.partition(":")
    if name in BATCH_SYSTEMS:
        module, attribute = "dask_jobqueue", f"{name}Cluster"
    elif not module or not attribute:
        raise WorkflowError(
            f"dask-cluster: '{name}' is not a cluster, write one of {', '.join(BATCH_SYSTEMS)}, "
            "or module:Class, for example dask_kubernetes.operator:KubeCluster."
        )
    try:
        found: Callable[..., Any] = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise WorkflowError(
            f"dask-cluster: '{name}' cannot be imported ({error}), install its package "
            "or correct the name."
        ) from None
    return found


def _with_refusals(cluster_class: Any, name: str) -> Callable[..., Any]:
    """Return the class with the reason why no worker arrives: its batch system takes no job.

    Dask asks again every second. After a worker that was taken, the reason may pass.
    """
    from distributed.core import Status

    class Job(cluster_class.job_cls):
        @staticmethod
        async def _call(cmd: list[str], **options: Any) -> str:
            # Ctrl-C in the terminal reaches Snakemake alone.
            return str(await cluster_class.job_cls._call(cmd, start_new_session=True, **options))

        async def start(self) -> None:
            try:
                await super().start()
            except (RuntimeError, OSError) as error:
                # The message of dask-jobqueue ends with what the program wrote.
                said = " ".join(str(error).rpartition("stderr:")[2].split())
                if Cluster.failure is None and not Cluster.taken:
                    Cluster.failure = WorkflowError(
                        f"{name} refuses to start workers ({said}), check dask-cluster-options."
                    )
                # Otherwise Dask does not close a cluster that has made this job.
                self.status = Status.failed
                raise
            Cluster.taken = True

    class Cluster(cluster_class):
        job_cls = Job
        failure: WorkflowError | None = None
        taken = False

    return Cluster


def _options_of(text: str | None) -> dict[str, Any]:
    try:
        options = json.loads(text or "{}")
    except ValueError:
        options = None
    if not isinstance(options, dict):
        raise WorkflowError(
            f"dask-cluster-options: '{text}' is not a JSON object, write keywords of the class, "
            'for example \'{"cores": 1, "memory": "4GB"}\'.'
        )
    return options
