"""Explanations of single rows, compared with what data, selector and model give."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, islice
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from altfs.kinds.rows.explaining import ExplainedFold, attributed, make_explanations
from altfs.quality import Linear
from altfs.searches.request import stored_size
from altfs.solvers import Limits
from altfs.study.sharding import request_of, search_of
from altfs.study.verify.files import differences
from altfs.study.verify.rows import WITH_SET, Row

if TYPE_CHECKING:
    from altfs.kinds.rows.task import ExplainTask

# The number of rows of a run that are searched alone.
_SEARCHED_ALONE = 5
# The difference that the order of a sum makes.
_ROUNDING = 1e-9


def audit_explanations(
    task: ExplainTask, table: pa.Table, metadata: Mapping[str, Any], recompute: bool
) -> Iterator[str]:
    """Yield the errors in a file of explanations; if `recompute`, explain its rows again."""
    errors = [*check_rows_explained(task, table)]
    yield from errors
    if errors or not recompute:
        return
    again, described = make_explanations(task)
    errors = [*differences(table, again)]
    yield from errors
    if metadata.get("notes") != described["notes"]:
        yield "its metadata's notes are not what the data give"
    elif not errors:
        yield from differ_alone(task, table)


def check_rows_explained(task: ExplainTask, table: pa.Table) -> Iterator[str]:
    """Yield the errors in explanations that the file itself shows."""
    runs, rows = _runs(task), iter(table.to_pylist())
    n_rows = len(table) // max(1, sum(run[1] + 1 for run in runs))
    for size, n_alternatives, aggregation in runs:
        of_run = {**task.place._asdict(), "n_features": stored_size(size),
                  "n_alternatives": n_alternatives, "aggregation": aggregation}  # fmt: skip
        numbers = []
        for _ in range(n_rows):
            group = [*islice(rows, n_alternatives + 1)]
            numbers.append(group[0]["row"])
            for wrong in _check_row(group, of_run):
                yield f"row {numbers[-1]}: {wrong}"
                return
        if numbers != sorted(set(numbers)):
            yield "its rows are not sorted or repeat themselves"
    if any(rows):
        yield "lacks or repeats rows"


def _runs(task: ExplainTask) -> list[tuple[int | str, int, str]]:
    """Return the runs of a task, with the aggregation as it is stored."""
    ranked = not task.entry["aggregation"]
    return [(k, n, "none" if ranked else aggregation) for k, n, aggregation in task.runs()]


def _check_row(group: list[Row], of_run: Mapping[str, Any]) -> Iterator[str]:
    """Yield the errors in the explanations of one row."""
    for i, row in enumerate(group):
        for name, value in {**of_run, "set_index": i, "row": group[0]["row"]}.items():
            if row[name] != value:
                yield f"{name} is {row[name]!r}, not {value!r}"
        chosen, values = row["selected"], row["values"]
        lengths = {len(chosen), len(values), len(row["feature_names"])}
        if chosen != sorted(set(chosen)) or len(lengths) > 1:
            yield f"selected {chosen} is not a set with values and names"
        elif bool(chosen) != (row["status"] in WITH_SET):
            yield f"status is {row['status']} with {len(chosen)} features"
        elif chosen and abs(row["objective"] - sum(values)) > _ROUNDING * max(1.0, sum(values)):
            yield f"objective is {row['objective']!r}, its values have the sum {sum(values)!r}"
        elif row["truth_found"] is not None and (
            row["truth_found"] + row["truth_wrong"] != len(chosen)
        ):
            yield "truth_found and truth_wrong are not its features"
        elif chosen and row["sufficient"] is not None:
            yield from _check_sufficiency(row)
    limit = group[0]["max_overlap"]
    for a, b in combinations((set(row["selected"]) for row in group), 2):
        if limit is not None and a and b and len(a & b) > limit:
            yield f"two explanations share {len(a & b)} features, {limit} are allowed"


def _check_sufficiency(row: Row) -> Iterator[str]:
    """Yield what columns of an explanation say against each other."""
    if row["sufficient"] != (row["same_prediction"] and not row["same_without"]):
        yield f"sufficient is {row['sufficient']}, same_prediction and same_without say otherwise"
    for name, value in (
        ("fidelity", 1 - abs(row["answer"] - row["answer_alone"])),
        ("probability_change", row["answer_alone"] - row["answer_without"]),
    ):
        if abs(row[name] - value) > _ROUNDING:
            yield f"{name} is {row[name]!r}, its answers give {value!r}"


def differ_alone(task: ExplainTask, table: pa.Table) -> Iterator[str]:
    """Yield rows whose sets, or their sufficiency, are others if a row is explained alone.

    Explanations come from a search of all rows at once. A few rows of each run are judged.
    """
    explained, search, names = attributed(task), search_of(task), task.data.feature_names
    limits = Limits(**task.limits)
    key = ("row", "n_features", "n_alternatives", "aggregation")
    stored: dict[tuple[Any, ...], list[Row]] = {}
    for row in table.to_pylist():
        stored.setdefault(tuple(row[name] for name in key), []).append(row)
    worth = np.flatnonzero(explained.worth)
    for run, (size, n_alternatives, aggregation) in zip(task.runs(), _runs(task), strict=True):
        request = request_of(task, names, run)
        for place in worth[:: max(1, len(worth) // _SEARCHED_ALONE)]:
            number = int(explained.rows[place])
            result = search.search(request.problem(Linear(explained.values[place])), limits)
            group = stored[number, stored_size(size), n_alternatives, aggregation]
            for row, chosen in zip(group, result.sets, strict=False):
                name = f"row {number}, set {row['set_index']}"
                if row["selected"] != list(chosen):
                    yield f"{name}: is {row['selected']}, alone it is {list(chosen)}"
                elif row["sufficient"] is not None:
                    sufficient = _suffices(explained, place, chosen)
                    if row["sufficient"] != sufficient:
                        yield f"{name}: sufficient is {row['sufficient']}, alone it is {sufficient}"


def _suffices(explained: ExplainedFold, place: int, chosen: Sequence[int]) -> bool:
    """Return True if the model predicts the class from a set, and not without any feature."""
    mixed = explained.background.copy()
    mixed[:, list(chosen)] = explained.X[place, list(chosen)]
    whole, alone, without = (
        explained.model.predict_proba(rows).mean(axis=0).argmax()
        for rows in (explained.X[[place]], mixed, explained.background)
    )
    return bool(whole == alone != without)
