"""The private parts of Snakemake and Dask: they are there, and runs go on without Snakemake's."""

import ast
import threading
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace

import pytest
from distributed import Scheduler, SpecCluster
from snakemake_executor_plugin_dask import internals
from snakemake_interface_executor_plugins.executors.remote import RemoteExecutor
from snakemake_runs import Folder

SNAKEFILE = """
rule all:
    output: "task.txt"
    params: task="mytasks:write"
    shell: "exit 9"
onsuccess:
    job = next(iter(workflow.dag.jobs))
    owners = {
        "scheduler": (workflow.scheduler, ["job_rate_limiter", "resources", "_open_jobs", "failed",
                                           "running", "executor_error_callback"]),
        "workflow": (workflow, ["global_resources", "dag_settings"]),
        "dag": (workflow.dag, ["forcerules"]),
        "settings": (workflow.dag_settings, ["forcerun"]),
        "job": (job, ["attempt", "wildcards_dict"]),
        "rule": (job.rule, ["expand_params"]),
    }
    for owner, (part, names) in owners.items():
        for name in names:
            assert hasattr(part, name), f"{owner}.{name} is missing"
    print("all parts are there")
"""


@pytest.mark.exhaustive
def test_this_snakemake_has_them(tmp_path):
    folder = Folder(tmp_path, SNAKEFILE, "def write():\n    open('task.txt', 'w').close()")
    assert "all parts are there" in folder.run("--resources", "mem_mb=800")


def test_rounds_without_news_are_left_out():
    rounds = threading.Semaphore(7)
    scheduler = SimpleNamespace(job_rate_limiter=object(), resources={}, _open_jobs=rounds)
    internals.calm(scheduler)
    assert scheduler.job_rate_limiter is None
    assert rounds.acquire(blocking=False)
    assert not rounds.acquire(blocking=False)


def test_nothing_breaks_without_them():
    nothing = SimpleNamespace()
    internals.calm(nothing)
    assert not internals.has_failed(nothing)
    assert not internals.only_runs(nothing, [nothing])
    assert internals.total_mem_mb(nothing) is None
    job = SimpleNamespace(rule=nothing, output=["a"], params={"task": "m:f"}, attempt=2)
    assert not internals.is_forced(job, SimpleNamespace(dag=nothing))
    assert internals.parameters(job) == {"task": "m:f"}


def test_no_other_file_uses_a_private_part_that_is_not_known_here():
    used = set()
    for path in Path(internals.__file__).parent.glob("*.py"):
        tree = ast.parse(path.read_text())
        own = {
            node.attr
            for node in ast.walk(tree)
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
        } | {getattr(node, "name", "") for node in ast.walk(tree)}
        used |= {
            f"{ast.unparse(node.value)}.{node.attr}"
            for node in ast.walk(tree)
            if isinstance(node, ast.Attribute) and node.attr.startswith("_")
            if not node.attr.startswith("__")
            if node.attr not in own or ast.unparse(node.value) == "super()"
        }
    assert used == {
        "super()._wait_for_jobs",
        "super()._submit_job",
        "cluster._correct_state",
        "self._adaptive",
        "self._lock",
        "os._exit",
    }


def test_dask_and_the_base_class_of_executors_have_the_others():
    assert hasattr(RemoteExecutor, "_wait_for_jobs")
    scheduler = {"cls": Scheduler, "options": {"port": 0, "dashboard_address": "127.0.0.1:0"}}
    with SpecCluster(scheduler=scheduler, workers={}) as cluster:
        cluster.adapt(minimum=0, maximum=1)
        for name in ("_correct_state", "_adaptive", "_lock"):
            assert hasattr(cluster, name), f"Dask's cluster has no {name}"
    if find_spec("dask_jobqueue"):
        from dask_jobqueue.core import Job

        assert hasattr(Job, "_submit_job"), "dask-jobqueue has no _submit_job"
