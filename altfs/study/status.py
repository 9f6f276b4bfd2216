"""``altfs status``: the state of a study, as text and as data."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from altfs.study.group import states_of_shards
from altfs.study.plan import Plan
from altfs.study.state import (
    Ledger,
    Standing,
    StudyState,
    count,
    evaluation_jobs,
    failure_in,
    look_at_report,
)
from altfs.study.store import Stamp, stamp_of
from altfs.study.tasks import SearchesTask, SearchTask, task_types

_MOST_FAILURES = 10
# Blanks between the columns of a table.
_GAP = 2
_MARKS: tuple[Standing, ...] = ("failed", "running", "damaged", "stale")


def as_data(state: StudyState) -> dict[str, Any]:
    """Return the data of ``altfs status --json``."""
    standings = state.standings()
    cells: dict[tuple[str, str], Counter[Standing]] = defaultdict(Counter)
    ledger = Ledger(state.plan.results)
    for task, standing in standings.items():
        if isinstance(task, SearchTask):
            cells[task.dataset, task.detail][standing] += 1
        elif isinstance(task, SearchesTask):
            cells[task.dataset, task.detail] += states_of_shards(task, state.plan, ledger, standing)
    report = look_at_report(state)
    return {
        "study": state.plan.config.name,
        "results": state.plan.results,
        "complete": state.complete and report.state == "done",
        "at_work": state.at_work,
        "report": report.state,
        "tasks": {
            kind.rule: count(s for t, s in standings.items() if t.rule == kind.rule)
            for kind in task_types()
        },
        "shards": [
            {"dataset": dataset, "selector": selector, **count(counted.elements())}
            for (dataset, selector), counted in cells.items()
        ],
        "failures": [failure._asdict() for failure in [*state.failures, *report.failures]],
        "damaged": state.damaged() + report.damaged,
    }


def as_text(data: dict[str, Any], console: Any) -> None:
    """Print the state of a study, which :func:`as_data` returned."""
    columns = ["expected", "done", "running", "failed", "damaged", "stale", "missing"]
    rows = {}
    for kind, counts in data["tasks"].items():
        if expected := sum(counts.values()):
            numbers = [expected, *(counts[name] for name in columns[1:])]
            rows[kind] = [f"{number:,}" if number else "-" for number in numbers]
    print_kinds(data, columns, rows, console)
    console.print()
    _print_shards(data["shards"], console)
    for path in data["damaged"][:_MOST_FAILURES]:
        console.print(f"damaged: {path}", markup=False, soft_wrap=True)
    _print_failures(data["failures"], console)
    console.print()
    run = "A run is at work" if data["at_work"] else "No run is at work"
    what = {
        "done": "the report is up to date",
        "missing": "there is no report yet",
        "stale": "the report is out of date",
        "damaged": "the report, its tables or its figures are damaged",
    }[data["report"]]
    console.print(f"{run}; {what}.")


def outcome(plan: Plan, stopped: bool, outdated: Mapping[str, Stamp]) -> str:
    """Return the last line of a run: the report, and how many tasks are done and failed.

    A file of `outdated` that has its stamp still was not made again.
    """
    logs = {task.path: task.log for task in plan.tasks.values()}
    logs |= {path: log for _, _, path, log in evaluation_jobs(plan)}
    missing = [log for path, log in logs.items() if stamp_of(path) in (None, outdated.get(path))]
    failed = sum(failure_in(Path(log)) is not None for log in missing)
    done = f"{len(logs) - len(missing):,} of {len(logs):,} tasks done, {failed:,} failed"
    if stopped:
        return f"Stopped: {done}; the same command continues the study."
    # The note of the evaluation exists only after all of it was made.
    page = plan.report_path()
    if stamp_of(plan.evaluated_path()) and stamp_of(page) != outdated.get(page):
        return f"Report: {page} ({done})"
    return f"No report: {done}; see altfs status {plan.results}"


def print_kinds(
    data: Mapping[str, Any], columns: Sequence[str], rows: Mapping[str, Sequence[str]], console: Any
) -> None:
    """Print the name of a study, and a table with a row for each kind of task."""
    from rich.table import Table

    console.print(f"Study {data['study']} in {data['results']}")
    table = Table("", box=None, padding=(0, _GAP, 0, 0))
    for column in columns:
        table.add_column(column, justify="right")
    words = {kind.rule: kind.files for kind in task_types()}
    words["evaluation"] = "tables, figures, report"
    for kind, cells in rows.items():
        table.add_row(words[kind], *cells)
    console.print(table)


def _print_shards(cells: list[dict[str, Any]], console: Any) -> None:
    """Print shards done of expected, a row per dataset and a column per selector.

    Selectors that the width of the terminal has no room for follow in further tables.
    """
    from rich.table import Table

    rows: dict[str, dict[str, str]] = defaultdict(dict)
    for cell in cells:
        expected = sum(number for number in cell.values() if isinstance(number, int))
        notes = [f"{cell[name]} {name}" for name in _MARKS if cell[name]]
        text = ", ".join([f"{cell['done']}/{expected}", *notes])
        rows[cell["dataset"]][cell["selector"]] = text
    heading = "shards done of expected"
    names = max(map(len, [heading, *rows]))
    room, parts = 0, list[list[str]]()
    for selector in dict.fromkeys(cell["selector"] for cell in cells):
        texts = [selector, *(row.get(selector, "-") for row in rows.values())]
        width = _GAP + max(map(len, texts))
        if not parts or width > room:
            parts.append([])
            room = console.width - names - _GAP
        parts[-1].append(selector)
        room -= width
    for part in parts:
        table = Table(heading, box=None, padding=(0, _GAP, 0, 0))
        for selector in part:
            table.add_column(selector, justify="right", no_wrap=True)
        for dataset, row in rows.items():
            table.add_row(dataset, *(row.get(selector, "-") for selector in part))
        console.print(table)


def _print_failures(failures: list[dict[str, Any]], console: Any) -> None:
    """Print the reasons for failures without duplicates."""
    by_reason: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for failure in failures:
        by_reason[failure["reason"]].append(failure)
    for reason, members in list(by_reason.items())[:_MOST_FAILURES]:
        times = f" ({len(members)} times)" if len(members) > 1 else ""
        first = members[0]
        dataset = first["dataset"] and f"dataset {first['dataset']}"
        fold = f"fold {first['fold']}" if first["fold"] >= 0 else ""
        where = ", ".join(filter(None, [first["kind"], dataset, fold, first["detail"]]))
        console.print(f"failed{times}: {where}\n  {reason}\n  log: {first['log']}",
                      markup=False, soft_wrap=True)  # fmt: skip
    if len(by_reason) > _MOST_FAILURES:
        console.print(f"and {len(by_reason) - _MOST_FAILURES} more reasons, see --json")
