"""Workers that are SLURM jobs: their number, their time limit, and what SLURM refuses."""

import signal
import time
from pathlib import Path

from snakemake_runs import wait_for


def test_workers_are_replaced_before_their_time_is_over(slurm, sleepers):
    # A worker takes jobs for 36 to 45 of its 60 seconds; the jobs need more than 100.
    output = sleepers.run("--dask-slurm-workers", "1", "--dask-slurm-time", "1:00", number=35)
    assert sleepers.times_run() == [1] * 35
    states = [state for _, state in slurm.history(output)]
    assert len(states) >= 3
    assert "TIMEOUT" not in states
    assert slurm.left() == []


def test_there_are_never_more_workers_than_the_maximum(slurm, sleepers):
    # Each of the two is replaced, while it may still be running a job.
    options = ["--dask-slurm-workers", "2", "--dask-slurm-time", "1:00"]
    process = sleepers.start(*options, number=40)
    most, seen = 0, set()
    try:
        while process.poll() is None:
            jobs = slurm.jobs()
            most = max(most, len(jobs))
            seen.update(jobs)
            time.sleep(0.1)
    finally:
        process.kill()
    output, _ = process.communicate(timeout=60)
    assert process.returncode == 0, output
    assert most == 2
    assert len(seen) >= 4
    assert sleepers.times_run() == [1] * 40


def test_a_job_that_its_workers_time_limit_cut_off_starts_again(slurm, sleepers):
    output = sleepers.run("--dask-slurm-time", "1:00", target="hang.txt")
    assert (sleepers.path / "hang.txt").exists()
    assert "TIMEOUT" in [state for _, state in slurm.history(output)]
    assert slurm.left() == []


def test_as_many_workers_as_there_is_work_for(slurm, sleepers):
    output = sleepers.run("--dask-slurm-workers", "4", number=8)
    assert 2 <= len(slurm.history(output)) <= 4
    output = sleepers.run("--dask-slurm-workers", "4", "--forceall", number=1)
    assert len(slurm.history(output)) == 1


def test_a_failing_job_fails_the_run_and_leaves_no_job(slurm, sleepers):
    output = sleepers.run("--dask-slurm-workers", "1", target="fail.txt", ok=False)
    assert "ValueError: this task fails on purpose" in output
    assert slurm.left() == []


def test_a_job_that_asks_for_more_memory_than_a_worker_has_is_told_at_once(slurm, sleepers):
    output = sleepers.run("--dask-slurm-workers", "1", target="huge.txt", ok=False)
    assert "A job needs mem_mb=100000, the largest worker has 500." in output
    assert slurm.left() == []


# -- what SLURM does not take ---------------------------------------------------


def test_a_refused_partition_is_one_sentence(slurm, sleepers):
    start = time.monotonic()
    output = sleepers.run("--dask-slurm-partition", "nowhere", number=1, ok=False)
    assert time.monotonic() - start < 30
    assert "SLURM refuses to start workers (invalid partition specified: nowhere" in output
    assert "check dask-slurm-partition" in output
    assert "Traceback" not in output, output
    assert slurm.left() == []


def test_workers_that_never_arrive_are_one_sentence(slurm, sleepers):
    prologue = "echo this node has no Python; exit 1"
    output = sleepers.run("--dask-slurm-prologue", prologue, number=1, ok=False)
    assert "SLURM jobs in a row ended before their Dask worker reached the scheduler" in output
    assert "the last one said 'this node has no Python'" in output
    assert "Traceback" not in output, output
    assert slurm.left() == []


def test_waiting_for_a_full_cluster_is_told_and_can_be_stopped(slurm, sleepers):
    process = sleepers.start("--dask-slurm-partition", "closed", number=1)
    try:
        wait_for(slurm.jobs, process, 30)
        time.sleep(45)
    finally:
        process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=60)
    assert "SLURM: no worker runs yet, 1 in the queue (PENDING PartitionDown)" in output
    assert slurm.left() == []


def test_a_machine_without_slurm_is_told(sleepers, tmp_path_factory):
    programs = tmp_path_factory.mktemp("programs")
    for program in Path("/usr/bin").iterdir():
        if program.name not in ("sbatch", "squeue", "scancel"):
            (programs / program.name).symlink_to(program)
    sleepers.environment["PATH"] = str(programs)
    output = sleepers.run("--dask-slurm-workers", "1", number=1, ok=False)
    assert "there is no program 'sbatch' on this machine" in output
    assert "Traceback" not in output


def test_the_class_of_dask_jobqueue_by_its_name(slurm, sleepers):
    options = '{"cores": 1, "processes": 1, "memory": "500MB", "interface": "lo"}'
    output = sleepers.run(
        *("--dask-cluster", "SLURM", "--dask-cluster-options", options),
        *("--dask-cluster-workers", "2"),
        own_workers=False,
        number=4,
    )
    assert "Dask cluster: SLURM, 1 to 2 workers" in output
    assert sleepers.times_run() == [1] * 4
    # dask-jobqueue cancels the jobs of its workers.
    assert slurm.left() == []


def test_a_controller_that_is_down_for_a_while(slurm, sleepers):
    process = sleepers.start("--dask-slurm-workers", "2", number=12)
    wait_for((sleepers.path / "runs.txt").exists, process)
    slurm.end_daemon("slurmctld")
    time.sleep(5)
    slurm.start_controller()
    output, _ = process.communicate(timeout=200)
    assert process.returncode == 0, output
    assert sleepers.times_run() == [1] * 12
    assert slurm.left() == []


def test_a_worker_that_is_requeued(slurm, sleepers):
    process = sleepers.start("--dask-slurm-workers", "1", number=6)
    wait_for(lambda: slurm.jobs("RUNNING") and (sleepers.path / "runs.txt").exists(), process)
    (job,) = slurm.jobs("RUNNING")
    slurm.ask("scontrol", "requeue", job)
    output, _ = process.communicate(timeout=200)
    assert process.returncode == 0, output
    # The job that it was running begins again.
    assert sorted(sleepers.times_run())[:-1] == [1] * 5
    assert slurm.left() == []


def test_a_node_that_is_taken_away_and_comes_back(slurm, sleepers):
    process = sleepers.start("--dask-slurm-workers", "1", number=6)
    wait_for(lambda: slurm.jobs("RUNNING") and (sleepers.path / "runs.txt").exists(), process)
    slurm.ask("scontrol", "update", "nodename=toy", "state=down", "reason=test")
    wait_for(lambda: not slurm.jobs("RUNNING"), process)
    slurm.ask("scontrol", "update", "nodename=toy", "state=resume")
    output, _ = process.communicate(timeout=200)
    assert process.returncode == 0, output
    assert sorted(sleepers.times_run())[:-1] == [1] * 5
    assert slurm.left() == []
