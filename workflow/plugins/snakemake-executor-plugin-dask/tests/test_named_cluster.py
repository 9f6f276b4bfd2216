"""Clusters of any class."""

import pytest
from snakemake_executor_plugin_dask import ExecutorSettings
from snakemake_executor_plugin_dask.named_cluster import start_named
from snakemake_interface_common.exceptions import WorkflowError
from snakemake_runs import Folder, wait_until_gone

SNAKEFILE = """
rule task:
    output: "task.txt"
    params: task="mytasks:write"
    shell: "exit 9"
"""
TASKS = "def write():\n    open('task.txt', 'w').close()"


@pytest.mark.exhaustive
def test_a_class_that_the_user_names(tmp_path):
    folder = Folder(tmp_path, SNAKEFILE, TASKS)
    options = '{"n_workers": 0, "threads_per_worker": 1, "dashboard_address": "127.0.0.1:0"}'
    output = folder.run(
        *("--dask-cluster", "distributed:LocalCluster", "--dask-cluster-options", options),
        *("--dask-cluster-workers", "2"),
    )
    assert "Dask cluster: distributed:LocalCluster, 1 to 2 workers" in output
    assert (tmp_path / "task.txt").exists()
    assert wait_until_gone(tmp_path) == []


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"cluster": "Torque"}, "dask-cluster: 'Torque' is not a cluster, write one of HTCondor"),
        ({"cluster": "nowhere:Cluster"}, "dask-cluster: 'nowhere:Cluster' cannot be imported"),
        ({"cluster": "distributed:Clusters"}, "'distributed:Clusters' cannot be imported"),
        ({"cluster_options": "cores=1"}, "dask-cluster-options: 'cores=1' is not a JSON object"),
        ({"cluster_options": '{"core": 1}'}, "does not start (.*core.*), check dask-cluster-opt"),
        ({"cluster_workers": 0}, "dask-cluster-workers: 0 is not a number of workers"),
        ({"scheduler": "tcp://a:1"}, "set only one of them"),
    ],
)
def test_a_wrong_setting_is_one_sentence(changes, message):
    settings = {"cluster": "distributed:SpecCluster", "cluster_workers": 2, **changes}
    with pytest.raises(WorkflowError) as error:
        start_named(ExecutorSettings(**settings), pytest.fail)
    assert all(part in str(error.value) for part in message.split(".*"))
    assert "\n" not in str(error.value).strip()
