"""The origin of the results of a study: runs, versions, times, failures and missing files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from altfs._files import read_json
from altfs.study.design import Origin
from altfs.study.plan import Plan
from altfs.study.runs import note_outcome, stored_runs, task_times
from altfs.study.state import StudyState, look_at_logs
from altfs.study.store import library_versions
from altfs.study.task import Task


def origin_of(plan: Plan) -> Origin:
    """Return the origin of the results that :mod:`altfs.study.collect` combined."""
    notes = read_json(plan.collected_path())
    missing = missing_tasks(plan) if notes["missing"] else []
    failed = failures(plan, missing)
    # Of a group that is not complete some shards may exist.
    missing = [t for task in missing for t in task.members(plan) if not Path(t.path).exists()]
    planned = sum(1 for _ in plan.places())
    return Origin(
        _last_run(plan, len(failed)),
        [
            f"{run.get('started')}: {run.get('command')} (commit {run.get('commit')})"
            for run in stored_runs(plan.study_file)
        ],
        plan.config.model_dump_json(indent=2).splitlines(),
        planned,
        planned - sum(task.rule == "search" for task in missing),
        [plan.inside(task.path) for task in missing if not task.rule.startswith("score")],
        failed,
        notes["foreign"],
    )


def _last_run(plan: Plan, n_failed: int) -> dict[str, str]:
    """Say with what the last run was made and how long tasks took; ``study.json`` says it, too."""
    runs = stored_runs(plan.study_file)
    last = runs[-1] if runs else {"versions": library_versions()}
    versions = ", ".join(f"{name} {v}" for name, v in last.get("versions", {}).items())
    keys = {"Last run began": "started", "Its command": "command", "Commit": "commit",
            "Machine": "machine"}  # fmt: skip
    facts = {name: last.get(key) for name, key in keys.items()} | {"Versions": versions}
    times = task_times(plan.results)
    if times is not None:
        note_outcome(plan.study_file, {
            "tasks": times.n, "failed": n_failed, "ended": f"{times.ended:%Y-%m-%d %H:%M:%S} UTC",
            "wall_seconds": round(times.seconds, 3),
            "cpu_seconds": round(times.cpu_seconds, 3),
        })  # fmt: skip
        facts["Tasks"] = (
            f"{times.n:,}, {n_failed:,} of them failed; {times.began:%Y-%m-%d %H:%M} to "
            f"{times.ended:%Y-%m-%d %H:%M} UTC; together {times.seconds:,.0f} s of wall time"
        )
        facts["CPU time"] = f"{times.cpu_seconds:,.0f} s"
    return {name: str(text) for name, text in facts.items() if text}


def missing_tasks(plan: Plan) -> list[Task]:
    """Return the tasks of a study whose files are missing."""
    return [task for task in plan.tasks.values() if not Path(task.path).exists()]


def failures(plan: Plan, missing: Sequence[Task]) -> list[str]:
    """Return the reasons for which some of these tasks failed, from their logs."""
    state = StudyState(plan, dict.fromkeys(missing, "missing"))
    look_at_logs(state)
    return [f"{plan.inside(failure.path)}: {failure.reason}" for failure in state.failures]
