"""The resources that a job may ask of the workers."""

import pytest
from distributed import Client, Scheduler, SpecCluster, Worker
from snakemake_executor_plugin_dask.cluster import Workers, start_local
from snakemake_interface_common.exceptions import WorkflowError


@pytest.fixture
def workers():
    """One worker with many threads, another one with much memory."""
    scheduler = {"cls": Scheduler, "options": {"port": 0, "dashboard": False}}
    kinds = [{"threads": 8, "mem_mb": 1000}, {"threads": 2, "mem_mb": 4000}]
    specification = {
        i: {"cls": Worker, "options": {"nthreads": 1, "resources": kind}}
        for i, kind in enumerate(kinds)
    }
    with (
        SpecCluster(scheduler=scheduler, workers=specification) as cluster,
        Client(cluster) as client,
    ):
        client.wait_for_workers(2)
        yield Workers(client, None)


def test_one_worker_can_do_all_that_is_asked(workers):
    assert workers.fitting_resources(8, None) == {"threads": 8}
    assert workers.fitting_resources(16, 500) == {"threads": 8, "mem_mb": 500}
    # Only the smaller one has the memory.
    assert workers.fitting_resources(8, 2000) == {"threads": 2, "mem_mb": 2000}
    assert workers.fitting_resources(1, 0) == {}
    with pytest.raises(WorkflowError, match="mem_mb=5000, the largest worker has 4000"):
        workers.fitting_resources(1, 5000)


def test_a_dashboard_needs_bokeh():
    import importlib.util

    if importlib.util.find_spec("bokeh"):
        with_dashboard = start_local(1, dashboard=":0")
        assert "/status" in with_dashboard.dashboard
        with_dashboard.close()
    else:
        with pytest.raises(WorkflowError, match="pip install bokeh"):
            start_local(1, dashboard=":0")
