"""Assessments of sets, compared with what shards, data and models give."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from altfs.kinds.assessments.assessing import make_assessments
from altfs.searches.request import stored_size
from altfs.study.verify.files import differences

if TYPE_CHECKING:
    from altfs.kinds.assessments.task import AssessTask

_BOUNDS = [("near_at_least", "near_at_most"), ("alternatives_at_least", "alternatives_at_most")]


def audit_assessments(
    task: AssessTask, table: pa.Table, metadata: Mapping[str, Any], recompute: bool
) -> Iterator[str]:
    """Yield the errors in a file of assessments; if `recompute`, assess its sets again."""
    errors = [*_check_rows(task, table)]
    yield from errors
    if errors or not recompute:
        return
    again, described = make_assessments(task)
    yield from differences(table, again)
    if metadata.get("notes") != described["notes"]:
        yield "its metadata's notes are not what the data give"


def _check_rows(task: AssessTask, table: pa.Table) -> Iterator[str]:
    """Yield the errors that the file itself shows."""
    ranked = not task.entry["aggregation"]
    planned = [
        {**task.place._asdict(), "n_features": stored_size(size), "n_alternatives": n,
         "aggregation": "none" if ranked else aggregation, "set_index": i}
        for size, n, aggregation in task.runs()
        for i in range(n + 1)
    ]  # fmt: skip
    rows = table.to_pylist()
    if [{name: row[name] for name in planned[0]} for row in rows] != planned:
        yield "its rows are not those of the plan"
        return
    for row in rows:
        for low, high in _BOUNDS:
            if row[low] is not None and not 0 <= row[low] <= row[high]:
                yield f"set {row['set_index']}: {low} is {row[low]}, {high} is {row[high]}"
