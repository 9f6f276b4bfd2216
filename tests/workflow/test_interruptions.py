"""Long runs that are interrupted and killed, and started again."""

import os
import re
import signal
import time

import pyarrow.parquet as pq
import pytest
from audit import CONFIG as STUDY
from marks import exhaustive
from snakemake_runs import wait_until_gone
from test_runs import assert_complete, assert_same, contents

from altfs.study.session import open_study
from altfs.study.state import Ledger, look_at_files, look_at_logs

pytestmark = pytest.mark.study

N_SHARDS = 2 * 3 * 2 * 2
# The evaluation is the same however a run ended; making it takes longer than the shards do.
SHARDS = ("--until", "search")


def start_and_wait(work, shards, *options):
    process = work.start("--cores", "2", *options)
    end = time.monotonic() + 120
    while len(work.shards()) < shards and process.poll() is None and time.monotonic() < end:
        time.sleep(0.05)
    assert process.poll() is None, process.communicate(timeout=60)[0]
    return process


def assert_it_goes_on(work, expected, *options):
    """Check that the next run keeps what is there, and ends with the results of another study.

    With options such as `SHARDS`, it makes only some of them.
    """
    # A result that exists is whole: whatever can be read now must not be made again.
    before = {path: pq.read_table(path.open("rb")) for path in work.shards()}
    assert 0 < len(before) < N_SHARDS
    work.run("--cores", "2", *options)
    for path, table in before.items():
        assert pq.read_table(path.open("rb")).equals(table), f"{path} was made again"
    assert_found(work, expected, *options)


def assert_found(work, expected, *options):
    """Check that all shards are there, and all other results without options."""
    assert len(work.shards()) == N_SHARDS
    found, whole = contents(work.results), contents(expected)
    assert_same(found, {name: whole[name] for name in found} if options else whole)


@pytest.mark.exhaustive
@pytest.mark.parametrize("how", ["kill", *exhaustive("ctrl-c", "interrupt", "terminate")])
def test_a_stopped_run_goes_on_where_it_stopped(workspace, reported_results, how):
    work = workspace(**STUDY)
    process = start_and_wait(work, 6)
    if how == "ctrl-c":
        # A terminal sends it to every process of the group.
        os.killpg(process.pid, signal.SIGINT)
    else:
        number = {"interrupt": "SIGINT", "terminate": "SIGTERM", "kill": "SIGKILL"}[how]
        process.send_signal(getattr(signal, number))
    output, _ = process.communicate(timeout=60)
    assert process.returncode != 0
    assert "Traceback" not in output, output
    assert wait_until_gone(work.folder) == []
    # One of them shows that all goes on.
    assert_it_goes_on(work, reported_results, *(() if how == "kill" else SHARDS))
    if how == "kill":
        assert_complete(work)
    partial = [p for p in work.results.rglob("*") if p.name.endswith((".partial", ".checkpoint"))]
    assert partial == []


@pytest.mark.exhaustive
def test_groups_of_shards_go_on_shard_by_shard(workspace, reported_results):
    work = workspace(**STUDY, shards_per_job="all")
    process = start_and_wait(work, 4)
    process.kill()
    process.communicate(timeout=60)
    assert wait_until_gone(work.folder) == []
    until = ("--until", "searches")
    assert_it_goes_on(work, reported_results, *until)
    shard, *others = work.shards()
    times = [path.stat().st_mtime_ns for path in others]
    shard.unlink()
    assert re.search(r"searches +1\n", work.run("--cores", "1", "--dry-run", *until))
    work.run("--cores", "2", "--executor", "local", *until)
    assert shard.is_file() and [path.stat().st_mtime_ns for path in others] == times
    work.run()
    assert_complete(work)
    assert "Nothing to be done" in work.run()


@pytest.mark.exhaustive
@pytest.mark.parametrize("executor", ["dask", "local"])
def test_ctrl_c_is_never_told_as_a_failure(workspace, executor):
    work = workspace(**STUDY)
    for _ in range(2):
        process = start_and_wait(work, len(work.shards()) + 3, "--executor", executor)
        # Without Dask, a terminal sends it to the tasks, too.
        os.killpg(process.pid, signal.SIGINT)
        output, _ = process.communicate(timeout=60)
        # Shells say 130 of it.
        assert process.returncode == -signal.SIGINT
        assert "Error" not in output, output
        last = output.splitlines()[-1]
        assert re.fullmatch(r"Stopped: \d+ of \d+ tasks done, 0 failed; the same .*", last), output
        state = look_at_files(open_study(work.results), Ledger(work.results))
        look_at_logs(state)
        assert state.failures == []
        assert wait_until_gone(work.folder) == []


@pytest.mark.exhaustive
def test_a_run_without_dask_ends_by_the_signal_that_stopped_it(workspace):
    work = workspace(**STUDY)
    process = start_and_wait(work, 3, "--executor", "local")
    process.terminate()
    output, _ = process.communicate(timeout=60)
    assert process.returncode == -signal.SIGTERM
    last = output.splitlines()[-1]
    assert re.fullmatch(r"Stopped: \d+ of \d+ tasks done, 0 failed; the same .*", last), output
    assert wait_until_gone(work.folder) == []


@pytest.mark.exhaustive
def test_a_second_run_in_the_same_folder_is_refused(workspace):
    work = workspace(**STUDY)
    process = start_and_wait(work, 1)
    output = work.run(ok=False)
    assert f"another run (process {process.pid})" in output
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
