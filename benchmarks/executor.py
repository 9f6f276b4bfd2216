"""CPU time of the main process per job of an executor.

Runs N jobs on two workers, which each read one file and write a Parquet file of 50 rows.
Prints the wall time per job and the CPU time of Snakemake's own process. That includes the
DAG and Snakemake's scheduler, but not Dask's scheduler and workers. The jobs of a rule may be
tasks, or call a shell command, a script or a `run:` block. Jobs of the rule `touch` do nothing but
make a file, as a task or by `touch`. A peer runs the same jobs afterwards, on as many cores.

    python benchmarks/executor.py 2000 10000
    python benchmarks/executor.py --executor local --rule script 100
    python benchmarks/executor.py --rule touch --peer local --cores 1 2 4 -- 1000
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

SNAKEFILE = """
import json
N = {n}
rule all:
    input: [f"out/{{i % 100}}/{{i}}.parquet" for i in range(N)]
rule job:
    input: "in.txt"
    output: "out/{{d}}/{{i}}.parquet"
    log: "logs/{{d}}/{{i}}.log"
    {work}
"""
WORK = {
    "task": """params:
        task="task:write",
        arguments=lambda w, output: json.dumps({"number": int(w.i), "output": str(output)}),
    shell: "python -c 'import task; task.write({wildcards.i}, \\"{output}\\")'"
""",
    "touch": """params:
        task="task:touch", arguments=lambda w, output: json.dumps({"output": str(output)}),
    shell: "touch {output}"
""",
    "shell": """shell: "python -c 'import task; task.write({wildcards.i}, \\"{output}\\")'"
""",
    "script": """script: "script.py"
""",
    "run": """run:
        import task
        task.write(int(wildcards.i), output[0])
""",
}
SCRIPT = "import task; task.write(int(snakemake.wildcards.i), snakemake.output[0])"
TASK = """
def touch(output):
    open(output, "w").close()


def write(number, output):
    import pyarrow as pa
    import pyarrow.parquet as pq

    with open("in.txt") as source:
        text = source.read()
    pq.write_table(pa.table({"i": list(range(50)), "text": [text] * 50}), output)
"""
# process_time() does not include Dask's scheduler and workers, which are other processes.
RUN = """
import atexit, json, sys, time
start = time.perf_counter()
def report():
    spent = {"cpu": time.process_time(), "wall": time.perf_counter() - start}
    open("spent.json", "w").write(json.dumps(spent))
atexit.register(report)
from snakemake.cli import main
main(sys.argv[1:])
"""


def measure(n_jobs: int, executor: str, rule: str, cores: int) -> dict[str, float]:
    profile = Path(__file__).resolve().parents[1] / "profiles" / "default"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "Snakefile").write_text(SNAKEFILE.format(n=n_jobs, work=WORK[rule]))
        (folder / "script.py").write_text(SCRIPT)
        (folder / "task.py").write_text(TASK)
        (folder / "in.txt").write_text("some text\n")
        command = [sys.executable, "-c", RUN, "--cores", str(cores), "--profile", str(profile)]
        command += ["--executor", executor]
        with open(folder / "messages.txt", "w") as messages:
            done = subprocess.run(
                command,
                cwd=folder,
                env={**os.environ, "PYTHONPATH": name},
                stdout=messages,
                stderr=messages,
            )
        made = sum(1 for _ in (folder / "out").rglob("*.parquet"))
        if done.returncode or made != n_jobs:
            raise SystemExit((folder / "messages.txt").read_text()[-3000:])
        spent: dict[str, float] = json.loads((folder / "spent.json").read_text())
        return spent


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("n_jobs", nargs="*", type=int, default=[2000, 10000])
    parser.add_argument("--executor", choices=("dask", "local"), default="dask")
    parser.add_argument("--peer", choices=("dask", "local"))
    parser.add_argument("--rule", choices=tuple(WORK), default="task")
    parser.add_argument("--cores", nargs="+", type=int, default=[2])
    options = parser.parse_args()
    executors = [options.executor, *filter(None, [options.peer])]
    for n_jobs, cores in itertools.product(options.n_jobs, options.cores):
        times = []
        for executor in executors:
            spent = measure(n_jobs, executor, options.rule, cores)
            times.append(spent["wall"])
            print(
                f"{executor}, {options.rule}, {n_jobs} jobs, {cores} cores: "
                f"{1000 * spent['cpu'] / n_jobs:.2f} ms of main-process CPU a job, "
                f"{1000 * spent['wall'] / n_jobs:.2f} ms of wall time a job, "
                f"{spent['wall']:.1f} s in all",
                flush=True,
            )
        if options.peer:
            print(f"{options.peer} takes {times[1] / times[0]:.1f} times as long", flush=True)


if __name__ == "__main__":
    main()
