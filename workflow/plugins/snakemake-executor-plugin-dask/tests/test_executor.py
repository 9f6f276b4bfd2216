"""The executor plugin on its own: any Snakefile, tasks and ordinary rules."""

import base64
import json
import os
import re
import subprocess
import sys

import pytest
from snakemake_runs import Folder, wait_until_gone


def test_dasks_own_messages_do_not_reach_the_log_of_a_task(tmp_path):
    program = (
        "import logging, distributed, sys\n"
        "from snakemake_executor_plugin_dask.call import _output_to\n"
        "logger = logging.getLogger('distributed.worker')\n"
        "with _output_to('task.log'):\n"
        "    print('of the task', file=sys.stderr)\n"
        "    logger.warning('of Dask')\n"
        "logger.warning('of Dask again')\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert (tmp_path / "task.log").read_text() == "of the task\n"
    assert [line[-8:] for line in run.stderr.splitlines()] == [" of Dask", "sk again"]


TASKS = """
import os, sys, time
def write(output, text="", fail=False, sleep=0):
    print("task says", text)
    os.system("echo native says " + text)
    print("and an error", file=sys.stderr)
    time.sleep(sleep)
    if fail:
        raise ValueError("this task fails on purpose")
    with open(output, "w") as target:
        target.write(f"{os.getpid()} {os.getcwd()} {text}")
def leave(output):
    os._exit(3)
def twice(output):
    with open("tries.txt", "a") as tries:
        tries.write("x")
    if os.path.getsize("tries.txt") < 3:
        raise ValueError("not yet")
    write(output, "third time")
def greedy(output, always=True):
    first = not os.path.exists("greedy.once")
    open("greedy.once", "w").close()
    if first or always:
        block = bytearray(2 * 10**9)
        block[::4096] = b"x" * len(block[::4096])
        time.sleep(30)
    write(output, "modest")
def folder(output):
    os.makedirs(output)
    write(os.path.join(output, "inside"))
def many(output, number):
    if number == 7:
        raise ValueError("number 7 never works")
    write(output, str(number))
"""
SNAKEFILE = """
import json, sys
def arguments(**more):
    return lambda w, output: json.dumps({"output": str(output[0]), **more})
rule all:
    input: "task.txt", "shell.txt", "run.txt"
rule task:
    output: "task.txt"
    log: "logs/task.log"
    params: task="mytasks:write", arguments=arguments(text="hello")
    shell: "exit 9"
rule shell:
    input: "task.txt"
    output: "shell.txt"
    shell: "echo $PPID > {output}"
rule run:
    output: "run.txt"
    run:
        with open(output[0], "w") as target:
            target.write("run")
rule wide:
    output: "wide.txt"
    threads: 8
    resources: mem_mb=200
    params: task="mytasks:write", arguments=arguments(text="wide")
    shell: "exit 9"
rule huge:
    output: "huge.txt"
    resources: mem_mb=999999999
    params: task="mytasks:write", arguments=arguments(text="huge")
    shell: "exit 9"
rule fail:
    output: "fail.txt"
    log: "logs/fail.log"
    params: task="mytasks:write", arguments=arguments(fail=True)
    shell: "exit 9"
rule leave:
    output: "leave.txt"
    params: task="mytasks:leave", arguments=arguments()
    shell: "exit 9"
rule twice:
    output: "twice.txt"
    params: task="mytasks:twice", arguments=arguments()
    shell: "exit 9"
rule greedy:
    output: "greedy.txt"
    log: "logs/greedy.log"
    params: task="mytasks:greedy", arguments=arguments()
    shell: "exit 9"
rule greedy_once:
    output: "greedy_once.txt"
    params: task="mytasks:greedy", arguments=arguments(always=False)
    shell: "exit 9"
rule folder:
    output: directory("folder")
    params: task="mytasks:folder", arguments=arguments()
    shell: "mkdir folder && echo shell > folder/inside"
rule kept:
    output: protected("kept.txt")
    params: task="mytasks:write", arguments=arguments(text="kept")
    shell: "echo shell > {output}"
rule many:
    output: "many/{i}.txt"
    params:
        task="mytasks:many",
        arguments=lambda w, output: json.dumps({"output": str(output[0]), "number": int(w.i)})
    shell: "exit 9"
rule all_of_many:
    input: [f"many/{i}.txt" for i in range(2000)]
rule first:
    output: "first.txt"
    group: "pair"
    params: task="mytasks:write", arguments=arguments(text="first")
    shell: "echo $PPID > {output}"
rule second:
    input: "first.txt"
    output: "second.txt"
    group: "pair"
    params: task="mytasks:write", arguments=arguments(text="second")
    shell: "cat first.txt > {output}"
rule other_meaning:
    output: "other_meaning/{task}.txt"
    params: task=lambda w: 7 if w.task == "number" else w.task.replace("_", " ")
    shell: "echo '{params.task}' > {output}"
rule timed:
    output: "timed.txt"
    benchmark: "timed.tsv"
    params: task="mytasks:write", arguments=arguments(text="timed")
    shell: "echo shell > {output}"
"""


@pytest.fixture
def folder(tmp_path):
    yield Folder(tmp_path, SNAKEFILE, TASKS)
    assert wait_until_gone(tmp_path) == []


@pytest.mark.exhaustive
def test_tasks_run_in_workers_and_other_rules_by_their_command(folder):
    folder.run()
    worker, where, text = folder.read("task.txt").split()
    assert where == str(folder.path)
    assert text == "hello"
    assert int(worker) != os.getpid()
    log = folder.read("logs/task.log")
    for said in ("task says hello", "native says hello", "and an error"):
        assert said in log
    assert folder.read("run.txt") == "run"
    assert folder.read("shell.txt").strip()


@pytest.mark.exhaustive
def test_a_failing_task_shows_its_traceback_in_terminal_and_log(folder):
    for text in (folder.run("fail.txt", ok=False), folder.read("logs/fail.log")):
        assert "ValueError: this task fails on purpose" in text
        assert "Traceback (most recent call last)" in text
    assert not (folder.path / "fail.txt").exists()


@pytest.mark.exhaustive
def test_a_worker_that_dies_fails_its_job_and_no_other(folder):
    output = folder.run("--keep-going", "leave.txt", "task.txt", ok=False)
    assert "KilledWorker" in output
    assert (folder.path / "task.txt").exists(), output


@pytest.mark.exhaustive
def test_a_job_that_fails_twice_works_the_third_time(folder):
    output = folder.run("--retries", "2", "twice.txt")
    assert output.count("ValueError: not yet") >= 2
    assert folder.read("tries.txt") == "xxx"
    assert "third time" in folder.read("twice.txt")


@pytest.mark.exhaustive
def test_a_task_that_takes_all_memory_fails_and_no_other(folder):
    limit = ["--resources", "mem_mb=800"]
    output = folder.run("--keep-going", *limit, "--", "greedy.txt", "task.txt", ok=False)
    assert "KilledWorker" in output
    assert (folder.path / "task.txt").exists(), output
    assert folder.read("logs/greedy.log").startswith("Job failed: KilledWorker")


@pytest.mark.exhaustive
def test_a_task_that_takes_all_memory_once_is_run_again(folder):
    folder.run("--resources", "mem_mb=800", "--", "greedy_once.txt")
    assert "modest" in folder.read("greedy_once.txt")


@pytest.mark.exhaustive
def test_thousands_go_on_beside_a_job_that_always_fails(folder):
    many = ["--jobs", "256", "--max-jobs-per-timespan", "100000/1s"]
    output = folder.run(*many, "--keep-going", "all_of_many", ok=False)
    assert "ValueError: number 7 never works" in output
    assert len(list((folder.path / "many").iterdir())) == 1999


@pytest.mark.exhaustive
def test_folders_and_protected_files_as_outputs(folder):
    folder.run("folder", "kept.txt")
    inside = folder.read("folder/inside")
    (folder.path / "folder" / "old").touch()
    folder.run("--forcerun", "folder", "--", "folder")
    assert folder.read("folder/inside").split()[2:] == inside.split()[2:]
    assert not (folder.path / "folder" / "old").exists()
    assert not (folder.path / "kept.txt").stat().st_mode & 0o222


@pytest.mark.exhaustive
def test_groups_run_by_their_command(folder):
    folder.run("second.txt")
    # One child Snakemake ran both, so both shells have parents of their own, not a task.
    assert folder.read("first.txt") == folder.read("second.txt")
    assert "first" not in folder.read("first.txt")


@pytest.mark.exhaustive
@pytest.mark.parametrize("executor", ["dask", "local"])
def test_until_omit_and_incomplete_files_as_with_the_local_executor(folder, executor):
    options = ["--executor", executor]
    by_command = folder.path / "Snakefile"
    if executor == "local":
        by_command.write_text(SNAKEFILE.replace('"exit 9"', '"echo hello > {output}"'))
    folder.run(*options, "--until", "task")
    assert (folder.path / "task.txt").exists()
    assert not (folder.path / "shell.txt").exists()
    folder.run(*options, "--omit-from", "shell", "--", "all")
    assert not (folder.path / "shell.txt").exists()
    folder.run(*options, "shell.txt")
    before = folder.read("task.txt")
    # What an interrupted run leaves: a marker that says the file was being made.
    marker = folder.path / ".snakemake" / "incomplete" / base64.b64encode(b"task.txt").decode()
    marker.parent.mkdir(exist_ok=True)
    marker.touch()
    assert "IncompleteFilesException" in folder.run(*options, "shell.txt", ok=False)
    folder.run(*options, "--rerun-incomplete", "shell.txt")
    assert "hello" in folder.read("task.txt")
    assert executor == "local" or folder.read("task.txt") != before


@pytest.mark.exhaustive
def test_times_are_written_when_they_are_wanted(folder):
    folder.run("--dask-job-times", "times", "task.txt")
    (file,) = (folder.path / "times").iterdir()
    key, task, start, end, arguments = file.read_text().strip().split("\t")
    assert key.startswith("task-")
    assert task == "mytasks:write"
    assert float(start) <= float(end)
    assert "hello" in arguments
    # The log says the same, in thousandths of seconds.
    told = re.search(r"^Ran from ([0-9.]+) to ([0-9.]+),", folder.read("logs/task.log"), re.M)
    assert float(told[1]) == pytest.approx(float(start), abs=0.002)
    assert float(start) <= float(told[2]) + 0.002


@pytest.mark.exhaustive
def test_threads_are_capped_and_too_much_memory_is_refused(folder):
    folder.run("wide.txt")
    assert "wide" in folder.read("wide.txt")
    assert "mem_mb=999999999" in folder.run("huge.txt", ok=False)


@pytest.mark.exhaustive
def test_benchmarked_rules_run_by_their_command(folder):
    folder.run("timed.txt")
    assert folder.read("timed.txt") == "shell\n"
    assert "max_rss" in folder.read("timed.tsv")


@pytest.mark.exhaustive
def test_a_parameter_named_task_that_names_no_function_is_the_rules_own(folder):
    names = {"number": "7", "classification": "classification", "a:_b": "a: b"}
    folder.run(*(f"other_meaning/{name}.txt" for name in names))
    for name, text in names.items():
        assert folder.read(f"other_meaning/{name}.txt").strip() == text


@pytest.mark.exhaustive
def test_dry_runs_touch_and_forced_runs(folder):
    folder.run("--dry-run")
    assert not (folder.path / "task.txt").exists()
    folder.run("task.txt")
    first = folder.read("task.txt")
    folder.run("--touch", "task.txt")
    assert folder.read("task.txt") == first
    folder.run("--forcerun", "task", "task.txt")
    assert folder.read("task.txt") != first


@pytest.mark.exhaustive
@pytest.mark.parametrize("by", ["address", "file"])
def test_a_scheduler_that_somebody_else_started(folder, cluster, by):
    cluster.add_worker()
    options = ["--dask-scheduler-file", str(cluster.file)]
    if by == "address":
        options = ["--dask-scheduler", json.loads(cluster.file.read_text())["address"]]
    folder.run(*options, "task.txt", "shell.txt")
    assert folder.read("task.txt").split()[1] == str(folder.path)
    assert cluster.is_whole()


@pytest.mark.exhaustive
def test_no_scheduler_at_the_address(folder, monkeypatch):
    monkeypatch.setenv("DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT", "3s")
    output = folder.run("--dask-scheduler", "tcp://127.0.0.1:9", "task.txt", ok=False)
    assert "No Dask scheduler answers at 'tcp://127.0.0.1:9'" in output
