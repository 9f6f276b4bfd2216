"""Processes that run the tasks of a group, inside a job of a batch system and without Dask."""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from typing import Any

from snakemake_executor_plugin_dask.call import call_task
from snakemake_executor_plugin_dask.local_cluster import nothing_of_main


def run_in_processes(workflow: Any) -> None:
    """Let processes that stay run the tasks of all rules, in place of shell commands.

    Each new process would import for seconds. The rules become local ones, which Snakemake does
    not give to its executor.
    """
    n_processes = int(os.environ.get("SLURM_CPUS_PER_TASK") or len(os.sched_getaffinity(0)))
    pool = ProcessPoolExecutor(n_processes, multiprocessing.get_context("spawn"))
    starting = threading.Lock()

    def through(run: Callable[..., None]) -> Callable[..., None]:
        def run_task(inputs: Any, output: Any, params: Any, *others: Any) -> None:
            if params.get("task") is None:
                run(inputs, output, params, *others)
                return
            log = others[3][0]
            with starting, nothing_of_main():
                future = pool.submit(call_task, params.task, params.arguments, {}, log)
            future.result()

        return run_task

    workflow.global_resources["_nodes"] = n_processes
    for rule in workflow.rules:
        if rule.shellcmd:
            rule.group = None
            rule.run_func = through(rule.run_func)
            workflow.localrules(rule.name)
