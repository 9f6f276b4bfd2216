"""Estimates of the time left, replayed from recorded runs.

python benchmarks/time_left.py RESULTS TIMES [CORES [COMPILING]]

RESULTS is the results folder of a study, TIMES the folder that its only run wrote with
``snakemake --dask-job-times TIMES``, COMPILING the seconds for which a worker was expected to
compile (30 after an installation). Prints the estimates at tenths of the run beside the
truth, and the largest factor between the two from the first tenth on.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import NamedTuple

from altfs.study.inventory import tasks
from snakemake_logger_plugin_altfs.time_left import Forecast, TimeLeft

from altfs.study.costs import costed, task_seconds
from altfs.study.forecast import evaluation_seconds
from altfs.study.session import open_study

# The rules of the evaluation, by the tasks that they call.
RULES = {
    "altfs.study.collect:collect": "collect",
    "altfs.study.collect:combine": "combine",
    "altfs.evaluation.task:table": "tables",
    "altfs.evaluation.task:figure": "figures",
    "altfs.commands.report:page": "report",
}


class Run(NamedTuple):
    """A recorded job: when it began, and how long it took."""

    job: str
    start: float
    seconds: float


def recorded(folder: Path) -> list[Run]:
    """Return the jobs of a run."""
    runs = []
    for file in folder.glob("*.tsv"):
        for line in file.read_text("utf-8").splitlines():
            _, task, start, end, arguments = line.split("\t")
            about = json.loads(arguments)
            job = about.get("output") or f"{task} {about.get('name', '')}"
            runs.append(Run(job, float(start), float(end) - float(start)))
    first = min(run.start for run in runs)
    return sorted((run._replace(start=run.start - first) for run in runs), key=lambda r: r.start)


def forecasts(results: Path, runs: list[Run]) -> tuple[dict[str, Forecast], list[list[str]]]:
    """Return the expected costs of the jobs, and the jobs that waited for all others."""
    plan = open_study(results)
    known = {
        Path(task.path).relative_to(plan.results): Forecast(
            (costed(plan, task)[0], task.dataset), task_seconds(plan, task)
        )
        for task in tasks(plan)
    }
    rest = evaluation_seconds(plan)
    jobs: dict[str, Forecast] = {}
    last: dict[str, list[str]] = {rule: [] for rule in rest}
    for run in runs:
        path = next((p for p in known if run.job.endswith(f"/{p}")), None)
        if path is not None:
            jobs[run.job] = known[path]
            continue
        rule = RULES[run.job.split()[0]]
        jobs[run.job] = Forecast((rule,), rest[rule])
        last[rule].append(run.job)
    return jobs, list(last.values())


def replay(
    runs: list[Run],
    jobs: dict[str, Forecast],
    last: list[list[str]],
    cores: int,
    compiling: float,
) -> list[tuple[float, float, float]]:
    """Return (time, estimate, truth) at the end of each job."""
    starts = {run.job: run.start for run in runs}
    now = 0.0

    def began(job: str) -> float | None:
        return starts[job] if starts[job] <= now else None

    left = TimeLeft(jobs, last=last, n_workers=cores, began=began, start_up=compiling)
    events = [(run.start, 1, run) for run in runs]
    events += [(run.start + run.seconds, 0, run) for run in runs]
    events.sort(key=lambda event: event[:2])
    end = events[-1][0]
    told = []
    for now, begins, run in events:
        if begins:
            left.begin(run.job, now)
        else:
            left.end(run.job, now, run.seconds)
            if (estimate := left.seconds(now)) is not None:
                told.append((now, estimate, end - now))
    return told


def main(results: Path, times: Path, cores: int = 2, compiling: float = 0.0) -> None:
    """Print the estimates of a recorded run."""
    runs = recorded(times)
    told = replay(runs, *forecasts(results, runs), cores, compiling)
    end = told[-1][0]
    for tenth in range(1, 10):
        now, estimate, truth = min(told, key=lambda t: abs(t[0] - end * tenth / 10))
        print(f"{now:8.1f} s passed, {estimate:8.1f} s estimated, {truth:8.1f} s left")
    factors = [max(e / t, t / e) for now, e, t in told if now >= end / 10 and t > 0 and e > 0]
    print(f"largest factor {max(factors):.2f}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), *map(int, sys.argv[3:4]), *map(float, sys.argv[4:]))
