"""Workers that are jobs of a Grid Engine, by `--dask-cluster SGE` alone."""

import json
import tempfile
from pathlib import Path

import pytest
from snakemake_runs import Folder, wait_for, wait_until_gone
from toy_grid_engine import ToyGridEngine

TASKS = """
import os, time
def sleep(output):
    with open("runs.txt", "a") as runs:
        runs.write(f"{output} {os.environ['JOB_ID']}\\n")
    time.sleep(2)
    open(output, "w").close()
"""
SNAKEFILE = """
import json
rule all:
    input: [f"slept/{i}.txt" for i in range(6)], "command.txt"
rule sleep:
    output: "slept/{i}.txt"
    params:
        task="mytasks:sleep",
        arguments=lambda w, output: json.dumps({"output": str(output)})
    shell: "exit 9"
rule command:
    output: "command.txt"
    shell: "echo $JOB_ID > {output}"
"""
WORKER = {
    "cores": 1,
    "processes": 1,
    "memory": "1GB",
    "walltime": "0:10:00",
    "interface": "lo",
    "death_timeout": 10,
    "log_directory": "logs",
    "job_extra_directives": ["-V"],
}
SLEPT = {f"slept/{i}.txt" for i in range(6)}


class SleepingJobs(Folder):
    def start(self, *options, **more):
        return super().start(
            *("--dask-cluster", "SGE", "--dask-cluster-options", json.dumps({**WORKER, **more})),
            *("--dask-cluster-workers", "2", *options),
        )

    def runs(self):
        """Return what was begun: pairs of a job and the number of its Grid Engine job."""
        file = self.path / "runs.txt"
        return [line.split() for line in file.read_text().splitlines()] if file.exists() else []


@pytest.fixture(scope="module")
def grid_engine():
    with (
        tempfile.TemporaryDirectory(prefix="sge-", ignore_cleanup_errors=True) as folder,
        ToyGridEngine(Path(folder)) as cluster,
        pytest.MonkeyPatch.context() as patch,
    ):
        for name, value in cluster.environment.items():
            patch.setenv(name, value)
        yield cluster


@pytest.fixture
def folder(tmp_path, grid_engine):
    (tmp_path / "logs").mkdir()
    yield SleepingJobs(tmp_path, SNAKEFILE, TASKS)
    wait_for(lambda: not grid_engine.jobs(), seconds=30)
    assert wait_until_gone(tmp_path) == []


def test_a_worker_whose_job_is_deleted_is_replaced_and_its_job_alone_runs_again(
    folder, grid_engine
):
    process = folder.start()
    wait_for(lambda: len({number for _, number in folder.runs()}) == 2, process)
    lost, number = folder.runs()[-1]
    grid_engine.ask("qdel", number)
    output, _ = process.communicate(timeout=120)
    assert process.returncode == 0, output
    assert "Dask cluster: SGE, 1 to 2 workers" in output
    begun = [name for name, _ in folder.runs()]
    assert sorted(begun) == sorted([*SLEPT, lost])
    assert folder.read("command.txt").strip().isdigit()


def test_the_jobs_of_a_killed_run_end(folder):
    process = folder.start()
    wait_for(folder.runs, process)
    process.kill()
    process.wait()


def test_a_refusal_is_one_sentence(folder):
    process = folder.start(resource_spec="nonsense=1")
    output, _ = process.communicate(timeout=60)
    assert process.returncode != 0
    assert 'SGE refuses to start workers (Unable to run job: unknown resource "nonsense"' in output
    assert "Traceback" not in output
    assert folder.runs() == []
