"""Rows of a fold's test part, measured one value after the other."""

from __future__ import annotations

from collections.abc import Mapping
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa

from altfs._numbers import FloatArray, IntArray
from altfs.kinds.acquisition.base import Method, methods, subset_models
from altfs.kinds.acquisition.policy import Labels
from altfs.kinds.acquisition.schema import STEP_SCHEMA
from altfs.kinds.acquisition.section import SMALL_PRICE
from altfs.kinds.acquisition.simulation import Simulated
from altfs.kinds.acquisition.task import Acquisition, Action
from altfs.selectors.row_wise import drawn_places
from altfs.study.store import Result, library_versions

if TYPE_CHECKING:
    from altfs.kinds.acquisition.acquire_task import AcquireTask

# The largest cost that is drawn.
_DEAREST = 5


class MeasuredFold(NamedTuple):
    """The fitted method of a task, and the rows that it measures."""

    method: Method
    #: Their numbers in the dataset, their values, and the places of their classes.
    rows: IntArray
    X: FloatArray
    y: IntArray
    #: The classes as the dataset has them.
    classes: IntArray


def costs_of(costs: str | Mapping[str, float], names: tuple[str, ...], seed: int) -> FloatArray:
    """Return the cost of each feature.

    >>> costs_of("random", ("a", "b", "c"), 0).tolist()
    [5.0, 1.0, 4.0]
    """
    if isinstance(costs, Mapping):
        return np.array([costs[name] for name in names])
    if costs == "unit":
        return np.ones(len(names))
    return np.random.RandomState(seed).randint(1, _DEAREST + 1, len(names)).astype(np.float64)


def measured_fold(task: AcquireTask) -> MeasuredFold:
    """Fit the method of a task, and draw the rows that it measures."""
    train, test = task.parts()
    data, (mode, _, number) = task.data, task.limit.partition("-")
    costs = costs_of(task.costs, data.feature_names, task.seed)
    classes = np.unique(data.y).astype(np.int64)
    actions = [Action(n, (j,), c) for j, (n, c) in enumerate(zip(data.feature_names, costs.tolist(),
                                                                 strict=True))]  # fmt: skip
    limits = {"price": SMALL_PRICE, "budget": float(number)}
    acquisition = Acquisition(
        train.X, np.searchsorted(classes, train.y), 1.0 - np.eye(len(classes)), tuple(actions), (),
        data.categorical, seed=task.seed,
        **(limits if mode == "budget" else {"price": float(number)}),
    )  # fmt: skip
    model = subset_models.make(task.subset_model.type, task.subset_model.options)
    method = methods.make(task.component.type, task.component.options).fit(acquisition, model)
    places = drawn_places(len(test.y), task.rows, task.seed)
    of_test = task.sides()[1]
    y = np.searchsorted(classes, test.y[places])
    return MeasuredFold(method, of_test[places], test.X[places], y, classes)


def measured(task: AcquireTask) -> Result:
    """Measure rows of the test part of a fold."""
    start = perf_counter()
    fold, names = measured_fold(task), list(task.data.feature_names)
    labels = Labels(names, names, list(range(fold.method.task.n_classes)), {})
    steps = Simulated(fold.method, fold.X, fold.y, labels, outages=True).steps
    stops = steps["feature"].isna()
    right = steps["answer"].to_numpy() == fold.y[steps["row"].to_numpy()]
    n = len(steps)
    columns: dict[str, Any] = {
        "dataset": [task.dataset] * n, "fold": [task.fold] * n, "method": [task.method] * n,
        "mode": [task.limit.partition("-")[0]] * n, "limit": [task.limit] * n,
        "row": fold.rows[steps["row"].to_numpy()],
        "feature_name": [None if np.isnan(j) else names[int(j)] for j in steps["feature"]],
        "alternative_name": [None if np.isnan(j) else names[int(j)] for j in steps["alternative"]],
        "correct": [bool(r) if stop else None for r, stop in zip(right, stops, strict=True)],
        "answer": fold.classes[steps["answer"].to_numpy()],
        "truth": [int(fold.classes[c]) if stop else None
                  for c, stop in zip(fold.y[steps["row"].to_numpy()], stops, strict=True)],
        "seconds": [(perf_counter() - start) / n] * n,
    }  # fmt: skip
    arrays = [
        pa.array(columns.get(field.name, steps.get(field.name)), field.type, from_pandas=True)
        for field in STEP_SCHEMA
    ]
    table = pa.table(arrays, schema=STEP_SCHEMA)
    return table, {"task": task.content, "versions": library_versions(), "notes": {}}
