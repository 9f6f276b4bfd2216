"""``altfs status``: how far a study is, in words and as data."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import Any

from altfs.study.inventory import KINDS, Task
from altfs.study.plan import Plan
from altfs.study.reported import look_at_report
from altfs.study.survey import Standing, Survey, count

#: What each kind of task makes.
KIND_WORDS = {
    "data": "datasets",
    "score": "scores",
    "score_part": "parts of scores",
    "search": "shards",
    "predict": "predictions",
}
_MOST_FAILURES = 10
_MARKS: dict[Standing, str] = {
    "failed": "failed",
    "running": "running",
    "damaged": "damaged",
    "stale": "stale",
}


def as_data(survey: Survey) -> dict[str, Any]:
    """What ``altfs status --json`` prints."""
    standings = survey.standings()
    cells: dict[tuple[str, str], Counter[Standing]] = defaultdict(Counter)
    for task, standing in standings.items():
        if task.kind == "search":
            cells[task.dataset, task.detail][standing] += 1
    report = look_at_report(survey)
    failures = [*survey.failures, *report.failures]
    return {
        "study": survey.plan.config.name,
        "results": survey.plan.results,
        "complete": survey.complete and report.state == "done",
        "at_work": survey.at_work,
        "report": report.state,
        "tasks": {kind: count(s for t, s in standings.items() if t.kind == kind) for kind in KINDS},
        "shards": [
            {"dataset": dataset, "selector": selector, **count(counted.elements())}
            for (dataset, selector), counted in cells.items()
        ],
        "failures": [{**_names(f.task), "reason": f.reason, "log": str(f.log)} for f in failures],
        "damaged": survey.damaged() + report.damaged,
    }


def as_text(survey: Survey, data: dict[str, Any], console: Any) -> None:
    """Print how far a study is.

    Parameters
    ----------
    survey : Survey
    data : dict
        Of :func:`as_data`.
    console : rich.console.Console
    """
    from rich.table import Table

    console.print(f"Study {data['study']} in {data['results']}", highlight=False)
    counts = Table(box=None, padding=(0, 2, 0, 0))
    columns = ["expected", "done", "running", "failed", "damaged", "stale", "missing"]
    for column in ["", *columns]:
        counts.add_column(column, justify="left" if not column else "right")
    for kind, found in data["tasks"].items():
        if expected := sum(found.values()):
            numbers = [expected, *(found[name] for name in columns[1:])]
            counts.add_row(
                KIND_WORDS[kind], *(f"{number:,}" if number else "-" for number in numbers)
            )
    console.print(counts)
    console.print()
    _print_shards(survey.plan, data, console)
    for path in data["damaged"][:_MOST_FAILURES]:
        console.print(f"damaged: {path}", highlight=False, markup=False)
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


def _print_shards(plan: Plan, data: Mapping[str, Any], console: Any) -> None:
    """Done of expected shards, a row per dataset and a column per selector."""
    from rich.table import Table

    selectors = list(plan.selector_entries)
    table = Table(box=None, padding=(0, 2, 0, 0), title_justify="left")
    table.add_column("shards done of expected", overflow="fold")
    for selector in selectors:
        table.add_column(selector, justify="right", overflow="fold")
    cells = {(cell["dataset"], cell["selector"]): cell for cell in data["shards"]}
    for dataset in plan.facts:
        row = [dataset]
        for selector in selectors:
            cell = cells[dataset, selector]
            expected = sum(number for number in cell.values() if isinstance(number, int))
            notes = [f"{cell[name]} {word}" for name, word in _MARKS.items() if cell[name]]
            row.append(", ".join([f"{cell['done']}/{expected}", *notes]))
        table.add_row(*row)
    console.print(table)


def _print_failures(failures: list[dict[str, Any]], console: Any) -> None:
    """The reasons, those that many tasks share only once."""
    by_reason: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for failure in failures:
        by_reason[failure["reason"]].append(failure)
    for reason, members in list(by_reason.items())[:_MOST_FAILURES]:
        times = f" ({len(members)} times)" if len(members) > 1 else ""
        first = members[0]
        where = first["kind"]
        if first["dataset"]:
            where += f", dataset {first['dataset']}"
        if first["fold"] >= 0:
            where += f", fold {first['fold']}, {first['detail']}"
        console.print(f"failed{times}: {where}\n  {reason}\n  log: {first['log']}",
                      highlight=False, markup=False, soft_wrap=True)  # fmt: skip
    if len(by_reason) > _MOST_FAILURES:
        console.print(f"and {len(by_reason) - _MOST_FAILURES} more reasons, see --json")


def _names(task: Task) -> dict[str, Any]:
    return {
        "kind": task.kind,
        "dataset": task.dataset,
        "fold": task.fold,
        "detail": task.detail,
        "path": task.path,
    }
