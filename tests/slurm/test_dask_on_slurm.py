"""A study on Dask workers that are SLURM jobs: the same results, whatever happens to them."""

import re
import signal

import pytest
from snakemake_runs import wait_until_gone
from support import PROFILE, SHARDS, STOPPED, started


def test_the_study_finds_what_a_local_run_finds(slurm, study, local):
    work = study("dask")
    output = work.run(*PROFILE, **slurm.environment)
    local.assert_same_as(work)
    assert "SLURM: 1 to 2 workers in partition main" in output
    assert "Traceback" not in output, output
    # The key of the connections is gone.
    assert not list(work.folder.glob(".snakemake/slurm_workers/*/.dask*"))
    jobs = slurm.history(output)
    assert 1 <= len(jobs) <= 2
    assert slurm.left() == []
    assert "Nothing to be done" in work.run(*PROFILE, **slurm.environment)
    assert slurm.left() == []


def test_cancelled_workers_are_replaced(slurm, study, local):
    work = study("cancelled")
    process = started(work, slurm, shards=6)
    before = slurm.jobs("RUNNING")
    assert before
    slurm.ask("scancel", *before)
    output, _ = process.communicate(timeout=300)
    assert process.returncode == 0, output
    assert {job for job, _ in slurm.history(output)} > set(before)
    local.assert_same_as(work)
    assert slurm.left() == []


@pytest.mark.parametrize("how", ["SIGINT", "SIGTERM"])
def test_a_stopped_run_leaves_no_job_and_goes_on_later(slurm, study, local, how):
    work = study("stopped")
    process = started(work, slurm, shards=6)
    process.send_signal(getattr(signal, how))
    output, _ = process.communicate(timeout=60)
    # The executor tells Snakemake of a SIGTERM as of Ctrl-C.
    assert process.returncode == -signal.SIGINT
    assert "Traceback" not in output, output
    assert re.fullmatch(STOPPED, output.splitlines()[-1]), output
    assert slurm.left() == []
    assert 0 < len(work.shards()) < SHARDS
    work.run(*PROFILE, **slurm.environment)
    local.assert_same_as(work)


def test_workers_of_a_killed_run_end_by_themselves(slurm, study, local):
    work = study("killed")
    process = started(work, slurm, "--dask-slurm-death-timeout", "5", shards=6)
    process.kill()
    process.communicate(timeout=60)
    assert slurm.jobs()
    assert slurm.wait_until_empty(60) == []
    assert wait_until_gone(work.folder) == []
    work.run(*PROFILE, **slurm.environment)
    local.assert_same_as(work)
