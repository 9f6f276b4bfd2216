"""Forecast of the next run of a study: its tasks and their costs."""

from __future__ import annotations

import os
import textwrap
from collections import Counter
from pathlib import Path
from typing import Any

from altfs.study.costs import (
    disk_bytes,
    evaluation_seconds,
    measured,
    n_feature_sets,
    n_shards,
    relative_seconds,
    task_seconds,
)
from altfs.study.plan import Plan
from altfs.study.runs import Forecast
from altfs.study.state import StudyState, look_at_report
from altfs.study.status import print_kinds
from altfs.study.tasks import ModelTask, SearchesTask, SearchTask, task_types
from altfs.study.times import Times

# Seconds of Snakemake's process for planning, submitting and finishing a job.
_SECONDS_PER_JOB = 0.006
# Seconds in which a process compiles the functions of the default study.
_COMPILING = 30.0
# The number of kinds of unknown time that are named.
_NAMED = 5


def next_paths(state: StudyState) -> set[str]:
    """Return the files of the tasks of the next run.

    A fold whose shards are recomputed trains at least the sets that are new in them.
    """
    folds = {
        (t.dataset, t.fold_number)
        for t, file in state.states.items()
        if isinstance(t, (SearchTask, SearchesTask)) and file != "done"
    }
    return {
        task.path
        for task, file in state.states.items()
        if file != "done"
        or (isinstance(task, ModelTask) and (task.dataset, task.fold_number) in folds)
    }


def expected_jobs(plan: Plan, times: Times | None = None) -> dict[str, Forecast]:
    """Return what every job of a study costs, by its first file.

    Without `times`, it follows from the study's finished tasks, too.
    """
    times = times or Times(measured(plan))
    jobs = {}
    for task in plan.tasks.values():
        seconds = task_seconds(plan, task, times)
        kind = " ".join(task.work[:2]), task.dataset
        is_measured = seconds is not None
        jobs[task.path] = Forecast(kind, seconds or relative_seconds(plan, task), is_measured)
    for path, (rule, seconds) in evaluation_seconds(plan, times).items():
        jobs[path] = Forecast((rule,), seconds)
    return jobs


def start_up_seconds() -> float:
    """Estimate for how long each worker compiles at first: 0 if it was done before."""
    kept = Path(os.environ.get("NUMBA_CACHE_DIR") or Path(__file__).parents[1])
    return 0.0 if next(kept.rglob("*.nbi"), None) else _COMPILING


def as_data(state: StudyState) -> dict[str, Any]:
    """Return the data of ``altfs plan --json``."""
    plan = state.plan
    report = look_at_report(state).state
    kinds: dict[str, dict[str, float]] = {
        rule: {"tasks": 0, "cpu_hours": 0.0, "next_tasks": 0, "next_cpu_hours": 0.0}
        for rule in (*(kind.rule for kind in task_types()), "evaluation")
    }
    datasets = dict.fromkeys(plan.facts, 0.0)
    unknown: Counter[str] = Counter()
    following = next_paths(state)
    for path, job in expected_jobs(plan).items():
        task = plan.tasks.get(path)
        counts = kinds[task.rule if task else "evaluation"]
        is_next = path in following if task else report != "done"
        hours = job.seconds / 3600 if job.measured else 0.0
        if task:
            datasets[task.dataset] += hours
        if is_next and not job.measured:
            unknown[job.kind[0].split()[-1]] += 1
        for prefix in ("", "next_") if is_next else ("",):
            counts[f"{prefix}tasks"] += 1
            counts[f"{prefix}cpu_hours"] += hours
    total = {name: sum(counts[name] for counts in kinds.values()) for name in kinds["search"]}
    return {
        "study": plan.config.name,
        "results": plan.results,
        "shards": n_shards(plan),
        "feature_sets": n_feature_sets(plan),
        "tasks": kinds,
        "cpu_hours": total["cpu_hours"],
        "next_cpu_hours": total["next_cpu_hours"],
        "next_main_process_hours": _SECONDS_PER_JOB * total["next_tasks"] / 3600,
        "next_unknown": dict(unknown),
        "disk_mb": disk_bytes(plan, state.states) / 1e6,
        "cpu_hours_by_dataset": datasets,
        "report": report,
    }


def as_text(data: dict[str, Any], console: Any) -> None:
    """Print the tasks of the next run, which :func:`as_data` returned."""
    rows = {}
    for kind, counts in data["tasks"].items():
        if counts["tasks"]:
            rows[kind] = [f"{counts['tasks']:,.0f}", duration(counts["cpu_hours"]), "-", "-"]
            if counts["next_tasks"]:
                rows[kind][2:] = f"{counts['next_tasks']:,.0f}", duration(counts["next_cpu_hours"])
    print_kinds(data, ("tasks", "CPU time", "next run", "CPU time"), rows, console)
    costly = sorted(data["cpu_hours_by_dataset"].items(), key=lambda item: -item[1])[:3]
    lines = [
        f"{data['shards']:,.0f} shards with {data['feature_sets']:,} feature sets, about "
        f"{_whole(data['cpu_hours'])} of CPU time and {data['disk_mb']:,.0f}\xa0MB of disk.",
        f"Most of it: {', '.join(f'{name} {_whole(hours)}' for name, hours in costly)}.",
    ]
    if unknown := data["next_unknown"]:
        named = [*list(unknown)[:_NAMED], *(["..."] if len(unknown) > _NAMED else [])]
        lines.append(
            f"And {sum(unknown.values()):,} tasks of unknown time: {', '.join(named)}. A run "
            "measures them."
        )
    following = [kind for kind, counts in data["tasks"].items() if counts["next_tasks"]]
    if following in ([], ["evaluation"]):
        report = "only tables, figures and the report" if following else "nothing"
        lines.append(f"The next run would make {report}.")
    if following:
        workers = ", ".join(
            f"{n}\xa0{'core' if n == 1 else 'cores'}\xa0{_whole(_wall_hours(data, n))}"
            for n in (1, 2, 8, 64)
        )
        lines.append(f"The next run, about: {workers}.")
    for line in lines:
        # Rich breaks lines at any space.
        text = textwrap.fill(line, console.width, break_long_words=False, break_on_hyphens=False)
        console.print(text.replace("\xa0", " "), markup=False, soft_wrap=True)


def _wall_hours(data: dict[str, Any], n_cores: int) -> float:
    """Return the hours of a run. Snakemake's process takes part of a core."""
    alone: float = data["next_main_process_hours"]
    work: float = data["next_cpu_hours"]
    return max(alone + work / n_cores if n_cores == 1 else (alone + work) / n_cores, alone)


def _whole(hours: float) -> str:
    """Format hours so that no line ends between number and unit."""
    return duration(hours).replace(" ", "\xa0")


def duration(hours: float) -> str:
    """Format hours in a suitable unit."""
    if hours >= 10:
        return f"{hours:,.0f} h"
    if hours >= 1:
        return f"{hours:.1f} h"
    minutes = hours * 60
    return f"{minutes:.0f} min" if minutes >= 1 else f"{max(1, round(60 * minutes))} s"
