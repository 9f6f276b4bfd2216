"""``altfs plan``: what the next run would do, and what it costs."""

from __future__ import annotations

from typing import Any

from altfs.study.costs import n_feature_sets, task_seconds
from altfs.study.disk import disk_bytes
from altfs.study.inventory import KINDS
from altfs.study.reported import look_at_report
from altfs.study.status import KIND_WORDS
from altfs.study.survey import Survey

# Planning, submitting and finishing a job costs Snakemake's process so much.
_SECONDS_PER_JOB = 0.006


def next_seconds(survey: Survey) -> dict[str, float]:
    """What the tasks of the next run take, by the path that each makes.

    A fold whose shards are made anew trains at least the sets that are new in them.
    """
    folds = {
        (t.dataset, t.fold) for t, s in survey.states.items() if t.kind == "search" and s != "done"
    }
    return {
        task.path: task_seconds(survey.plan, task)
        for task, state in survey.states.items()
        if state != "done" or (task.kind == "predict" and (task.dataset, task.fold) in folds)
    }


def as_data(survey: Survey) -> dict[str, Any]:
    """What ``altfs plan --json`` prints."""
    plan = survey.plan
    kinds: dict[str, dict[str, float]] = {
        kind: {"tasks": 0, "cpu_hours": 0.0, "next_tasks": 0, "next_cpu_hours": 0.0}
        for kind in KINDS
    }
    datasets = dict.fromkeys(plan.facts, 0.0)
    to_run = next_seconds(survey)
    for task in survey.states:
        hours = task_seconds(plan, task) / 3600
        found = kinds[task.kind]
        found["tasks"] += 1
        found["cpu_hours"] += hours
        datasets[task.dataset] += hours
        if task.path in to_run:
            found["next_tasks"] += 1
            found["next_cpu_hours"] += hours
    n_sets = n_feature_sets(plan) * len(plan.selector_entries) * len(plan.facts) * plan.config.folds
    return {
        "study": plan.config.name,
        "results": plan.results,
        "shards": kinds["search"]["tasks"],
        "feature_sets": n_sets,
        "tasks": kinds,
        "cpu_hours": sum(found["cpu_hours"] for found in kinds.values()),
        "next_cpu_hours": sum(found["next_cpu_hours"] for found in kinds.values()),
        "next_main_process_hours": _SECONDS_PER_JOB
        * sum(found["next_tasks"] for found in kinds.values())
        / 3600,
        "disk_mb": disk_bytes(plan, survey.states) / 1e6,
        "cpu_hours_by_dataset": datasets,
        "report": look_at_report(survey).state,
    }


def as_text(survey: Survey, data: dict[str, Any], console: Any) -> None:
    """Print what the next run would do.

    Parameters
    ----------
    survey : Survey
    data : dict
        Of :func:`as_data`.
    console : rich.console.Console
    """
    from rich.table import Table

    console.print(f"Study {data['study']} in {data['results']}", highlight=False)
    table = Table(box=None, padding=(0, 2, 0, 0))
    for column in ("", "tasks", "CPU time", "next run", "CPU time"):
        table.add_column(column, justify="left" if not column else "right")
    for kind, found in data["tasks"].items():
        if found["tasks"]:
            table.add_row(
                KIND_WORDS[kind],
                f"{found['tasks']:,.0f}",
                duration(found["cpu_hours"]),
                f"{found['next_tasks']:,.0f}" if found["next_tasks"] else "-",
                duration(found["next_cpu_hours"]) if found["next_tasks"] else "-",
            )
    console.print(table)
    console.print(
        f"{data['shards']:,.0f} shards with {data['feature_sets']:,} feature sets, "
        f"about {duration(data['cpu_hours'])} of CPU time and {data['disk_mb']:,.0f} MB of disk.",
        highlight=False,
    )
    costly = sorted(data["cpu_hours_by_dataset"].items(), key=lambda item: -item[1])[:3]
    console.print(
        "Most of it: " + ", ".join(f"{name} {duration(hours)}" for name, hours in costly) + ".",
        highlight=False,
    )
    if data["next_cpu_hours"]:
        workers = ", ".join(
            f"{n} {'core' if n == 1 else 'cores'} {duration(_wall_hours(data, n))}"
            for n in (1, 2, 8, 64)
        )
        console.print(
            f"The next run, about: {workers}. Measured on one machine, right within a factor of "
            "two or three.",
            highlight=False,
        )
    else:
        report = "nothing" if data["report"] == "done" else "only tables, figures and the report"
        console.print(f"The next run would make {report}.")


def _wall_hours(data: dict[str, Any], n_cores: int) -> float:
    """Snakemake's own process takes part of a core, and all jobs pass through it."""
    own: float = data["next_main_process_hours"]
    work: float = data["next_cpu_hours"]
    return max(own + work / n_cores if n_cores == 1 else (own + work) / n_cores, own)


def duration(hours: float) -> str:
    """Hours in the unit that reads best."""
    if hours >= 10:
        return f"{hours:,.0f} h"
    if hours >= 1:
        return f"{hours:.1f} h"
    minutes = hours * 60
    return f"{minutes:.0f} min" if minutes >= 1 else f"{max(1, round(60 * minutes))} s"
