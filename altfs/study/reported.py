"""State of tables, figures and the report.

The last task notes the hash of each file, and the task hash of settings, data and
code of the evaluation. So edited and truncated tables are noticed, and tables of older code.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from altfs.study.catalogue import figures, tables
from altfs.study.inventory import Task
from altfs.study.ledger import State, stamp_of
from altfs.study.plan import Plan
from altfs.study.store import library_versions, task_hash, write_text
from altfs.study.survey import Failure, Survey, failure_in


@dataclass
class Report:
    """State of tables, figures and the page.

    Attributes
    ----------
    page, collected : str
        The paths of the page, and of the results that everything is made from.
    state : {"done", "stale", "damaged", "missing"}
        Stale: made from other results, settings or code. Missing: the page does not exist.
    damaged : list of str
        The files that were truncated, edited or deleted since they were made.
    failures : list of Failure
        Of the tasks that make them, unless the state is "done".
    """

    page: str
    collected: str
    state: State
    damaged: list[str] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)

    def to_recompute(self) -> list[str]:
        """Return the first files to recompute, which Snakemake regards as up to date."""
        first = {"stale": [self.collected], "damaged": [*self.damaged, self.page]}
        return list(dict.fromkeys(first.get(self.state, [])))


def look_at_report(survey: Survey) -> Report:
    """Determine the state of tables, figures and the page, given that of the results."""
    plan = survey.plan
    report = Report(plan.report_path(), plan.collected_path(), "missing")
    page = stamp_of(report.page)
    if page is not None:
        noted = _noted(plan)
        report.damaged = _damaged(plan, noted["files"])
        stamps = (stamp_of(task.path) for task in survey.states)
        newest = max((stamp[1] for stamp in stamps if stamp), default=0)
        expected = {plan.inside(path) for path in _made(plan)}
        current = (
            survey.complete
            and newest <= page[1]
            and expected <= noted["files"].keys()
            and noted["task_hash"] == task_hash(plan.evaluate_arguments())
        )
        report.state = "damaged" if report.damaged else "done" if current else "stale"
    if report.state != "done":
        reasons = ((task, failure_in(log), log) for task, log in _tasks(plan))
        report.failures = [Failure(task, why, log) for task, why, log in reasons if why is not None]
    return report


def _tasks(plan: Plan) -> Iterator[tuple[Task, Path]]:
    """Yield the last tasks of a study, each with its log."""
    logs = Path(plan.results, "logs")
    yield Task("collect", "", -1, "", plan.collected_path(), ""), logs / "collect.log"
    for kind, catalogue, paths in (
        ("tables", tables, plan.table_paths),
        ("figures", figures, plan.figure_paths),
    ):
        for name in catalogue.order():
            yield Task(kind, "", -1, name, paths(name)[0], ""), logs / kind / f"{name}.log"
    yield Task("report", "", -1, "", plan.report_path(), ""), logs / "report.log"


def table_metadata(plan: Plan) -> dict[str, Any]:
    """Return the metadata of every table of the evaluation."""
    return {
        "kind": "table",
        "plan": plan.hash,
        "task_hash": task_hash(plan.evaluate_arguments()),
        "versions": library_versions(),
    }


def forget_evaluation(plan: Plan) -> None:
    """Delete the note before anything is recomputed, as half of it would look damaged."""
    Path(plan.evaluated_path()).unlink(missing_ok=True)


def note_evaluation(plan: Plan) -> None:
    """Note the files of the evaluation, after all of them were made."""
    files = {plan.inside(path): _digest(path) for path in _made(plan) if stamp_of(path)}
    noted = {"task_hash": task_hash(plan.evaluate_arguments()), "files": files}
    write_text(Path(plan.evaluated_path()), json.dumps(noted, indent=1, sort_keys=True) + "\n")


def _made(plan: Plan) -> list[str]:
    note = plan.evaluated_path()
    return [plan.report_path(), *(path for path in plan.evaluation_paths() if path != note)]


def _noted(plan: Plan) -> dict[str, Any]:
    """Return the note of the evaluation, or an empty one if it cannot be read."""
    try:
        content = json.loads(Path(plan.evaluated_path()).read_text("utf-8"))
        files = {str(path): str(digest) for path, digest in content["files"].items()}
        return {"task_hash": content["task_hash"], "files": files}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {"task_hash": None, "files": {}}


def _damaged(plan: Plan, files: dict[str, str]) -> list[str]:
    paths = {f"{plan.results}/{path}": digest for path, digest in files.items()}
    return [path for path, digest in paths.items() if _digest(path) != digest]


def _digest(path: str) -> str:
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except OSError:
        return ""
