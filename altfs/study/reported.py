"""State of tables, figures and the report.

The last task notes the hash of each file, and the task hash of settings, data and code of the
evaluation. So edited tables, truncated tables and tables of older code are noticed.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from altfs.study.inventory import Task
from altfs.study.ledger import State, stamp_of
from altfs.study.plan import Plan
from altfs.study.store import library_versions, task_hash, write_text
from altfs.study.survey import Failure, Survey, failure_in


@dataclass
class Report:
    """State of tables, figures and the page."""

    page: str
    #: The files of the results that everything is made from.
    collected: list[str]
    #: Stale: made from other results, settings or code. Missing: the page does not exist.
    state: State
    #: The files that were truncated, edited or deleted after they were made.
    damaged: list[str] = field(default_factory=list)
    #: Failures of the last tasks, unless the state is "done".
    failures: list[Failure] = field(default_factory=list)

    def to_recompute(self) -> list[str]:
        """Return the first files to recompute, which Snakemake regards as up to date."""
        first = {"stale": self.collected, "damaged": [*self.damaged, self.page]}
        return list(dict.fromkeys(first.get(self.state, [])))


def look_at_report(survey: Survey) -> Report:
    """Determine the state of tables, figures and the page, given that of the results."""
    plan = survey.plan
    notes = {name: plan.collected_portion(name)[0] for name in plan.facts}
    report = Report(plan.report_path(), [*notes.values()], "missing")
    page = stamp_of(report.page)
    if page is not None:
        made_by, files = _noted(plan)
        paths = {f"{plan.results}/{path}": digest for path, digest in files.items()}
        report.damaged = [path for path, digest in paths.items() if _digest(path) != digest]
        stamps = (stamp_of(task.path) for task in survey.states)
        current = (
            survey.complete
            and all(stamp is None or stamp[1] <= page[1] for stamp in stamps)
            and set(_made(plan)) <= paths.keys()
            and made_by == task_hash(plan.evaluate_arguments())
        )
        report.state = "damaged" if report.damaged else "done" if current else "stale"
    if report.state != "done":
        last = [
            *(("collect", name, path) for name, path in notes.items()),
            ("combine", "", plan.collected_path()),
            *(("tables", name, plan.table_paths(name)[0]) for name in plan.tables),
            *(("figures", name, plan.figure_paths(name)[0]) for name in plan.figures),
            ("report", "", plan.report_path()),
        ]
        for kind, name, path in last:
            # The names of datasets may have dots.
            log = Path(plan.results, "logs", f"{kind}/{name}.log" if name else f"{kind}.log")
            if (reason := failure_in(log)) is not None:
                task = Task(kind, "", -1, name, path, "")
                report.failures.append(Failure(task, reason, log))
    return report


def table_metadata(plan: Plan) -> dict[str, Any]:
    """Return the metadata of every table of the evaluation."""
    return {
        "kind": "table",
        "plan": plan.hash,
        "task_hash": task_hash(plan.evaluate_arguments()),
        "versions": library_versions(),
    }


def forget_evaluation(plan: Plan) -> None:
    """Delete the note before files are recomputed, as these would look damaged."""
    Path(plan.evaluated_path()).unlink(missing_ok=True)


def note_evaluation(plan: Plan) -> None:
    """Note the files of the evaluation, after all of them were made."""
    files = {plan.inside(path): _digest(path) for path in _made(plan) if stamp_of(path)}
    noted = {"task_hash": task_hash(plan.evaluate_arguments()), "files": files}
    write_text(Path(plan.evaluated_path()), json.dumps(noted, indent=1, sort_keys=True) + "\n")


def _made(plan: Plan) -> list[str]:
    note = plan.evaluated_path()
    return [plan.report_path(), *(path for path in plan.evaluation_paths() if path != note)]


def _noted(plan: Plan) -> tuple[str | None, dict[str, str]]:
    """Return the task hash and the files of the evaluation's note; None if it is damaged."""
    try:
        content = json.loads(Path(plan.evaluated_path()).read_text("utf-8"))
        files = {str(path): str(digest) for path, digest in content["files"].items()}
        return content["task_hash"], files
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None, {}


def _digest(path: str) -> str:
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except OSError:
        return ""
