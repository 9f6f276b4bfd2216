"""Messages about workers that do not come, lack a module, or are of other versions."""

import os
from types import SimpleNamespace

import pytest
from distributed import Client, Scheduler, SpecCluster
from snakemake_executor_plugin_dask import cluster as clusters
from snakemake_executor_plugin_dask.cluster import Workers, differing_versions
from snakemake_runs import Folder, exhaustive, wait_until_gone

SNAKEFILE = """
rule task:
    output: "task.txt"
    log: "task.log"
    params: task=config.get("task", "mytasks:write")
    shell: "exit 9"
"""
TASKS = "def write():\n    open('task.txt', 'w').close()"


@pytest.fixture
def folder(tmp_path):
    yield Folder(tmp_path, SNAKEFILE, TASKS)
    assert wait_until_gone(tmp_path) == []


@pytest.fixture
def lonely():
    """A connection to a scheduler without workers."""
    scheduler = {"cls": Scheduler, "options": {"port": 0, "dashboard_address": "127.0.0.1:0"}}
    with SpecCluster(scheduler=scheduler, workers={}) as cluster, Client(cluster) as client:
        yield Workers(client, None)


def test_no_worker_within_a_minute(lonely, monkeypatch):
    said = []
    lonely.check_presence(said.append)
    assert said == []
    monkeypatch.setattr(clusters, "_SECONDS_BETWEEN_CHECKS", 0)
    lonely.check_presence(said.append)
    assert said == []
    monkeypatch.setattr(clusters, "_SECONDS_WITHOUT_WORKERS", 0)
    lonely.check_presence(said.append)
    lonely.check_presence(said.append)
    (line,) = said
    assert "no worker for a minute, start one with: dask worker tcp://" in line


def test_workers_of_this_run_are_not_missed(monkeypatch):
    monkeypatch.setattr(clusters, "_SECONDS_BETWEEN_CHECKS", 0)
    monkeypatch.setattr(clusters, "_SECONDS_WITHOUT_WORKERS", 0)
    Workers(SimpleNamespace(), SimpleNamespace()).check_presence(pytest.fail)


@pytest.mark.parametrize(
    ("package", "version", "message"),
    [
        ("distributed", "2001.1.0", "has distributed 2001.1.0, and Snakemake runs with 20"),
        ("python", "3.1.2.final.0", "has python 3.1, and Snakemake runs with 3."),
    ],
)
def test_versions_that_differ(lonely, package, version, message):
    versions = lonely.client.get_versions()
    assert differing_versions(versions) is None
    worker = {"packages": {**versions["client"]["packages"], package: version}}
    problem = differing_versions({**versions, "workers": {"tcp://node:1": worker}})
    assert problem.startswith("Dask's worker tcp://node:1 has")
    assert message in problem
    problem = differing_versions({**versions, "scheduler": worker})
    assert problem.startswith("Dask's scheduler has")


@pytest.mark.exhaustive
@pytest.mark.parametrize("task", ["nowhere:write", *exhaustive("mytasks:nothing")])
def test_a_task_that_is_not_there(folder, task):
    output = folder.run("--config", f"task={task}", ok=False)
    sentence = {
        "nowhere:write": "A Dask worker cannot import the module of the task 'nowhere:write', ",
        "mytasks:nothing": "The module of the task 'mytasks:nothing' has no such function, ",
    }[task]
    assert sentence in output
    assert sentence in folder.read("task.log")
    assert "Traceback" not in output


@pytest.mark.exhaustive
def test_a_worker_without_the_plugin(folder, cluster):
    hide = "import sys; sys.modules['snakemake_executor_plugin_dask'] = None"
    (folder.path / "hide.py").write_text(hide)
    cluster.add_worker("--preload", str(folder.path / "hide.py"))
    with Client(scheduler_file=str(cluster.file)) as client:
        client.wait_for_workers(1)
    output = folder.run("--dask-scheduler-file", str(cluster.file), ok=False)
    assert "cannot import snakemake_executor_plugin_dask, install snakemake-exec" in output
    assert "Traceback" not in output


@pytest.mark.exhaustive
def test_a_worker_without_the_module_of_a_task(folder, cluster):
    cluster.add_worker(PYTHONPATH=os.environ.get("PYTHONPATH", ""))
    output = folder.run("--dask-scheduler-file", str(cluster.file), ok=False)
    assert "cannot import the module of the task 'mytasks:write'" in output
