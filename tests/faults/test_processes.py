"""Processes of a run that are killed, stopped and interrupted. Each test takes 10 to 60 s."""

import os
import re
import signal
import subprocess
import time

import psutil
import pytest
from snakemake_runs import wait_for, wait_until_gone
from test_faults import scheduler_of, workers_of
from test_interruptions import (
    N_SHARDS,
    SHARDS,
    STUDY,
    assert_found,
    assert_it_goes_on,
    start_and_wait,
)
from test_runs import contents


def kill_snakemake(process):
    process.kill()


def kill_all(process):
    main = psutil.Process(process.pid)
    for one in [*main.children(recursive=True), main]:
        one.kill()


def kill_scheduler_and_a_worker(process):
    scheduler, worker = scheduler_of(process), workers_of(process)[0]
    worker.kill()
    scheduler.kill()


def kill_a_worker_and_snakemake(process):
    workers_of(process)[0].kill()
    process.kill()


VICTIMS = [kill_snakemake, kill_all, kill_scheduler_and_a_worker, kill_a_worker_and_snakemake]


def test_killed_at_twelve_moments(workspace, finished_results):
    work = workspace(**STUDY)
    for moment in range(12):
        before = {path: path.read_bytes() for path in work.shards()}
        # The last moment leaves shards for the run that goes on, however fast they are made.
        process = start_and_wait(work, 3 * moment // 2, *SHARDS)
        VICTIMS[moment % len(VICTIMS)](process)
        output, _ = process.communicate(timeout=60)
        assert process.returncode != 0
        assert "Traceback" not in output, output
        assert wait_until_gone(work.folder) == []
        assert all(path.read_bytes() == content for path, content in before.items())
    assert_it_goes_on(work, finished_results, *SHARDS)


def test_a_task_that_is_killed_without_dask(workspace, finished_results):
    work = workspace(**STUDY)
    process = start_and_wait(work, 3, "--executor", "local", *SHARDS)

    def tasks():
        children = psutil.Process(process.pid).children(recursive=True)
        return [one for one in children if "altfs.study.run" in one.cmdline()]

    wait_for(tasks, process)[0].kill()
    output, _ = process.communicate(timeout=400)
    assert process.returncode != 0, output
    assert wait_until_gone(work.folder) == []
    # The others have finished.
    assert len(work.shards()) >= 4
    work.run("--cores", "2", *SHARDS)
    assert_found(work, finished_results, *SHARDS)


@pytest.mark.parametrize("whole", [True, False])
def test_a_run_that_sleeps_for_a_while(workspace, finished_results, whole):
    work = workspace(**STUDY)
    process = start_and_wait(work, 4, *SHARDS)
    main = psutil.Process(process.pid)
    # As when a laptop is closed, or after Ctrl-Z.
    asleep = [main, *main.children(recursive=True)] if whole else [main]
    for one in asleep:
        one.suspend()
    time.sleep(8)
    for one in asleep:
        one.resume()
    output, _ = process.communicate(timeout=300)
    assert process.returncode == 0, output
    assert_found(work, finished_results, *SHARDS)


def test_nobody_reads_what_a_run_says(workspace, finished_results):
    work = workspace(**STUDY)
    process = work.start("--cores", "2", *SHARDS)
    process.stdout.readline()
    # As in `snakemake --cores 2 | head -n 1`.
    process.stdout.close()
    process.wait(timeout=300)
    assert wait_until_gone(work.folder) == []
    work.run("--cores", "2", *SHARDS)
    assert_found(work, finished_results, *SHARDS)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_run_is_stopped_while_it_plans(workspace, number):
    work = workspace(**STUDY)
    process = work.start("--cores", "2")
    process.stdout.readline()
    time.sleep(0.5)
    process.send_signal(number)
    output, _ = process.communicate(timeout=60)
    assert process.returncode in (-number, 128 + number)
    assert "Error" not in output, output
    assert wait_until_gone(work.folder) == []
    assert not work.results.exists() or work.shards() == []


def test_a_run_is_stopped_while_it_makes_tables_and_figures(workspace, reported_results):
    work = workspace(**STUDY)
    work.run("--cores", "2", "--until", "predict")
    process = work.start("--cores", "2")
    wait_for(lambda: [*work.results.glob("tables/*.csv")], process)
    os.killpg(process.pid, signal.SIGINT)
    output, _ = process.communicate(timeout=60)
    last = output.splitlines()[-1]
    assert re.fullmatch(r"Stopped: \d+ of \d+ tasks done, 0 failed; the same .*", last), output
    shards = {path: path.stat().st_mtime_ns for path in work.shards()}
    assert len(shards) == N_SHARDS
    work.run()
    assert shards == {path: path.stat().st_mtime_ns for path in work.shards()}
    assert contents(work.results).keys() == contents(reported_results).keys()


@pytest.mark.parametrize("command", ["verify", "report", "status", "compare"])
def test_a_command_is_interrupted(finished_workspace, command):
    work = finished_workspace(taus=[1])
    results = str(work.results)
    arguments = [results] * (2 if command == "compare" else 1)
    before = contents(work.results)
    altfs = os.path.join(os.path.dirname(os.sys.executable), "altfs")
    for seconds in (0.3, 0.8, 2.0):
        process = subprocess.Popen([altfs, command, *arguments], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)  # fmt: skip
        time.sleep(seconds)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
        if process.returncode not in (0, 1):
            assert process.returncode in (130, -signal.SIGINT)
            assert "Error" not in said, said
    assert before == contents(work.results)
