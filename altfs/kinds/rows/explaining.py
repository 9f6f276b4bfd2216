"""Explanations of single rows: the sets of each explained row of a fold's test part."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from math import isfinite
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from altfs._numbers import FloatArray, IntArray
from altfs.datasets.row_designs import truth_of_rows
from altfs.errors import AltfsError
from altfs.kinds.rows.batches import RowSets, search_rows
from altfs.kinds.rows.comparison import truth_rank
from altfs.kinds.rows.schema import EXPLANATION_SCHEMA
from altfs.kinds.rows.sufficiency import of_predicted, said_alone, same_class
from altfs.prediction.base import models
from altfs.problem import Status
from altfs.quality import Linear
from altfs.scores.base import Part
from altfs.searches.request import stored_size
from altfs.selectors.base import selectors
from altfs.selectors.row_wise import ExplainsModel, RowWise, answers_of, drawn_places
from altfs.solvers.base import Limits
from altfs.study.folds import fold_parts, load_planned_dataset, split_rows
from altfs.study.layout import data_path
from altfs.study.sharding import in_words_of_config, request_of, search_of
from altfs.study.store import Result, library_versions

if TYPE_CHECKING:
    from altfs.kinds.rows.task import ExplainTask


class Attributed(NamedTuple):
    """The explained rows of a fold, with what a selector and the model say of them."""

    #: Shape (n_rows,). Their numbers in the dataset.
    rows: IntArray
    #: Shape (n_rows, n_total). The rows, and what each feature is worth for them.
    X: FloatArray
    values: FloatArray
    #: Shape (n_background, n_total).
    background: FloatArray
    #: What the model says to rows.
    answers: Callable[[FloatArray], FloatArray]
    #: True if it says probabilities.
    classes: bool
    #: Shape (n_rows, n_total). The relevant features of each row, if they are known.
    truth: npt.NDArray[np.bool_] | None
    #: The wall time of the model and the values.
    seconds: float


def make_explanations(task: ExplainTask) -> Result:
    """Explain rows of the test part of a fold."""
    nothing = int((~_worth(attributed(task).values)).sum())
    note = f"no feature is worth anything for {nothing} of the rows" if nothing else ""
    return explanation_table(task), {
        "task": task.content,
        "versions": library_versions(),
        "notes": {"share": note} if note else {},
    }


def attributed(task: ExplainTask) -> Attributed:
    """Return the values of the features for the explained rows of a fold."""
    # Tasks of a fold share what does not depend on the search.
    shared = _Shared(
        data_path(task.results, task.dataset), task.digest, task.fold, task.folds, task.seed,
        json.dumps(task.explained, sort_keys=True), task.design,
    )  # fmt: skip
    component = task.component
    values, seconds = _values(shared, component.type, json.dumps(component.options, sort_keys=True))
    rows = _explained(shared).rows
    return rows._replace(values=values, seconds=rows.seconds + seconds)


class _Shared(NamedTuple):
    """What determines the model and the explained rows of a fold."""

    path: str
    digest: str
    fold: int
    folds: int
    seed: int
    #: The section of the configuration, as JSON.
    section: str
    design: str | None


class _Explained(NamedTuple):
    """A fitted model, and what all selectors share about the explained rows.

    In `rows` the values and their time are those before any selector: zeros, and the model's.
    """

    model: Any
    train: Part
    rows: Attributed


# The jobs of a fold share the model, which takes most of the memory.
@lru_cache(maxsize=2)
def _explained(shared: _Shared) -> _Explained:
    start = perf_counter()
    train, test = fold_parts(shared.path, *shared[1:5])
    dataset, section = load_planned_dataset(shared.path, shared.digest), json.loads(shared.section)
    of_test = split_rows(dataset, shared.folds, shared.seed)[shared.fold][1]
    places = drawn_places(len(of_test), section["rows"], train.seed)
    X = test.X[places]
    model = models.make(section["model"]).estimator(train.target_type, train.seed)
    model.fit(train.X, train.y)
    rows = Attributed(
        of_test[places],
        X,
        np.zeros(X.shape),
        train.X[drawn_places(len(train.X), section["background"], train.seed)],
        answers_of(model, train.target_type),
        train.target_type != "regression",
        truth_of(shared.design, dataset.feature_names, dataset.categorical, X),
        perf_counter() - start,
    )
    return _Explained(model, train, rows)


# The jobs of a fold and selector share them. They come in any order, and networks take minutes.
@lru_cache(maxsize=256)
def _values(shared: _Shared, selector_type: str, options: str) -> tuple[FloatArray, float]:
    """Return the values of the features for the explained rows, and their wall time."""
    model, train, rows = _explained(shared)
    start = perf_counter()
    selector = selectors.make(selector_type, json.loads(options))
    assert isinstance(selector, RowWise)
    if isinstance(selector, ExplainsModel):
        values = selector.model_values(
            model, rows.background, rows.X, train.target_type, train.seed
        )
    else:
        values = selector.row_values(train, rows.X)
    return values, perf_counter() - start


def truth_of(
    design: str | None, names: Sequence[str], categorical: npt.NDArray[np.bool_], X: FloatArray
) -> npt.NDArray[np.bool_] | None:
    """Return the relevant features of rows; None if they, or the columns, are not the design's.

    Examples
    --------
    >>> names = [f"x{j}" for j in range(1, 11)]
    >>> truth_of("xor", names, np.zeros(10, bool), np.zeros((1, 10))).sum()
    np.int64(2)
    >>> truth_of("xor", ["x1", "x3"], np.zeros(2, bool), np.zeros((1, 2))) is None
    True
    """
    own = [f"x{j + 1}" for j in range(len(names))]
    if design is None or list(names) != own or categorical.any():
        return None
    return truth_of_rows(design, X)


def explanation_table(task: ExplainTask) -> pa.Table:
    """Explain rows with every (n_features, n_alternatives, aggregation); return a row per set."""
    explained, names, search = attributed(task), task.data.feature_names, search_of(task)
    limits = Limits(**task.limits)
    values = explained.values[_worth(explained.values)]
    whole = explained.answers(explained.X)
    rows: list[dict[str, Any]] = []
    for run in task.runs():
        start = perf_counter()
        request = request_of(task, names, run)
        try:
            sets = search_rows(values, request, search, limits)
        except AltfsError as error:
            raise AltfsError(in_words_of_config(str(error))) from None
        sets = _of_all(sets, _worth(explained.values))
        seconds = explained.seconds + perf_counter() - start
        alone = said_alone(explained.answers, explained.X, sets.sets, explained.background)
        problem = request.problem(Linear(np.zeros(len(names))))
        shared = {
            **task.place._asdict(),
            "n_features": stored_size(run[0]),
            "n_alternatives": run[1],
            "aggregation": run[2] if task.entry["aggregation"] else "none",
            "max_overlap": problem.max_overlap if len(problem.sizes) == 1 else None,
            "seconds": seconds / sets.status.size,
        }
        rows += _rows(explained, sets, (whole, alone), names, shared)
    return pa.Table.from_pylist(rows, schema=EXPLANATION_SCHEMA)


def _worth(values: FloatArray) -> npt.NDArray[np.bool_]:
    """Return for which rows any feature is worth something."""
    return np.asarray(values.sum(axis=1) > 0)


def _of_all(found: RowSets, there: npt.NDArray[np.bool_]) -> RowSets:
    """Return the sets of all rows from those of some; the others have none."""
    shape = (len(there), *found.status.shape[1:])
    whole = RowSets(
        np.full((len(there), *found.sets.shape[1:]), -1, dtype=np.int64),
        np.full(shape, Status.UNKNOWN, dtype=object),
        np.full(shape, np.nan),
    )
    whole.sets[there], whole.status[there] = found.sets, found.status
    whole.objective[there] = found.objective
    return whole


def _rows(
    found: Attributed,
    sets: RowSets,
    said: tuple[FloatArray, FloatArray],
    names: Sequence[str],
    shared: Mapping[str, Any],
) -> list[dict[str, Any]]:
    """Return a row for each set of each explained row."""
    whole, alone = of_predicted(*said)
    same = same_class(*said)
    with np.errstate(invalid="ignore"):
        share = sets.objective / found.values.sum(axis=1)[:, None]
    rows = []
    for i, number in enumerate(found.rows.tolist()):
        rank = None if found.truth is None else truth_rank(found.values[i], found.truth[i])
        for rank_of_set in range(sets.status.shape[1]):
            chosen = [j for j in sets.sets[i, rank_of_set].tolist() if j >= 0]
            row = {
                **shared,
                "row": number,
                "set_index": rank_of_set,
                "selected": chosen,
                "feature_names": [names[j] for j in chosen],
                "values": found.values[i, chosen].tolist(),
                "objective": _number(sets.objective[i, rank_of_set]),
                "share": _number(share[i, rank_of_set]),
                "answer": float(whole[i]),
                "answer_alone": _number(alone[i, rank_of_set]),
                "status": str(sets.status[i, rank_of_set]),
            }
            if chosen and found.classes:
                row["same_prediction"] = bool(same[i, rank_of_set])
                row["fidelity"] = float(1 - abs(whole[i] - alone[i, rank_of_set]))
            if found.truth is not None:
                hits = int(found.truth[i, chosen].sum())
                row |= {"n_true": int(found.truth[i].sum()), "truth_found": hits,
                        "truth_wrong": len(chosen) - hits, "truth_rank": rank}  # fmt: skip
            rows.append(row)
    return rows


def _number(value: float) -> float | None:
    return float(value) if isfinite(value) else None
