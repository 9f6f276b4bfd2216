"""Every kind of job that Snakemake knows, on Dask workers, in one run."""

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


# What the files of commands hold, and the first word of those of tasks.
MADE = {
    "script.txt": "from a script",
    "wrapped.txt": "from a wrapper",
    "run.txt": "run",
    "second.txt": "group\n",
    "timed.txt": "timed\n",
    "shadowed.txt": "shadowed\n",
    "served.txt": "ready\n",
    "piped.txt": "through a pipe\n",
    "touched.txt": "",
}
TASKS_MADE = {
    "demanding.txt": "300",
    "from_temporary.txt": "task",
    "kept.txt": "task",
    "checked.txt": "task",
}


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "script.py").write_text(WRITE_WORD)
    (tmp_path / "wrapper").mkdir()
    (tmp_path / "wrapper" / "wrapper.py").write_text(WRITE_WORD)
    (tmp_path / "wrapper" / "environment.yaml").write_text("dependencies: [python]")
    yield Folder(tmp_path, SNAKEFILE, TASKS)
    assert wait_until_gone(tmp_path) == []


# Snakemake runs each of the others by a process of its own.
@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "by_command", [("second.txt", "piped.txt"), *exhaustive((tuple(MADE),))], ids=["quick", "all"]
)
def test_every_kind_of_job(folder, by_command):
    folder.run(*by_command, "shell.txt", *TASKS_MADE)
    assert {name: folder.read(name) for name in by_command} == {n: MADE[n] for n in by_command}
    assert folder.read("shell.txt").strip().isdigit()
    written = {name: folder.read(name).split() for name in TASKS_MADE}
    assert {name: word for name, (word, _) in written.items()} == TASKS_MADE
    # Two workers at most ran all tasks.
    assert len({process for _, process in written.values()} - {str(os.getpid())}) <= 2
    # A task that failed got more memory the next time.
    assert folder.read("attempts.txt") == "100 200 300 "
    if "timed.txt" in by_command:
        assert folder.read("timed.tsv").startswith("s\t")
    assert not (folder.path / "left_behind.txt").exists()
    assert not (folder.path / "temporary.txt").exists()
    assert not (folder.path / "kept.txt").stat().st_mode & stat.S_IWUSR


@pytest.mark.exhaustive
@pytest.mark.parametrize("jobs", [1, 8])
def test_the_jobs_that_a_checkpoint_adds(folder, jobs):
    # By itself: Snakemake 9.10 forgets a job to retry when a checkpoint ends.
    folder.run("--jobs", str(jobs), "gathered.txt")
    assert folder.read("gathered.txt").split() == ["a", "b", "c"]


@pytest.mark.exhaustive
def test_one_job_at_a_time(folder):
    made = ("run.txt", "second.txt", "served.txt", "piped.txt")
    folder.run("--jobs", "1", "demanding.txt", *made)
    assert [folder.read(name) for name in made] == [MADE[name] for name in made]
    assert folder.read("attempts.txt") == "100 200 300 "
