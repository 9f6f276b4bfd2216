"""The ends of runs of the executor plugin: stopped, after a failure, with workers killed."""

import ctypes
import os
import platform
import re
import signal
from contextlib import suppress
from pathlib import Path

import psutil
import pytest
from snakemake_runs import Folder, exhaustive, processes_in, wait_for, wait_until_gone

TASKS = """
import glob, os, threading, time
def begin(output):
    with open("begun.txt", "a") as begun:
        begun.write(f"{output} {os.getpid()}\\n")
def hang(output):
    begin(output)
    while True:
        time.sleep(0.01)
def fail(output):
    # When the others are at the workers.
    while not os.path.exists("commands"):
        time.sleep(0.01)
    raise ValueError("this task fails on purpose")
def one_of_many(output):
    begin(output)
    time.sleep(0.5)
    open(output, "w").close()
def last_words(output):
    begin(output)
    with open(output, "a") as words:
        words.write("last words")
    if not os.path.exists("died"):
        # Finished jobs are reported every two seconds: this one has just missed it.
        logs = glob.glob(".snakemake/log/*.log")
        while not any("Finished job" in open(log).read() for log in logs):
            time.sleep(0.01)
        open("died", "w").close()
        # Long after the result is told to the scheduler, before Snakemake asks for it.
        threading.Timer(0.3, os._exit, [1]).start()
def leave(output, code):
    with open(output, "w") as target:
        target.write("left in order")
    raise SystemExit(code)
def compiled(output):
    from numba import njit
    @njit
    def total(number):
        return number + 1.0
    total(0.0)
    begin(output)
    while True:
        total(0.0)
def interrupt(output):
    raise KeyboardInterrupt("of the task")
"""
SNAKEFILE = """
import json
def arguments(**more):
    return lambda w, output: json.dumps({"output": str(output[0]), **more})
rule hang:
    output: "hang/{i}.txt"
    params: task="mytasks:hang", arguments=arguments()
    shell: "exit 9"
rule fail:
    output: "fail.txt"
    priority: 9
    params: task="mytasks:fail", arguments=arguments()
    shell: "exit 9"
rule one_of_many:
    output: "many/{i}.txt"
    params: task="mytasks:one_of_many", arguments=arguments()
    shell: "exit 9"
rule command_of_many:
    output: "commands/{i}.txt"
    shell: "echo command >> begun.txt; touch {output}"
rule many:
    input: "fail.txt", [f"many/{i}.txt" for i in range(30)], [f"commands/{i}.txt" for i in range(5)]
rule demanding:
    output: "demanding.txt"
    resources: mem_mb=100
    params: task="mytasks:one_of_many", arguments=arguments()
    shell: "exit 9"
localrules: local_failure
rule local_failure:
    output: "local_failure.txt"
    shell: "sleep 1; exit 9"
rule last_words:
    output: "last_words.txt"
    priority: 9
    params: task="mytasks:last_words", arguments=arguments()
    shell: "exit 9"
rule exit:
    output: "exit.txt"
    log: "logs/exit.log"
    params: task="mytasks:leave", arguments=arguments(code="the sentence of the task")
    shell: "exit 9"
rule exit_well:
    output: "exit_well.txt"
    params: task="mytasks:leave", arguments=arguments(code=0)
    shell: "exit 9"
rule compiled:
    output: "compiled.txt"
    log: "logs/compiled.log"
    params: task="mytasks:compiled", arguments=arguments()
    shell: "exit 9"
rule interrupt:
    output: "interrupt.txt"
    params: task="mytasks:interrupt", arguments=arguments()
    shell: "exit 9"
rule command:
    output: "command.txt"
    shell: "echo command $$ >> begun.txt; sleep 3600; touch {output}"
"""

# Numbers of the system call that signals one thread.
TGKILL = {"x86_64": 234, "aarch64": 131}


class Stopping(Folder):
    def begun(self) -> list[str]:
        """Names and processes of what was begun, a line each."""
        file = self.path / "begun.txt"
        return file.read_text().splitlines() if file.exists() else []

    def said(self, text: str) -> bool:
        """Tell whether the run that is going on has said something."""
        logs = self.path.glob(".snakemake/log/*.log")
        return any(text in log.read_text() for log in logs)

    def processes(self, pattern: str) -> list[psutil.Process]:
        """Processes that work here, by their command lines."""
        found = []
        for process in processes_in(self.path):
            with suppress(psutil.Error):
                if re.search(pattern, " ".join(process.cmdline())):
                    found.append(process)
        return found

    def sleeping(self) -> list[psutil.Process]:
        return self.processes("^sleep")

    def started(self) -> list[psutil.Process]:
        """The scheduler and its workers, as soon as their processes are there."""
        return self.processes("spawn_main")

    def workers(self) -> list[psutil.Process]:
        started = self.started()
        return [p for p in started if any(p.ppid() == other.pid for other in started)]


@pytest.fixture
def folder(tmp_path):
    yield Stopping(tmp_path, SNAKEFILE, TASKS)
    left = wait_until_gone(tmp_path)
    for process in left:
        process.kill()
    assert left == []


def end(process, number=signal.SIGINT, seconds=90):
    """Send a signal and wait for the end; returns what was said."""
    process.send_signal(number)
    try:
        output, _ = process.communicate(timeout=seconds)
    finally:
        process.kill()
    assert process.returncode != 0
    assert "Traceback" not in output, output
    return output


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "number", [signal.SIGINT, *exhaustive(signal.SIGTERM, signal.SIGHUP, signal.SIGKILL)]
)
def test_a_stopped_run_ends_its_commands(folder, number):
    process = folder.start("command.txt")
    wait_for(folder.sleeping, process)
    end(process, number)
    assert wait_until_gone(folder.path) == []
    assert not (folder.path / "command.txt").exists()


def blocks(process: int, thread: int, number: int) -> bool:
    """Tell whether a thread blocks a signal."""
    status = Path(f"/proc/{process}/task/{thread}/status").read_text("ascii")
    (mask,) = re.findall(r"^SigBlk:\s*(\w+)$", status, re.MULTILINE)
    return bool(int(mask, 16) >> (number - 1) & 1)


@pytest.mark.parametrize("number", [signal.SIGINT, *exhaustive(signal.SIGTERM)])
def test_a_signal_that_does_not_wake_snakemake_stops_the_run(folder, number):
    process = folder.start("hang/1.txt")
    wait_for(folder.begun, process)
    threads = [t.id for t in psutil.Process(process.pid).threads() if t.id != process.pid]
    # Threads that started with the workers block the signal, so the system never chooses them.
    others = [thread for thread in threads if not blocks(process.pid, thread, number)]
    # As if it came just before the main thread falls asleep.
    libc = ctypes.CDLL(None)
    assert libc.syscall(TGKILL[platform.machine()], process.pid, others[0], number) == 0
    output, _ = process.communicate(timeout=60)
    assert "Terminating processes on user request" in output
    assert wait_until_gone(folder.path) == []


@pytest.mark.exhaustive
def test_a_task_that_is_stopped_in_compiled_code_has_not_failed(folder):
    process = folder.start("compiled.txt")
    wait_for(folder.begun, process)
    end(process)
    assert folder.read("logs/compiled.log") == ""


@pytest.mark.exhaustive
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_who_is_impatient_cuts_nothing_off(folder, number):
    process = folder.start("hang/1.txt")
    wait_for(folder.begun, process)
    # To the whole group, as a terminal does.
    os.killpg(process.pid, number)
    wait_for(lambda: folder.said("Terminating processes on user request"), process)
    os.killpg(process.pid, number)
    end(process, number)
    assert process.returncode == 1
    assert wait_until_gone(folder.path) == []


@pytest.mark.exhaustive
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("n_started", [1, 2, 3])
def test_a_run_is_stopped_while_its_workers_start(folder, number, n_started):
    process = folder.start("--jobs", "256", "many", "hang/1.txt")
    # The scheduler, then the workers, each long before it is known to the others.
    wait_for(lambda: len(folder.started()) >= n_started, process)
    end(process, number)
    assert wait_until_gone(folder.path) == []
    assert folder.begun() == []


@pytest.mark.exhaustive
def test_the_command_of_a_killed_worker_ends_before_it_runs_again(folder):
    process = folder.start("command.txt")
    wait_for(folder.sleeping, process)
    (command,) = folder.sleeping()
    worker = next(p for p in command.parents() if p in folder.workers())
    worker.kill()
    wait_for(lambda: len(folder.begun()) == 2, process)
    # The second had a Snakemake to start, so the first is long gone (or nobody's zombie).
    sleeping = folder.sleeping()
    assert command not in sleeping
    assert len(sleeping) <= 1
    end(process)


@pytest.mark.exhaustive
def test_a_job_whose_worker_dies_before_it_is_asked_for_the_result_runs_again(folder):
    many = [f"many/{i}.txt" for i in range(12)]
    folder.run("--jobs", "256", "last_words.txt", *many)
    begun = [line.split()[0] for line in folder.begun()]
    assert begun.count("last_words.txt") == 2
    # What the first one had written was cleared away.
    assert folder.read("last_words.txt") == "last words"


@pytest.mark.exhaustive
def test_a_task_that_calls_exit_fails_its_job_as_a_command_would(folder):
    output = folder.run("--keep-going", "exit.txt", "exit_well.txt", "interrupt.txt", ok=False)
    assert "SystemExit: the sentence of the task" in output
    assert "SystemExit: the sentence of the task" in folder.read("logs/exit.log")
    assert "KeyboardInterrupt: of the task" in output
    assert folder.read("exit_well.txt") == "left in order"
    assert not (folder.path / "exit.txt").exists()


@pytest.mark.exhaustive
def test_a_worker_that_does_not_come_up_is_killed_at_the_end(folder):
    process = folder.start("hang/1.txt")
    wait_for(folder.begun, process)
    before = wait_for(lambda: len(w := folder.workers()) == 2 and w, process)
    before[0].kill()
    (successor,) = wait_for(lambda: set(folder.workers()) - set(before), process)
    # Dask waits for a worker that starts before it ends it.
    successor.suspend()
    end(process)


@pytest.mark.exhaustive
def test_two_runs_on_one_cluster_and_one_that_is_stopped(folder, cluster, tmp_path):
    for _ in range(2):
        cluster.add_worker()
    (tmp_path / "other").mkdir()
    other = Stopping(tmp_path / "other", SNAKEFILE, TASKS)
    runs = []
    try:
        # Jobs of the same names and numbers.
        for place in (folder, other):
            runs.append(place.start("--dask-scheduler-file", str(cluster.file), "hang/1.txt"))
            wait_for(place.begun, runs[-1])
        end(runs[0])
        # There is room again, as the stopped run's task does not run on.
        runs.append(folder.start("--dask-scheduler-file", str(cluster.file), "hang/2.txt"))
        wait_for(lambda: len(folder.begun()) == 2, runs[-1])
        assert runs[1].poll() is None
        for process in runs[1:]:
            end(process)
    finally:
        for process in runs:
            process.kill()


@pytest.mark.exhaustive
def test_after_a_failure_only_what_has_begun_is_finished(folder):
    output = folder.run("--jobs", "256", "many", ok=False)
    assert "ValueError: this task fails on purpose" in output
    begun = len(folder.begun())
    assert begun < 10, output
    assert f"were not started: {35 - begun} (--keep-going would start them)" in output
    # Old versions of Snakemake name the rule again at the end.
    assert output.count("message: Traceback") == 1, output
    made = [*folder.path.glob("many/*.txt"), *folder.path.glob("commands/*.txt")]
    assert len(made) == begun
    again = folder.run("--jobs", "256", "--keep-going", "many", ok=False)
    assert len(folder.begun()) == 35, again
    assert "were not started" not in again


@pytest.mark.exhaustive
def test_what_waits_for_workers_that_do_not_come_is_dropped_after_a_failure(folder, cluster):
    output = folder.run(
        "--dask-scheduler-file", str(cluster.file), "local_failure.txt", "hang/1.txt", ok=False
    )
    assert "were not started: 1 (--keep-going would start them)" in output
    assert folder.begun() == []


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("options", "threads", "message"),
    [
        (["--resources", "mem_mb=50"], 1, "A job needs mem_mb=100, the largest worker has 50."),
        (["--resources", "mem_mb=200"], 2, "runs 2 tasks at once, but a task's working folder"),
        (["--resources", "mem_mb=200"], 1, None),
    ],
)
def test_workers_that_come_after_the_run_has_begun(folder, cluster, options, threads, message):
    process = folder.start("--dask-scheduler-file", str(cluster.file), "demanding.txt")
    try:
        wait_for(lambda: folder.said("has no worker yet, waiting for one"), process)
        cluster.add_worker(*options, threads=threads)
        output, _ = process.communicate(timeout=90)
    finally:
        process.kill()
    assert (process.returncode == 0) == (message is None), output
    assert (message or "1 of 1 steps") in output
    assert (folder.path / "demanding.txt").exists() == (message is None)


@pytest.mark.exhaustive
@pytest.mark.parametrize("victim", ["scheduler", "Snakemake"])
def test_no_job_is_lost_and_no_finished_one_runs_twice(folder, victim):
    targets = [f"many/{i}.txt" for i in range(12)]
    process = folder.start(*targets)
    wait_for(lambda: folder.said("Finished jobid"), process)
    if victim == "scheduler":
        (scheduler,) = set(folder.started()) - set(folder.workers())
        scheduler.kill()
    else:
        process.kill()
    output, _ = process.communicate(timeout=90)
    assert process.returncode != 0
    assert ("The Dask scheduler is gone" in output) == (victim == "scheduler")
    assert wait_until_gone(folder.path) == []
    log = "".join(path.read_text() for path in folder.path.glob(".snakemake/log/*.log"))
    numbers = re.findall(r"^Finished jobid: (\d+)", log, re.M)
    names = dict(re.findall(r"output: (\S+)\n +jobid: (\d+)", log))
    finished = {name for name, number in names.items() if number in numbers}
    assert 0 < len(finished) < len(targets)
    folder.run("--unlock", *targets)
    folder.run("--rerun-incomplete", *targets)
    begun = [line.split()[0] for line in folder.begun()]
    assert set(begun) == set(targets)
    assert all(begun.count(name) == 1 for name in finished)
    assert all((folder.path / name).exists() for name in targets)
