"""The private parts of Snakemake: they are there, and nothing breaks without them."""

import threading
from types import SimpleNamespace

from snakemake_executor_plugin_dask import internals
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
