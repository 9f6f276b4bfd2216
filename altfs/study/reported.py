"""Whether tables, figures and the report are those of the results that are there.

The last task notes what it made: the hash of each file, and the task hash, which
tells the settings, the data and the code of the evaluation. So a table that was
edited or truncated afterwards is noticed, and so are tables that older code made.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from altfs.study.inventory import Task
from altfs.study.ledger import stamp_of
from altfs.study.plan import Plan
from altfs.study.store import library_versions, task_hash, write_atomically
from altfs.study.survey import Failure, Survey, failure_in

State = Literal["done", "stale", "damaged", "missing"]


@dataclass
class Report:
    """What is there of tables, figures and the page.

    Attributes
    ----------
    page : str
        The path of the page.
    state : {"done", "stale", "damaged", "missing"}
        Stale: of other results, settings or code than the study's. Missing: there is no page.
    damaged : list of str
        The files that were truncated, edited or deleted since they were made.
    failures : list of Failure
        Of the tasks that make them, unless everything is as it should be.
    """

    page: str
    state: State
    damaged: list[str] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)

    def to_make_again(self) -> list[str]:
        """The page, where Snakemake might take it and what goes with it for good."""
        return [self.page] if self.state in ("stale", "damaged") else []


def look_at_report(survey: Survey) -> Report:
    """Find out what tables, figures and the page are.

    Parameters
    ----------
    survey : Survey
        What the results are of which they should be.
    """
    plan = survey.plan
    report = Report(plan.report_path(), "missing")
    page = stamp_of(report.page)
    if page is not None:
        noted = _noted(plan)
        report.damaged = _damaged(plan, noted["files"])
        stamps = (stamp_of(task.path) for task in survey.states)
        newest = max((stamp[1] for stamp in stamps if stamp), default=0)
        expected = {_inside(plan, path) for path in _made(plan)}
        current = (
            survey.complete
            and newest <= page[1]
            and expected <= noted["files"].keys()
            and noted["task_hash"] == task_hash(plan.evaluate_arguments())
        )
        report.state = "damaged" if report.damaged else "done" if current else "stale"
    if report.state != "done":
        for rule, path in (("gather", plan.gathered_path()), ("evaluate", report.page)):
            log = Path(plan.results, "logs", f"{rule}.log")
            reason = failure_in(log)
            if reason is not None:
                report.failures.append(Failure(Task(rule, "", -1, "", path, ""), reason, log))
    return report


def table_metadata(plan: Plan) -> dict[str, Any]:
    """What every table of the evaluation says of itself."""
    return {
        "kind": "table",
        "plan": plan.hash,
        "task_hash": task_hash(plan.evaluate_arguments()),
        "versions": library_versions(),
    }


def forget_evaluation(plan: Plan) -> None:
    """Drop the note before anything is made anew, so that half of it is not called damaged."""
    Path(plan.evaluated_path()).unlink(missing_ok=True)


def note_evaluation(plan: Plan) -> None:
    """Note what the evaluation has made, once it has made everything."""
    files = {_inside(plan, path): _digest(path) for path in _made(plan) if stamp_of(path)}
    noted = {"task_hash": task_hash(plan.evaluate_arguments()), "files": files}
    text = json.dumps(noted, indent=1, sort_keys=True) + "\n"

    def write(partial: Path) -> None:
        partial.write_text(text, "utf-8")

    write_atomically(Path(plan.evaluated_path()), write)


def _made(plan: Plan) -> list[str]:
    note = plan.evaluated_path()
    return [plan.report_path(), *(path for path in plan.evaluation_paths() if path != note)]


def _inside(plan: Plan, path: str) -> str:
    # A results folder may be moved.
    return path.removeprefix(f"{plan.results}/")


def _noted(plan: Plan) -> dict[str, Any]:
    """The note of the evaluation; what cannot be read tells nothing."""
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
