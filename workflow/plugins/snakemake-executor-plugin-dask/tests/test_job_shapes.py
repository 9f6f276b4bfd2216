"""Every kind of job that Snakemake knows, on Dask workers: a run of all, and a test of each."""

import os
import stat

import pytest
from snakemake_runs import Folder, exhaustive, wait_until_gone

TASKS = """
import os
def write(output, text="task"):
    with open(output, "w") as target:
        target.write(f"{text} {os.getpid()}")
def several(output):
    os.makedirs(output)
    for name in "abc":
        write(os.path.join(output, name + ".txt"), name)
def demanding(output, mem_mb):
    with open("attempts.txt", "a") as attempts:
        attempts.write(f"{mem_mb} ")
    if mem_mb < 300:
        raise MemoryError("more memory next time")
    write(output, str(mem_mb))
def nothing():
    pass
"""
SNAKEFILE = """
import json, os
localrules: all
def arguments(**more):
    return lambda w, output: json.dumps({"output": str(output[0]), **more})
def made_by_checkpoint(w):
    folder = checkpoints.several.get().output[0]
    return [f"several.{name}" for name in "abc" if os.path.exists(f"{folder}/{name}.txt")]
rule all:
    input: "shell.txt", "script.txt", "run.txt", "wrapped.txt", "second.txt", "timed.txt",
        "shadowed.txt", "demanding.txt", "from_temporary.txt", "kept.txt",
        "served.txt", "piped.txt", "touched.txt", "checked.txt"
rule shell:
    output: "shell.txt"
    shell: "echo $PPID > {output}"
rule script:
    output: "script.txt"
    params: word="from a script"
    script: "script.py"
rule run:
    output: "run.txt"
    run:
        with open(output[0], "w") as target:
            target.write(rule)
rule wrapped:
    output: "wrapped.txt"
    params: word="from a wrapper"
    wrapper: "file:wrapper"
rule first:
    output: "first.txt"
    group: "pair"
    params: task="mytasks:write", arguments=arguments()
    shell: "echo group > {output}"
rule second:
    input: "first.txt"
    output: "second.txt"
    group: "pair"
    shell: "cat {input} > {output}"
rule timed:
    output: "timed.txt"
    benchmark: "timed.tsv"
    params: task="mytasks:write", arguments=arguments()
    shell: "echo timed > {output}"
rule shadowed:
    output: "shadowed.txt"
    shadow: "minimal"
    params: task="mytasks:write", arguments=arguments()
    shell: "touch left_behind.txt; echo shadowed > {output}"
rule demanding:
    output: "demanding.txt"
    retries: 2
    resources: mem_mb=lambda w, attempt: 100 * attempt
    params:
        task="mytasks:demanding",
        arguments=lambda w, output, resources: json.dumps(
            {"output": str(output), "mem_mb": resources.mem_mb}
        )
    shell: "exit 9"
rule temporary:
    output: temp("temporary.txt")
    params: task="mytasks:write", arguments=arguments()
    shell: "exit 9"
rule from_temporary:
    input: "temporary.txt"
    output: "from_temporary.txt"
    shell: "cat {input} > {output}"
rule kept:
    output: protected("kept.txt")
    params: task="mytasks:write", arguments=arguments()
    shell: "exit 9"
checkpoint several:
    output: directory("several")
    params: task="mytasks:several", arguments=arguments()
    shell: "exit 9"
rule one_of_several:
    output: "several.{name}"
    params:
        task="mytasks:write",
        arguments=lambda w, output: json.dumps({"output": str(output), "text": w.name})
    shell: "exit 9"
rule gathered:
    input: made_by_checkpoint
    output: "gathered.txt"
    shell: "cut -c1 {input} > {output}"
rule service:
    output: service("service.txt")
    shell: "echo ready > {output}; sleep 3600"
rule served:
    input: "service.txt"
    output: "served.txt"
    shell: "cat {input} > {output}"
rule pipe:
    output: pipe("pipe.txt")
    shell: "echo through a pipe > {output}"
rule piped:
    input: "pipe.txt"
    output: "piped.txt"
    shell: "cat {input} > {output}"
rule touched:
    output: touch("touched.txt")
    params: task="mytasks:nothing"
    shell: "exit 9"
rule checked:
    output: ensure("checked.txt", non_empty=True)
    params: task="mytasks:write", arguments=arguments()
    shell: "exit 9"
"""
WRITE_WORD = "open(snakemake.output[0], 'w').write(snakemake.params.word)"


@pytest.fixture(scope="module", params=["8", *exhaustive("1")])
def finished(request, tmp_path_factory):
    """The folder of a run of all kinds of jobs."""
    path = tmp_path_factory.mktemp("shapes")
    folder = Folder(path, SNAKEFILE, TASKS)
    (path / "script.py").write_text(WRITE_WORD)
    (path / "wrapper").mkdir()
    (path / "wrapper" / "wrapper.py").write_text(WRITE_WORD)
    (path / "wrapper" / "environment.yaml").write_text("dependencies: [python]")
    folder.run("--jobs", request.param)
    # By itself: Snakemake 9.10 forgets a job to retry when a checkpoint ends.
    folder.run("--jobs", request.param, "gathered.txt")
    assert wait_until_gone(path) == []
    return folder


def test_a_job_without_a_task(finished):
    assert finished.read("shell.txt").strip().isdigit()


@pytest.mark.parametrize(
    ("file", "text"),
    [("script.txt", "from a script"), ("wrapped.txt", "from a wrapper"), ("run.txt", "run")],
)
def test_code_of_the_workflow(finished, file, text):
    assert finished.read(file) == text


def test_a_group_runs_by_its_commands(finished):
    assert finished.read("second.txt") == "group\n"


def test_a_benchmark_and_a_shadow_folder_run_by_their_commands(finished):
    assert finished.read("timed.txt") == "timed\n"
    assert finished.read("timed.tsv").startswith("s\t")
    assert finished.read("shadowed.txt") == "shadowed\n"
    assert not (finished.path / "left_behind.txt").exists()


def test_a_task_that_fails_gets_more_memory_the_next_time(finished):
    assert finished.read("attempts.txt") == "100 200 300 "
    assert finished.read("demanding.txt").startswith("300 ")


def test_temporary_files_are_removed(finished):
    assert finished.read("from_temporary.txt").startswith("task ")
    assert not (finished.path / "temporary.txt").exists()


def test_protected_files_cannot_be_written(finished):
    assert not (finished.path / "kept.txt").stat().st_mode & stat.S_IWUSR


def test_the_jobs_that_a_checkpoint_adds(finished):
    assert finished.read("gathered.txt").split() == ["a", "b", "c"]


def test_a_service_runs_as_long_as_it_is_needed(finished):
    assert finished.read("served.txt") == "ready\n"


def test_a_pipe_connects_two_jobs(finished):
    assert finished.read("piped.txt") == "through a pipe\n"


def test_flags_of_outputs(finished):
    assert finished.read("touched.txt") == ""
    assert finished.read("checked.txt").startswith("task ")


def test_tasks_run_in_workers_that_stay(finished):
    # Two workers at most ran all of them.
    names = ("checked", "kept", "from_temporary", "demanding")
    processes = {finished.read(f"{name}.txt").split()[1] for name in names}
    assert len(processes) <= 2
    assert str(os.getpid()) not in processes
