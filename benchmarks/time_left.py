"""Estimates of the time left, replayed from the only run of a study.

python benchmarks/time_left.py RESULTS [CORES [COMPILING]]

The logs in RESULTS say when each job ran; costs are those of the table, as in a first run.
COMPILING is the seconds for which a worker was expected to compile (30 after an installation).
Prints the estimates at tenths of the run beside the truth, and the largest factor between the two
from the first tenth on.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import NamedTuple

from snakemake_logger_plugin_altfs.time_left import TimeLeft

from altfs.study.forecast import expected_jobs
from altfs.study.plan import Plan
from altfs.study.runs import Forecast, log_times
from altfs.study.session import open_study
from altfs.study.state import evaluation_jobs
from altfs.study.times import Times


class Run(NamedTuple):
    """A recorded job: its first file, when it began, and how long it took."""

    job: str
    start: float
    seconds: float


def recorded(plan: Plan) -> list[Run]:
    """Return the jobs of a run."""
    logs = {task.path: task.log for task in plan.tasks.values()}
    logs |= {path: log for _, _, path, log in evaluation_jobs(plan)}
    times = {path: log_times(log) for path, log in logs.items()}
    runs = [Run(path, t[0], t[1] - t[0]) for path, t in times.items() if t is not None]
    first = min(run.start for run in runs)
    return sorted((run._replace(start=run.start - first) for run in runs), key=lambda r: r.start)


def forecasts(plan: Plan, runs: list[Run]) -> tuple[dict[str, Forecast], list[list[str]]]:
    """Return the expected costs of the jobs, and the stages of the evaluation."""
    expected = expected_jobs(plan, Times())
    jobs = {run.job: expected[run.job] for run in runs}
    stages: dict[str, list[str]] = {}
    for rule, _, path, _ in evaluation_jobs(plan):
        stages.setdefault(rule, []).append(path)
    return jobs, list(stages.values())


def replay(
    runs: list[Run],
    jobs: dict[str, Forecast],
    last: list[list[str]],
    cores: int,
    compiling: float,
) -> list[tuple[float, float, float]]:
    """Return (time, estimate, truth) at the ends of at most a thousand jobs."""
    starts = {run.job: run.start for run in runs}
    now = 0.0

    def began(job: str) -> float | None:
        return starts[job] if starts[job] <= now else None

    left = TimeLeft(jobs, last=last, n_workers=cores, began=began, start_up=compiling)
    events = [(run.start, 1, run) for run in runs]
    events += [(run.start + run.seconds, 0, run) for run in runs]
    events.sort(key=lambda event: event[:2])
    end = events[-1][0]
    step = max(len(events) // 1_000, 1)
    estimates = []
    for i, (now, begins, run) in enumerate(events):
        if begins:
            left.begin(run.job, now)
        else:
            left.end(run.job, now, run.seconds)
            if i % step < 2 and (estimate := left.seconds(now)) is not None:
                estimates.append((now, estimate, end - now))
    return estimates


def main(results: Path, cores: int = 2, compiling: float = 0.0) -> None:
    """Print the estimates of a recorded run."""
    plan = open_study(results)
    runs = recorded(plan)
    estimates = replay(runs, *forecasts(plan, runs), cores, compiling)
    end = estimates[-1][0]
    for tenth in range(1, 10):
        now, estimate, truth = min(estimates, key=lambda t: abs(t[0] - end * tenth / 10))
        print(f"{now:8.1f} s passed, {estimate:8.1f} s estimated, {truth:8.1f} s left")
    factors = [max(e / t, t / e) for now, e, t in estimates if now >= end / 10 and t > 0 and e > 0]
    print(f"largest factor {max(factors):.2f}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), *map(int, sys.argv[2:3]), *map(float, sys.argv[3:]))
