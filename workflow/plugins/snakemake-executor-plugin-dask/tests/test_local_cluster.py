"""Workers of this machine and the process of their scheduler."""

import ctypes
import os
import resource
import subprocess
import sys

import psutil
import pytest
from distributed import Client
from snakemake_executor_plugin_dask.local_cluster import LocalCluster
from snakemake_interface_common.exceptions import WorkflowError
from snakemake_runs import exhaustive

# Not guarded by `if __name__ == "__main__"`, as few programs of somebody else are.
PROGRAM = """
import os, signal, sys
from snakemake_executor_plugin_dask.local_cluster import LocalCluster
before = dict(vars(sys.modules["__main__"]))
cluster = LocalCluster(1, None, None, {})
# As Ctrl-C does, long before the process can say that it ignores it.
os.kill(cluster._process.pid, signal.SIGINT)
assert before.items() <= vars(sys.modules["__main__"]).items()
assert before.keys() | {"cluster", "before"} == vars(sys.modules["__main__"]).keys()
print(cluster.wait()[0][:16])
cluster.close()
"""


@pytest.mark.exhaustive
@pytest.mark.parametrize("how", [["-m", "program"], *exhaustive(["program.py"], ["-c", PROGRAM])])
def test_any_program_starts_workers_whom_ctrl_c_does_not_reach(tmp_path, how):
    (tmp_path / "program.py").write_text(PROGRAM)
    run = subprocess.run(
        [sys.executable, *how], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert run.stderr == ""
    assert run.stdout == "tls://127.0.0.1:\n"
    assert run.returncode == 0


def hold_pythons_lock(seconds: int) -> None:
    """As a function of Numba does, or one of C that is no good neighbour."""
    ctypes.PyDLL(None).sleep(seconds)


def listening(process: psutil.Process) -> set[str]:
    found = process.net_connections(kind="inet")
    return {c.laddr.ip for c in found if c.status == psutil.CONN_LISTEN}


@pytest.mark.exhaustive
def test_workers_may_be_silent_and_nobody_elsewhere_hears_of_them(monkeypatch):
    # Of Dask's shortest kind: a worker silent for five seconds would be started again.
    monkeypatch.setenv("DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL", "1s")
    cluster = LocalCluster(1, 100, None, {})
    address, key = cluster.wait()
    with Client(address, security=key) as client:
        ((address, worker),) = client.scheduler_info()["workers"].items()
        assert worker["resources"] == {"threads": 1, "mem_mb": 100}
        (scheduler,) = [p for p in psutil.Process().children() if p.children()]
        for process in (scheduler, *scheduler.children()):
            assert listening(process) == {"127.0.0.1"}
        # The allocator keeps its own rule for when memory is returned.
        assert client.submit(os.environ.get, "MALLOC_TRIM_THRESHOLD_").result() is None
        client.submit(hold_pythons_lock, 9).result()
        assert list(client.scheduler_info()["workers"]) == [address]
    cluster.close()


def test_what_cannot_start_is_a_sentence(capfd):
    # As from a user's own ~/.config/dask.
    cluster = LocalCluster(1, None, None, {"distributed.admin.tick.interval": ["often"]})
    with pytest.raises(WorkflowError, match=r"did not start: .*'list' object"):
        cluster.wait()
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (3, limits[1]))
    try:
        with pytest.raises(WorkflowError, match=r"workers did not start: .*Too many open files"):
            LocalCluster(1, None, None, {})
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)
    assert "Traceback" not in capfd.readouterr().err
