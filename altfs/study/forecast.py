"""Forecast of the next run of a study: its tasks and their costs."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import Any

from altfs.study.costs import disk_bytes, n_feature_sets, task_seconds
from altfs.study.plan import Plan
from altfs.study.state import StudyState, look_at_report
from altfs.study.status import print_kinds
from altfs.study.tasks import task_types

# Seconds of Snakemake's process for planning, submitting and finishing a job.
_SECONDS_PER_JOB = 0.006
# Seconds in which a process compiles the functions of the default study.
_COMPILING = 30.0
# A job of each rule of the evaluation: ``base + scale * sqrt(shards)`` seconds.
_EVALUATION = {
    "collect": (0.1, 0.006),
    "combine": (0.8, 0.02),
    "tables": (0.25, 0.005),
    "figures": (0.5, 0.01),
    "report": (2.0, 0.04),
}


def next_seconds(state: StudyState) -> dict[str, float]:
    """Return the seconds of the tasks of the next run, by their paths.

    A fold whose shards are recomputed trains at least the sets that are new in them.
    """
    folds = {
        (t.dataset, t.fold_number)
        for t, file in state.states.items()
        if t.rule == "search" and file != "done"
    }
    return {
        task.path: task_seconds(state.plan, task)
        for task, file in state.states.items()
        if file != "done" or (task.rule == "predict" and (task.dataset, task.fold_number) in folds)
    }


def next_costs(state: StudyState) -> dict[str, tuple[tuple[str, str], float]]:
    """Return the kind, the dataset and the seconds of the next run's tasks, by their paths."""
    kinds = {task.path: (task.cost(state.plan)[0], task.dataset) for task in state.states}
    return {path: (kinds[path], seconds) for path, seconds in next_seconds(state).items()}


def evaluation_seconds(plan: Plan) -> dict[str, float]:
    """Estimate the seconds of one job of each rule of the evaluation, for a complete study."""
    root = math.sqrt(sum(1 for _ in plan.places()))
    return {rule: base + scale * root for rule, (base, scale) in _EVALUATION.items()}


def start_up_seconds() -> float:
    """Estimate for how long each worker compiles at first: 0 if it was done before."""
    kept = Path(os.environ.get("NUMBA_CACHE_DIR") or Path(__file__).parents[1])
    return 0.0 if next(kept.rglob("*.nbi"), None) else _COMPILING


def as_data(state: StudyState) -> dict[str, Any]:
    """Return the data of ``altfs plan --json``."""
    plan = state.plan
    kinds: dict[str, dict[str, float]] = {
        kind.rule: {"tasks": 0, "cpu_hours": 0.0, "next_tasks": 0, "next_cpu_hours": 0.0}
        for kind in task_types()
    }
    datasets = dict.fromkeys(plan.facts, 0.0)
    to_run = next_seconds(state)
    for task in state.states:
        hours = task_seconds(plan, task) / 3600
        found = kinds[task.rule]
        found["tasks"] += 1
        found["cpu_hours"] += hours
        datasets[task.dataset] += hours
        if task.path in to_run:
            found["next_tasks"] += 1
            found["next_cpu_hours"] += hours
    total = {name: sum(found[name] for found in kinds.values()) for name in kinds["search"]}
    return {
        "study": plan.config.name,
        "results": plan.results,
        "shards": kinds["search"]["tasks"],
        "feature_sets": n_feature_sets(plan),
        "tasks": kinds,
        "cpu_hours": total["cpu_hours"],
        "next_cpu_hours": total["next_cpu_hours"],
        "next_main_process_hours": _SECONDS_PER_JOB * total["next_tasks"] / 3600,
        "disk_mb": disk_bytes(plan, state.states) / 1e6,
        "cpu_hours_by_dataset": datasets,
        "report": look_at_report(state).state,
    }


def as_text(data: dict[str, Any], console: Any) -> None:
    """Print the tasks of the next run, which :func:`as_data` returned."""
    rows = {}
    for kind, found in data["tasks"].items():
        if found["tasks"]:
            rows[kind] = [f"{found['tasks']:,.0f}", duration(found["cpu_hours"]), "-", "-"]
            if found["next_tasks"]:
                rows[kind][2:] = f"{found['next_tasks']:,.0f}", duration(found["next_cpu_hours"])
    print_kinds(data, ("tasks", "CPU time", "next run", "CPU time"), rows, console)
    console.print(
        f"{data['shards']:,.0f} shards with {data['feature_sets']:,} feature sets, "
        f"about {duration(data['cpu_hours'])} of CPU time and {data['disk_mb']:,.0f} MB of disk."
    )
    costly = sorted(data["cpu_hours_by_dataset"].items(), key=lambda item: -item[1])[:3]
    console.print(f"Most of it: {', '.join(f'{name} {duration(h)}' for name, h in costly)}.")
    if data["next_cpu_hours"]:
        workers = ", ".join(
            f"{n} {'core' if n == 1 else 'cores'} {duration(_wall_hours(data, n))}"
            for n in (1, 2, 8, 64)
        )
        console.print(
            f"The next run, about: {workers}. Measured on one machine, right within a factor of "
            "two or three."
        )
    else:
        report = "nothing" if data["report"] == "done" else "only tables, figures and the report"
        console.print(f"The next run would make {report}.")


def _wall_hours(data: dict[str, Any], n_cores: int) -> float:
    """Return the hours of a run. Snakemake's process takes part of a core."""
    own: float = data["next_main_process_hours"]
    work: float = data["next_cpu_hours"]
    return max(own + work / n_cores if n_cores == 1 else (own + work) / n_cores, own)


def duration(hours: float) -> str:
    """Format hours in a suitable unit."""
    if hours >= 10:
        return f"{hours:,.0f} h"
    if hours >= 1:
        return f"{hours:.1f} h"
    minutes = hours * 60
    return f"{minutes:.0f} min" if minutes >= 1 else f"{max(1, round(60 * minutes))} s"
