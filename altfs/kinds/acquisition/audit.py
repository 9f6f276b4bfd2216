"""Measured rows, compared with what data and method give."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby
from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from altfs._numbers import IntArray
from altfs.kinds.acquisition.measuring import MeasuredFold, costs_of, measured, measured_fold
from altfs.kinds.acquisition.methods.exact import ExactPolicy
from altfs.study.verify.files import differences

if TYPE_CHECKING:
    from altfs.kinds.acquisition.acquire_task import AcquireTask

# The number of states whose value is judged by recursion, and their largest cost in row visits.
_JUDGED, _MOST_VISITS = 10, 200_000
_ROUNDING = 1e-9


def audit_steps(
    task: AcquireTask, table: pa.Table, metadata: Mapping[str, Any], recompute: bool
) -> Iterator[str]:
    """Yield the errors in a file of measured rows; if `recompute`, measure them again."""
    errors = [*_check_steps(task, table)]
    yield from errors
    if errors or not recompute:
        return
    errors = [*differences(table, measured(task)[0])]
    yield from errors
    if not errors and "optimal" in table["status"].to_pylist():
        yield from judge_values(measured_fold(task), table)


def _check_steps(task: AcquireTask, table: pa.Table) -> Iterator[str]:
    """Yield the errors that the file itself shows."""
    mode, _, number = task.limit.partition("-")
    most = float(number) if mode == "budget" else float("inf")
    names = task.data.feature_names
    costs = costs_of(task.costs, names, task.seed)
    before = -1
    for row, group in groupby(table.to_pylist(), lambda step: step["row"]):
        steps, spent, known = list(group), 0.0, set[int]()
        if row <= before:
            yield f"row {row} is not in order"
        before = row
        for i, step in enumerate(steps):
            feature, last = step["feature"], i == len(steps) - 1
            place = f"row {row}, step {i}"
            if step["mode"] != mode or step["step"] != i or (feature is None) != last:
                yield f"{place}: it is not the next step"
                return
            if abs(step["spent"] - spent) > _ROUNDING or spent > most + _ROUNDING:
                yield f"{place}: spent is {step['spent']!r}, its costs have the sum {spent!r}"
            if step["correct"] != (step["answer"] == step["truth"] if last else None):
                yield f"{place}: correct is {step['correct']!r}"
            if feature is None:
                continue
            if feature in known or step["feature_name"] != names[feature]:
                yield f"{place}: '{step['feature_name']}' is known or another feature"
            if step["cost"] != costs[feature]:
                yield f"{place}: cost is {step['cost']!r}, not {float(costs[feature])!r}"
            known.add(feature)
            spent += step["cost"]


def judge_values(fold: MeasuredFold, table: pa.Table) -> Iterator[str]:
    """Yield the proven values of states that a recursion over states does not give."""
    method = fold.method
    assert isinstance(method, ExactPolicy)
    place = {int(row): x for row, x in zip(fold.rows, fold.X, strict=True)}
    judged: dict[tuple[Any, ...], float] = {}
    known: list[int] = []
    for step in table.to_pylist():
        known = known if step["step"] else []
        codes = [int(method.coding.of(j, place[step["row"]][j])) for j in known]
        key = tuple(sorted(zip(known, codes, strict=True)))
        if len(judged) < _JUDGED and key not in judged:
            rows = np.arange(len(method.task.y))
            for j, code in zip(known, codes, strict=True):
                rows = rows[method.coding.codes[rows, j] == code]
            if len(rows) and _visits(method, len(known), len(rows)) <= _MOST_VISITS:
                judged[key] = value = _value(method, rows, frozenset(known), step["spent"])
                if abs(value - step["value"]) > _ROUNDING:
                    where = f"row {step['row']}, step {step['step']}"
                    yield f"{where}: value is {step['value']!r}, by recursion it is {value!r}"
        if step["feature"] is not None:
            known = [*known, step["feature"]]


def _visits(method: ExactPolicy, n_known: int, n_rows: int) -> float:
    """Return about how many rows a recursion from a state looks at."""
    left = len(method.task.actions) - n_known
    deep = max(0, method.most - n_known)
    return float(n_rows * sum(comb(left, k) * 2**k for k in range(min(deep, left) + 1)))


def _value(method: ExactPolicy, rows: IntArray, done: frozenset[int], spent: float) -> float:
    """Return the least expected loss and price of a state, by its definition."""
    task, alpha = method.task, method.alpha
    counts = np.bincount(task.y[rows], minlength=task.n_classes) + alpha
    best = 1 - float(counts.max() / counts.sum())
    if len(rows) < method.options.min_rows or len(done) >= method.most:
        return best
    for j in {*range(len(task.actions))} - done:
        cost = float(task.costs[j])
        if spent + cost > task.budget + _ROUNDING:
            continue
        codes = method.coding.codes[rows, j]
        parts = [rows[codes == code] for code in np.unique(codes)]
        sums = (len(part) * _value(method, part, done | {j}, spent + cost) for part in parts)
        best = min(best, task.price * cost + sum(sums) / len(rows))
    return best
